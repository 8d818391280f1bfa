"""Operations of an OpenAPI document as the API's reference shows them."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

METHODS = ("get", "post", "put", "patch", "delete")
TITLES = {  # of the resources, in the order of the page; another one comes last, by its own name
    "projects": _("Projects"),
    "corpora": _("Corpora"),
    "questions": _("Question sets"),
    "studies": _("Studies"),
    "answers": _("Imported answers"),
    "runs": _("Runs"),
    "uploads": _("Uploaded predictions"),
}


class ApiField(NamedTuple):
    name: str
    kind: str
    description: str


class Operation(NamedTuple):
    resource: str
    anchor: str
    method: str
    path: str
    summary: str
    parameters: list[ApiField]
    answer: list[ApiField]
    example: str  # of an answer, or of one entry of it

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


class Resource(NamedTuple):
    """The addresses of one kind of thing."""

    name: str
    title: object
    operations: list[Operation]


def resources(schema: dict[str, Any]) -> list[Resource]:
    """Return the addresses and methods of an OpenAPI document by the kind of thing that they are about."""
    order = list(TITLES)
    found = sorted(operations(schema), key=lambda each: order.index(each.resource) if each.resource in order else 99)
    return [
        Resource(name, TITLES.get(name, capfirst(name)), list(grouped))
        for name, grouped in groupby(found, lambda each: each.resource)
    ]


def operations(schema: dict[str, Any]) -> Iterator[Operation]:
    """Yield every address and method of an OpenAPI document."""
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if spoken := methods.get(method):
                yield Operation(
                    resource=next(iter(spoken.get("tags", [])), ""),
                    anchor=spoken["operationId"],
                    method=method.upper(),
                    path=path,
                    summary=spoken.get("summary", ""),
                    parameters=[*map(_parameter, spoken.get("parameters", [])), *_sent(spoken, schema)],
                    answer=_answer(spoken["responses"], schema),
                    example=_example(spoken["responses"]),
                )


def _parameter(parameter: dict[str, Any]) -> ApiField:
    allowed = ", ".join(map(str, parameter["schema"].get("enum", [])))
    return ApiField(parameter["name"], parameter["schema"].get("type", ""), parameter.get("description", "") or allowed)


def _sent(spoken: dict[str, Any], schema: dict[str, Any]) -> list[ApiField]:
    """Return the fields of what is sent; [] where nothing is."""
    contents = spoken.get("requestBody", {}).get("content", {}).values()
    content: dict[str, Any] = next(iter(contents), {})
    return _fields(_resolved(content.get("schema", {}), schema), schema)


def _answer(responses: dict[str, Any], schema: dict[str, Any]) -> list[ApiField]:
    """Return the fields of the response; for a paginated response, those of one entry."""
    first: dict[str, Any] = next(iter(responses.values()), {})
    content = first.get("content", {})
    answer = _resolved(content.get("application/json", {}).get("schema", {}), schema)
    if "results" in answer.get("properties", {}):
        answer = _resolved(answer["properties"]["results"]["items"], schema)
    return _fields(answer, schema)


def _fields(described: dict[str, Any], schema: dict[str, Any]) -> list[ApiField]:
    parts = described.get("properties", {})
    return [ApiField(name, _kind(_resolved(part, schema)), part.get("description", "")) for name, part in parts.items()]


def _example(responses: dict[str, Any]) -> str:
    """Return an example response as JSON, or ""; for a paginated response, one entry."""
    first: dict[str, Any] = next(iter(responses.values()), {})
    for content in first.get("content", {}).values():
        for given in content.get("examples", {}).values():
            value = given["value"]
            entry = value["results"][0] if "results" in value else value
            return json.dumps(entry, ensure_ascii=False, indent=2)
    return ""


def _resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part itself, or what it refers to, alone or as the only one of several."""
    only = next(iter(part.get("allOf", part.get("oneOf", []))), part)
    reference: str = only.get("$ref", "")
    return schema["components"]["schemas"][reference.rsplit("/", 1)[-1]] if reference else part


def _kind(field: dict[str, Any]) -> str:
    """Return the type of a field, or its possible values."""
    kind = field.get("type", "object")
    if "enum" in field:
        return " | ".join(map(str, field["enum"]))
    return ", ".join(kind) if isinstance(kind, list) else str(field.get("format", kind))
