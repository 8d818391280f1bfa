"""States of a study and of a participant, and their allowed changes."""

from enum import StrEnum

from core.domain.transitions import Transitions


class StudyState(StrEnum):
    """State of a study: set up, open to people, closed; it never goes back."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"


# From then on its links may have been sent and its frozen plan cited: it is archived, never deleted (docs/adr/0039).
OPENED = (StudyState.OPEN, StudyState.CLOSED)


class ParticipantState(StrEnum):
    """State of a person who agreed to take part."""

    CONSENTED = "consented"  # agreed to take part; demographics and practice are next
    ANSWERING = "answering"  # the clock runs
    COMPLETE = "complete"
    TOO_FEW_ANSWERS = "too_few_answers"
    FAILED_CHECKS = "failed_checks"
    UNANSWERED_CHECK = "unanswered_check"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"


class VisitOutcome(StrEnum):
    """Outcome of a visit; each has its own page and completion code."""

    COMPLETE = "complete"
    TOO_FEW_ANSWERS = "too_few_answers"
    FAILED_CHECKS = "failed_checks"
    UNANSWERED_CHECK = "unanswered_check"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"
    FULL = "full"


class Phase(StrEnum):
    """Page that a participant is on."""

    CONSENT = "consent"
    DEMOGRAPHICS = "demographics"
    PRACTICE = "practice"
    QUESTIONS = "questions"
    END = "end"


ENDED = (
    ParticipantState.COMPLETE,
    ParticipantState.TOO_FEW_ANSWERS,
    ParticipantState.FAILED_CHECKS,
    ParticipantState.UNANSWERED_CHECK,
    ParticipantState.TIMED_OUT,
)

UNDER_WAY = (ParticipantState.CONSENTED, ParticipantState.ANSWERING)

# What an ended person fills is a place of the quota only where they count in full, under all rules of the plan: of
# others it is free for another.
WITH_A_PLACE = (*UNDER_WAY, ParticipantState.COMPLETE)


def phase_of(state: ParticipantState, *, is_time_up: bool, has_demographics: bool) -> Phase:
    """Return the page for a person who has joined; before that it is the consent."""
    if state == ParticipantState.CONSENTED:
        return Phase.PRACTICE if has_demographics else Phase.DEMOGRAPHICS
    return Phase.QUESTIONS if state == ParticipantState.ANSWERING and not is_time_up else Phase.END


TRANSITIONS: Transitions = {  # registered when the app is ready
    StudyState: {
        (StudyState.DRAFT, StudyState.OPEN),
        (StudyState.OPEN, StudyState.CLOSED),
    },
    ParticipantState: {
        (ParticipantState.CONSENTED, ParticipantState.ANSWERING),
        *((ParticipantState.ANSWERING, ended) for ended in ENDED),
        (ParticipantState.TOO_FEW_ANSWERS, ParticipantState.TIMED_OUT),  # enough of them arrived late
        *((state, ParticipantState.WITHDRAWN) for state in ParticipantState if state != ParticipantState.WITHDRAWN),
    },
}
