"""Answers of participants: given, changed, removed."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from study.actions.survey.participants import locked_participant
from study.domain.results import ranks
from study.domain.survey import clock
from study.domain.survey.phases import ParticipantState
from study.models import Answer, Participant, Presentation
from study.selectors.survey.visits import ASKED


def give(
    *,
    presentation: Presentation,
    first: int | None,
    second: int | None = None,
    milliseconds: int | None = None,
    key: UUID | None = None,
    participant: Participant,
) -> Answer | None:
    """Store the choices of a participant at a question, as numbers of its candidates; they replace the former ones.

    Without choices the question is left empty and its former answer deleted; a second choice needs a first. Sent twice
    with one key, it is stored once. From the deadline on 3 seconds of grace are given, and the answer is flagged.
    Whether the true candidate is among the choices is computed here. Raises Refused.
    """
    arrived_at = timezone.now()  # taken first: the server's own delay must not cost the person time
    with transaction.atomic():
        return _give(presentation, first, second, milliseconds, key, participant, arrived_at)


def _give(
    presentation: Presentation,
    first: int | None,
    second: int | None,
    milliseconds: int | None,
    key: UUID | None,
    participant: Participant,
    arrived_at: datetime,
) -> Answer | None:
    locked = locked_participant(participant)
    if presentation.participant_id != locked.pk:
        raise Refused("not_yours", _("Not saved: this question was not put to you."))
    stored = Answer.objects.filter(presentation=presentation).first()
    if stored and key is not None and stored.submission_key == key:
        return _sent_again(stored, first, second)
    is_late = _check_time(locked, arrived_at)
    _check_choices(presentation, first, second)
    mark_shown(presentation=presentation)
    if first is None:
        Answer.objects.filter(presentation=presentation).delete()
        return None
    return _store(presentation, first, second, milliseconds, key, is_late)


def mark_shown(*, presentation: Presentation) -> None:
    """Store when a question was first seen, so that a person continues at the last one they saw.

    Only the next question is marked, whichever one a browser asks for.
    """
    if presentation.shown_at is not None:
        return
    unseen = Presentation.objects.filter(participant=presentation.participant_id, shown_at=None, **ASKED)
    if unseen.first() == presentation:
        unseen.filter(pk=presentation.pk).update(shown_at=timezone.now())


def _sent_again(stored: Answer, first: int | None, second: int | None) -> Answer:
    if (stored.first, stored.second) != (first, second):
        raise Refused("key_used", _("Not saved: other choices were sent with the same key. Choose again."))
    return stored


def _check_time(participant: Participant, arrived_at: datetime) -> bool:
    """Return whether the answer came within the grace. Raises Refused after it, or when the person has ended."""
    is_timed_out = participant.state == ParticipantState.TIMED_OUT
    if is_timed_out or clock.is_closed(participant.deadline_at, arrived_at):
        raise Refused("too_late", _("Not saved: the time is up. What you answered before is stored."))
    if participant.state != ParticipantState.ANSWERING:
        raise Refused("ended", _("Not saved: you have ended the survey. What you answered before is stored."))
    return clock.is_over(participant.deadline_at, arrived_at)


def _check_choices(presentation: Presentation, first: int | None, second: int | None) -> None:
    if {first, second} - {None, *presentation.order}:
        raise Refused("no_choice", _("Not saved: this is none of the lines. Choose one of those shown."))
    if first is not None and first == second:
        raise Refused("choices_equal", _("Not saved: the first and the second choice are the same line."))
    if first is None and second is not None:
        raise Refused("first_missing", _("Not saved: a second choice alone is no answer. Choose a first line too."))


def _store(
    presentation: Presentation,
    first: int,
    second: int | None,
    milliseconds: int | None,
    key: UUID | None,
    is_late: bool,
) -> Answer:
    better = ranks.better_than_true(first, second, presentation.question.answer)
    facts = {
        "first": first,
        "second": second,
        "better": better,
        "depth": ranks.depth(second),
        "milliseconds": milliseconds,
        "submission_key": key,
        "is_late": is_late,
        "answered_at": timezone.now(),
    }
    answer, _new = Answer.objects.update_or_create(presentation=presentation, defaults=facts)
    return answer
