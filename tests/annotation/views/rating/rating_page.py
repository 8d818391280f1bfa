"""Helpers for the tests of the rating page: what the page gives its script, and what the script sends."""

import json
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from annotation.actions.queue import assignments
from core.models import User

PAGE = "/projects/weibo/rate/"


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page_state_of(client: Client, page: str = PAGE) -> dict[str, Any]:
    """Return the initial state that the page gives its script."""
    html = client.get(page).content.decode()
    return json.loads(re.search(r'<script id="page_state" type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def send(client: Client, assignment: int, act: str = "grade", **body: object) -> HttpResponse:
    body = {"key": str(uuid4()), **body}
    return client.post(f"{PAGE}{assignment}/{act}/", json.dumps(body), content_type="application/json")


def first_assignment(client: Client) -> int:
    return page_state_of(client)["pairs"][0]["assignment"]


def expire_all() -> None:
    assignments.expire_assignments(now=timezone.now() + timedelta(hours=1))
