"""The API's reference: every address with its parameters, and the fields of its answer with their types."""

import pytest

from annotation.views.api_reference import operations


@pytest.fixture
def page(client, researcher) -> str:
    client.force_login(researcher)
    return client.get("/api-reference/").content.decode()


def test_every_address_of_the_schema_is_on_the_page(client, researcher, page):
    schema = client.get("/api/v1/schema/").json()
    assert len(schema["paths"]) >= 8
    assert all(path in page for path in schema["paths"])


def test_a_field_that_refers_to_a_list_of_values_shows_them():
    states = {"enum": ["open", "kept"], "type": "string"}
    answer = {
        "properties": {"state": {"allOf": [{"$ref": "#/components/schemas/State"}], "description": "Where it is"}}
    }
    schema = {
        "components": {"schemas": {"State": states, "Item": answer}},
        "paths": {"/items/": {"get": {"operationId": "items", "responses": {"200": {"content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}}}}},
    }  # fmt: skip
    [operation] = operations(schema)
    assert operation.answer == [("state", "open | kept", "Where it is")]
