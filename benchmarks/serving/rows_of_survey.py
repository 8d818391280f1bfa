"""Rows for the people who take a survey in benchmarks.serving, and the statements of an answer, of any version.

python rows_of_survey.py fill 16 64    print so many browsers with their people as JSON
python rows_of_survey.py count         print how many statements an answer costs: the median, and the most of 20
python rows_of_survey.py lost          print how many of the answers in the input, which the server acknowledged, are
                                       not stored: a JSON list of cookie, position and tokens, the last one in force
"""

import json
import statistics
import sys
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import django

django.setup()

from django.db import connection  # noqa: E402
from django.db.models import F  # noqa: E402
from django.test import Client  # noqa: E402

from core.models import Role  # noqa: E402
from study.actions.survey import participants  # noqa: E402
from study.domain.survey.keys import digest_of  # noqa: E402
from study.models import Answer, Study  # noqa: E402
from tests import factories  # noqa: E402
from tests.study import study_cases  # noqa: E402

QUESTIONS = 40
PEOPLE = 480  # in all the browsers of a number, at least: the quickest has answered all of its own first
ANSWERED = 10  # people before them: statistics of an empty table would let PostgreSQL read all of it each time
ANSWERS = 20  # counted


def fill(*numbers: str) -> None:
    researcher = factories.person("rui", Role.RESEARCHER)
    settings = {"forms": 1, "per_form": QUESTIONS - 1}  # and the attention check
    study = study_cases.study("bench", by=researcher, questions=QUESTIONS - 1, settings=settings)
    browsers = {each: [browser(study, n, -(-PEOPLE // int(each))) for n in range(int(each))] for each in numbers}
    for _person in range(ANSWERED):
        for presentation in study_cases.counting(study_cases.begun(study)):
            study_cases.answer(presentation, 0, 1)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    print(json.dumps(browsers))


def browser(study: Study, number: int, people: int) -> dict[str, Any]:
    return {"number": number, "people": [begun(study) for _person in range(people)]}


def begun(study: Study) -> dict[str, Any]:
    """Let a person begin; return all that their browser knows."""
    group = study.groups.get()
    person, secret = participants.join(group=group)
    participants.describe(participant=person, demographics={})
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    tokens = person.presentations.filter(position__gt=0).order_by("position").values_list("tokens", flat=True)
    return {"base": f"/take/{group.token}/", "cookie": f"survey-{study.pk}={secret}", "tokens": list(tokens)}


def count() -> None:
    one = begun(Study.objects.get())
    client = Client(headers={"host": "localhost"})
    client.cookies.load(one["cookie"])
    counted = [_statements(client, one, position) for position in range(1, ANSWERS + 1)]
    print(f"{statistics.median(counted):.0f} ({max(counted)})")


def _statements(client: Client, one: dict[str, Any], position: int) -> int:
    """Return how many statements an answer costs, BEGIN among them; what ends a transaction is none of Django's."""
    counted: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        counted.append(sql)
        return execute(sql, params, many, context)

    first, second, *_others = one["tokens"][position - 1]
    sent = {"first": first, "second": second, "milliseconds": 8500, "key": str(uuid4())}
    with connection.execute_wrapper(note):
        answer = client.post(f"{one['base']}questions/{position}/answer/", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return len(counted)


def lost() -> None:
    acknowledged = {(cookie, position): tokens for cookie, position, tokens in json.load(sys.stdin)}
    stored = {(digest, position): tokens for digest, position, tokens in _stored()}
    secrets = {cookie: digest_of(cookie.partition("=")[2]) for cookie, _position in acknowledged}
    print(sum(stored.get((secrets[of], at)) != tokens for (of, at), tokens in acknowledged.items()))


def _stored() -> Iterator[tuple[str, int, list[str]]]:
    """Yield each answer with the digest of its person's secret, and with tokens for the numbers of candidates."""
    rows = Answer.objects.select_related("presentation")
    named = rows.annotate(digest=F("presentation__participant__keys__digest"))
    for answer in named.iterator():
        tokens = dict(zip(answer.presentation.order, answer.presentation.tokens, strict=True))
        yield answer.digest, answer.presentation.position, [tokens[number] for number in answer.ranking]


if __name__ == "__main__":
    {"fill": fill, "count": count, "lost": lost}[sys.argv[1]](*sys.argv[2:])
