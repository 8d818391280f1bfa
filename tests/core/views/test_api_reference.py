"""The API's reference: every address with its parameters, and the fields of its answer with their types."""

import json

import pytest
from django.core.management import call_command


@pytest.fixture
def page(client, researcher) -> str:
    client.force_login(researcher)
    return client.get("/api-reference/").content.decode()


def test_every_address_of_the_schema_is_on_the_page(client, researcher, page):
    schema = client.get("/api/v1/schema/").json()
    assert len(schema["paths"]) >= 8
    assert all(path in page for path in schema["paths"])


def test_the_schema_is_made_without_a_warning_and_each_list_of_states_has_its_name(tmp_path):
    file = tmp_path / "schema.json"
    call_command("spectacular", fail_on_warn=True, format="openapi-json", file=str(file))
    lists = {
        name: part["enum"]
        for name, part in json.loads(file.read_text())["components"]["schemas"].items()
        if "enum" in part
    }
    assert lists["StudyState"] == ["draft", "open", "closed"]
    assert "disputed" in lists["ItemState"]
