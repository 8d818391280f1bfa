"""A grade and the next pair as the shortest Django view stores them.

It writes the rows that the product writes, with the ORM, in one transaction, for a person who is signed in; it asks
nothing of the database but the person and the assignment. The people of a project have pairs of their own, so that it
need not look for one that is free.
"""

import json
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotation.models import Assignment, GuidelineVersion, Item, Project, Rating, Slot, Step
from core.models import Event, User


@require_POST
@transaction.atomic
def next_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the person the first of their own pairs, or the one that they hold."""
    person = request.user
    if not isinstance(person, User):
        return HttpResponse(status=401)
    held = Assignment.objects.filter(person=person, state="held").first()
    if held is None:
        slots = Slot.objects.filter(queue__project__slug=slug, queue__step=Step.RATE).order_by("position")
        number = int(person.username.rpartition("-")[2])
        held = _hold(slots[number].pk, person)
    return JsonResponse({"pairs": [{"assignment": held.pk}]})


@require_POST
def grade(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    person = request.user
    if not isinstance(person, User):
        return HttpResponse(status=401)
    following = _store(slug, pk, json.loads(request.body), person)
    return JsonResponse({"saved_at": timezone.now(), "pairs": [{"assignment": following.pk}]})


@transaction.atomic
def _store(slug: str, pk: int, sent: dict[str, Any], person: User) -> Assignment:
    own = Assignment.objects.select_related("slot__queue").get(pk=pk, person=person, state="held")
    own.state, own.ended_at = "submitted", timezone.now()
    own.save(update_fields=["state", "ended_at"])
    Rating.objects.create(
        assignment=own,
        grade=sent["grade"],
        reason=sent["reason"],
        milliseconds=sent["milliseconds"],
        submission_key=sent["key"],
        guideline_id=_guideline(own.slot.queue.project_id),
    )
    _note("assignment", own.pk, "held", "submitted", own.slot.queue.project_id, person)
    if own.slot_id // _people(slug) % 2:  # the second grade of a pair settles it
        Item.objects.filter(pk=own.slot.item_id).update(state="kept")
        _note("item", own.slot.item_id, "open", "kept", own.slot.queue.project_id, person)
    following = _hold(own.slot_id + _people(slug), person)
    _note("assignment", following.pk, "", "held", own.slot.queue.project_id, person)
    return following


def _hold(slot: int, person: User) -> Assignment:
    Slot.objects.filter(pk=slot).update(free=F("free") - 1)
    until = timezone.now() + timedelta(minutes=30)
    return Assignment.objects.create(slot_id=slot, slot_number=1, person=person, lease_until=until)


def _note(subject: str, pk: int, was: str, became: str, project: int, person: User) -> None:
    Event.objects.create(
        scope_kind=Project._meta.label_lower,
        scope_id=project,
        subject=subject,
        subject_id=pk,
        was=was,
        became=became,
        by=person,
    )


def _people(slug: str) -> int:
    return int(slug.rpartition("-")[2])


_guidelines: dict[int, int] = {}


def _guideline(project: int) -> int:
    """Return the guideline in force; it is asked for once, as the reference is to be as quick as it can be."""
    if project not in _guidelines:
        _guidelines[project] = GuidelineVersion.objects.filter(project=project).latest("number").pk
    return _guidelines[project]
