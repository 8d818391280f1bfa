"""Position of a participant in the survey."""

from study.models import Participant, Presentation

ASKED = {"position__gte": 1}  # the practice question has position 0


def presentations_of(participant: Participant, *, since: int = 1) -> list[Presentation]:
    """Return the questions shown to a person, in their order, with their current answers."""
    rows = Presentation.objects.filter(participant=participant, position__gte=since)
    return list(rows.select_related("question", "answer").order_by("position"))


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
