"""Answers of participants: given, changed, removed; in time, within the grace, or late."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.domain.text import timestamp
from core.models.sql import execute_soon, save
from study.actions.survey import behaviour
from study.actions.survey.participants import end_again, lock
from study.domain.results import ranks
from study.domain.survey import clock
from study.domain.survey.phases import ParticipantState
from study.models import Answer, LateAnswer, Participant, Presentation
from study.models.answers import GivenChoices
from study.models.people import Origin
from study.selectors.survey.visits import answers_at

MOST_TIMES = 50  # saved changes of an answer whose times are kept, the newest

Stored = dict[type[GivenChoices], GivenChoices]  # by what they are: Answer, LateAnswer


class Arrival(Enum):
    """The arrival of an answer, by the server's clock."""

    IN_TIME = auto()
    IN_GRACE = auto()
    LATE = auto()


def give(
    *,
    presentation: Presentation,
    ranking: Sequence[int],
    milliseconds: int | None = None,
    key: UUID | None = None,
    seconds_left: int | None = None,
    noted: Mapping[str, int] | None = None,
    unseen: Sequence[int] | None = None,
    participant: Participant,
) -> GivenChoices | None:
    """Store a participant's ranking of a question's candidates, their numbers best first; it replaces the former one.

    It may end early, and not go further than the study asks. An empty one leaves the question empty, and its former
    answer is deleted. Sent twice with one key, it is stored once. From the deadline on 3 seconds of grace are given,
    and the answer is flagged. Where the browser says that it was given in time, with `seconds_left`, it is kept for
    another day as a late answer, beside the one in time. `noted` is what the page counted since the answer before
    (domain/survey/behaviour.py); `unseen` are the candidates that were on no screen yet, None where no script said so:
    they are stored where the consent says so. Where the true candidate ranks is computed here.
    Raises Refused.
    """
    arrived_at = participant.now()  # taken first: the server's own delay must not cost the person time
    if presentation.participant_id != participant.pk:
        raise Refused("not_yours", _("Not saved: this question was not assigned to you."))
    answer = participant.study.survey.answer
    is_full = answer == "ranking" and len(ranking) > 0
    chosen = ranks.filled(ranking, presentation.order) if is_full else [*ranking]  # the last follows from the others
    with transaction.atomic():
        lock(participant)
        rows = answers_at(pk=presentation.pk)  # none once the person has withdrawn
        stored = {type(each): each for row in rows for each in _answers(row)}
        for before in stored.values():
            if key and before.submission_key == key:
                return _sent_again(before, chosen)
        arrival = _arrival(participant, arrived_at, seconds_left)
        _check_choices(presentation, chosen, answer)
        mark_shown(presentation=rows[0])
        spent = _time_at(rows[0], _possible(participant, rows[0], milliseconds, arrived_at))
        facts = {"milliseconds": spent, "submission_key": key, "unseen": _still_unseen(participant, stored, unseen)}
        given = _store(stored, rows[0].saved_times, presentation, chosen, facts, arrival)
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


def _sent_again(stored: GivenChoices, ranking: list[int]) -> GivenChoices:
    if stored.ranking != ranking:
        raise Refused("key_used", _("Not saved: this answer was sent twice, with different choices. Choose again."))
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


def _possible(
    participant: Participant, presentation: Presentation, milliseconds: int | None, now: datetime
) -> int | None:
    """Return the time that a browser tells, no longer than the server's clock allows; no clock has seen a bot's."""
    if milliseconds is None or participant.started_at is None or participant.origin == Origin.SIMULATED:
        return milliseconds
    elsewhere = presentation.elsewhere or 0
    return min(milliseconds, clock.longest_spent(participant.started_at, participant.deadline_at, now, elsewhere))


def _time_at(presentation: Presentation, milliseconds: int | None) -> int | None:
    """Return the milliseconds at a question, which no browser can count down: no fewer than were stored before.

    Of a page without a script the server knows when it was first shown; None where nothing is known.
    """
    if milliseconds is None and presentation.shown_at:
        milliseconds = max(0, round((timezone.now() - presentation.shown_at) / timedelta(milliseconds=1)))
    known = [milliseconds, *(each.milliseconds for each in _answers(presentation))]
    return max((each for each in known if each is not None), default=None)


def _still_unseen(participant: Participant, stored: Stored, unseen: Sequence[int] | None) -> list[int] | None:
    """Return the candidates that no page of the question has shown: one that is loaded again begins with none seen."""
    if not participant.study.notes_screen:
        return None
    told = [set(each) for each in (unseen, *(before.unseen for before in stored.values())) if each is not None]
    return sorted(set.intersection(*told)) if told else None


def _check_choices(presentation: Presentation, ranking: list[int], answer: str) -> None:
    if set(ranking) - {*presentation.order}:
        raise Refused("no_choice", _("Not saved: this is not one of the lines. Choose one of those shown."))
    if len(set(ranking)) < len(ranking):
        raise Refused("choices_equal", _("Not saved: the first and the second choice are the same line."))
    if len(ranking) > ranks.wanted(answer, len(presentation.order)):
        raise Refused("too_many_ranks", _("Not saved: you chose more lines than the survey asks for."))


def _store(
    stored: Stored,
    earlier: list[str],
    presentation: Presentation,
    ranking: list[int],
    of_request: Mapping[str, Any],
    arrival: Arrival,
) -> GivenChoices | None:
    """Replace the answer; a late one replaces only what was late before. The participant is locked.

    `earlier` are the times of an answer that was taken back; taking one back is a saved change too.
    """
    kind: type[Answer] | type[LateAnswer] = LateAnswer if arrival == Arrival.LATE else Answer
    before, now = stored.get(kind), timezone.now()
    times = [*(before.saved_times if before else earlier), timestamp(now, "milliseconds")][-MOST_TIMES:]
    if not ranking:
        if before:
            before.delete()
            Presentation.objects.filter(pk=presentation.pk).update(saved_times=times)
        return None
    facts: dict[str, Any] = {
        **ranks.given(ranking, presentation.question.answer)._asdict(),
        **of_request,
        "answered_at": now,
        "saved_times": times,
    }
    if kind is Answer:
        facts["in_grace"] = arrival == Arrival.IN_GRACE
    answer = kind(pk=before.pk if before else None, presentation=presentation, **facts)
    save(answer)
    return answer
