"""Helpers for the browser tests of writing and inspecting."""

import pytest
from playwright.sync_api import Page

from annotation.models import Project, Rewrite
from core.models import Role, User
from tests import factories
from tests.dialogues import CANDIDATES, rewriting_project

WRITE = "/projects/dream/write/"
INSPECT = "/projects/dream/inspect/"


@pytest.fixture
def dream(researcher: User) -> Project:
    return rewriting_project(researcher)


@pytest.fixture
def author(dream: Project) -> User:
    return factories.person("an", project=dream)


@pytest.fixture
def judge(dream: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=dream)


def write(page: Page, number: int, text: str) -> None:
    page.locator(f"#candidate-{number}").fill(text)


def write_all(page: Page) -> None:
    for number, text in enumerate(CANDIDATES):
        write(page, number, text)


def stored() -> Rewrite:
    return Rewrite.objects.order_by("pk").last()
