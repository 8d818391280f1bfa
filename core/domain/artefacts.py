"""Shortcuts: the success of guessing an answer by the look of the options, without understanding the context.

Models pick up such artefacts of how options were written (Gururangan et al. 2018, NAACL); the wrong responses of the
first Ubuntu test set were shorter (Lowe et al. 2017).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple

import numpy as np

from core.domain.statistics import LEVEL, Interval, student_quantile, wilson
from core.domain.text import fold, letter_of
from core.domain.words import words_of

FEWEST, FEWEST_GROUPS = 50, 20  # instances, and contexts; with fewer an interval says nothing
PLACES = 10  # positions with a check of their own
FOLDS = 5
EXAMPLES = 10  # of instances in which a guess is right
ROUNDING = 1e-9  # an interval may have no width


class CheckFinding(StrEnum):
    """Conclusions from a check."""

    EXPECTED = "as_expected"  # chance lies within the interval
    LOOK = "look"
    TOO_FEW = "too_few"


@dataclass(frozen=True)
class ArtefactQuestion:
    """One instance whose right option is known. Instances of one `group` share a context; `part` is their source."""

    context: Sequence[str]
    options: Sequence[str]
    answer: int
    group: Hashable
    part: str = ""


class Check(NamedTuple):
    """Result of one way of guessing over `n` instances of `groups` contexts, with its interval, beside `chance`.

    The value is a share of right guesses, from 0 to 1, or a difference of means, right minus wrong options (chance 0);
    None where it could not be computed. `examples` are the numbers of the first instances that a guess gets right.
    `parts` are the same of each part, by its name, where there are several.
    """

    n: int
    groups: int
    value: float | None
    chance: float | None
    interval: Interval | None
    examples: Sequence[int] = ()
    parts: Sequence[tuple[str, "Check"]] = ()

    @property
    def finding(self) -> CheckFinding:
        """Expected where chance is within the interval; too few where there is no basis for it."""
        if self.n < FEWEST or self.groups < FEWEST_GROUPS or self.chance is None or self.interval is None:
            return CheckFinding.TOO_FEW
        low, high = self.interval
        is_chance = low - ROUNDING <= self.chance <= high + ROUNDING
        return CheckFinding.EXPECTED if is_chance else CheckFinding.LOOK


NOTHING = Check(0, 0, None, None, None)
MEANS = ("length", "overlap", "capital", "end_mark")
END_MARKS = tuple(".!?…。！？")
OPENING, CLOSING = " \"'“‘「『(（", " \"'”’」』)）"  # beside the first letter and the end mark
GUESSES = {
    "longest": ("length", 1),
    "shortest": ("length", -1),
    "most_alike": ("alike", 1),
    "most_overlap": ("overlap", 1),
    "least_overlap": ("overlap", -1),
}


def shortcuts(questions: Sequence[ArtefactQuestion]) -> tuple[dict[str, Check], float]:
    """Return every check by its name, and the level of each interval: all hold together with 95 % (Bonferroni).

    ``position_A`` to ``position_J``: how often the right option is at that position; ``position_beyond``: at the one
    after these that is furthest from chance, each of which counts among the checks. ``length`` and ``overlap``: words,
    and the share of them that the context has, right minus wrong; ``capital`` and ``end_mark``: the share that begins
    with a capital letter or ends a sentence, right minus wrong. ``longest``, ``shortest``, ``most_alike`` (shares most
    words with the other options), ``most_overlap`` and ``least_overlap`` (with the context): how often the option so
    chosen is right; of equal ones each counts in part. ``linear``: a logistic regression on the options' words alone,
    trained on four fifths of the contexts and tested on the fifth.
    """
    indices = range(max((len(each.options) for each in questions), default=0))
    level = 1 - (1 - LEVEL) / (len(indices) + len(MEANS) + len(GUESSES) + 1)
    features = [_features(each) for each in questions]
    places = [_position(questions, index, level) for index in indices]
    found = {f"position_{letter_of(index)}": check for index, check in enumerate(places[:PLACES])}
    if places[PLACES:]:
        found["position_beyond"] = max(places[PLACES:], key=_from_chance)
    found |= {name: _difference(questions, [f[name] for f in features], level) for name in MEANS}
    found |= {
        name: _guesser(questions, [[sign * x for x in f[feature]] for f in features], level)
        for name, (feature, sign) in GUESSES.items()
    }
    found["linear"] = _linear(questions, level)
    return found, level


def _from_chance(check: Check) -> tuple[bool, float]:
    """Return a key that is largest where chance is furthest outside the interval, with enough instances first."""
    if check.interval is None or check.chance is None:
        return False, -1.0
    low, high = check.interval
    return check.finding == CheckFinding.LOOK, max(low - check.chance, check.chance - high)


def equal_options(options: Sequence[str]) -> bool:
    """Return whether two options differ only in case, width, punctuation or space: then neither is uniquely right."""
    return len({fold(option) for option in options}) < len(options)


def _features(question: ArtefactQuestion) -> dict[str, list[float]]:
    """Return what each check compares of the options, by its name.

    ``length`` is in words; ``overlap`` and ``alike`` are the shares of them that the context and the others have;
    ``capital`` and ``end_mark`` are 1 or 0.
    """
    known = {word for text in question.context for word in words_of(text)}
    words = [words_of(option) for option in question.options]
    others = [{*chain(*words[:index], *words[index + 1 :])} for index in range(len(words))]
    return {
        "length": [float(len(own)) for own in words],
        "overlap": [_share(own, known) for own in words],
        "alike": [_share(own, rest) for own, rest in zip(words, others, strict=True)],
        "capital": [float(option.lstrip(OPENING)[:1].isupper()) for option in question.options],
        "end_mark": [float(option.rstrip(CLOSING).endswith(END_MARKS)) for option in question.options],
    }


def _share(words: Sequence[str], known: set[str]) -> float:
    return sum(word in known for word in words) / len(words) if words else 0.0


def _position(questions: Sequence[ArtefactQuestion], index: int, level: float) -> Check:
    numbers = [number for number, each in enumerate(questions) if index < len(each.options)]
    asked = [questions[number] for number in numbers]
    check = _share_of([float(each.answer == index) for each in asked], asked, level)
    if index < PLACES:
        return check
    return check._replace(examples=[number for number in numbers if questions[number].answer == index][:EXAMPLES])


def _guesser(questions: Sequence[ArtefactQuestion], scores: Sequence[Sequence[float]], level: float) -> Check:
    """Return how often the option with the highest score is right; of equal ones each counts in part."""
    right = [_part(own, each.answer) for own, each in zip(scores, questions, strict=True)]
    examples = [number for number, part in enumerate(right) if part == 1][:EXAMPLES]
    return _share_of(right, questions, level)._replace(examples=examples)


def _part(scores: Sequence[float], answer: int) -> float:
    best = max(scores)
    return 1 / scores.count(best) if scores[answer] == best else 0.0


def _share_of(right: Sequence[float], questions: Sequence[ArtefactQuestion], level: float) -> Check:
    return _whole_share(right, questions, level)._replace(parts=_of_parts(_whole_share, right, questions, level))


def _of_parts(
    check_of: Callable[[Sequence[float], Sequence[ArtefactQuestion], float], Check],
    values: Sequence[float],
    questions: Sequence[ArtefactQuestion],
    level: float,
) -> list[tuple[str, Check]]:
    """Return the check of each part, in alphabetical order; [] where all instances are of one."""
    names = sorted({each.part for each in questions})
    numbers = {name: [number for number, each in enumerate(questions) if each.part == name] for name in names}
    return [
        (name, check_of([values[number] for number in own], [questions[number] for number in own], level))
        for name, own in numbers.items()
        if len(names) > 1
    ]


def _whole_share(right: Sequence[float], questions: Sequence[ArtefactQuestion], level: float) -> Check:
    """Return a share with Wilson's interval, for the effective number of independent instances."""
    if not right:
        return NOTHING
    p = fmean(right)
    chance = fmean(1 / len(each.options) for each in questions)
    worth = _worth(right, questions)
    return Check(len(right), _groups(questions), p, chance, wilson(p * worth, worth, level))


def _worth(right: Sequence[float], questions: Sequence[ArtefactQuestion]) -> float:
    """Return the effective number of instances, at most n; those of a context err together (Kish 1965, 8.2)."""
    n, groups = len(right), _groups(questions)
    alone = variance(right) / n if n > 1 else 0.0
    together = _variance_of_mean(right, questions)
    return min(n, n * alone / together) if alone and together else groups


def _groups(questions: Sequence[ArtefactQuestion]) -> int:
    return len({each.group for each in questions})


def _difference(questions: Sequence[ArtefactQuestion], values: Sequence[Sequence[float]], level: float) -> Check:
    """Return the right option's value minus the mean of the wrong ones, with Student's interval over the groups."""
    apart = [
        own[each.answer] - fmean(x for index, x in enumerate(own) if index != each.answer)
        for each, own in zip(questions, values, strict=True)
    ]
    return _mean_apart(apart, questions, level)._replace(parts=_of_parts(_mean_apart, apart, questions, level))


def _mean_apart(apart: Sequence[float], questions: Sequence[ArtefactQuestion], level: float) -> Check:
    if not apart:
        return NOTHING
    mean, groups = fmean(apart), _groups(questions)
    if groups < 2:
        return Check(len(apart), groups, mean, 0.0, None)
    half = student_quantile(groups - 1, level) * sqrt(_variance_of_mean(apart, questions))
    return Check(len(apart), groups, mean, 0.0, (mean - half, mean + half))


def _variance_of_mean(values: Sequence[float], questions: Sequence[ArtefactQuestion]) -> float:
    """Return the variance of a mean over groups that are drawn whole (Cochran 1977, 9A); 0 with one group."""
    mean = fmean(values)
    sums: dict[Hashable, float] = {}
    for value, each in zip(values, questions, strict=True):
        sums[each.group] = sums.get(each.group, 0.0) + value - mean
    groups = len(sums)
    if groups < 2:
        return 0.0
    return groups / (groups - 1) * sum(total**2 for total in sums.values()) / len(values) ** 2


def _linear(questions: Sequence[ArtefactQuestion], level: float) -> Check:
    fold_of = _folds(questions)
    has_words = any(words_of(option) for each in questions for option in each.options)
    if len(questions) < FEWEST or len(set(fold_of)) < FOLDS or not has_words:
        return NOTHING
    return _guesser(questions, _linear_scores(questions, fold_of), level)


def _linear_scores(questions: Sequence[ArtefactQuestion], fold_of: Sequence[int]) -> list[list[float]]:
    """Return each option's score by a logistic regression on words and word pairs, trained on the other folds."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # takes seconds to import, so only here
    from sklearn.linear_model import LogisticRegression

    owner = np.array([number for number, each in enumerate(questions) for _option in each.options])
    is_right = np.array([index == each.answer for each in questions for index in range(len(each.options))])
    fold_of_option = np.array(fold_of)[owner]
    texts = TfidfVectorizer(analyzer=_words_and_pairs, sublinear_tf=True, dtype=np.float64)
    features = texts.fit_transform(option for each in questions for option in each.options)
    scores = np.zeros(len(owner))
    for fold_asked in range(FOLDS):
        asked = fold_of_option == fold_asked
        model = LogisticRegression(solver="liblinear", class_weight="balanced", random_state=0)
        scores[asked] = model.fit(features[~asked], is_right[~asked]).decision_function(features[asked])
    ends = np.cumsum([len(each.options) for each in questions])[:-1]
    return [own.tolist() for own in np.split(scores, ends)]


def _folds(questions: Sequence[ArtefactQuestion]) -> list[int]:
    """Assign whole groups to folds in turn, in the order in which they come."""
    number: dict[Hashable, int] = {}
    return [number.setdefault(each.group, len(number)) % FOLDS for each in questions]


def _words_and_pairs(text: str) -> list[str]:
    words = words_of(text)
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]
