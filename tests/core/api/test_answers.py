"""Answers of the API are what its own description says, and a request that cannot be answered is told why."""

import json
import re
from typing import Any

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse

from tests.addresses import API
from tests.samples import SampleData

FILES = {"project-export", "rating-ratings", "study-export"}
OF_BOTH_KINDS = ["project-detail", "project-items", "project-progress", "work-flags", "work-qualification"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(sample: SampleData) -> Client:
    client = Client()
    client.force_login(sample.project.created_by)
    return client


@pytest.fixture
def described(client: Client) -> dict[str, Any]:
    """Return the description with null as JSON Schema writes it."""
    text = client.get(reverse("api-schema")).content.decode()
    return json.loads(text, object_hook=with_null)


def with_null(part: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [part, {"type": "null"}]} if part.pop("nullable", False) else part


def operation_of(address: str, described: dict[str, Any]) -> dict[str, Any]:
    """Return the operation of the path with the fewest parameters that the address fits."""
    fitting = [path for path in described["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), address)]
    return described["paths"][min(fitting, key=lambda path: path.count("{"))]["get"]


@pytest.mark.parametrize("name", [name for name in API if name not in {"api-schema", *FILES}])
def test_an_answer_has_the_form_that_is_described(sample, client, described, name):
    addresses = sample.addresses(name)
    if name in OF_BOTH_KINDS:
        addresses.append(reverse(name, args=[sample.rewriting.slug]))
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        form = operation_of(address, described)["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(answer.json(), {**form, "components": described["components"]})


def test_every_address_says_that_it_may_refuse(described):
    for path, methods in described["paths"].items():
        assert "4XX" in methods["get"]["responses"], path


@pytest.mark.parametrize("accept", ["text/html", "text/html,application/xhtml+xml", "image/png"])
def test_a_browser_is_answered_in_json(client, accept):
    answer = client.get(reverse("project-list"), headers={"Accept": accept})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("size", ["0", "-1", "1001", "x", "1.5", "", "９", "9" * 5000])
def test_a_page_of_a_size_that_cannot_be_is_refused(client, size):
    answer = client.get(reverse("project-list"), {"page_size": size})
    assert (answer.status_code, list(answer.json())) == (400, ["page_size"])


@pytest.mark.parametrize("size", ["1", "1000"])
def test_a_page_has_from_one_row_to_a_thousand(client, size):
    assert client.get(reverse("project-list"), {"page_size": size}).status_code == 200
