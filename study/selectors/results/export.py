"""The export of a closed study: a row an answer, a row a person, a row a question, and a codebook.

It names people by their random ids, and has no id of a platform, no secret, and no time of day: people are in the order
of these ids, with the date on which they joined and whole minutes. Those who withdrew, or whose time is running, are in
no row.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np
from django.db.models import Q

from core.exporters.zips import write_zip
from study.domain.results.exclusions import BY_HAND, FLAGGED, LATE, RULES, thresholds_of
from study.domain.results.labels import WHOLE
from study.domain.results.metrics import METRICS, Ranked
from study.domain.survey.behaviour import AWAY, NOTED
from study.domain.survey.demographics import DemographicQuestion
from study.domain.survey.phases import StudyState
from study.exporters import study_tables
from study.exporters.study_tables import ExportColumn, ExportTable, codebook_of, of_field
from study.models import (
    Answer,
    Behaviour,
    Exclusion,
    Participant,
    Presentation,
    Question,
    QuestionDecision,
    Study,
    StudyGroup,
)
from study.models.questions import QuestionPurpose
from study.selectors.results.answered import GivenAnswers, answers_given
from study.selectors.results.facts import CHUNK, QuestionFacts
from study.selectors.survey.asked import asked_questions
from study.selectors.survey.demographics import demographics_of

SMALL = 5  # people: fewer with one combination of demographics may be recognised
YES_OR_NO = "true, false"
SCORES = {"correct": "R@1", "reciprocal_rank": "MRR", "reciprocal_rank_at_2": "MRR@2"}  # columns of an answer

PERSON = of_field(Participant, "public_id", name="person")
QUESTION = ExportColumn("question", "text", "Name of the question in its condition: set and id.")
CONDITION = of_field(Question, "condition", values=f"{WHOLE}, first:N, all, shuffle")

ANSWERS = (
    PERSON,
    QUESTION,
    of_field(Participant, "form"),
    of_field(Presentation, "position"),
    CONDITION,
    of_field(Presentation, "order"),
    of_field(Answer, "ranking"),
    of_field(Answer, "first"),
    of_field(Answer, "second"),
    of_field(Answer, "better"),
    of_field(Answer, "tied"),
    of_field(Answer, "depth"),
    ExportColumn(
        "correct", "number", "R@1 of the answer: 1 right, 0 wrong, a share where lines are level; empty: no key."
    ),
    ExportColumn(
        "reciprocal_rank",
        "number",
        "MRR of the answer: 1 / rank of the true candidate, its mean over all orders of level ones; "
        "empty: not all candidates were ranked, or no key.",
    ),
    ExportColumn(
        "reciprocal_rank_at_2",
        "number",
        "MRR@2 of the answer: the same, and 0 beyond the second rank; empty: a first choice alone, or no key.",
    ),
    of_field(Answer, "milliseconds"),
    of_field(Answer, "unseen"),
    ExportColumn("changes", "whole number", "How often the answer was saved, the first time included."),
    ExportColumn("late", "true or false", "It arrived late; by the browser's clock it was given in time.", YES_OR_NO),
    of_field(Answer, "in_grace"),
)
PEOPLE = (
    PERSON,
    of_field(StudyGroup, "name", name="group"),
    of_field(Participant, "form"),
    of_field(Participant, "state", name="outcome"),
    ExportColumn("joined_on", "date", "Day on which the person agreed to take part, UTC."),
    ExportColumn("minutes", "whole number", "Minutes from the first question to the end."),
    ExportColumn("asked", "whole number", "Questions that were put to the person, without practice and checks."),
    ExportColumn("answered", "whole number", "Questions that the person answered in time."),
)
BEHAVIOUR = tuple(of_field(Behaviour, name) for name in NOTED)
EXCLUDED = (
    of_field(Exclusion, "why", name="excluded_why"),
    ExportColumn("counted", "true or false", "Whether figures count the person: no rule leaves them out.", YES_OR_NO),
    ExportColumn(
        FLAGGED,
        "true or false",
        f"Whether the behaviour log flags the person: webdriver, trap, paste or copy above 0, or {AWAY} minutes away. "
        "Figures count them unless they are asked not to.",
        YES_OR_NO,
    ),
)
OF_QUESTION = (
    QUESTION,
    ExportColumn("whole", "text", "Name of the same question in its whole context: one for all conditions."),
    of_field(Question, "corpus"),
    CONDITION,
    ExportColumn("forms", "list", "Versions of the survey that ask it."),
    ExportColumn("turns", "whole number", "Turns of the context."),
    of_field(Question, "candidates_count"),
    of_field(Question, "candidates_guessed"),
    of_field(Question, "answer"),
    of_field(Question, "pick"),
    of_field(Question, "reasoning"),
    of_field(Question, "context"),
    of_field(Question, "candidates"),
    of_field(QuestionDecision, "decision"),
)


def is_exportable(study: Study) -> bool:
    """Return whether a study can be exported: once it is closed, as every row tells what people chose."""
    return study.state == StudyState.CLOSED


def tables_of(study: Study, given: GivenAnswers | None = None) -> list[ExportTable]:
    """Return the tables, with rows that are read as they are written; `given` are answers that have been read."""
    given = given or answers_given(study)
    tables = [
        ExportTable("answers", ANSWERS, _answers(study, given)),
        ExportTable(
            "people", (*PEOPLE, *_rules(study), *EXCLUDED, *BEHAVIOUR, *_demographics(study)), _people(study, given)
        ),
        ExportTable("questions", OF_QUESTION, _questions(study, given)),
    ]
    return [*tables, codebook_of(tables)]


def write(study: Study, *, format: str, folder: Path) -> list[Path]:
    """Write the tables as files of a format into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    return [study_tables.write(table, folder, format) for table in tables_of(study)]


def write_zipped(study: Study, *, format: str, archive: IO[bytes]) -> None:
    """Write the tables into an open zip file: the same answers give the same bytes."""
    with TemporaryDirectory() as folder:
        write_zip(write(study, format=format, folder=Path(folder)), Path(folder), archive)


def _answers(study: Study, given: GivenAnswers) -> Iterator[dict[str, Any]]:
    """Yield the answers of each person in their order; one given twice, in time and late, is in two rows."""
    facts = given.questions
    people = study.participants.filter(pk__in=given.keys.tolist())
    shown = Presentation.objects.filter(participant__in=people, question__in=facts).order_by(
        "participant__public_id", "position"
    )
    fields = ("ranking", "first", "second", "better", "tied", "depth", "milliseconds", "unseen", "saved_times")
    columns = shown.filter(Q(answer__isnull=False) | Q(late_answer__isnull=False)).values_list(
        *("participant__public_id", "participant__form", "question", "position", "order", "question__condition"),
        "answer__in_grace",
        *(f"{which}__{name}" for which in ("answer", "late_answer") for name in fields),
    )
    for person, form, pk, position, order, condition, in_grace, *choices in columns.iterator(chunk_size=CHUNK):
        same = {"person": str(person), "question": facts[pk].key, "form": form, "position": position, "order": order}
        for is_late, values in ((False, choices[: len(fields)]), (True, choices[len(fields) :])):
            choice = dict(zip(fields, values, strict=True))
            if choice["depth"] is not None:
                yield (
                    same
                    | choice
                    | {
                        "changes": len(choice["saved_times"]),
                        "condition": condition or WHOLE,
                        **_scores(facts[pk], choice),
                        "late": is_late,
                        "in_grace": bool(in_grace) and not is_late,
                    }
                )


def _scores(facts: QuestionFacts, choice: dict[str, Any]) -> dict[str, float | None]:
    """Return what an answer is worth by each metric of SCORES; nothing without a key."""
    if not facts.is_scored:
        return {}
    ranked = Ranked(choice["better"], choice["tied"], choice["depth"], facts.candidates)
    return {column: METRICS[metric](ranked) for column, metric in SCORES.items()}


def _people(study: Study, given: GivenAnswers) -> Iterator[dict[str, Any]]:
    place = {pk: index for index, pk in enumerate(given.keys.tolist())}
    counted, none = given.are_counted(given.by_default), np.zeros(len(given.people), dtype=np.bool_)
    asked, answered = (
        Counter(given.rows["person"].tolist()),
        Counter(given.rows["person"][given.rows["depth"] > 0].tolist()),
    )
    rows = (
        study.participants.filter(pk__in=place).select_related("group", "exclusion", "behaviour").order_by("public_id")
    )
    for person in rows.iterator(chunk_size=CHUNK):
        index = place[person.pk]
        yield {
            "person": str(person.public_id),
            "group": person.group.name if person.group else "",
            "form": person.form,
            "outcome": person.state,
            "joined_on": "" if study.is_imported else person.joined_at.date().isoformat(),
            "minutes": None if person.minutes is None else round(person.minutes),
            "asked": asked[index],
            "answered": answered[index],
            **{name: bool(marked[index]) for name, marked in ({BY_HAND: none, FLAGGED: none} | given.is_out).items()},
            "excluded_why": person.exclusion.why if hasattr(person, "exclusion") else "",
            "counted": bool(counted[index]),
            **{name: getattr(getattr(person, "behaviour", None), name, None) for name in NOTED},
            **{_column(name): said for name, said in person.demographics.items()},
        }


def _rules(study: Study) -> list[ExportColumn]:
    """Return a column for each exclusion rule of the study that leaves out people, and for exclusion by hand."""
    thresholds = {**thresholds_of(study.survey), BY_HAND: None}
    told = {name: RULES[name] % {"n": threshold} for name, threshold in thresholds.items() if name != LATE}
    return [
        ExportColumn(name, "true or false", f"Whether figures leave the person out: {text}.", YES_OR_NO)
        for name, text in told.items()
    ]


def _demographics(study: Study) -> list[ExportColumn]:
    """Return a column for each question that anyone of the study was asked about themselves."""
    said = study.participants.counting().exclude(demographics={}).values_list("demographics", flat=True)
    names = {name for each in said.iterator(chunk_size=CHUNK) for name in each}
    asked = [question for question in demographics_of(study) if question.key in names]
    others = sorted(names - {question.key for question in asked})
    return [_demographic(question) for question in (*asked, *(DemographicQuestion(name, name, {}) for name in others))]


def _demographic(asked: DemographicQuestion) -> ExportColumn:
    return ExportColumn(_column(asked.key), "text", f"What the person says: {asked.text}.", ", ".join(asked.answers))


def _column(name: str) -> str:
    """Return the column of an answer about oneself; no name of a study's own question takes that of another column."""
    return f"says_{name}"


def _questions(study: Study, given: GivenAnswers) -> Iterator[dict[str, Any]]:
    asked = {pk: each for each in asked_questions(study) for pk in each.conditions}
    decisions = dict(study.decisions.values_list("question", "decision"))
    rows = Question.objects.filter(pk__in=given.questions, purpose=QuestionPurpose.WORK)
    for row in rows.order_by("question_set__name", "position", "pk").iterator(chunk_size=CHUNK):
        facts, own = given.questions[row.pk], asked.get(row.pk)
        yield {
            "question": facts.key,
            "whole": facts.whole,
            "corpus": row.corpus,
            "condition": row.condition or WHOLE,
            "forms": own.forms if own else [],
            "turns": facts.turns,
            "candidates_count": row.candidates_count,
            "candidates_guessed": row.candidates_guessed,
            "answer": row.answer,
            "pick": row.pick,
            "reasoning": row.reasoning,
            "context": row.context,
            "candidates": row.candidates,
            "decision": decisions.get(own.question.pk if own else row.pk, ""),
        }


@dataclass(frozen=True)
class SmallCells:
    """How many people share their answers about themselves with fewer than five, in how many combinations."""

    people: int
    combinations: int


def small_cells_of(study: Study) -> SmallCells:
    said = study.participants.counting().exclude(demographics={}).values_list("demographics", flat=True)
    combinations = Counter(tuple(sorted(each.items())) for each in said if any(each.values()))
    small = [count for count in combinations.values() if count < SMALL]
    return SmallCells(sum(small), len(small))
