"""Helpers for the tests of assignments and grades."""

from datetime import timedelta

import pytest
from django.db import models
from django.utils import timezone

from annotation.actions.queue import assignments
from annotation.models import Assignment, Item, Project, Rating, Step
from core.actions.refusals import Refused
from core.models import Event, User


def claim(project: Project, by: User, count: int = 1) -> list[Assignment]:
    return assignments.claim(project=project, step=Step.RATE, count=count, by=by)


def expire_all() -> int:
    return assignments.expire_assignments(now=timezone.now() + timedelta(hours=1))


def history(subject: models.Model) -> list[tuple[str, str]]:
    """Return the states left and reached, from the audit log."""
    events = Event.objects.filter(subject=subject._meta.model_name, subject_id=subject.pk)
    return list(events.values_list("was", "became"))


def state(item: Item) -> str:
    return Item.objects.get(pk=item.pk).state


def counting(item: Item) -> list[int]:
    """Return the grades of the item that count, in ascending order."""
    return sorted(Rating.objects.counting().filter(assignment__slot__item=item).values_list("grade", flat=True))


def refused(code: str, field: str | None = None) -> pytest.RaisesExc:
    """Expect a refusal with this code and, if a field is given, about this field."""
    return pytest.raises(Refused, check=lambda refusal: refusal.code == code and field in (None, refusal.field))
