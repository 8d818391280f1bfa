"""First and second choices at each question of a study, of the people who count. Only for a study that is closed."""

from collections import defaultdict
from dataclasses import dataclass, field
from math import fsum
from statistics import median, quantiles
from typing import Any

from study.domain.results.choices import agreement_of_choices
from study.domain.results.metrics import METRICS, Ranked, ranked_by_scores, recall_at
from study.domain.results.resamples import generator_for
from study.domain.survey.validity import LEAST_PEOPLE, rival_of
from study.models import Answer, Question, Run, Study
from study.selectors.results.answered import NOT_AMONG, GivenAnswers, answers_given
from study.selectors.results.facts import CHUNK, QuestionFacts
from study.selectors.results.places import places_of_choices
from study.selectors.runs.model_answers import instances_at, number_of_models, runs_predicting
from study.selectors.runs.predicted import predicted
from study.selectors.runs.sources import instance_of

COLUMNS = ["presentation", "person", "question", "better", "tied", "depth"]

Choices = dict[str, Any]
RECIPROCAL = ("MRR", "MRR@2")  # metrics of reciprocal ranks, of full rankings and of two choices


@dataclass
class _Part:
    """Answers of a group to a question in one condition."""

    facts: QuestionFacts
    right: float = 0.0
    scored: int = 0
    reciprocal: dict[str, list[float]] = field(default_factory=lambda: {metric: [] for metric in RECIPROCAL})
    first: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    milliseconds: list[int] = field(default_factory=list)

    def add(self, ranked: Ranked, first: int | None, second: int | None, milliseconds: int | None) -> None:
        if self.facts.is_scored:
            self.right += recall_at(ranked, 1) or 0.0
            self.scored += 1
            for metric, values in self.reciprocal.items():
                value = METRICS[metric](ranked)
                values += [] if value is None else [value]
        for counts, chosen in ((self.first, first), (self.second, second)):
            if chosen is not None and chosen < len(counts):
                counts[chosen] += 1
        if milliseconds is not None:
            self.milliseconds.append(milliseconds)


def choices_of(study: Study) -> dict[str, Any]:
    """Return what people chose, as JSON: questions by corpus and name, each with its parts by condition and group.

    `agreement` is how alike people choose, in all and by corpus, and `places` whether they prefer one on the page. A
    part has the question's key in its condition, the group, how many answers are `scored` and how many of them
    `right`, the sum and number of its `reciprocal` ranks by metric, `first` and `second` choices by candidate, and the
    times in milliseconds: median and quartiles.
    """
    given = answers_given(study)
    parts = _parts(given, study)
    by_whole: dict[str, list[dict[str, Any]]] = defaultdict(list)
    corpus: dict[str, str] = {}
    for (pk, group), part in sorted(parts.items()):
        corpus[part.facts.whole] = part.facts.corpus
        by_whole[part.facts.whole].append(
            {
                "question": pk,
                "group": group,
                "scored": part.scored,
                "right": part.right,
                "reciprocal": {metric: [fsum(each), len(each)] for metric, each in part.reciprocal.items()},
                "first": part.first,
                "second": part.second,
                **_times(part.milliseconds),
            }
        )
    rows = [{"name": name, "corpus": corpus[name], "parts": of_one} for name, of_one in sorted(by_whole.items())]
    return {
        "questions": rows,
        "best": _best_model(study, given.questions),
        "agreement": [_agreement(parts, name) for name in [None, *sorted({*corpus.values()} - {""})]],
        "places": places_of_choices(study, given),
    }


def _agreement(parts: dict[tuple[int, str], _Part], corpus: str | None) -> dict[str, Any]:
    """Return how alike people choose at the questions of a corpus, in each condition for itself."""
    counts: dict[int, list[int]] = {}
    for (pk, _group), part in sorted(parts.items()):
        if corpus in (None, part.facts.corpus):
            before = counts.get(pk, [0] * len(part.first))
            counts[pk] = [one + other for one, other in zip(before, part.first, strict=True)]
    found = agreement_of_choices([*counts.values()], generator_for(0, "agreement of choices", corpus or ""))
    return {
        "corpus": corpus,
        "questions": found.questions,
        "same": found.same,
        "same_ci": found.same_interval,
        "beyond_chance": found.beyond_chance,
        "beyond_chance_ci": found.beyond_chance_interval,
    }


def _parts(given: GivenAnswers, study: Study) -> dict[tuple[int, str], _Part]:
    counted = given.are_counted(given.by_default)
    keys, facts = list(given.questions), list(given.questions.values())
    chosen = _chosen(study)
    parts: dict[tuple[int, str], _Part] = {}
    for presentation, person, question, better, tied, depth in given.rows[COLUMNS].tolist():
        if not depth or not counted[person]:
            continue
        about, place = facts[question], (keys[question], given.people[person].group)
        if place not in parts:
            zeros = [0] * about.candidates
            parts[place] = _Part(about, first=[*zeros], second=[*zeros])
        ranked = Ranked(None if better == NOT_AMONG else better, tied, depth, about.candidates)
        parts[place].add(ranked, *chosen.get(presentation, (None, None, None)))
    return parts


def _chosen(study: Study) -> dict[int, tuple[int | None, int | None, int | None]]:
    rows = Answer.objects.filter(presentation__participant__study=study).order_by()
    fields = rows.values_list("presentation", "first", "second", "milliseconds")
    return {pk: (first, second, spent) for pk, first, second, spent in fields.iterator(chunk_size=CHUNK)}


def _times(milliseconds: list[int]) -> dict[str, Any]:
    """Return median and quartiles; none of fewer than five people."""
    if len(milliseconds) < LEAST_PEOPLE:
        return {"median": None, "quartiles": None}
    low, _middle, high = quantiles(milliseconds, n=4)
    return {"median": median(milliseconds), "quartiles": [low, high]}


def _best_model(study: Study, questions: dict[int, QuestionFacts]) -> dict[str, Any] | None:
    """Return the run that has most of these questions right, and whether it is right at each; None without a run.

    As on the page of results, it is one of those that were asked all of them, if any was. `runs` are all beside it.
    """
    instances = instances_at([pk for pk, facts in questions.items() if facts.answer is not None])
    right: dict[int, dict[str, bool]] = {}
    whole: set[int] = set()
    runs = runs_predicting(study, [*instances.values()])
    for run in runs:
        scored = [*zip(instances, predicted(run, [*instances.values()]), strict=True)]
        if all(scores is not None for _pk, scores in scored):
            whole.add(run.pk)
        is_right = {str(pk): _is_right(scores, instances[pk].answer or 0) for pk, scores in scored if scores}
        if is_right:
            right[run.pk] = is_right
    if not right:
        return None
    among = whole & right.keys() or right.keys()
    best = max(among, key=lambda run: (sum(right[run].values()), -run))
    models = number_of_models(run for run in runs if run.pk in among)
    return {"run": best, "right": right[best], "models": models, "runs": sorted(right)}


def _is_right(scores: list[float], answer: int) -> bool:
    return recall_at(ranked_by_scores(scores, answer), 1) == 1


@dataclass(frozen=True)
class QuestionShare:
    """A question over its parts: first choices of all of them, and R@1 where five people or more answered."""

    name: str
    corpus: str
    questions: list[int]  # keys of its conditions
    scored: int
    right: float
    first: list[int]
    milliseconds: float | None

    @property
    def p(self) -> float | None:
        """Share of the answers that are right, from 0 to 1; None of fewer than five people."""
        return self.right / self.scored if self.scored >= LEAST_PEOPLE else None

    def rival(self, answer: int | None) -> int | None:
        return rival_of(self.first, answer)


def share_of(row: Choices, wholes: set[int]) -> QuestionShare:
    """Return a question's share in its whole context where it was asked so, else over all its conditions."""
    whole = [part for part in row["parts"] if part["question"] in wholes]
    parts = whole or row["parts"]
    times = [part["median"] for part in parts if part["median"] is not None]
    return QuestionShare(
        row["name"],
        row["corpus"],
        sorted({part["question"] for part in row["parts"]}),
        sum(part["scored"] for part in parts),
        sum(part["right"] for part in parts),
        [sum(counts) for counts in zip(*(part["first"] for part in parts), strict=True)],
        median(times) if times else None,
    )


def positions_shown(question: int, study: Study, candidates: int) -> list[list[int]]:
    """Return for each candidate how often it was shown at each position to people who answered."""
    counts = [[0] * candidates for _candidate in range(candidates)]
    answers = Answer.objects.filter(presentation__question=question, presentation__participant__study=study)
    for order in answers.values_list("presentation__order", flat=True):
        for position, candidate in enumerate(order):
            counts[candidate][position] += 1
    return counts


def predictions_at(study: Study, question: Question) -> list[tuple[Run, list[float]]]:
    """Return the scores of each model beside the study at a question, the newest of equal runs, oldest first."""
    instance = instance_of(question, question.external_id)
    rows = ((run, predicted(run, [instance])[0]) for run in runs_predicting(study, [instance]))
    newest = {(run.model, run.label, run.seed, run.checksum): (run, scores) for run, scores in rows if scores}
    return [*newest.values()]
