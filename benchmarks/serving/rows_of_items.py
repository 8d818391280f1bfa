"""Items for benchmarks.next_item: some of each step, and a person signed in for each.

python rows_of_items.py fill 12    print {step: [{session, path}, ...]} as JSON, with so many items a step
"""

import json
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402

from annotation.actions import reasoning  # noqa: E402
from annotation.actions.projects import projects  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import dialogues, factories  # noqa: E402


def fill(number: str) -> None:
    count = int(number)
    researcher = factories.person("rui", Role.RESEARCHER)
    print(json.dumps({"0": [{**of_pairs(count, researcher), **of_dialogues(count, researcher)}]}))


def of_pairs(count: int, researcher: User) -> dict[str, list[dict[str, str]]]:
    project = projects.create(slug="pairs", kind="rating", settings={"adjudicate": "on"}, by=researcher)
    factories.pairs(project, count)
    for name, grade in (("an", 1), ("bo", 5)):
        factories.grade_next(project, factories.person(name, project=project), *[grade] * count)
    factories.pairs(project, count)
    third = factories.person("ines", Role.INSPECTOR, project=project)
    rater = factories.person("cy", project=project)
    return {
        "rating": [signed_in(rater, "/projects/pairs/rate/")],
        "adjudication": [signed_in(third, "/projects/pairs/adjudicate/")],
    }


def of_dialogues(count: int, researcher: User) -> dict[str, list[dict[str, str]]]:
    project = dialogues.rewriting_project(researcher)
    author, typist = (factories.person(name, project=project) for name in ("dan", "eve"))
    judge = factories.person("ivo", Role.INSPECTOR, project=project)
    dialogues.items(project, 2 * count)
    for _item in range(2 * count):
        dialogues.write_next(project, author)
    for _item in range(count):
        dialogues.judge_next(project, judge)
    reasoning.ask_about(project=project, by=researcher)
    dialogues.items(project, 2 * count)
    return {
        "types": [signed_in(typist, "/projects/dream/types/")],
        "inspection": [signed_in(judge, "/projects/dream/inspect/")],
        "writing": [signed_in(author, "/projects/dream/write/")],
    }


def signed_in(person: User, path: str) -> dict[str, str]:
    client = Client()
    client.force_login(person)
    return {"session": client.cookies[settings.SESSION_COOKIE_NAME].value, "path": path}


if __name__ == "__main__":
    {"fill": fill}[sys.argv[1]](*sys.argv[2:])
