"""Position of a participant in the survey."""

from django.db.models import Q

from study.domain.survey import clock
from study.domain.survey.phases import ParticipantState, Phase, VisitOutcome, phase_of
from study.models import Participant, Presentation, QuestionPurpose

PRACTICE_POSITION = 0
ASKED = {"position__gt": PRACTICE_POSITION}


def presentations_of(participant: Participant, *, since: int = 1) -> list[Presentation]:
    """Return the questions shown to a person, in their order, with their current answers."""
    rows = Presentation.objects.filter(participant=participant, position__gte=since)
    return list(rows.select_related("question", "answer", "late_answer").order_by("position"))


def reached(presentations: list[Presentation]) -> int:
    """Return the position to continue at: the last one shown, or the next one when that is answered in full.

    It is one more than the number of questions when all are done.
    """
    shown = [each for each in presentations if each.shown_at]
    if not shown:
        return 1
    last = shown[-1]
    return last.position + is_complete(last)


def is_open(presentations: list[Presentation], position: int) -> bool:
    """Return whether a person may open a question: one already shown to them, or the next one."""
    shown = sum(each.shown_at is not None for each in presentations)
    return 1 <= position <= min(shown + 1, len(presentations))


def is_complete(presentation: Presentation) -> bool:
    answer = getattr(presentation, "answer", None)
    return answer is not None and answer.depth > 1


def phase(person: Participant) -> Phase:
    """Return the phase that a person is in now."""
    is_time_up = clock.is_over(person.deadline_at, person.now())
    state = ParticipantState(person.state)
    return phase_of(state, is_time_up=is_time_up, has_demographics=bool(person.demographics))


def outcome_of(person: Participant) -> VisitOutcome:
    """Return the outcome; past the deadline it is that of the deadline, even before the server has stored it."""
    is_stored = person.state != ParticipantState.ANSWERING
    return VisitOutcome(person.state if is_stored else outcome_at_deadline(person))


def outcome_at_deadline(person: Participant) -> ParticipantState:
    """Return how the survey of a person ends whose time runs out."""
    return ParticipantState.TOO_FEW_ANSWERS if has_too_few_answers(person) else ParticipantState.TIMED_OUT


def has_too_few_answers(person: Participant) -> bool:
    """Return whether fewer questions that count are answered, in time or late, than the plan wants."""
    answered = Q(answer__isnull=False) | Q(late_answer__isnull=False)
    counting = person.presentations.filter(answered, question__purpose=QuestionPurpose.WORK)
    return counting.count() < person.study.survey.minimum_answers


def practice_of(person: Participant) -> Presentation:
    rows = person.presentations.select_related("question")
    return rows.get(position=PRACTICE_POSITION)
