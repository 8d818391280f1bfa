"""The state of a piece of work as the person who did it sees it."""

from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum

from annotation.domain.rewriting.rewriting import CONTEXT, CUT
from annotation.domain.workflow import AssignmentState, ItemState

TAKE_BACK = timedelta(minutes=5)  # for which a person may take back a text or a verdict


class WorkState(StrEnum):
    """The states, in the order in which the page offers them."""

    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    RETURNED = "returned"
    DISCARDED = "discarded"
    SKIPPED = "skipped"
    VOIDED = "voided"


def work_state(
    assignment: str, *, is_text: bool, item: str = "", is_returned: bool = False, was_inspected: bool = False
) -> WorkState:
    """Return the state from those of the assignment and, only for an author's text, of its item.

    Other work tells nothing of its item, which would give away what others said of it. A text accepted without
    inspection stays SUBMITTED, so that its author cannot tell which ones inspectors see.
    """
    if assignment == AssignmentState.SKIPPED:
        return WorkState.SKIPPED
    if assignment != AssignmentState.SUBMITTED:
        return WorkState.VOIDED
    if is_text and is_returned:
        return WorkState.RETURNED
    if is_text and item == ItemState.REMOVED:
        return WorkState.DISCARDED
    if is_text and item == ItemState.KEPT and was_inspected:
        return WorkState.ACCEPTED
    return WorkState.SUBMITTED


class Doubt(StrEnum):
    """What a verdict that did not accept a text says against it, in the order of the inspector's page."""

    KEY = "key"
    UNIQUE = "unique"
    FIXABLE = "fixable"
    CUT = "cut"
    CONTEXT = "context"


def doubts(
    *, is_correct: bool | None, is_unique: bool | None, is_revisable: bool | None, commented: Collection[str]
) -> set[Doubt]:
    """Return what such a verdict says: what it doubts, and of which part of the dialogue its comments are."""
    said = {
        Doubt.KEY: is_correct is False,
        Doubt.UNIQUE: is_unique is False,
        Doubt.FIXABLE: is_revisable is False,
        Doubt.CUT: CUT in commented,
        Doubt.CONTEXT: CONTEXT in commented,
    }
    return {doubt for doubt, is_said in said.items() if is_said}


def why_it_stays(assignment: str, *, is_work: bool, ended_at: datetime | None, now: datetime) -> str:
    """Return "" while a submission may be taken back, else why not: `not_submitted` or `too_late`.

    Practice, and the verdict on it, counts towards an attempt at once, so it is never taken back.
    """
    if assignment != AssignmentState.SUBMITTED or ended_at is None or not is_work:
        return "not_submitted"
    return "too_late" if now - ended_at > TAKE_BACK else ""
