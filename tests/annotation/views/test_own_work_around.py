"""Around the list of a person's own work: the way to the next piece, their other projects, and why texts came back."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Membership, Project
from core.models import Role, User
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.pages import on_one_line
from tests.rewriting import inspect, items, rewriting_project, write

ACCEPT, RETURN, DISCARD = InspectionVerdict
pytestmark = pytest.mark.every_database


@pytest.fixture
def dialogues(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(dialogues: Project) -> User:
    return factories.person("an", project=dialogues)


@pytest.fixture
def inspector(dialogues: Project) -> User:
    return factories.person("ida", Role.INSPECTOR, project=dialogues)


def page(project: Project, by: User, query: str = "") -> str:
    client = Client()
    client.force_login(by)
    answer = client.get(f"/projects/{project.slug}/own/{query}")
    assert answer.status_code == 200
    return on_one_line(answer.content)


def head(project: Project, by: User) -> str:
    """The head of the page, with the button to the person's next piece of work."""
    return page(project, by).split('class="page-head"')[1].split("</h1>")[1].split("own-work")[0]


def filled_at(project: Project, by: User) -> list[str]:
    """The addresses of the filled buttons in the head of the page."""
    return re.findall(r'class="button button-main" href="([^"]+)"', head(project, by))


def test_the_filled_button_leads_to_what_the_home_page_offers_first_in_this_project(dialogues, author, inspector):
    assert filled_at(dialogues, author) == []
    items(dialogues, 2)
    assert filled_at(dialogues, author) == [reverse("write", args=["listening"])]
    assert "Start the next item" in head(dialogues, author)
    assert filled_at(dialogues, inspector) == [], "nothing waits for an inspector"
    write(dialogues, author)
    assert filled_at(dialogues, inspector) == [reverse("inspect", args=["listening"])]
    inspect(dialogues, inspector, RETURN)
    held = Assignment.objects.get(slot__round=2)
    assert filled_at(dialogues, author) == [f"{reverse('write', args=['listening'])}?assignment={held.pk}"]


def test_the_filled_button_is_of_this_project_alone(dialogues, project, annotator):
    Membership.objects.create(project=dialogues, person=annotator, role=Role.ANNOTATOR)
    factories.pairs(project, 1)
    assert filled_at(dialogues, annotator) == []
    assert filled_at(project, annotator) == [reverse("rate", args=["weibo"])]
    assert "Start rating" in head(project, annotator)


def test_a_paused_rater_gets_no_button(project, annotator):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=2, gold_misses=2)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 20)
    assert filled_at(project, annotator) == [reverse("rate", args=["weibo"])]
    gold_pairs.grade_all(project, annotator, off=2, most=20)
    assert "You are paused" in page(project, annotator)
    assert filled_at(project, annotator) == []
