"""All acts of a participant except answering: join, describe oneself, practise, start, finish, withdraw.

Participants have no account: `by` is empty in their events, and no event or log identifies them.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import stored_figures
from core.actions.events import move, record
from core.actions.refusals import Refused
from core.models.people import User
from core.models.sql import Columns, rows_of
from study.actions import reports
from study.actions.survey import deviations, exports, joining, keys, places
from study.actions.survey.locks import locked_study
from study.actions.survey.presentations import present_practice, present_questions
from study.domain.survey import clock
from study.domain.survey.keys import digest_of
from study.domain.survey.phases import WITH_A_PLACE, ParticipantState, VisitOutcome
from study.domain.survey.platforms import ACCOUNT, Visitor
from study.models import Behaviour, Exclusion, Participant, PayRecord, QuestionPurpose, Study
from study.models.erasure import truncate_log
from study.models.people import Origin, StudyGroup
from study.models.uptime import boot, uptime
from study.selectors.results.counted import is_counted
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.places import lacks_room, overdue
from study.selectors.survey.plans import CONSENT, newest_text
from study.selectors.survey.visits import (
    PRACTICE_POSITION,
    has_more_practice,
    has_too_few_answers,
    locked_row,
    outcome_at_deadline,
)

SEEN_EVERY = timedelta(minutes=1)
ROW = Columns(study_participant=Participant)


def join(
    *, group: StudyGroup, visitor: Visitor | None = None, browser: Collection[str] | None = None
) -> tuple[Participant, str]:
    """Create a participant who agreed to take part. Return them with their browser's secret, of which a digest is kept;
    "" for one who is signed in, whom the account knows again.

    `browser` is the secrets that a browser keeps of people before, None where no browser asks. Raises Refused when the
    study is not open, closed or full, for an id that is none, is missing or withdrew, for a person of a platform who
    took part before, and for too many people without an id.
    """
    if lacks_room(group):
        for person in overdue(group):  # before the study is locked: each leaves a place, in the order of locks
            _close(person)
    return _join(group, visitor, browser)


@transaction.atomic
def _join(group: StudyGroup, visitor: Visitor | None, browser: Collection[str] | None) -> tuple[Participant, str]:
    study = locked_study(group.study)
    joining.check_open(study)
    joining.check_not_paused(study)
    joining.check_visitor(group, visitor)
    if visitor is None and browser is not None:
        joining.check_pace(group, browser)
    participant = Participant.objects.create(
        study=study,
        group=group,
        form=places.take(study.groups.get(pk=group.pk)),
        has_place=True,
        seen_at=timezone.now(),
        consent=newest_text(study, CONSENT),
    )
    if visitor:
        joining.identify(participant, visitor)
    present_practice(participant)
    record(participant, became=ParticipantState.CONSENTED, scope=None, by=None)
    is_signed_in = visitor is not None and visitor.platform == ACCOUNT
    return participant, "" if is_signed_in else keys.give(participant=participant, with_link=True)


@transaction.atomic
def describe(*, participant: Participant, demographics: Mapping[str, str]) -> None:
    """Store what a participant says about themselves under all keys, "" where they did not answer.

    Raises Refused for an unknown choice, and once they have begun.
    """
    locked = locked_participant(participant)
    _check_not_begun(locked)
    asked = demographics_of(locked.study)
    for question in asked:
        if demographics.get(question.key, "") not in {"", *question.answers}:
            raise Refused("no_choice", _("Not saved: this is not one of the answers. Choose one of those shown."))
    locked.demographics = {question.key: demographics.get(question.key, "") for question in asked}
    locked.save(update_fields=["demographics"])
    record(locked, became="described", scope=None, by=None)


@transaction.atomic
def practise(*, participant: Participant, first: int, second: int | None) -> None:
    """Store the choices at the present practice question.

    Raises Refused for two equal ones, and once the survey has begun.
    """
    locked = locked_participant(participant)
    _check_not_begun(locked)
    if first == second:
        raise Refused("choices_equal", _("Not saved: the first and the second choice are the same line."))
    locked.practice = {**locked.practice, "first": first, "second": second}
    locked.save(update_fields=["practice"])


@transaction.atomic
def practise_next(*, participant: Participant) -> None:
    """Put the next practice question before a person who has answered the present one.

    Raises Refused when they have not, and once the survey has begun. After the last one nothing changes.
    """
    locked = locked_participant(participant)
    _check_not_begun(locked)
    _check_practised(locked)
    if has_more_practice(locked):
        given = {name: locked.practice[name] for name in ("first", "second")}
        locked.practice = {"before": [*locked.practice.get("before", []), given]}
        locked.save(update_fields=["practice"])
        locked.presentations.filter(position=PRACTICE_POSITION).delete()
        present_practice(locked)


def _check_practised(participant: Participant) -> None:
    if "first" not in participant.practice:
        raise Refused("not_practised", _("Answer the practice question first."))


def _check_not_begun(participant: Participant) -> None:
    if participant.state != ParticipantState.CONSENTED:
        raise Refused("begun", _("Not saved: you have already started."))


def locked_participant(participant: Participant) -> Participant:
    """Return the participant's row, locked, so that their requests are handled one after the other."""
    rows = Participant.objects.select_related("study", "group").select_for_update(no_key=True, of=("self",))
    return rows.get(pk=participant.pk)


def lock(participant: Participant) -> None:
    """Lock the participant's row, as `locked_participant` does, and read again into it what requests change.

    Once a minute the same statement stores that they were seen.
    """
    is_due = participant.seen_at is None or timezone.now() - participant.seen_at >= SEEN_EVERY
    [now] = (is_due and _see(participant)) or locked_row(pk=participant.pk)
    participant.state, participant.deadline_at, participant.ended_at = now.state, now.deadline_at, now.ended_at


def _see(participant: Participant) -> list[Participant]:
    """Store that a person was seen, and return their row, locked by that; nothing of one who is not answering."""
    sql = f"UPDATE study_participant SET seen_at = %s WHERE id = %s AND state = %s RETURNING {ROW}"  # noqa: S608
    moment = connection.ops.adapt_datetimefield_value(timezone.now())
    return [next(ROW.read(row)) for row in rows_of(sql, [moment, participant.pk, ParticipantState.ANSWERING])]


@transaction.atomic
def start(*, participant: Participant) -> Participant:
    """Begin the questions and start the clock. A person who has already begun continues.

    Raises Refused when a practice question is not answered, or when the study is now closed or full.
    """
    study = locked_study(participant.study)
    locked = locked_participant(participant)
    if locked.state != ParticipantState.CONSENTED:
        return locked
    joining.check_open(study)
    _check_practised(locked)
    if has_more_practice(locked):
        raise Refused("more_practice", _("Answer the other practice questions first."))
    if locked.group and not locked.has_place and not hasattr(locked, "exclusion"):
        locked.form, locked.has_place = places.take(locked.group), True
    now = timezone.now()
    move(
        locked,
        ParticipantState.ANSWERING,
        scope=None,
        by=None,
        started_at=now,
        deadline_at=clock.deadline(now, study.survey.minutes),
        boot=boot(),
        began_at_uptime=uptime(),
        seen_at=now,
        form=locked.form,
        has_place=locked.has_place,
    )
    present_questions(locked)
    return locked


@transaction.atomic
def finish(*, participant: Participant) -> Participant:
    """End the survey. For a person who has ended already nothing changes; past the deadline they are timed out."""
    locked = locked_participant(participant)
    if locked.state == ParticipantState.ANSWERING:
        is_over = clock.is_closed(locked.deadline_at, locked.now())
        _end(locked, outcome_at_deadline(locked) if is_over else _outcome(locked))
    return locked


def _outcome(participant: Participant) -> ParticipantState:
    """Return how the survey of a person who finishes it in time ends."""
    if has_too_few_answers(participant):
        return ParticipantState.TOO_FEW_ANSWERS
    checks = participant.presentations.filter(question__purpose=QuestionPurpose.CHECK)
    rules = participant.study.survey
    if 0 < rules.failed_checks <= checks.failed_checks().count():
        return ParticipantState.FAILED_CHECKS
    is_empty = rules.unanswered_check and checks.filter(answer=None).exists()
    return ParticipantState.UNANSWERED_CHECK if is_empty else ParticipantState.COMPLETE


def _end(participant: Participant, becomes: ParticipantState) -> None:
    code = participant.study.codes[VisitOutcome(becomes)]
    move(participant, becomes, scope=None, by=None, ended_at=participant.now(), code=code)
    if becomes not in WITH_A_PLACE or not is_counted(participant):
        places.leave(participant)


def close_overdue() -> int:
    """Time out participants past their deadline whose browser did not finish. Return how many."""
    return sum(map(_close, Participant.objects.all().overdue()))


@transaction.atomic
def _close(participant: Participant) -> bool:
    locked = locked_participant(participant)
    is_left = locked.state == ParticipantState.ANSWERING and clock.is_closed(locked.deadline_at, locked.now())
    if is_left:
        _end(locked, outcome_at_deadline(locked))
    return is_left


def end_again(participant: Participant) -> None:
    """Time out a locked participant who had given too few answers, once enough have arrived late."""
    if participant.state == ParticipantState.TOO_FEW_ANSWERS and not has_too_few_answers(participant):
        code = participant.study.codes[VisitOutcome.TIMED_OUT]
        move(participant, ParticipantState.TIMED_OUT, scope=None, by=None, code=code)


@transaction.atomic
def withdraw(*, participant: Participant, why: str = "", by: User | None = None) -> None:
    """Delete a person's identity, keys, pay, behaviour log, demographics, questions, answers, and reasons about them.

    A row without content stays, so that counts add up, and apart from it the digest of a platform's id, so that the
    same id does not join again. Figures of the study are forgotten first, in the order of locks of `start`, and its
    reports lose their person-level files.
    Withdrawing twice changes nothing.
    """
    stored_figures.forget(participant.study)
    exports.forget(participant.study)
    locked = locked_participant(participant)
    if locked.state == ParticipantState.WITHDRAWN:
        return
    reports.take_out_people(participant.study)
    places.leave(locked)
    joining.forget_identity(locked)
    locked.presentations.all().delete()
    Exclusion.objects.filter(participant=locked).delete()
    deviations.forget_person(locked)
    locked.keys.all().delete()
    Behaviour.objects.filter(participant=locked).delete()
    PayRecord.objects.filter(participant=locked).delete()
    move(
        locked,
        ParticipantState.WITHDRAWN,
        scope=None,
        why=why,
        by=by,
        ended_at=timezone.now(),
        label="",
        code="",
        demographics={},
        practice={},
        started_at=None,
        deadline_at=None,
        seen_at=None,
        boot="",
        began_at_uptime=None,
    )
    transaction.on_commit(truncate_log)


@transaction.atomic
def mark_simulated(*, secret: str, study: Study) -> None:
    """Mark a participant as a bot."""
    Participant.objects.filter(study=study, keys__digest=digest_of(secret)).update(origin=Origin.SIMULATED)
