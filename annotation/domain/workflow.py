"""The states of annotation work, and which may follow which (registered when the app is ready)."""

from enum import StrEnum

from core.domain.transitions import Transitions


class AssignmentState(StrEnum):
    """The states of an assignment."""

    HELD = "held"
    SUBMITTED = "submitted"
    EXPIRED = "expired"
    RETURNED = "returned"
    SKIPPED = "skipped"
    VOIDED = "voided"
    OUTDATED = "outdated"  # its text was voided, and the person may be asked again; or its practice is over


class ItemState(StrEnum):
    """The states of an item."""

    RECORDED = "recorded"  # a machine's text, to be corrected by its audio or answer image
    CORRECTED = "corrected"  # a second person is to check the correction
    OPEN = "open"  # fewer grades than annotators; not written yet
    WRITTEN = "written"  # waits for an inspector
    RETURNED = "returned"  # returned to its author for revision
    DISPUTED = "disputed"  # the gap of the grades is too wide; waits for an adjudicator
    KEPT = "kept"  # graded alike, or kept by an adjudicator; or accepted
    REMOVED = "removed"  # the gap is too wide, or removed by an adjudicator; or discarded
    CLEANED = "cleaned"  # should not reach annotators: no one is asked about it, and its grades do not count


class AttemptState(StrEnum):
    """The states of an attempt at qualification."""

    OPEN = "open"
    PASSED = "passed"
    FAILED = "failed"
    EXCUSED = "excused"  # failed, but not counted: the person was given another one
    OUTDATED = "outdated"  # passed under an earlier guideline, and the person is asked to pass again


class AnnotatorState(StrEnum):
    """The states of an annotator in a project."""

    WORKING = "working"
    PAUSED = "paused"  # too many gold pairs missed


# Items in these states wait for transcription or its check, before any author (docs/adr/0011).
AWAITING_TRANSCRIPTION = (ItemState.RECORDED, ItemState.CORRECTED)
STATES_OF_REWRITING = (
    *AWAITING_TRANSCRIPTION,
    ItemState.OPEN,
    ItemState.WRITTEN,
    ItemState.RETURNED,
    ItemState.KEPT,
    ItemState.REMOVED,
)


class ImportState(StrEnum):
    """The states of an import."""

    RECEIVED = "received"  # the file is here, not read yet
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
        ),  # late: the person saw the pair and leaves it to others
        (AssignmentState.SKIPPED, AssignmentState.HELD),  # the person undid the skip, and the slot was still free
        (AssignmentState.SUBMITTED, AssignmentState.VOIDED),
        (AssignmentState.SUBMITTED, AssignmentState.OUTDATED),
        (AssignmentState.HELD, AssignmentState.OUTDATED),
        (
            AssignmentState.SUBMITTED,
            AssignmentState.HELD,
        ),  # the person took back a decision, text or verdict
        (
            AssignmentState.SUBMITTED,
            AssignmentState.RETURNED,
        ),  # another person undid the decision, or a new rule asks again
    },
    ItemState: {
        (ItemState.RECORDED, ItemState.CORRECTED),
        (ItemState.CORRECTED, ItemState.OPEN),
        (ItemState.CORRECTED, ItemState.RECORDED),  # the correction or its check was voided
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
        (ItemState.KEPT, ItemState.RETURNED),  # a text was voided, and the one before it had been returned for revision
        (ItemState.REMOVED, ItemState.RETURNED),
        (ItemState.WRITTEN, ItemState.OPEN),  # a text was voided, and there was none before it
        (ItemState.RETURNED, ItemState.OPEN),
    },
    AttemptState: {
        (AttemptState.OPEN, AttemptState.PASSED),
        (AttemptState.OPEN, AttemptState.FAILED),
        (AttemptState.FAILED, AttemptState.EXCUSED),
        (AttemptState.PASSED, AttemptState.OUTDATED),
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
