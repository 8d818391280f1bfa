"""Operations that the API's reference shows: the type of a field."""

from core.presenters.api_reference import operations


def test_a_field_that_refers_to_a_list_of_values_shows_them():
    states = {"enum": ["open", "kept"], "type": "string"}
    answer = {
        "properties": {"state": {"allOf": [{"$ref": "#/components/schemas/State"}], "description": "Where it is"}}
    }
    schema = {
        "components": {"schemas": {"State": states, "Item": answer}},
        "paths": {
            "/items/": {
                "get": {
                    "operationId": "items",
                    "responses": {
                        "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}
                    },
                }
            }
        },
    }
    [operation] = operations(schema)
    assert operation.answer == [("state", "open | kept", "Where it is")]
