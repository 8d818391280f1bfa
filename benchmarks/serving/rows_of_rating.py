"""Rows for the raters of benchmarks.serving, and the statements of a grade, with the code of any version.

python rows_of_rating.py fill 16 64    print so many people, signed in, as JSON; each number has its own project
python rows_of_rating.py count         print how many statements a grade costs: the median, and the most of 20
"""

import json
import statistics
import sys
from typing import Any
from uuid import uuid4

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from annotation.actions.projects import projects  # noqa: E402
from annotation.models import Project  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402

PAIRS = 20_000
GRADES = 20  # counted


def fill(*numbers: str) -> None:
    researcher = factories.person("rui", Role.RESEARCHER)
    print(json.dumps({number: people_of(int(number), researcher) for number in (*numbers, "2")}))


def people_of(count: int, researcher: User) -> list[dict[str, Any]]:
    project = projects.create(slug=f"bench-{count}", kind="rating", by=researcher)
    factories.pairs(project, PAIRS if count > 2 else 10 * GRADES)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return [signed_in(factories.person(f"p{count}-{n}", project=project), project) for n in range(count)]


def signed_in(person: User, project: Project) -> dict[str, Any]:
    client = Client()
    client.force_login(person)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return {"session": session, "person": person.pk, "base": f"/projects/{project.slug}/rate/"}


def count() -> None:
    """Let two people grade the same pairs in turn, so that every second grade settles its pair."""
    people = [User.objects.get(username=f"p2-{number}") for number in range(2)]
    raters = [Client(headers={"host": "localhost", "x-person": str(person.pk)}) for person in people]
    for client, person in zip(raters, people, strict=True):
        client.force_login(person)
    counted = [number for _time in range(GRADES // 2) for client in raters for number in [_statements(client)]]
    print(f"{statistics.median(counted[2:]):.0f} ({max(counted[2:])})")


def _statements(client: Client) -> int:
    base = "/projects/bench-2/rate/"
    pair = _sent(client, f"{base}next/", {})["pairs"][0]
    counted: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        counted.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        sent = {"grade": 4, "reason": "", "milliseconds": 8500, "key": str(uuid4())}
        _sent(client, f"{base}{pair['assignment']}/grade/", sent)
    return len(counted)


def _sent(client: Client, path: str, sent: dict[str, Any]) -> Any:
    answer = client.post(path, sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


if __name__ == "__main__":
    {"fill": fill, "count": count}[sys.argv[1]](*sys.argv[2:])
