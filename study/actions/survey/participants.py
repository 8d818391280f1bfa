"""All acts of a participant except answering: join, describe oneself, practise, start, finish, withdraw.

Participants have no account: `by` is empty in their events, and no event or log identifies them.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions.events import move, record
from core.actions.refusals import Refused
from core.domain.draws import uniforms
from core.models.people import User
from study.actions.survey.studies import locked_study
from study.domain.survey import clock
from study.domain.survey.demographics import QUESTIONS
from study.domain.survey.phases import ParticipantState, StudyState, VisitOutcome
from study.domain.survey.platforms import Visitor
from study.models import FormQuestion, Identity, Participant, Presentation, Question, QuestionPurpose, Study
from study.models.erasure import truncate_log
from study.models.people import Origin, StudyGroup
from study.selectors.survey.plans import CONSENT, newest_text

PATIENCE = timedelta(hours=1)  # a place is kept so long for a person who agreed but has not begun
PRACTICE_POSITION = 0


@transaction.atomic
def join(*, group: StudyGroup, visitor: Visitor | None = None) -> tuple[Participant, str]:
    """Create a participant who agreed to take part. Return them with their browser's secret; only its digest is stored.

    Raises Refused when the study is not open, closed or full, for an id that is no platform's, and for a person of a
    platform who took part before.
    """
    study = locked_study(group.study)
    _check_open(study)
    _check_room(group)
    secret = secrets.token_urlsafe(24)
    participant = Participant.objects.create(
        study=study,
        group=group,
        form=_emptiest_form(study, group),
        token_digest=digest_of(secret),
        consent=newest_text(study, CONSENT),
    )
    if visitor:
        _identify(participant, visitor)
    _present(participant, {PRACTICE_POSITION: study.own_questions.get(purpose=QuestionPurpose.PRACTICE)})
    record(participant, became=ParticipantState.CONSENTED, scope=None, by=None)
    return participant, secret


def digest_of(secret: str) -> str:
    """Return what is stored of a secret: SHA-256, 64 hexadecimal digits."""
    return sha256(secret.encode()).hexdigest()


def participant_with(secret: str, *, study: Study) -> Participant | None:
    """Return the participant who was given this secret; None when there is none."""
    found = Participant.objects.select_related("group", "study").filter(study=study, token_digest=digest_of(secret))
    return found.first() if secret else None


def _check_open(study: Study) -> None:
    if study.state == StudyState.DRAFT:
        raise Refused("not_open", _("This survey has not begun yet."))
    if study.state == StudyState.CLOSED:
        raise Refused("closed", _("This survey is over."))


def _check_room(group: StudyGroup, *, but: Participant | None = None) -> None:
    """Refuse when the group is full. The study's row is locked, so no one can join at the same time."""
    if is_full(group, but=but):
        raise Refused("full", _("Enough people have taken part."))


def is_full(group: StudyGroup, *, but: Participant | None = None) -> bool:
    """Return whether a group's quota is filled, not counting `but`."""
    gone = Q(state=ParticipantState.CONSENTED, joined_at__lt=timezone.now() - PATIENCE)
    there = group.participants.counting().exclude(gone)
    if but is not None:
        there = there.exclude(pk=but.pk)
    return group.quota is not None and there.count() >= group.quota


def _emptiest_form(study: Study, group: StudyGroup) -> int:
    """Return the form with the fewest people of the group, then of the study."""
    forms = FormQuestion.objects.filter(study=study).values_list("form", flat=True).distinct()
    of_group = dict(_people_by_form(Q(group=group)))
    of_study = dict(_people_by_form(Q(study=study)))
    return int(min(forms, key=lambda form: (of_group.get(form, 0), of_study.get(form, 0), form)))


def _people_by_form(whose: Q) -> list[tuple[int, int]]:
    people = Participant.objects.counting().filter(whose).exclude(form=None).order_by()
    return list(people.values_list("form").annotate(Count("pk")))


def _identify(participant: Participant, visitor: Visitor) -> None:
    if not visitor.is_plausible:
        raise Refused("damaged", _("The link is damaged: open the survey from the platform again."))
    try:
        with transaction.atomic():
            Identity.objects.create(
                participant=participant,
                study=participant.study,
                platform=visitor.platform,
                person=visitor.person,
                details=visitor.details,
            )
    except IntegrityError as taken:
        text = _("You have taken part already. To go on, open the survey in the browser in which you began.")
        raise Refused("taken", text) from taken


@transaction.atomic
def describe(*, participant: Participant, demographics: Mapping[str, str]) -> None:
    """Store what a participant says about themselves under all keys, "" where they did not answer.

    Raises Refused for an unknown choice, and once they have begun.
    """
    locked = locked_participant(participant)
    _check_not_begun(locked)
    for name, (_asked, answers) in QUESTIONS.items():
        if demographics.get(name, "") not in {"", *answers}:
            raise Refused("no_choice", _("Not saved: this is none of the answers. Choose one of those shown."))
    locked.demographics = {name: demographics.get(name, "") for name in QUESTIONS}
    locked.save(update_fields=["demographics"])
    record(locked, became="described", scope=None, by=None)


@transaction.atomic
def practise(*, participant: Participant, first: int, second: int | None) -> None:
    """Store the choices at the practice question. Raises Refused for two equal ones, and once the survey has begun."""
    locked = locked_participant(participant)
    _check_not_begun(locked)
    if first == second:
        raise Refused("choices_equal", _("Not saved: the first and the second choice are the same line."))
    locked.practice = {"first": first, "second": second}
    locked.save(update_fields=["practice"])


def _check_not_begun(participant: Participant) -> None:
    if participant.state != ParticipantState.CONSENTED:
        raise Refused("begun", _("Not saved: you have begun already."))


def locked_participant(participant: Participant) -> Participant:
    """Return the participant's row, locked, so that their requests are handled one after the other."""
    rows = Participant.objects.select_related("study", "group").select_for_update(no_key=True, of=("self",))
    return rows.get(pk=participant.pk)


@transaction.atomic
def start(*, participant: Participant) -> Participant:
    """Begin the questions and start the clock. A person who has already begun continues.

    Raises Refused when the practice question is not answered, or when the study is now closed or full.
    """
    study = locked_study(participant.study)
    locked = locked_participant(participant)
    if locked.state != ParticipantState.CONSENTED:
        return locked
    _check_open(study)
    if not locked.practice:
        raise Refused("not_practised", _("Answer the practice question first."))
    if locked.group:
        _check_room(locked.group, but=locked)
    now = timezone.now()
    move(
        locked,
        ParticipantState.ANSWERING,
        scope=None,
        by=None,
        started_at=now,
        deadline_at=clock.deadline(now, study.survey.minutes),
    )
    _present(locked, dict(enumerate(_questions_for(locked), start=1)))
    return locked


def _questions_for(participant: Participant) -> list[Question]:
    """Return the form's questions and the check, in an order drawn for this person."""
    study, person = participant.study, str(participant.public_id)
    asked = FormQuestion.objects.filter(study=study, form=participant.form or 0).values("question")
    checks = Q(study=study, purpose=QuestionPurpose.CHECK)
    questions = Question.objects.select_related("question_set").filter(Q(pk__in=asked) | checks)
    return sorted(questions, key=lambda question: uniforms(study.seed, "questions", person, _name(question)))


def _present(participant: Participant, questions: Mapping[int, Question]) -> None:
    Presentation.objects.bulk_create(
        Presentation(
            participant=participant,
            question=question,
            position=position,
            order=_order(participant, question),
            tokens=[secrets.token_urlsafe(6) for _token in question.candidates],
        )
        for position, question in questions.items()
    )


def _order(participant: Participant, question: Question) -> list[int]:
    """Return the candidates' numbers in the order this person sees, drawn by names."""
    seed, person = participant.study.seed, str(participant.public_id)
    numbers = range(question.candidates_count)
    return sorted(numbers, key=lambda number: uniforms(seed, "candidates", person, _name(question), str(number)))


def _name(question: Question) -> str:
    return f"{question.question_set.name if question.question_set else ''}/{question.external_id}"


@transaction.atomic
def finish(*, participant: Participant) -> Participant:
    """End the survey. For a person who has ended already nothing changes; past the deadline they are timed out."""
    locked = locked_participant(participant)
    if locked.state == ParticipantState.ANSWERING:
        is_late = clock.is_closed(locked.deadline_at, timezone.now())
        _end(locked, ParticipantState.TIMED_OUT if is_late else _outcome(locked))
    return locked


def _outcome(participant: Participant) -> ParticipantState:
    failed = Presentation.objects.failed_checks().filter(participant=participant).exists()
    return ParticipantState.FAILED_CHECKS if failed else ParticipantState.COMPLETE


def _end(participant: Participant, becomes: ParticipantState) -> None:
    code = participant.study.codes[VisitOutcome(becomes)]
    move(participant, becomes, scope=None, by=None, ended_at=timezone.now(), code=code)


def close_overdue(*, now: datetime | None = None) -> int:
    """Time out participants past their deadline whose browser did not finish. Return how many."""
    now = now or timezone.now()
    overdue = Participant.objects.filter(state=ParticipantState.ANSWERING, deadline_at__lt=now - clock.GRACE)
    return sum(_close(participant, now) for participant in list(overdue))


@transaction.atomic
def _close(participant: Participant, now: datetime) -> bool:
    locked = locked_participant(participant)
    is_left = locked.state == ParticipantState.ANSWERING and clock.is_closed(locked.deadline_at, now)
    if is_left:
        _end(locked, ParticipantState.TIMED_OUT)
    return is_left


@transaction.atomic
def withdraw(*, participant: Participant, why: str = "", by: User | None = None) -> None:
    """Delete a person's identity, demographics, presentations and answers.

    A row without content stays, so that counts add up. Withdrawing twice changes nothing.
    """
    locked = locked_participant(participant)
    if locked.state == ParticipantState.WITHDRAWN:
        return
    Identity.objects.filter(participant=locked).delete()
    locked.presentations.all().delete()
    move(
        locked,
        ParticipantState.WITHDRAWN,
        scope=None,
        why=why,
        by=by,
        ended_at=timezone.now(),
        label="",
        token_digest="",
        code="",
        demographics={},
        practice={},
        started_at=None,
        deadline_at=None,
    )
    transaction.on_commit(truncate_log)


@transaction.atomic
def mark_simulated(*, secret: str, study: Study) -> None:
    """Mark a participant as a bot."""
    Participant.objects.filter(study=study, token_digest=digest_of(secret)).update(origin=Origin.SIMULATED)
