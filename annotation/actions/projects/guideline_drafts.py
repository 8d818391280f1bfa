"""Drafts of the next version of a guideline: save one, discard it, and end it with the version that comes of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.rating.guideline import Guideline
from annotation.domain.rating.guideline_rules import LONGEST_WHY, excess
from annotation.models import GuidelineDraft, Project
from core.actions.refusals import Refused
from core.models import User

STALE = _("Not saved: your draft has been changed in another window. Open it again to continue.")


@transaction.atomic
def save(
    *,
    project: Project,
    content: Guideline,
    why: str = "",
    seen: int,
    revision: int,
    save_key: UUID | None = None,
    by: User,
) -> GuidelineDraft:
    """Store what a person has written of a rating project's next version, as a whole.

    What it lacks keeps it only from being published. `seen` is the number of the version that was edited, `revision`
    that of the draft on the page, 0 where there was none. Raises Refused for what is too large, and with the code
    "stale" for an older page.
    """
    if found := excess(content, project.rating.language):
        raise Refused(f"guideline_{found[0].code}", gettext(found[0].sentence) % found[0].params, field=found[0].place)
    if len(why) > LONGEST_WHY:
        text = _("%(length)s characters; at most %(limit)s are allowed.") % {"length": len(why), "limit": LONGEST_WHY}
        raise Refused("why_too_long", text, field="why")
    draft, _is_new = GuidelineDraft.objects.get_or_create(
        project=project, person=by, defaults={"content": content, "why": why, "began_from": seen}
    )
    draft = _locked(project, by).get()
    if draft.revision != revision:
        if (draft.content, draft.why, draft.began_from) == (content, why, seen):
            return draft
        raise Refused("stale", STALE)
    draft.content, draft.why, draft.began_from = content, why, seen
    draft.revision, draft.save_key, draft.saved_at = revision + 1, save_key, timezone.now()
    draft.save()
    return draft


@contextmanager
def ended_by_publishing(*, project: Project, revision: int, by: User) -> Iterator[None]:
    """Delete the person's draft in one transaction with what is done inside, which publishes it.

    Raises Refused with the code "stale" where another window has saved since.
    """
    with transaction.atomic():
        draft = _locked(project, by).first()
        if draft is not None and draft.revision != revision:
            raise Refused("stale", STALE)
        yield
        _locked(project, by).delete()


@transaction.atomic
def discard(*, project: Project, by: User) -> None:
    """Delete what the person has written and not published."""
    _locked(project, by).delete()


def _locked(project: Project, person: User) -> QuerySet[GuidelineDraft]:
    return GuidelineDraft.objects.select_for_update().filter(project=project, person=person)
