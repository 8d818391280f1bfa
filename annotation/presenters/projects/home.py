"""The rows of the home page of annotators and inspectors: what is due first, whatever step it is of."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.urls import reverse

from annotation.models import Membership, Project, Step
from annotation.presenters.qualification import why_not, why_not_writing
from annotation.selectors.adjudication import AdjudicatingWork
from annotation.selectors.cleaning.cleaning import CleaningWork
from annotation.selectors.inspection.inspector_work import InspectingWork
from annotation.selectors.own_work import Held
from annotation.selectors.projects.home_work import AnnotatorWork, InspectorWork, annotator_work, inspector_work
from annotation.selectors.rating.own_work import RatingWork
from annotation.selectors.reasoning import TypingWork
from annotation.selectors.rewriting.author_work import Returned, WritingWork
from annotation.selectors.transcription import TranscriptionWork
from core.models import Role, User

Waiting = InspectingWork | AdjudicatingWork | CleaningWork | TypingWork


@dataclass(frozen=True)
class WorkRow:
    """A project at one step; the first row with something due has the filled button."""

    template: str
    work: Any
    is_due: bool
    is_begun: bool = False  # today, or with a draft that is kept
    is_first: bool = False
    minutes: int | None = None
    why_not: str = ""

    @property
    def start(self) -> str:
        """The template of the row's button alone."""
        return self.template.removesuffix("work.html") + "start.html"


class HeldWork(NamedTuple):
    """Work that is open in an archived project, with the name of its step and its page."""

    project: Project
    step: str
    href: str


def next_row(project: Project, person: User) -> WorkRow | None:
    """Return the row of the person's home page that comes first of those of this project; None where it has none."""
    role = Membership.objects.filter(project=project, person=person).values_list("role", flat=True).first()
    rows = inspector_rows(inspector_work(person)) if role == Role.INSPECTOR else annotator_rows(annotator_work(person))
    return next(iter(in_order(row for row in rows if row.work.project == project)), None)


def annotator_rows(work: AnnotatorWork, median_seconds: float | None = None) -> list[WorkRow]:
    """Return all rows of an annotator; `median_seconds` a pair is their pace."""
    return [
        *map(returned_row, work.returned),
        *map(held_row, work.held),
        *(rating_row(each, median_seconds) for each in work.rating),
        *map(writing_row, work.writing),
        *map(transcription_row, work.transcription),
        *map(waiting_row, work.cleaning),
        *map(waiting_row, work.typing),
    ]


def inspector_rows(work: InspectorWork) -> list[WorkRow]:
    return [
        *map(held_row, work.held),
        *map(waiting_row, work.inspecting),
        *map(waiting_row, work.adjudicating),
        *map(waiting_row, work.cleaning),
        *map(waiting_row, work.typing),
    ]


def in_order(rows: Iterable[WorkRow]) -> list[WorkRow]:
    """Return what is due first, of it what is begun, and otherwise in the order given."""
    ordered = sorted(rows, key=lambda row: (not row.is_due, not row.is_begun))
    if ordered and ordered[0].is_due:
        ordered[0] = replace(ordered[0], is_first=True)
    return ordered


def returned_row(work: Returned) -> WorkRow:
    return WorkRow("annotation/rewriting/_returned_work.html", work, is_due=True, is_begun=True)


def rating_row(work: RatingWork, median_seconds: float | None) -> WorkRow:
    return WorkRow(
        "annotation/rating/_work.html",
        work,
        is_due=work.has_something,
        is_begun=work.done_today > 0,
        minutes=work.minutes(median_seconds),
        why_not=why_not(work.project, work.annotator),
    )


def writing_row(work: WritingWork) -> WorkRow:
    template = "qualification/_practice_work.html" if work.practice else "rewriting/_work.html"
    return WorkRow(
        f"annotation/{template}",
        work,
        is_due=work.has_something,
        is_begun=bool(work.drafts or work.done_today),
        why_not=why_not_writing(work.practice) if work.practice else "",
    )


def transcription_row(work: TranscriptionWork) -> WorkRow:
    return WorkRow("annotation/transcription/_work.html", work, is_due=work.waiting > 0, is_begun=work.drafts > 0)


def held_row(work: Held) -> WorkRow:
    """Show what the person holds in an archived project, which no other row leads to."""
    shown = HeldWork(work.project, str(work.step.label), reverse(PAGES[work.step], args=[work.project.slug]))
    return WorkRow("annotation/projects/_held_work.html", shown, is_due=True, is_begun=True)


def waiting_row(work: Waiting) -> WorkRow:
    return WorkRow(f"annotation/{FOLDERS[type(work)]}/_work.html", work, is_due=work.waiting > 0)


PAGES = {
    Step.RATE: "rate",
    Step.CLEAN: "clean",
    Step.ADJUDICATE: "adjudicate",
    Step.TRANSCRIBE: "transcribe",
    Step.CHECK: "check_transcript",
    Step.WRITE: "write",
    Step.INSPECT: "inspect",
    Step.TYPE: "types",
}
FOLDERS = {
    InspectingWork: "inspection",
    AdjudicatingWork: "adjudication",
    CleaningWork: "cleaning",
    TypingWork: "reasoning",
}
