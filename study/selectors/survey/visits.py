"""Where a participant stands, and what is left of their time."""

from study.models import Participant, Presentation

ASKED = {"position__gte": 1}  # the practice question stands at 0


def presentations_of(participant: Participant, *, since: int = 1) -> list[Presentation]:
    """The questions put to a person, in their order, with the answers in force."""
    rows = Presentation.objects.filter(participant=participant, position__gte=since)
    return list(rows.select_related("question", "answer").order_by("position"))


def reached(presentations: list[Presentation]) -> int:
    """The position to go on at: the last one shown, or the one after it when that is answered in full.

    One more than there are questions when all are done.
    """
    shown = [each for each in presentations if each.shown_at]
    if not shown:
        return 1
    last = shown[-1]
    return last.position + is_complete(last)


def is_open(presentations: list[Presentation], position: int) -> bool:
    """Whether a person may look at a question: one that was shown to them, or the one that comes next."""
    shown = sum(each.shown_at is not None for each in presentations)
    return 1 <= position <= min(shown + 1, len(presentations))


def is_complete(presentation: Presentation) -> bool:
    answer = getattr(presentation, "answer", None)
    return answer is not None and answer.depth > 1
