"""Keys of participants: given to a browser, and taken away. The secrets themselves are returned and never stored."""

from collections.abc import Collection
from dataclasses import replace
from secrets import token_urlsafe

from django.db import transaction
from django.utils import timezone

from core.actions.events import record
from study.domain.survey.keys import KeyKind, digest_of, resume_secret
from study.domain.survey.platforms import Visitor
from study.models import Identity, Participant, ParticipantKey, Study

MOST_BROWSERS = 10  # of one person; the first ones are forgotten


@transaction.atomic
def give(*, participant: Participant, with_link: bool = False) -> str:
    """Let a browser know a person. Return the secret for its cookie, and make its resume link valid if asked to."""
    secret = token_urlsafe(24)
    digests = {KeyKind.BROWSER: digest_of(secret)}
    if with_link:
        digests[KeyKind.RESUME] = digest_of(resume_secret(secret))
    ParticipantKey.objects.bulk_create(
        ParticipantKey(participant=participant, kind=kind, digest=digest) for kind, digest in digests.items()
    )
    browsers = participant.keys.filter(kind=KeyKind.BROWSER).order_by("-pk").values_list("pk", flat=True)
    if forgotten := [*browsers[MOST_BROWSERS:]]:
        participant.keys.filter(pk__in=forgotten).delete()
    participant.digest = digest_of(secret)
    return secret


@transaction.atomic
def renew(*, participant: Participant) -> str:
    """Revoke all keys of a person, and give the present browser a new one with a new resume link."""
    participant.keys.filter(revoked_at=None).update(revoked_at=timezone.now())
    record(participant, became="keys replaced", scope=None, by=None)
    return give(participant=participant, with_link=True)


def returning(visitor: Visitor, *, study: Study, secrets: Collection[str]) -> Participant | None:
    """Return the person of a platform who comes back, in a browser with these secrets; None when it is not certain.

    In a browser that does not know them the platform's id is not enough, since others know it: the id of the visit
    has to be that of the first time.
    """
    same = Identity.objects.filter(study=study, platform=visitor.platform, person=visitor.person)
    found = same.select_related("participant__group").first()
    if found is None or not visitor.is_plausible:
        return None
    digests = [digest_of(secret) for secret in secrets]
    is_known = found.participant.keys.filter(digest__in=digests, revoked_at=None).exists()
    is_same_visit = visitor.visit and replace(visitor, details=found.details).visit == visitor.visit
    return found.participant if is_known or is_same_visit else None
