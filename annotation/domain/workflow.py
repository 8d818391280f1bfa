"""The states of annotation work, and which may follow which (registered when the app is ready)."""

from enum import StrEnum

from annotation.domain.transitions import Transitions


class SeatState(StrEnum):
    HELD = "held"
    SUBMITTED = "submitted"
    EXPIRED = "expired"
    RETURNED = "returned"
    SKIPPED = "skipped"
    VOIDED = "voided"
    OUTDATED = "outdated"  # on a text that has been voided: its person may be asked again; or on practice that is over


class ItemState(StrEnum):
    RECORDED = "recorded"  # its text is still a machine's: somebody is to correct it by its audio or answer image
    CORRECTED = "corrected"  # a second person is to check what the first one corrected
    OPEN = "open"  # fewer grades than raters; not written yet
    WRITTEN = "written"  # an inspector is to judge it
    RETURNED = "returned"  # back with its author, to be mended
    DISPUTED = "disputed"  # the grades lie too far apart; a third person is to decide
    KEPT = "kept"  # graded alike, or by a third person; accepted
    REMOVED = "removed"  # the grades lie too far apart, or a third person said so; discarded
    CLEANED = "cleaned"  # should not reach raters: nobody is asked about it, and its grades do not count


class AttemptState(StrEnum):
    OPEN = "open"
    PASSED = "passed"
    FAILED = "failed"
    EXCUSED = "excused"  # failed, and not counted: somebody gave the person another one


class RaterState(StrEnum):
    WORKING = "working"
    PAUSED = "paused"  # too many gold pairs missed


NOT_HEARD = (ItemState.RECORDED, ItemState.CORRECTED)  # two people come before any author (docs/adr/0011)
STATES_OF_REWRITING = (
    *NOT_HEARD, ItemState.OPEN, ItemState.WRITTEN, ItemState.RETURNED, ItemState.KEPT, ItemState.REMOVED,
)  # fmt: skip


class ImportState(StrEnum):
    RECEIVED = "received"  # the file is here, nobody has read it
    CHECKED = "checked"  # read once, nothing stored
    STORED = "stored"
    DISCARDED = "discarded"


TRANSITIONS: Transitions = {
    SeatState: {
        (SeatState.HELD, SeatState.SUBMITTED),
        (SeatState.HELD, SeatState.EXPIRED),
        (SeatState.HELD, SeatState.RETURNED),
        (SeatState.HELD, SeatState.SKIPPED),
        (SeatState.HELD, SeatState.VOIDED),
        (SeatState.EXPIRED, SeatState.SUBMITTED),  # late, and the place was still free
        (SeatState.EXPIRED, SeatState.SKIPPED),  # late: the person has seen the pair and leaves it to others
        (SeatState.SUBMITTED, SeatState.VOIDED),
        (SeatState.SUBMITTED, SeatState.OUTDATED),
        (SeatState.HELD, SeatState.OUTDATED),
        (SeatState.SUBMITTED, SeatState.HELD),  # a decision of cleaning that its own person took back
        (SeatState.SUBMITTED, SeatState.RETURNED),  # one that somebody else undid, or that a new rule reopened
    },
    ItemState: {
        (ItemState.RECORDED, ItemState.CORRECTED),
        (ItemState.CORRECTED, ItemState.OPEN),
        (ItemState.CORRECTED, ItemState.RECORDED),  # what was corrected, or checked, was voided
        (ItemState.OPEN, ItemState.CORRECTED),
        (ItemState.OPEN, ItemState.RECORDED),
        (ItemState.OPEN, ItemState.KEPT),
        (ItemState.OPEN, ItemState.REMOVED),
        (ItemState.KEPT, ItemState.REMOVED),  # a person changed a grade
        (ItemState.REMOVED, ItemState.KEPT),
        (ItemState.KEPT, ItemState.OPEN),  # a grade was voided
        (ItemState.REMOVED, ItemState.OPEN),
        (ItemState.OPEN, ItemState.DISPUTED),
        (ItemState.KEPT, ItemState.DISPUTED),  # a person changed a grade, or a third person's decision was voided
        (ItemState.REMOVED, ItemState.DISPUTED),  # a third person is asked from now on, or the decision was voided
        (ItemState.DISPUTED, ItemState.KEPT),
        (ItemState.DISPUTED, ItemState.REMOVED),
        (ItemState.DISPUTED, ItemState.OPEN),
        (ItemState.DISPUTED, ItemState.CLEANED),
        (ItemState.OPEN, ItemState.WRITTEN),
        (ItemState.RETURNED, ItemState.WRITTEN),
        (ItemState.OPEN, ItemState.CLEANED),
        (ItemState.KEPT, ItemState.CLEANED),
        (ItemState.REMOVED, ItemState.CLEANED),
        (ItemState.CLEANED, ItemState.OPEN),  # the decision was undone
        (ItemState.WRITTEN, ItemState.KEPT),
        (ItemState.WRITTEN, ItemState.RETURNED),
        (ItemState.WRITTEN, ItemState.REMOVED),
        (ItemState.KEPT, ItemState.WRITTEN),  # a verdict was voided
        (ItemState.REMOVED, ItemState.WRITTEN),
        (ItemState.KEPT, ItemState.RETURNED),  # a text was voided, and the one before it was sent back
        (ItemState.REMOVED, ItemState.RETURNED),
        (ItemState.WRITTEN, ItemState.OPEN),  # a text was voided, and there was none before it
        (ItemState.RETURNED, ItemState.OPEN),
    },
    AttemptState: {
        (AttemptState.OPEN, AttemptState.PASSED),
        (AttemptState.OPEN, AttemptState.FAILED),
        (AttemptState.FAILED, AttemptState.EXCUSED),
    },
    RaterState: {
        (RaterState.WORKING, RaterState.PAUSED),
        (RaterState.PAUSED, RaterState.WORKING),
    },
    ImportState: {
        (ImportState.RECEIVED, ImportState.CHECKED),
        (ImportState.RECEIVED, ImportState.DISCARDED),
        (ImportState.CHECKED, ImportState.STORED),
        (ImportState.CHECKED, ImportState.DISCARDED),
    },
}
