"""One question of a study on its page: its texts until the study is closed, then who chose what.

No share is shown of fewer than five people.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from core.domain.statistics import LEVEL, Interval, wilson
from core.domain.text import candidate_texts
from study.baselines.catalogue import UPLOADED
from study.domain.results.labels import WHOLE
from study.domain.results.metrics import ranked_by_scores, recall_at
from study.domain.survey.validity import LEAST_PEOPLE
from study.forms.decisions import ValidityForm
from study.models import Question, Run, Study
from study.presenters.results.conditions import condition_title
from study.presenters.results.run_names import names_of
from study.presenters.study_questions import ChoiceColumn, QuestionRow, columns_of, letter_of, mean_of
from study.selectors.results.choices import RECIPROCAL, Choices, positions_shown, predictions_at
from study.selectors.survey.asked import StudyQuestion


@dataclass(frozen=True)
class ModelChoice:
    """What a model chose: the candidate with its highest score, and the rank of the true one, with ties the best.

    An uploaded list of ranks tells no `score`.
    """

    name: str
    run: int
    letter: str
    score: float | None
    rank: int | None
    is_right: bool
    number: int


@dataclass(frozen=True)
class CandidateRow:
    """A candidate with who chose it and how often it was shown at each place; fewer than five people have no share."""

    letter: str
    text: str
    is_true: bool
    first: int
    second: int
    first_share: float | None
    second_share: float | None
    models: list[ModelChoice]
    positions: list[ChoiceColumn]

    @property
    def positions_told(self) -> str:
        return ", ".join(f"{place}: {each.count}" for place, each in enumerate(self.positions, start=1))


@dataclass(frozen=True)
class ConditionRow:
    """A group in a condition: how many are right, the mean reciprocal rank, and the first choices by candidate."""

    group: str
    title: str
    right: float
    scored: int
    p: float | None
    ends: Interval | None
    reciprocal: float | None
    first: list[int]

    @property
    def people(self) -> int:
        """How many answered: of answers from elsewhere it may be unknown which line they chose."""
        return sum(self.first) or self.scored


def question_context(study: Study, rows: list[QuestionRow], at: int, choices: dict[str, Any] | None) -> dict[str, Any]:
    """Return the context of study/survey/question.html for the question at a place of the list."""
    row = rows[at]
    question = Question.objects.select_related("question_set").get(pk=row.asked.question.pk)
    texts = candidate_texts(question.candidates).texts
    context: dict[str, Any] = {
        "study": study,
        "row": row,
        "question": question,
        "number": at + 1,
        "total": len(rows),
        "before": _address(study, rows[at - 1]) if at else "",
        "after": _address(study, rows[at + 1]) if at + 1 < len(rows) else "",
        "texts": [(letter_of(number), text) for number, text in enumerate(texts)],
        "is_closed": choices is not None,
    }
    if choices is None or row.share is None:
        return context
    found = next(each for each in choices["questions"] if each["name"] == row.asked.name)
    predictions = predictions_at(study, question)
    names = names_of(run for run, _scores in predictions)
    models = [_model(run, names[run.pk], scores, question) for run, scores in predictions]
    metric = _reciprocal_of(found)
    wholes = [part for part in found["parts"] if part["question"] == question.pk] or found["parts"]
    shown = positions_shown(question.pk, study, question.candidates_count)
    chance = 1 / max(1, question.candidates_count)
    initial = {"decision": row.decision.decision, "why": row.decision.why} if row.decision else {}
    return context | {
        "candidates": list(_candidates(wholes, shown, question, models)),
        "first_people": sum(row.share.first),
        "answers": sum(part["scored"] for part in wholes),
        "second_people": sum(sum(part["second"]) for part in wholes),
        "is_in_conditions": len(row.asked.conditions) > 1,
        "shown_to": sum(shown[0]) if shown else 0,
        "is_few": sum(row.share.first) < LEAST_PEOPLE,
        "least": LEAST_PEOPLE,
        "rival": letter_of(row.rival) if row.rival is not None else "",
        "answer": letter_of(question.answer) if question.answer is not None else "",
        "chance": chance,
        "conditions": sorted(
            (_condition(part, row.asked, metric) for part in found["parts"]), key=lambda each: each.group
        ),
        "reciprocal": metric,
        "columns": question.candidates_count + (4 if metric else 3),  # of the table of first choices
        "letters": [letter_of(number) for number in range(question.candidates_count)],
        "models": models,
        "form": ValidityForm(initial=initial, use_required_attribute=False),
        "with_all": mean_of(rows),
        "without_it": mean_of([each for each in rows if each is not row]),
    }


def _address(study: Study, row: QuestionRow) -> str:
    return reverse("study_question", args=[study.slug, row.asked.question.pk])


def _candidates(
    wholes: Sequence[Choices], shown: Sequence[Sequence[int]], question: Question, models: list[ModelChoice]
) -> Iterator[CandidateRow]:
    texts = candidate_texts(question.candidates).texts or [""] * question.candidates_count
    first, second = (
        [sum(counts) for counts in zip(*(part[rank] for part in wholes), strict=True)] for rank in ("first", "second")
    )
    for number, text in enumerate(texts):
        yield CandidateRow(
            letter_of(number),
            text,
            number == question.answer,
            first[number],
            second[number],
            _share(first, number),
            _share(second, number),
            [model for model in models if model.number == number],
            columns_of(shown[number]) if any(shown[number]) else [],
        )


def _share(counts: Sequence[int], number: int) -> float | None:
    people = sum(counts)
    return counts[number] / people if people >= LEAST_PEOPLE else None


def _reciprocal_of(found: Choices) -> str:
    """Return the metric of reciprocal ranks that the answers identify: MRR where all candidates were ranked."""
    return next((metric for metric in RECIPROCAL if any(part["reciprocal"][metric][1] for part in found["parts"])), "")


def _condition(part: Choices, asked: StudyQuestion, metric: str) -> ConditionRow:
    is_enough = part["scored"] >= LEAST_PEOPLE
    total, answers = part["reciprocal"][metric] if metric else (0.0, 0)
    return ConditionRow(
        part["group"],
        condition_title(asked.conditions.get(part["question"], "") or WHOLE),
        part["right"],
        part["scored"],
        part["right"] / part["scored"] if is_enough else None,
        wilson(part["right"], part["scored"], LEVEL) if is_enough else None,
        total / answers if answers >= LEAST_PEOPLE else None,
        part["first"],
    )


def _model(run: Run, name: str, scores: Sequence[float], question: Question) -> ModelChoice:
    best = max(range(len(scores)), key=lambda number: scores[number])
    ranked = None if question.answer is None else ranked_by_scores(scores, question.answer)
    rank = ranked.ranks.start if ranked else None
    is_right = ranked is not None and recall_at(ranked, 1) == 1
    score = None if run.model == UPLOADED and _are_ranks(scores) else scores[best]
    return ModelChoice(name, run.pk, letter_of(best), score, rank, is_right, best)


def _are_ranks(scores: Sequence[float]) -> bool:
    """Return whether these are the numbers of candidates below each, as a list of ranks is stored."""
    return sorted(scores) == [*range(len(scores))]
