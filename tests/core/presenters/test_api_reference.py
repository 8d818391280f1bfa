"""Operations that the API's reference shows: the type of a field, and their order by resource."""

from core.presenters.api_reference import operations, resources


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


def test_addresses_are_grouped_by_resource_projects_first_and_unknown_ones_last():
    def spoken(name: str) -> dict[str, object]:
        return {"get": {"operationId": name, "tags": [name], "responses": {}}}

    names = ["moods", "runs", "projects", "corpora"]
    found = resources({"paths": {f"/{name}/": spoken(name) for name in names}})
    assert [resource.name for resource in found] == ["projects", "corpora", "runs", "moods"]
    assert all(each.path == f"/{resource.name}/" for resource in found for each in resource.operations)
