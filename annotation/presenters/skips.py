"""The last skip, for the pages on which a person may undo it (templates/annotation/skips/_skipped.html)."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from annotation.models import Project, Step
from annotation.selectors.skips import undoable_skips
from core.models import User

ADDRESSES = {
    Step.ADJUDICATE: "undo_skip_decision",
    Step.TRANSCRIBE: "undo_skip_transcript",
    Step.CHECK: "undo_skip_transcript",
    Step.WRITE: "undo_skip_rewrite",
    Step.INSPECT: "undo_skip_inspection",
    Step.TYPE: "undo_skip_type",
}


@dataclass(frozen=True)
class LastSkip:
    """Time of a person's last skip in a step, and the address at which they undo it."""

    at: datetime | None
    address: str


def last_skip(project: Project, step: Step, person: User) -> LastSkip | None:
    """Return the last skip that the person may undo; None without one."""
    skipped = undoable_skips(project, step, person).first()
    if skipped is None:
        return None
    return LastSkip(skipped.ended_at, reverse(ADDRESSES[step], args=[project.slug, skipped.pk]))


def is_newer(ended_at: datetime | None, skipped: LastSkip | None) -> bool:
    """Tell whether work ended after the last skip, so that going back comes to it first."""
    return skipped is None or not (ended_at and skipped.at) or ended_at > skipped.at
