"""Experts of a study: people with an account who take it, and how far each has come."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from core.models.people import Account, Role, User
from study.domain.survey.phases import StudyState
from study.domain.survey.platforms import ACCOUNT, Visitor
from study.models import Answer, Identity, Participant, Presentation, QuestionPurpose, Study
from study.selectors.survey.visits import ASKED, with_counts


def account_of(person: User) -> Visitor:
    """Return what a participant's identity holds of an account, in the place of a platform's id."""
    return Visitor(ACCOUNT, str(person.pk), {})


def experts_of(study: Study) -> QuerySet[User]:
    """Return the people whom the study lets take it."""
    own = {"study_memberships__study": study, "study_memberships__role": Role.EXPERT}
    return User.objects.filter(**own).order_by("name", "username")


def accounts_beside(study: Study) -> QuerySet[User]:
    """Return the active accounts that have no role in the study. Administrators know its right answers."""
    others = User.objects.filter(is_active=True).exclude(account=Account.ADMINISTRATOR)
    return others.exclude(study_memberships__study=study).order_by("name", "username")


def participant_of(person: User, study: Study) -> Participant | None:
    """Return the participant that a signed-in person is in a study, with study and group; None before they join."""
    of_account = Participant.objects.select_related("study", "group").filter(study=study)
    return of_account.filter(identity__platform=ACCOUNT, identity__person=str(person.pk)).first()


def asked_of(participant: Participant, position: int) -> Presentation | None:
    """Return a question as it is put to a person, with its answer and how many they are asked and were shown."""
    rows = Presentation.objects.select_related("question", "answer").filter(participant=participant, **ASKED)
    found = with_counts(rows.filter(position=position)).first()
    if found:
        found.participant = participant
    return found


def studies_open_to(person: User) -> list[Study]:
    """Return the open studies that a person is an expert of."""
    own = Study.objects.filter(memberships__person=person, memberships__role=Role.EXPERT, state=StudyState.OPEN)
    return [study for study in own.defer("plan").order_by("title", "pk") if study.survey.is_signed_in]


def names_of(study: Study) -> dict[str, str]:
    """Return the name of each expert who joined, by the random id that figures call them."""
    joined = Identity.objects.filter(study=study, platform=ACCOUNT)
    accounts = {str(one): int(pk) for one, pk in joined.values_list("participant__public_id", "person")}
    people = User.objects.in_bulk(accounts.values())
    return {public_id: str(people[pk]) for public_id, pk in accounts.items()}


def times_of(people: Collection[Participant]) -> dict[int, list[tuple[datetime, int | None]]]:
    """Return when each person last changed each of their answers, and the milliseconds that it took them."""
    found: dict[int, list[tuple[datetime, int | None]]] = {person.pk: [] for person in people}
    answers = Answer.objects.filter(
        presentation__participant__in=people, presentation__question__purpose=QuestionPurpose.WORK
    )
    for pk, at, milliseconds in answers.values_list("presentation__participant", "answered_at", "milliseconds"):
        found[pk].append((at, milliseconds))
    return found
