"""Import of answers given elsewhere; creates their people and questions, and the study when it is new."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from django.core.validators import slug_re
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.importers.reasons import RefusalReason
from annotation.importers.rows import BadRow
from core.actions import names
from core.actions.events import record
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.batches import batched
from core.models.bulk import gather_statistics
from core.models.people import Role, User
from study.actions import imported_people, imported_questions
from study.domain.results.ranks import RanksGiven, ranks_given
from study.domain.survey.phases import StudyState
from study.importers import answers
from study.importers.answers import AnswerRow
from study.models import Answer, Participant, Presentation, Question, Study, StudyMembership
from study.permissions import studies_of
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.plans import counting_questions

CHUNK = 5_000
LONGEST_NAME = 60
REFUSALS = {
    "not_imported": _("This study has its own participants. Answers from elsewhere need a separate study."),
    "name_wrong": _("A short name can have up to 60 letters, digits, hyphens and underscores."),
}


class AnswersImportOutcome(NamedTuple):
    """Outcome of an import."""

    study: str
    created: bool  # the study is new
    rows: int
    stored: int  # answers
    unanswered: int  # questions that the file leaves unanswered
    duplicate: int  # rows that were stored before
    participants: int  # people created by this file
    described: int  # people of whom the file says something new about themselves
    questions: int  # that are new to the study
    candidates: int | None  # of new questions; None where neither the file nor the option tells
    candidates_guessed: bool  # there are at least so many: the highest rank that the file has
    question_set: str | None  # whose questions were answered, by their names: models are compared on them


@transaction.atomic
def import_answers(
    *, slug: str, path: Path, file_name: str = "", candidates: int | None = None, report: ProgressReport, by: User
) -> AnswersImportOutcome:
    """Store every answer of a file, or none. Importing a file again adds nothing.

    Without `candidates` their number is guessed from full rankings, and is else unknown. The questions of a new study
    are those of a question set that has these names. Raises Refused, and RowsRefused with the refused rows.
    """
    study, is_new = _study(slug, by)
    asked = demographics_of(study)
    file_name = file_name or path.name
    rows, refused = _read(answers.read(path, asked=asked, file_name=file_name))
    ranks = _ranks(rows, candidates)
    check = _Check(file_name, refused)
    if is_new:
        imported_questions.tie(study, rows, ranks, by=by)
    known = _Known.of(study, rows)
    corpora = check.one_each(rows, "question", "corpus", {name: one.corpus for name, one in known.questions.items()})
    groups = check.one_each(
        rows,
        "participant",
        "group",
        {label: one.group.name if one.group else "" for label, one in known.people.items()},
    )
    forms = check.one_each(rows, "participant", "form", {label: one.form for label, one in known.people.items()})
    said = {question.key: check.one_said(rows, question.key, known.people) for question in asked}
    new = check.new_answers(rows, ranks, known)
    check.raise_if_refused()
    questions = known.questions | imported_questions.make(study, known.questions, corpora, ranks)
    people = known.people | imported_people.make(study, known.people, groups, forms)
    described = imported_people.describe(people, said)
    _store(new, questions, people, ranks, report)
    gather_statistics(Question, Participant, Presentation, Answer)
    if new or described:
        record(study, became="answers imported", scope=None, by=by)
    stored = sum(row.is_given for row in new)
    return AnswersImportOutcome(
        study=slug,
        created=is_new,
        rows=len(rows),
        stored=stored,
        unanswered=len(new) - stored,
        duplicate=len(rows) - len(new),
        participants=len(people) - len(known.people),
        described=described,
        questions=len(questions) - (0 if is_new else len(known.questions)),
        candidates=ranks.candidates or None,
        candidates_guessed=ranks.is_guessed,
        question_set=study.question_sets.values_list("name", flat=True).first(),
    )


def _read(found: Iterable[AnswerRow | BadRow]) -> tuple[list[AnswerRow], list[BadRow]]:
    """Return the rows, and those refused. Raises RowsRefused where the whole file is."""
    rows: list[AnswerRow] = []
    bad: list[BadRow] = []
    for row in found:
        if isinstance(row, BadRow):
            bad.append(row)
        else:
            rows.append(row)
    if any(row.line is None for row in bad):
        raise RowsRefused(bad)
    return rows, bad


def must_take_answers(*, slug: str, by: User) -> None:
    """Refuse what is no study of imported answers, nor a name for a new one. Raises Refused."""
    study = studies_of(by).filter(slug=slug).first()
    if study is None:
        if not slug_re.match(slug) or len(slug) > LONGEST_NAME:
            raise Refused("name_wrong", REFUSALS["name_wrong"])
        names.must_be_free(slug)
    elif not study.is_imported:
        raise Refused("not_imported", REFUSALS["not_imported"])


def _study(slug: str, by: User) -> tuple[Study, bool]:
    """Return the study of the answers, locked, and whether it is new: a new one holds imported answers only."""
    must_take_answers(slug=slug, by=by)
    known = studies_of(by).filter(slug=slug).values("pk")
    study = Study.objects.select_for_update(no_key=True).filter(pk__in=known).first()
    return (study, False) if study else (_new_study(slug, by), True)


def _new_study(slug: str, by: User) -> Study:
    names.claim(slug, "study")
    now = timezone.now()
    study = Study.objects.create(
        slug=slug, title=slug, state=StudyState.CLOSED, is_imported=True, closed_at=now, created_by=by
    )
    StudyMembership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    record(study, became=StudyState.CLOSED, scope=None, by=by)
    return study


def _ranks(rows: list[AnswerRow], candidates: int | None) -> RanksGiven:
    given = [row for row in rows if row.is_given]
    others = max((row.better + row.tied for row in given if row.better is not None), default=0)
    return ranks_given({row.kind for row in rows}, [row.better for row in given], others, candidates or 0)


class _Known(NamedTuple):
    """Rows that the study already has for a file; `answered` has (better, tied) of each answer."""

    questions: dict[str, Question]
    people: dict[str, Participant]
    answered: dict[tuple[str, str], tuple[int | None, int] | None]

    @classmethod
    def of(cls, study: Study, rows: list[AnswerRow]) -> "_Known":
        labels, ids = {row.participant for row in rows}, {row.question for row in rows}
        people = study.participants.exclude(label="").select_related("group")
        shown = Presentation.objects.filter(participant__study=study).values_list(
            "participant__label", "question__external_id", "answer", "answer__better", "answer__tied"
        )
        return cls(
            questions={one.external_id: one for one in counting_questions(study) if one.external_id in ids},
            people={one.label: one for one in people if one.label in labels},
            answered={
                (label, question): None if answer is None else (better, tied)
                for label, question, answer, better, tied in shown.iterator(chunk_size=CHUNK)
            },
        )


class _Check:
    """Collector of refused rows, after those that cannot be read, so that all are reported at once."""

    def __init__(self, file: str, refused: list[BadRow]) -> None:
        self._file = file
        self._refused = refused

    def raise_if_refused(self) -> None:
        if self._refused:
            raise RowsRefused(sorted(self._refused, key=lambda row: row.line or 0))

    def _refuse(self, row: AnswerRow, reason: RefusalReason) -> None:
        self._refused.append(BadRow(self._file, row.line, reason))

    def one_each(self, rows: list[AnswerRow], of: str, column: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of `column` for each name in the column `of`; refuse rows that contradict each other."""
        return self._settled(((row, getattr(row, of), getattr(row, column)) for row in rows), column, known)

    def one_said(self, rows: list[AnswerRow], key: str, people: Mapping[str, Participant]) -> dict[str, str]:
        """Return what each person answers to a question about them; a person who had not said it may say it now."""
        known = {label: one.demographics[key] for label, one in people.items() if one.demographics.get(key)}
        return self._settled(((row, row.participant, row.said.get(key, "")) for row in rows), key, known)

    def _settled(
        self, values: Iterable[tuple[AnswerRow, str, Any]], column: str, known: Mapping[str, Any]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for row, name, value in values:
            settled = known.get(name, found.get(name))
            if value and settled != value and (settled or name in known):
                other = {"name": name, "column": column, "other": settled or "", "value": value}
                self._refuse(row, RefusalReason("other_name", other))
            else:
                found[name] = settled or value
        return found

    def new_answers(self, rows: list[AnswerRow], ranks: RanksGiven, known: _Known) -> list[AnswerRow]:
        """Return the rows that add something; refuse those that contradict the study."""
        new = []
        for row in rows:
            question = known.questions.get(row.question)
            stored = question.candidates_count if question else 0
            candidates = stored or ranks.candidates
            contradicts = stored and (
                stored < ranks.candidates if ranks.is_guessed else ranks.candidates not in (0, stored)
            )
            before = (row.participant, row.question) in known.answered
            answer = known.answered.get((row.participant, row.question))
            if contradicts:
                code = "guessed_candidates" if question and question.candidates_guessed else "other_candidates"
                counts = {"stored": stored, "given": ranks.candidates}
                self._refuse(row, RefusalReason(code, {"question": row.question, **counts}))
            elif candidates and row.better is not None and row.better + row.tied >= candidates:
                self._refuse(row, _too_many(row, candidates))
            elif answer is not None and (not row.is_given or answer != (row.better, row.tied)):
                who = {"participant": row.participant, "question": row.question}
                self._refuse(row, RefusalReason("answered_before", who))
            elif not before or (row.is_given and answer is None):
                new.append(row)
        return new


def _too_many(row: AnswerRow, candidates: int) -> RefusalReason:
    better = row.better or 0
    if row.kind == "rank":
        return RefusalReason("rank_outside", {"rank": better + 1, "candidates": candidates})
    return RefusalReason("too_many_others", {"better": better, "tied": row.tied, "candidates": candidates})


def _store(
    rows: list[AnswerRow],
    questions: dict[str, Question],
    people: dict[str, Participant],
    ranks: RanksGiven,
    report: ProgressReport,
) -> None:
    """Store a presentation for each row, after the person's last one, and an answer where the row has one."""
    shown = Presentation.objects.filter(participant__in=[person.pk for person in people.values()])
    last = dict(shown.values_list("participant").annotate(last=Max("position")))
    open_ones = {(one.participant_id, one.question_id): one for one in shown.filter(answer=None)}
    done = 0
    for chunk in batched(rows, CHUNK):
        presentations = []
        for row in chunk:
            person, question = people[row.participant], questions[row.question]
            if (one := open_ones.get((person.pk, question.pk))) is None:
                last[person.pk] = last.get(person.pk, 0) + 1
                one = Presentation(participant=person, question=question, position=last[person.pk])
            presentations.append(one)
        Presentation.objects.bulk_create(one for one in presentations if one.pk is None)
        Answer.objects.bulk_create(
            Answer(
                presentation=presentation,
                better=row.better,
                tied=row.tied,
                milliseconds=row.milliseconds,
                depth=ranks.depth(questions[row.question].candidates_count or ranks.candidates),
            )
            for row, presentation in zip(chunk, presentations, strict=True)
            if row.is_given
        )
        done += len(chunk)
        report(done, len(rows))
