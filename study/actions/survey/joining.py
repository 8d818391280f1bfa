"""Rules of joining a study: it is open and has room, an id of a platform joins once, and one browser not too often."""

from collections.abc import Collection
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from study.domain.survey.keys import digest_of
from study.domain.survey.phases import StudyState
from study.domain.survey.platforms import Visitor
from study.models import Identity, Participant, Study, WithdrawnIdentity
from study.models.people import StudyGroup
from study.selectors.survey import places

MOST_AN_HOUR = 6  # people without a platform's id by one browser: as many as take turns at one in a laboratory
# And by all browsers of a group together: two hundred begin in one second where a link is shared in a large lecture,
# and several of those at once are still people. It only slows a script down. No address of a browser is kept, so that
# a lower number would keep everyone out for as long as a script runs; what bounds a script for good is the quota, or
# a group that requires an id.
MOST_A_MINUTE = 1000


def check_open(study: Study) -> None:
    """Refuse before a study is opened, and after it is closed or its closing day is over. Raises Refused."""
    if study.state == StudyState.DRAFT:
        raise Refused("not_open", _("This survey has not begun yet."))
    if study.state == StudyState.CLOSED or study.is_past_closing:
        raise Refused("closed", _("This survey is over."))


def check_not_paused(study: Study) -> None:
    """Refuse while joining is paused. Raises Refused."""
    if study.paused_at is not None:
        raise Refused("paused", _("No one can join right now. Come back later."))


def check_room(group: StudyGroup) -> None:
    """Refuse when the group's quota is filled. Raises Refused."""
    if places.is_full(group):
        raise Refused("full", _("Enough people have taken part."))


def check_visitor(group: StudyGroup, visitor: Visitor | None) -> None:
    """Refuse a link without the id that the group requires, what is no id, and an id that withdrew. Raises Refused."""
    if visitor is None:
        if group.requires_id:
            raise Refused("no_id", _("This link lacks your number on the platform. Open the survey from there."))
        return
    if visitor.is_placeholder:
        text = _("The link has a placeholder where your number on the platform belongs. Tell the researchers.")
        raise Refused("placeholder", text)
    if not visitor.is_plausible:
        raise Refused("damaged", _("The link is damaged: open the survey from the platform again."))
    if has_withdrawn(group.study, visitor):
        raise Refused("withdrawn", _("You have withdrawn from this survey, and it can be taken only once."))


def has_withdrawn(study: Study, visitor: Visitor) -> bool:
    """Return whether a person took part and withdrew."""
    return WithdrawnIdentity.objects.filter(study=study, digest=_withdrawn(study, visitor)).exists()


def check_pace(group: StudyGroup, secrets: Collection[str]) -> None:
    """Refuse a person without a platform's id when too many have joined: by this browser, or by all in a minute.

    `secrets` are those that the browser keeps, one for each person who joined by it. Raises Refused.
    """
    now = timezone.now()
    nameless = Participant.objects.filter(identity=None, origin="survey")
    own = nameless.filter(study=group.study, keys__digest__in=[digest_of(secret) for secret in secrets])
    of_browser = own.filter(joined_at__range=(now - timedelta(hours=1), now)).count()
    of_group = nameless.filter(group=group, joined_at__range=(now - timedelta(minutes=1), now)).count()
    if of_browser >= MOST_AN_HOUR or of_group >= MOST_A_MINUTE:
        raise Refused("too_many", _("Too many people have started here just now. Try again in a while."))


def identify(participant: Participant, visitor: Visitor) -> None:
    """Store who the participant is on the platform. Raises Refused for a person who took part before."""
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
        text = _("You have taken part already. To continue, open the survey in the browser in which you started.")
        raise Refused("taken", text) from taken


def forget_identity(participant: Participant) -> None:
    """Delete who the participant is on a platform; a keyed digest keeps the same id from joining again."""
    for identity in Identity.objects.filter(participant=participant):
        visitor = Visitor(identity.platform, identity.person, {})
        WithdrawnIdentity.objects.get_or_create(
            study_id=participant.study_id, digest=_withdrawn(participant.study, visitor)
        )
        identity.delete()


def _withdrawn(study: Study, visitor: Visitor) -> str:
    """Return the digest of an id, keyed by the product's secret: no list of ids can be compared with it."""
    named = f"{study.pk} {visitor.platform} {visitor.person}"
    return salted_hmac("study.withdrawn", named, algorithm="sha256").hexdigest()
