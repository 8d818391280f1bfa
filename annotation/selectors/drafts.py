"""A person's drafts on one slot, where they may have had several assignments."""

from typing import Any

from django.db.models import QuerySet

from annotation.models import Assignment
from annotation.models.drafts import DraftT


def newest(draft: DraftT) -> DraftT:
    """Return the draft as stored now, on the newer assignment if the person was given the slot again."""
    own = _drafts(type(draft), draft.assignment)
    return own.select_related("assignment__slot__item", "assignment__slot__queue__project").latest("pk")


def draft_before(model: type[DraftT], assignment: Assignment, **columns: Any) -> DraftT | None:
    """Return the person's draft, with these values in its columns, from before their assignment expired."""
    own = _drafts(model, assignment).filter(submitted_at=None, **columns)
    return own.exclude(assignment=assignment).order_by("-pk").first()


def _drafts(model: type[DraftT], assignment: Assignment) -> QuerySet[DraftT]:
    return model._default_manager.filter(assignment__slot=assignment.slot_id, assignment__person=assignment.person_id)
