"""A walk as an annotator: no page, API answer or export changes with what the partner gave, until both grades
are in.
"""

import re

import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from annotation.actions import flags
from annotation.actions.rating import ratings
from annotation.domain.workflow import ItemState
from annotation.models import Assignment, Slot
from core.models import Role, User
from tests import addresses, factories
from tests.factories import REASONS
from tests.samples import SampleData

pytestmark = pytest.mark.django_db

# Tokens and keys are drawn for each page, and a moment ago becomes two.
CHANGES_ANYWAY = re.compile(
    rb'name="(csrfmiddlewaretoken|key)" value="[\w-]+"|"X-CSRFToken": "\w+"|(?<=>)[^<>]*\b(now|ago)(?=<)'
)
GOES = {name: method for name, (method, _roles) in {**addresses.PAGES, **addresses.OWN_PAGES}.items()}
READ = [*(name for name, method in GOES.items() if method == addresses.GET), *addresses.API]
OF_GRADES = {"rating-ratings", "export_ratings"}  # of what those read who may


def signed_in(username: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=username))
    return client


def walk(client: Client, sample: SampleData) -> dict[str, tuple[int, bytes]]:
    answers = {name: client.get(sample.address(name)) for name in READ}
    return {
        name: (answer.status_code, CHANGES_ANYWAY.sub(b"", answer.getvalue() if answer.streaming else answer.content))
        for name, answer in answers.items()
    }


def graded_by_one(username: str) -> list[Assignment]:
    """Return the person's last grades on pairs that no other person has graded."""
    person = User.objects.get(username=username)
    return [
        assignment
        for assignment in Assignment.objects.changeable(person)
        if assignment.slot.item.state == ItemState.OPEN
    ]


def regrade(assignments: list[Assignment], grade: int) -> None:
    for assignment in assignments:
        ratings.change(assignment=assignment, grade=grade, reason=REASONS[grade], by=assignment.person)


def test_what_the_partner_gave_changes_nothing_for_whoever_is_to_grade_the_pair(sample):
    partners = graded_by_one("linyue")
    annotator, researcher = signed_in("heman"), signed_in("ines")
    regrade(partners, 1)
    for person in (annotator, researcher):
        walk(person, sample)  # assigns them their pairs
    assert (
        Slot.objects.filter(assignments__in=partners, assignments__person__username="linyue").count()
        == len(partners)
        >= 2
    )
    held = Assignment.objects.filter(person__username="heman", slot__in=[assignment.slot_id for assignment in partners])
    assert held.count() == len(partners)
    before, told = walk(annotator, sample), walk(researcher, sample)
    regrade(partners, 5)
    flags.raise_flag(assignment=partners[0], comment="Only I read it so.", by=partners[0].person)
    assert walk(annotator, sample) == before
    assert {name for name, answer in walk(researcher, sample).items() if answer != told[name]} >= OF_GRADES


def test_the_api_tells_an_annotator_nothing_at_all(sample):
    """Try a session, and a token from the time when they were a researcher."""
    annotator = User.objects.get(username="heman")
    _stored, token = AuthToken.objects.create(annotator)
    for client in (signed_in("heman"), Client(headers={"Authorization": f"Token {token}"})):
        answers = {name: client.get(sample.address(name)) for name in addresses.API}
        assert {name for name, answer in answers.items() if answer.status_code != 403} == set()
        assert {tuple(answer.json()) for answer in answers.values()} == {("detail",)}
    factories.change_role(annotator, sample.project, Role.RESEARCHER)
    assert client.get(sample.address("work-flags")).status_code == 200


def test_the_api_says_a_pairs_grades_to_nobody_before_all_are_in(sample):
    answer = signed_in("ines").get(reverse("project-items", args=[sample.project.slug]), {"page_size": 1000}).json()
    found = {(row["state"] == ItemState.OPEN, row["grades"] is None) for row in answer["results"]}
    assert found == {(True, True), (False, False)}
