"""Gold among the pairs: nothing that an annotator's browser receives tells it from them."""

import json
import re

import pytest

from annotation.models import Assignment, Gold, Item
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, import_rows, is_gold, known
from tests.annotation.views.rating.rating_page import PAGE, expire_all, page_state_of, send, signed_in

pytestmark = pytest.mark.django_db

EXPLANATION = "这是说明"
TOKEN = re.compile(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")\w+')  # random letters, which may spell "gold"


@pytest.fixture
def mixed(project):
    """Forty pairs to rate, every other pair gold."""
    factories.pairs(project, 40)
    rows = [f"{row},,{EXPLANATION}" for row in known(60)]
    import_rows(project, rows, columns="prompt,response,grade,type,explanation")
    choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100, per_day=500)
    return project


def shape(value: object) -> object:
    """The value without what it says: its keys and the types below them."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    return type(value).__name__


def answer_of(client, assignment: int) -> dict:
    answer = send(client, assignment, grade=4)
    assert answer.status_code == 200
    return {**answer.json(), "headers": sorted(answer.headers)}


def golden(assignment: int) -> bool:
    return is_gold(Assignment.objects.get(pk=assignment))


def test_a_gold_pair_is_described_like_any(mixed, annotator):
    pairs = page_state_of(signed_in(annotator))["pairs"]
    kinds = {golden(pair["assignment"]) for pair in pairs}
    assert kinds == {True, False}
    assert len({json.dumps(shape(pair), sort_keys=True) for pair in pairs}) == 1
    assert {pair["about"] for pair in pairs} == {""}  # the other pairs do have a source and a topic
    assignments = [pair["assignment"] for pair in pairs]
    assert assignments == list(range(assignments[0], assignments[0] + len(assignments)))


def test_the_pages_and_answers_say_nothing_of_gold(mixed, annotator):
    client = signed_in(annotator)
    received = []
    for _round in range(12):
        received += [client.get(PAGE).content.decode(), client.get("/").content.decode()]
        first = page_state_of(client)["pairs"][0]["assignment"]
        received.append(send(client, first, grade=4).content.decode())
        received.append(send(client, first, "change", grade=3, reason="versatile").content.decode())
        received.append(client.post(f"{PAGE}next/", "{}", content_type="application/json").content.decode())
    assert {golden(pk) for pk in Assignment.objects.filter(person=annotator).values_list("pk", flat=True)} == {
        True,
        False,
    }
    secrets = {"gold", "purpose", EXPLANATION, *Item.objects.values_list("digest", flat=True)}
    for text in received:
        assert not [secret for secret in secrets if secret in TOKEN.sub("", text).lower()]


def test_every_pair_moves_the_same_numbers_by_one(mixed, annotator):
    client = signed_in(annotator)
    kinds = set()
    for _pair in range(30):
        before = page_state_of(client)
        first = before["pairs"][0]["assignment"]
        kinds.add(golden(first))
        answer = answer_of(client, first)
        after = page_state_of(client)
        home = client.get("/")
        assert answer["today"] == after["today"] == before["today"] + 1
        assert after["left"] == before["left"] - 1
        assert after["past"][0]["assignment"] == first
        assert home.context["figures"].pairs == after["today"]
        assert sum(row.work.waiting for row in home.context["rows"]) == after["left"]
    assert kinds == {True, False}


def test_the_answers_to_both_have_one_shape(mixed, annotator):
    client = signed_in(annotator)
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    for _pair in range(16):
        first = page_state_of(client)["pairs"][0]["assignment"]
        answer = answer_of(client, first)
        answer["pairs"] = [shape(pair) for pair in answer["pairs"]]
        for name in ("saved_at", "assignment", "guideline", "today"):
            answer[name] = type(answer[name]).__name__
        shapes[golden(first)].add(json.dumps(answer, sort_keys=True))
    assert shapes[True] == shapes[False]
    assert len(shapes[True]) == 1


def test_both_are_taken_after_their_time_is_over(mixed, annotator):
    client = signed_in(annotator)
    assignments = [pair["assignment"] for pair in page_state_of(client)["pairs"]]
    expire_all()
    assert {send(client, assignment, grade=4).status_code for assignment in assignments} == {200}


def test_both_sent_twice_are_stored_once_and_refused_with_another_key(mixed, annotator):
    client = signed_in(annotator)
    key = "7b0a2d5e-6f1c-4c6e-9a34-0d5f4c1b2a3d"
    for assignment in [pair["assignment"] for pair in page_state_of(client)["pairs"]]:
        codes = [
            send(client, assignment, grade=4, key=key.replace("7", str(assignment % 10), 1)).status_code
            for _twice in "ab"
        ]
        assert codes == [200, 200]
        assert send(client, assignment, grade=2, reason="echoing").json()["code"] == "already_rated"
        assert Assignment.objects.get(pk=assignment).ratings.count() == 1


def test_gold_is_nowhere_among_a_projects_pairs(mixed, researcher):
    client = signed_in(researcher)
    texts = [item.content["prompt"] for item in Item.objects.filter(gold__isnull=False)]
    for page in ("pairs/", "", "agreement/", "board.csv"):
        shown = client.get(f"/projects/weibo/{page}").content.decode()
        assert not [text for text in texts if text in shown]
    answer = client.get("/api/v1/projects/weibo/items/?page_size=1000").json()
    assert len(answer["results"]) == 40
    assert Gold.objects.count() == 60
