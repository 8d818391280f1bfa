"""Helpers for the tests of the writing and inspection pages: the people, and what the pages' scripts send."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.models import Project
from core.models import Role, User
from tests import factories
from tests.dialogues import CANDIDATES, CUT, rewriting_project

WRITE = "/projects/dream/write/"
INSPECT = "/projects/dream/inspect/"


@pytest.fixture
def dream(researcher: User) -> Project:
    """Return a rewriting project with the default settings: one inspector, three rounds."""
    return rewriting_project(researcher)


@pytest.fixture
def author(dream: Project) -> User:
    return factories.person("an", project=dream)


@pytest.fixture
def judge(dream: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=dream)


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def send(client: Client, path: str, body: Any) -> HttpResponse:
    return client.post(path, body if isinstance(body, str) else json.dumps(body), content_type="application/json")


def draft(revision: int = 0, candidates: list[str] | None = None, cut: int = CUT) -> dict[str, Any]:
    """Return a draft as the page's script sends it."""
    return {"cut": cut, "candidates": CANDIDATES if candidates is None else candidates, "revision": revision}


def form_of(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the same as a plain form sends it."""
    texts = {f"candidate_{number}": text for number, text in enumerate(sent["candidates"])}
    return {"cut": sent["cut"], "revision": sent["revision"], **texts}
