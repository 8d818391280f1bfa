"""The states of annotation work, and which may follow which (registered when the app is ready)."""

from enum import StrEnum

from core.domain.transitions import Transitions


class AssignmentState(StrEnum):
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
    OPEN = "open"  # fewer grades than annotators; not written yet
    WRITTEN = "written"  # an inspector is to judge it
    RETURNED = "returned"  # back with its author, to be revised
    DISPUTED = "disputed"  # the grades lie too far apart; an adjudicator is to decide
    KEPT = "kept"  # graded alike, or by an adjudicator; accepted
    REMOVED = "removed"  # the grades lie too far apart, or an adjudicator said so; discarded
    CLEANED = "cleaned"  # should not reach annotators: nobody is asked about it, and its grades do not count


class AttemptState(StrEnum):
    OPEN = "open"
    PASSED = "passed"
    FAILED = "failed"
    EXCUSED = "excused"  # failed, and not counted: somebody gave the person another one


class AnnotatorState(StrEnum):
    WORKING = "working"
    PAUSED = "paused"  # too many gold pairs missed


AWAITING_TRANSCRIPTION = (ItemState.RECORDED, ItemState.CORRECTED)  # two people come before any author (docs/adr/0011)
STATES_OF_REWRITING = (
    *AWAITING_TRANSCRIPTION,
    ItemState.OPEN,
    ItemState.WRITTEN,
    ItemState.RETURNED,
    ItemState.KEPT,
    ItemState.REMOVED,
)


class ImportState(StrEnum):
    RECEIVED = "received"  # the file is here, nobody has read it
    CHECKED = "checked"  # read once, nothing stored
    STORED = "stored"
    DISCARDED = "discarded"


TRANSITIONS: Transitions = {
    AssignmentState: {
        (AssignmentState.HELD, AssignmentState.SUBMITTED),
        (AssignmentState.HELD, AssignmentState.EXPIRED),
        (AssignmentState.HELD, AssignmentState.RETURNED),
        (AssignmentState.HELD, AssignmentState.SKIPPED),
        (AssignmentState.HELD, AssignmentState.VOIDED),
        (AssignmentState.EXPIRED, AssignmentState.SUBMITTED),  # late, and the slot was still free
        (
            AssignmentState.EXPIRED,
            AssignmentState.SKIPPED,
        ),  # late: the person has seen the pair and leaves it to others
        (AssignmentState.SUBMITTED, AssignmentState.VOIDED),
        (AssignmentState.SUBMITTED, AssignmentState.OUTDATED),
        (AssignmentState.HELD, AssignmentState.OUTDATED),
        (AssignmentState.SUBMITTED, AssignmentState.HELD),  # a decision of cleaning that its own person took back
        (
            AssignmentState.SUBMITTED,
            AssignmentState.RETURNED,
        ),  # one that somebody else undid, or that a new rule reopened
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
        (ItemState.KEPT, ItemState.DISPUTED),  # a person changed a grade, or an adjudicator's decision was voided
        (ItemState.REMOVED, ItemState.DISPUTED),  # an adjudicator is asked from now on, or the decision was voided
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
        (ItemState.KEPT, ItemState.RETURNED),  # a text was voided, and the one before it was returned for revision
        (ItemState.REMOVED, ItemState.RETURNED),
        (ItemState.WRITTEN, ItemState.OPEN),  # a text was voided, and there was none before it
        (ItemState.RETURNED, ItemState.OPEN),
    },
    AttemptState: {
        (AttemptState.OPEN, AttemptState.PASSED),
        (AttemptState.OPEN, AttemptState.FAILED),
        (AttemptState.FAILED, AttemptState.EXCUSED),
    },
    AnnotatorState: {
        (AnnotatorState.WORKING, AnnotatorState.PAUSED),
        (AnnotatorState.PAUSED, AnnotatorState.WORKING),
    },
    ImportState: {
        (ImportState.RECEIVED, ImportState.CHECKED),
        (ImportState.RECEIVED, ImportState.DISCARDED),
        (ImportState.CHECKED, ImportState.STORED),
        (ImportState.CHECKED, ImportState.DISCARDED),
    },
}
