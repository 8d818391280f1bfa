"""Answers of participants: given, changed, removed; in time, within the grace, or late."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.models.sql import execute_soon, save
from study.actions.survey import behaviour
from study.actions.survey.participants import end_again, lock
from study.domain.results import ranks
from study.domain.survey import clock
from study.domain.survey.phases import ParticipantState
from study.models import Answer, LateAnswer, Participant, Presentation
from study.models.answers import GivenChoices
from study.selectors.survey.visits import answers_at

Stored = dict[type[GivenChoices], GivenChoices]  # by what they are: Answer, LateAnswer


class Arrival(Enum):
    """The arrival of an answer, by the server's clock."""

    IN_TIME = auto()
    IN_GRACE = auto()
    LATE = auto()


def give(
    *,
    presentation: Presentation,
    first: int | None,
    second: int | None = None,
    milliseconds: int | None = None,
    key: UUID | None = None,
    seconds_left: int | None = None,
    noted: Mapping[str, int] | None = None,
    participant: Participant,
) -> GivenChoices | None:
    """Store the choices of a participant at a question, as numbers of its candidates; they replace the former ones.

    Without choices the question is left empty and its former answer deleted; a second choice needs a first. Sent twice
    with one key, it is stored once. From the deadline on 3 seconds of grace are given, and the answer is flagged.
    Where the browser says that it was given in time, with `seconds_left`, it is kept for another day as a late answer,
    beside the one in time. `noted` is what the page counted since the answer before (domain/survey/behaviour.py).
    Whether the true candidate is among the choices is computed here.
    Raises Refused.
    """
    arrived_at = participant.now()  # taken first: the server's own delay must not cost the person time
    if presentation.participant_id != participant.pk:
        raise Refused("not_yours", _("Not saved: this question was not put to you."))
    with transaction.atomic():
        lock(participant)
        rows = answers_at(pk=presentation.pk)  # none once the person has withdrawn
        stored = {type(each): each for row in rows for each in _answers(row)}
        for before in stored.values():
            if key and before.submission_key == key:
                return _sent_again(before, first, second)
        arrival = _arrival(participant, arrived_at, seconds_left)
        _check_choices(presentation, first, second)
        mark_shown(presentation=rows[0])
        given = _store(stored, presentation, first, second, milliseconds, key, arrival)
        behaviour.add(participant, noted or {})
        end_again(participant)
        return given


def mark_shown(*, presentation: Presentation) -> None:
    """Store when a question was first seen, so that a person continues at the last one they saw.

    Only the next question is marked, whichever one a browser asks for.
    """
    is_next = presentation.shown_count == presentation.position - 1
    if presentation.shown_at is None and is_next:
        execute_soon(
            "UPDATE study_presentation SET shown_at = %s"
            " WHERE participant_id = %s AND position = %s AND shown_at IS NULL",
            [
                connection.ops.adapt_datetimefield_value(timezone.now()),
                presentation.participant_id,
                presentation.position,
            ],
        )


def _answers(presentation: Presentation) -> list[GivenChoices]:
    given = (getattr(presentation, "answer", None), getattr(presentation, "late_answer", None))
    return [each for each in given if each is not None]


def _sent_again(stored: GivenChoices, first: int | None, second: int | None) -> GivenChoices:
    if (stored.first, stored.second) != (first, second):
        raise Refused("key_used", _("Not saved: other choices were sent with the same key. Choose again."))
    return stored


def _arrival(participant: Participant, arrived_at: datetime, seconds_left: int | None) -> Arrival:
    """Return when the answer arrived. Raises Refused for one after the time, or when the person has ended."""
    deadline_at, ended_at = participant.deadline_at, participant.ended_at
    is_closed = clock.is_closed(deadline_at, arrived_at)
    if participant.state == ParticipantState.ANSWERING and not is_closed:
        return Arrival.IN_GRACE if clock.is_over(deadline_at, arrived_at) else Arrival.IN_TIME
    has_run_out = participant.state in (ParticipantState.ANSWERING, ParticipantState.TIMED_OUT)
    if participant.state == ParticipantState.TOO_FEW_ANSWERS and deadline_at and ended_at:
        has_run_out = ended_at >= deadline_at
    is_said_in_time = seconds_left is not None and seconds_left >= 0
    if has_run_out and is_closed and is_said_in_time and not clock.is_too_late(deadline_at, arrived_at):
        return Arrival.LATE
    if has_run_out:
        raise Refused("too_late", _("Not saved: the time is up. What you answered before is stored."))
    raise Refused("ended", _("Not saved: you have ended the survey. What you answered before is stored."))


def _check_choices(presentation: Presentation, first: int | None, second: int | None) -> None:
    if {first, second} - {None, *presentation.order}:
        raise Refused("no_choice", _("Not saved: this is none of the lines. Choose one of those shown."))
    if first is not None and first == second:
        raise Refused("choices_equal", _("Not saved: the first and the second choice are the same line."))
    if first is None and second is not None:
        raise Refused("first_missing", _("Not saved: a second choice alone is no answer. Choose a first line too."))


def _store(
    stored: Stored,
    presentation: Presentation,
    first: int | None,
    second: int | None,
    milliseconds: int | None,
    key: UUID | None,
    arrival: Arrival,
) -> GivenChoices | None:
    """Replace the answer; a late one replaces only what was late before. The participant is locked."""
    kind: type[Answer] | type[LateAnswer] = LateAnswer if arrival == Arrival.LATE else Answer
    before = stored.get(kind)
    if first is None:
        if before:
            before.delete()
        return None
    facts: dict[str, Any] = {
        "first": first,
        "second": second,
        "better": ranks.better_than_true(first, second, presentation.question.answer),
        "depth": ranks.depth(second),
        "milliseconds": milliseconds,
        "submission_key": key,
        "answered_at": timezone.now(),
    }
    if kind is Answer:
        facts["in_grace"] = arrival == Arrival.IN_GRACE
    answer = kind(pk=before.pk if before else None, presentation=presentation, **facts)
    save(answer)
    return answer
