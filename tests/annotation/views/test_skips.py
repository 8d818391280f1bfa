"""Undoing a skip, on the pages of every step that has one."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.test import Client

from annotation.actions import reasoning
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.models import Assignment, Kind, Project, Step
from core.models import Role, User
from tests import dialogues, factories, recordings
from tests.pages import on_one_line


@dataclass
class Page:
    """The page of a step in a project, a person who works there, and another one who would be given the same."""

    address: str
    step: Step
    person: User
    other: User
    reason: dict[str, str]

    @property
    def client(self) -> Client:
        client = Client()
        client.force_login(self.person)
        return client


def rating(by: User, _folder: Path) -> Page:
    project = projects.create(slug="p", kind=Kind.RATING, settings={"raters": 1}, by=by)
    factories.pairs(project, 1)
    return _page(project, "rate", Step.RATE, Role.ANNOTATOR, {"reason": "other"})


def adjudication(by: User, _folder: Path) -> Page:
    project = projects.create(slug="p", kind=Kind.RATING, settings={"adjudicate": "on"}, by=by)
    factories.pairs(project, 1)
    for name, grade in (("low", 1), ("high", 5)):
        factories.grade_next(project, factories.person(name, project=project), grade)
    return _page(project, "adjudicate", Step.ADJUDICATE, Role.INSPECTOR, {"skip": "other"})


def writing(by: User, _folder: Path) -> Page:
    project = dialogues.rewriting_project(by, "p")
    dialogues.items(project, 1)
    return _page(project, "write", Step.WRITE, Role.ANNOTATOR, {"reason": "other"})


def transcription(by: User, folder: Path) -> Page:
    project = dialogues.rewriting_project(by, "p")
    recordings.items(project, folder)
    return _page(project, "transcribe", Step.TRANSCRIBE, Role.ANNOTATOR, {"reason": "other"})


def inspection(by: User, _folder: Path) -> Page:
    project = _written(by)
    return _page(project, "inspect", Step.INSPECT, Role.INSPECTOR, {"reason": "other"})


def types(by: User, _folder: Path) -> Page:
    project = _written(by)
    dialogues.judge_next(project, factories.person("judge", Role.INSPECTOR, project=project))
    reasoning.ask_about(project=project, by=by)
    page = _page(project, "types", Step.TYPE, Role.ANNOTATOR, {"reason": "other"})
    third = factories.person("third", project=project)
    assignments.claim(project=project, step=Step.TYPE, by=third)  # of two places one is left
    return page


def _written(by: User) -> Project:
    project = dialogues.rewriting_project(by, "p")
    dialogues.items(project, 1)
    dialogues.write_next(project, factories.person("author", project=project))
    return project


def _page(project: Project, name: str, step: Step, role: Role, reason: dict[str, str]) -> Page:
    person, other = (factories.person(each, role, project=project) for each in ("one", "two"))
    return Page(f"/projects/p/{name}/", step, person, other, reason)


STEPS = [rating, adjudication, writing, transcription, inspection, types]


@pytest.fixture(params=STEPS, ids=lambda step: step.__name__)
def page(request: pytest.FixtureRequest, researcher: User, tmp_path: Path) -> Page:
    made: Callable[[User, Path], Page] = request.param
    return made(researcher, tmp_path)


def skip(page: Page) -> Assignment:
    page.client.get(page.address)
    assignment = Assignment.objects.get(person=page.person, state="held")
    page.client.post(f"{page.address}{assignment.pk}/skip/", page.reason)
    assert _state(assignment) == "skipped"
    return assignment


def _state(assignment: Assignment) -> str:
    return Assignment.objects.get(pk=assignment.pk).state


def offer_on(page: Page) -> list[str]:
    """Return the addresses at which the page offers to undo a skip by the key Z."""
    shown = on_one_line(page.client.get(page.address).content)
    buttons = re.findall(r"<button[^>]*>", shown)
    undoing = [button for button in buttons if "undo-skip/" in button and 'aria-keyshortcuts="Z"' in button]
    return re.findall(r'formaction="([^"]*)"', " ".join(undoing))


@pytest.mark.every_database
def test_a_skip_is_taken_back_where_it_was_made(page):
    assignment = skip(page)
    [address] = offer_on(page)
    answer = page.client.post(address, follow=True)
    assert (answer.status_code, _state(assignment)) == (200, "held")
    assert f"/{assignment.pk}/skip/" in answer.content.decode(), "it is on the page again"
    assert offer_on(page) == []


@pytest.mark.every_database
def test_what_another_person_has_by_now_is_said_to_be_theirs(page):
    assignment = skip(page)
    [address] = offer_on(page)
    project = assignment.slot.queue.project
    assert assignments.claim(project=project, step=page.step, by=page.other)
    assert offer_on(page) == []
    answer = page.client.post(address, follow=True)
    assert "Not undone: this item has gone to another person." in html.unescape(answer.content.decode())
    assert _state(assignment) == "skipped"


def test_another_persons_skip_is_out_of_reach(page):
    skip(page)
    [address] = offer_on(page)
    client = Client()
    client.force_login(page.other)
    assert client.post(address).status_code == 404
