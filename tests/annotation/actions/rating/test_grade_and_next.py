"""The request that people send all day: in few statements it does what the actions do step by step, on any database."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from annotation.actions.projects import projects
from annotation.actions.queue.cursors import slots_ahead
from annotation.actions.rating import grade_and_next as quick
from annotation.actions.rating import ratings
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Cursor, Item, Project, Rating, Slot, Step
from annotation.selectors.rating.annotator_page import graded_since
from annotation.selectors.rating.grading import lock_pair, surroundings
from core.models import Event, Role, User
from tests import factories
from tests.annotation.views.rating.rating_page import PAGE

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]

MOST = 4
LONG_AGO = timedelta(days=1)


@pytest.fixture
def twin(project: Project, researcher: User) -> Project:
    """Return a second project with the same annotators, pairs and settings."""
    other = factories.another_project("twin", researcher)
    for name in ("an", "bo"):
        projects.add_member(project=other, person=User.objects.get(username=name), role=Role.ANNOTATOR, by=researcher)
    factories.pairs(other, 8)
    return other


@pytest.fixture(autouse=True)
def pairs(project: Project, annotator: User, partner: User) -> list[Item]:
    return factories.pairs(project, 8)


def quickly(project: Project, person: User, grade: int, *, since: Any = None) -> quick.GradeAndNext | None:
    """Grade the person's first held pair as the page does."""
    first = held_by(project, person)[0]
    return quick.grade_and_next(
        assignment=first.pk,
        slug=project.slug,
        grade=grade,
        reason=factories.REASONS[grade],
        milliseconds=900,
        key=uuid4(),
        most=MOST,
        since=since or timezone.now() - LONG_AGO,
        by=person,
    )


def step_by_step(project: Project, person: User, grade: int) -> tuple[Rating, list[Assignment]]:
    return ratings.submit_and_claim(
        assignment=held_by(project, person)[0],
        grade=grade,
        reason=factories.REASONS[grade],
        milliseconds=900,
        key=uuid4(),
        most=MOST,
        by=person,
    )


def held_by(project: Project, person: User) -> list[Assignment]:
    return list(Assignment.objects.filter(person=person, slot__queue__project=project, state="held").order_by("pk"))


def everything_in(project: Project) -> dict[str, list[Any]]:
    """Return what is stored of the project, with positions for keys, which differ between two projects."""
    place = {item.pk: item.position for item in project.items.all()}
    given = Assignment.objects.filter(slot__queue__project=project).select_related("slot", "person").order_by("pk")
    names = {assignment.pk: number for number, assignment in enumerate(given)}
    events = Event.objects.filter(scope_id=project.pk, subject__in=["assignment", "item"]).order_by("pk")
    subject = {"assignment": names, "item": place}
    return {
        "assignments": [
            (each.person.username, place[each.slot.item_id], each.slot_number, each.state, each.ended_at is None)
            for each in given
        ],
        "slots": [
            (place[slot.item_id], slot.free, slot.required, slot.position)
            for slot in Slot.objects.filter(queue__project=project).order_by("position")
        ],
        "items": [(item.position, item.state) for item in project.items.order_by("position")],
        "grades": [
            (names[each.assignment_id], each.grade, each.reason, each.milliseconds, each.guideline.number)
            for each in Rating.objects.filter(assignment__in=given).select_related("guideline").order_by("pk")
        ],
        "cursors": sorted(Cursor.objects.filter(queue__project=project).values_list("person__username", "position")),
        "events": [
            (each.subject, subject[each.subject][each.subject_id], each.was, each.became, each.why, each.by.username)
            for each in events.select_related("by")
        ],
    }


@pytest.mark.parametrize(
    "grades", [[("an", 4), ("bo", 4)], [("an", 1), ("bo", 5), ("an", 2)], [("an", 4), ("an", 3), ("bo", 5)] * 3]
)
def test_the_same_is_stored_as_step_by_step(grades, project, twin):
    for one in (project, twin):
        for name in ("an", "bo"):
            factories.take(one, User.objects.get(username=name), MOST)
    for name, grade in grades:
        person = User.objects.get(username=name)
        given = quickly(project, person, grade)
        _rating, held = step_by_step(twin, person, grade)
        assert [each.slot.item.position for each in given.held] == [
            Item.objects.get(slots=each.slot).position for each in held
        ]
        assert given.today == graded_since(project, person, timezone.now() - LONG_AGO)
    assert everything_in(project) == everything_in(twin)


def test_the_pairs_it_returns_are_those_that_are_held_with_their_texts(project, annotator):
    factories.take(project, annotator, MOST)
    given = quickly(project, annotator, 4)
    held = held_by(project, annotator)
    assert [each.pk for each in given.held] == [each.pk for each in held]
    assert [each.slot.item.content for each in given.held] == [each.slot.item.content for each in held]


def test_what_it_locks_and_reads_is_what_the_models_say(project, annotator, partner):
    factories.grade_next(project, partner, 3)
    [first, *others] = factories.take(project, annotator, MOST)
    with transaction.atomic():
        pair = lock_pair(first.pk, project.slug, annotator)
        around = surroundings(pair, since=timezone.now() - LONG_AGO, most_ahead=100)
    same = Assignment.objects.select_related("slot__queue__project", "slot__item").get(pk=first.pk)
    for got, expected in (
        (pair.assignment, same),
        (pair.slot, same.slot),
        (pair.item, same.slot.item),
        (pair.project, project),
        (pair.cursor, Cursor.objects.get(person=annotator, queue=same.slot.queue)),
        (pair.guideline, project.guidelines.latest("number")),
    ):
        assert vars_of(got) == vars_of(type(expected).objects.get(pk=expected.pk))
    assert (pair.raters, pair.is_adjudicated) == (2, False)
    assert [vars_of(each) for each in around.held] == [vars_of(Assignment.objects.get(pk=each.pk)) for each in others]
    ahead = Slot.objects.filter(queue=same.slot.queue, free__gt=0, position__gt=pair.cursor.position)
    assert (around.grades, around.today, around.ahead) == ([3], 0, ahead.count())


def vars_of(instance: Any) -> dict[str, Any]:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}


def test_it_takes_the_slots_that_the_claims_take(project, annotator, partner):
    factories.grade_next(project, annotator, 4, 4)
    [skipped] = factories.take(project, annotator)
    ratings.skip(assignment=skipped, reason="other", by=annotator)
    queue = project.queues.get(step=Step.RATE)
    cursor = Cursor.objects.select_related("queue").get(queue=queue, person=annotator)
    open_to_them = [slot.pk for slot in slots_ahead(cursor)[:3]]
    with transaction.atomic():
        assert [slot.pk for slot, _number in quick._take(cursor, annotator, 3)] == open_to_them


def test_the_decider_of_a_pair_is_not_given_it_to_rate(project, annotator, inspector):
    item = project.items.order_by("position")[1]
    disputes = project.queues.create(step=Step.ADJUDICATE)
    slot = Slot.objects.create(queue=disputes, item=item, required=1, free=0, position=1)
    Assignment.objects.create(slot=slot, person=annotator, state="submitted", lease_until=timezone.now())
    factories.take(project, annotator)
    given = quickly(project, annotator, 4)
    assert item.pk not in [each.slot.item_id for each in given.held]


def test_a_lease_is_renewed_with_the_grade(project, annotator):
    factories.take(project, annotator, MOST)
    soon = timezone.now() + timedelta(minutes=1)
    Assignment.objects.filter(person=annotator).update(lease_until=soon)
    quickly(project, annotator, 4)
    assert all(each.lease_until > soon + timedelta(minutes=20) for each in held_by(project, annotator))


def test_the_day_begins_at_its_midnight(project, annotator):
    factories.grade_next(project, annotator, 4, 4, 4)
    yesterday = timezone.now() - timedelta(hours=30)
    Assignment.objects.filter(pk=Assignment.objects.earliest("pk").pk).update(ended_at=yesterday)
    factories.take(project, annotator)
    assert quickly(project, annotator, 4, since=timezone.now() - LONG_AGO).today == 3


def test_the_pairs_of_a_project_that_asks_adjudicators_are_left_to_the_actions(project, annotator):
    factories.take(project, annotator)
    Project.objects.filter(pk=project.pk).update(settings={**project.settings, "adjudicate": True})
    assert quickly(project, annotator, 4) is None
    assert not Rating.objects.exists()


@pytest.mark.parametrize("state", ["submitted", "expired", "skipped", "voided"])
def test_what_is_no_longer_held_is_left_to_the_actions(state, project, annotator):
    [first] = factories.take(project, annotator)
    Assignment.objects.filter(pk=first.pk).update(state=state)
    with transaction.atomic():
        pair = lock_pair(first.pk, project.slug, annotator)
        assert not quick._is_usual(pair)


@pytest.mark.parametrize("paused_or_cleaned", ["paused", "cleaned"])
def test_people_who_are_paused_and_cleaned_pairs_are_left_to_the_actions(paused_or_cleaned, project, annotator):
    [first] = factories.take(project, annotator)
    if paused_or_cleaned == "paused":
        Cursor.objects.filter(person=annotator).update(state="paused")
    else:
        Item.objects.filter(slots=first.slot).update(state=ItemState.CLEANED)
    assert quickly(project, annotator, 4) is None


def test_only_ones_own_pair_in_this_project_with_the_role_to_rate(project, twin, annotator, partner, inspector):
    [first] = factories.take(project, annotator)
    with transaction.atomic():
        assert lock_pair(first.pk, project.slug, annotator)
        assert lock_pair(first.pk, project.slug, partner) is None
        assert lock_pair(first.pk, twin.slug, annotator) is None
        factories.change_role(annotator, project, Role.INSPECTOR)
        assert lock_pair(first.pk, project.slug, annotator) is None


@pytest.mark.django_db(transaction=True)
def test_a_grade_costs_nine_statements_at_most(project, annotator, partner):
    """BEGIN among them, where Django sends it; a pair's last grade settles it, which is one more than its first."""
    factories.pairs(project, 20)
    counted: dict[str, list[int]] = {}
    for person in (annotator, partner):
        client = Client(headers={"x-person": str(person.pk)})
        client.force_login(person)
        factories.take(project, person, 6)
        for assignment in held_by(project, person)[:2]:
            sql: list[str] = []

            def note(execute: Any, statement: str, *arguments: Any, seen: list[str] = sql) -> Any:
                seen.append(statement)
                return execute(statement, *arguments)

            with connection.execute_wrapper(note):
                body = {"grade": 4, "reason": "", "key": str(uuid4())}
                sent = client.post(f"{PAGE}{assignment.pk}/grade/", body, content_type="application/json")
            assert sent.status_code == 200
            counted.setdefault(person.username, []).append(len([each for each in sql if "PRAGMA" not in each]))
    begin = connection.vendor == "sqlite"
    assert counted == {"an": [7 + begin] * 2, "bo": [8 + begin] * 2}
    assert set(
        Assignment.objects.filter(state=AssignmentState.SUBMITTED).values_list("slot__item__state", flat=True)
    ) == {ItemState.KEPT}
