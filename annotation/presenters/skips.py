"""The last skip, for the pages on which a person may undo it (templates/annotation/skips/_skipped.html)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.urls import reverse

from annotation.models import Project, Step
from annotation.selectors.skips import undoable_skips
from core.models import User

T = TypeVar("T")
End = Callable[[T], datetime | None]

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


def ways_back(last: Sequence[T], changing: T | None, skipped: LastSkip | None, end: End[T]) -> dict[str, Any]:
    """Return what the key Z leads to, for a page's context: earlier work, or the last skip where that is newer.

    `last` is the work that can be changed, the newest first, and `end` tells when a piece of it ended.
    """
    older = last[last.index(changing) + 1 :] if changing else last
    earlier = next(iter(older), None)
    return {
        "changing": changing,
        "earlier": earlier,
        "skipped": skipped,
        "z_goes_back": changing or (earlier and _is_newer(end(earlier), skipped)),
    }


def _is_newer(ended_at: datetime | None, skipped: LastSkip | None) -> bool:
    return skipped is None or not (ended_at and skipped.at) or ended_at > skipped.at
