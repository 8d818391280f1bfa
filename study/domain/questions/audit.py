"""Audit of a question set: how it can be answered without its contexts, and which questions are unfair or known.

What can be guessed has an interval (core/domain/artefacts.py); what is counted is a finding from the first question on.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from core.domain.artefacts import ArtefactQuestion, Check, CheckFinding, equal_options, shortcuts
from core.domain.statistics import Interval
from study.domain.questions.likeness import is_near
from study.domain.questions.training import SeenInTraining

EXAMPLES = 10  # numbers of questions that are kept of a check


@dataclass(frozen=True)
class AuditedQuestion:
    """A question in its whole context; those of one ``group`` are of one conversation.

    ``source`` is the corpus it comes from. ``is_drawn``: its false responses are turns of other conversations. Others
    were written to be wrong, however like the truth they are.
    """

    context: Sequence[str]
    candidates: Sequence[str]
    answer: int
    group: Hashable
    is_drawn: bool
    source: str = ""

    @property
    def false_ones(self) -> list[str]:
        return [text for position, text in enumerate(self.candidates) if position != self.answer]


class SourceCheck(NamedTuple):
    """The same check over the `n` questions of one source."""

    source: str
    n: int
    value: float | None
    interval: Interval | None
    chance: float | None

    def as_json(self) -> dict[str, Any]:
        """Return it with the keys of the check."""
        ends = self.interval and list(self.interval)
        return {"source": self.source, "n": self.n, "value": self.value, "ci": ends, "chance": self.chance}


class AuditCheck(NamedTuple):
    """What a check found over `n` questions: a share or difference with its interval, or a number of questions.

    `chance` is what a set without the artefact gives. `value` is None where it could not be computed; then, and with
    too few questions, nothing is found. `examples` are numbers of questions that show it, `counted` those of all that
    were counted. `sources` has the same of each source, where there are several.
    """

    name: str
    n: int
    value: float | None
    interval: Interval | None
    chance: float | None
    verdict: str
    examples: Sequence[int] = ()
    counted: Sequence[int] = ()
    sources: Sequence[SourceCheck] = ()

    @property
    def is_found(self) -> bool:
        return self.verdict == CheckFinding.LOOK

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the check with the keys of COMMANDS; `names` are those of the questions by number."""
        return {
            "name": self.name,
            "value": self.value,
            "ci": self.interval and list(self.interval),
            "chance": self.chance,
            "found": self.is_found,
            "n": self.n,
            "verdict": str(self.verdict),
            "examples": [names[number] for number in self.examples],
            **({"counted": [names[number] for number in self.counted]} if self.counted else {}),
            **({"sources": [each.as_json() for each in self.sources]} if self.sources else {}),
        }


def audit(questions: Sequence[AuditedQuestion], seen: SeenInTraining | None) -> tuple[list[AuditCheck], float]:
    """Return every check, and the level of each interval: all hold together with 95 % (Bonferroni).

    The names of the intervals are those of `shortcuts`. ``equal_candidates``: two candidates are equal after folding;
    ``near_true``: a picked false response is so like the true one that it may be true, too; ``near_candidates``: two
    picked false responses are nearly equal; ``context_in_training`` and ``candidates_in_training``: see SeenInTraining,
    None where there is no training material. A set without artefacts has a finding of an interval with 5 % at most.
    """
    guesses, level = shortcuts(
        [ArtefactQuestion(each.context, each.candidates, each.answer, each.group, each.source) for each in questions]
    )
    found = [_guessed(name, check) for name, check in guesses.items()]
    found += [
        _counted("equal_candidates", questions, lambda each: equal_options(each.candidates)),
        _counted("near_true", questions, _has_near_true),
        _counted("near_candidates", questions, _has_near_false),
    ]
    if seen:
        numbers = {"context_in_training": seen.contexts, "candidates_in_training": seen.candidates}
        found += [_of_numbers(name, questions, sorted(own)) for name, own in numbers.items()]
    return found, level


def _guessed(name: str, check: Check) -> AuditCheck:
    sources = [SourceCheck(source, own.n, own.value, own.interval, own.chance) for source, own in check.parts]
    return AuditCheck(
        name, check.n, check.value, check.interval, check.chance, check.finding, check.examples, (), sources
    )


def _has_near_true(question: AuditedQuestion) -> bool:
    truth = question.candidates[question.answer]
    return question.is_drawn and any(is_near(truth, text) for text in question.false_ones)


def _has_near_false(question: AuditedQuestion) -> bool:
    return question.is_drawn and any(is_near(one, other) for one, other in combinations(question.false_ones, 2))


def _counted(name: str, questions: Sequence[AuditedQuestion], is_so: Callable[[AuditedQuestion], bool]) -> AuditCheck:
    return _of_numbers(name, questions, [number for number, each in enumerate(questions) if is_so(each)])


def _of_numbers(name: str, questions: Sequence[AuditedQuestion], numbers: Sequence[int]) -> AuditCheck:
    verdict = CheckFinding.LOOK if numbers else CheckFinding.EXPECTED
    total, found = Counter(each.source for each in questions), Counter(questions[number].source for number in numbers)
    sources = [SourceCheck(name, total[name], found[name], None, 0) for name in sorted(total)] if len(total) > 1 else []
    return AuditCheck(name, len(questions), len(numbers), None, 0, verdict, numbers[:EXAMPLES], numbers, sources)
