"""Answers of people in a study, prepared for the figures."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from study.domain.results.metrics import Ranked
from study.domain.results.results import Answered, Table
from study.models import Answer, LateAnswer, Presentation, Question, QuestionPurpose, Study

CHUNK = 2_000


class QuestionFacts(NamedTuple):
    """A question as figures need it. `key` is its name in the study, `turns` the length of its context."""

    key: str
    corpus: str
    candidates: int
    turns: int
    answer: int | None


@dataclass(frozen=True)
class StudyAnswers:
    """Answers of a study. `table` has the people who count; those `still_answering` do not count yet.

    `excluded` is how many people each rule applies to, of late answers how many gave some. `unanswered` questions were
    shown to people who count and left empty; `without_key` answers cannot be scored.
    """

    table: Table
    answers: list[Answered]
    questions: dict[int, QuestionFacts]
    excluded: dict[str, int]
    unanswered: int
    without_key: int
    still_answering: int


def _failed_a_check(study: Study) -> QuerySet[Any]:
    """Return the participants who failed a check, however their survey ended."""
    return Presentation.objects.failed_checks().filter(participant__study=study).values("participant")


def _left_a_check_empty(study: Study) -> QuerySet[Any]:
    return Presentation.objects.unanswered_checks().filter(participant__study=study).values("participant")


def _gave_too_few_answers(study: Study) -> QuerySet[Any]:
    """Return the participants with fewer answers, in time or late, than the plan wants."""
    answered = Q(presentations__answer__isnull=False) | Q(presentations__late_answer__isnull=False)
    given = Count("presentations", filter=answered & Q(presentations__question__purpose=QuestionPurpose.WORK))
    people = study.participants.annotate(given=given)
    return people.filter(given__lt=study.survey.minimum_answers).values("pk")


WHOM = {  # people left out by each rule of domain.results; LATE leaves out answers
    "failed_checks": _failed_a_check,
    "unanswered_check": _left_a_check_empty,
    "too_few_answers": _gave_too_few_answers,
}
LATE = "late_answers"
FIELDS = (
    "presentation__question",
    "presentation__participant__label",
    "presentation__participant",
    "presentation__participant__group__name",
    "presentation__participant__form",
    "presentation__condition",
    "better",
    "tied",
    "depth",
)


def answers_in(study: Study, without: Collection[str] = ()) -> StudyAnswers:
    """Return the answers that count under all rules except those named in `without`."""
    questions = _questions(study)
    under_way = study.participants.still_answering()
    people = study.participants.counting().exclude(pk__in=under_way.values("pk"))
    by_rule = {name: people.filter(pk__in=whom(study)) for name, whom in WHOM.items()}
    counted = people
    for name in WHOM.keys() - set(without):
        counted = counted.exclude(pk__in=by_rule[name].values("pk"))
    shown = Presentation.objects.filter(participant__in=counted, question__in=Question.objects.counting())
    late = LateAnswer.objects.filter(presentation__in=shown)
    given = _rows(Answer.objects.filter(presentation__in=shown)) | (_rows(late) if LATE in without else {})
    answers, without_key = [], 0
    for question, label, participant, group, form, condition, better, tied, depth in given.values():
        asked = questions.get(question)
        if asked is None:
            without_key += 1
            continue
        ranked = Ranked(better, tied, depth, asked.candidates)
        person = label or f"{participant:012}"  # in the order of joining, so that resamples are always the same
        answers.append(
            Answered(person, asked.key, ranked, asked.corpus, group or "", str(form or ""), condition, asked.turns)
        )
    return StudyAnswers(
        table=Table.of(answers),
        answers=answers,
        questions=questions,
        excluded={name: whom.count() for name, whom in by_rule.items()}
        | {LATE: late.values("presentation__participant").distinct().count()},
        unanswered=shown.count() - len(given),
        without_key=without_key,
        still_answering=under_way.count(),
    )


def _rows(answers: QuerySet[Any]) -> dict[int, Any]:
    """Return the FIELDS of answers by the key of their presentation."""
    rows = answers.values_list("presentation", *FIELDS).iterator(chunk_size=CHUNK)
    return {presentation: fields for presentation, *fields in rows}


def _questions(study: Study) -> dict[int, QuestionFacts]:
    """Return the counting questions whose answer is known, by key; imported answers were scored by their file."""
    shown = Presentation.objects.filter(participant__study=study).values("question")
    fields = ("pk", "question_set__name", "external_id", "corpus", "context", "candidates_count", "answer", "study")
    found = {}
    for pk, of_set, name, corpus, context, candidates, answer, own in (
        Question.objects.counting().filter(pk__in=shown).values_list(*fields).iterator(chunk_size=CHUNK)
    ):
        if answer is not None or (own and study.is_imported):
            found[pk] = QuestionFacts(f"{of_set}/{name}" if of_set else name, corpus, candidates, len(context), answer)
    return found
