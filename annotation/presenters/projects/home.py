"""The rows of the home page of annotators and inspectors: what is due first, whatever step it is of."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse

from annotation.models import Step
from annotation.presenters.qualification import why_not, why_not_writing
from annotation.selectors.adjudication import AdjudicatingWork
from annotation.selectors.cleaning.cleaning import CleaningWork
from annotation.selectors.inspection.inspector_work import InspectingWork
from annotation.selectors.own_work import Held
from annotation.selectors.rating.own_work import RatingWork
from annotation.selectors.reasoning import TypingWork
from annotation.selectors.rewriting.author_work import WritingWork
from annotation.selectors.transcription import TranscriptionWork

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


def in_order(rows: Iterable[WorkRow], *, has_filled: bool = False) -> list[WorkRow]:
    """Return what is due first, of it what is begun, and otherwise in the order given.

    `has_filled`: something above the rows has the filled button already.
    """
    ordered = sorted(rows, key=lambda row: (not row.is_due, not row.is_begun))
    if ordered and ordered[0].is_due and not has_filled:
        ordered[0] = replace(ordered[0], is_first=True)
    return ordered


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
    shown = {
        "project": work.project,
        "step": work.step.label,
        "href": reverse(PAGES[work.step], args=[work.project.slug]),
    }
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
