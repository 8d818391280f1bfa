"""The behaviour log: counts that come with the answers, bounded, and gone with the person who withdraws."""

from uuid import uuid4

import pytest

from study.actions.survey import participants
from study.models import Answer, Behaviour, Study
from tests.study import study_cases
from tests.study.views.survey.test_participate import CONSENT, read, take_part

pytestmark = pytest.mark.every_database
NONE = {"blur": 0, "focus": 0, "away_ms": 0, "paste": 0, "copy": 0, "webdriver": 0, "trap": 0}


@pytest.fixture
def link(researcher):
    return f"/take/{study_cases.study('lines', by=researcher).groups.get().token}/"


def stored() -> dict[str, int]:
    return Behaviour.objects.values(*NONE).get()


def send(client, link, person, noted, key=None, position=1):
    tokens = person.presentations.get(position=position).tokens
    sent = {"first": tokens[0], "second": tokens[1], "key": str(key or uuid4()), "noted": noted}
    return client.post(f"{link}questions/{position}/answer/", sent, content_type="application/json")


def test_counts_come_with_the_answers_and_add_up(client, link):
    person, key = take_part(client, link), uuid4()
    assert send(client, link, person, {"blur": 2, "focus": 2, "away_ms": 5200, "webdriver": 1}, key).status_code == 200
    send(client, link, person, {"blur": 2}, key)  # sent again: counted once
    send(client, link, person, {"blur": 1, "copy": 1, "paste": 3}, position=2)
    assert stored() == NONE | {"blur": 3, "focus": 2, "away_ms": 5200, "webdriver": 1, "copy": 1, "paste": 3}


@pytest.mark.parametrize(
    "noted",
    [None, [], "x", 7, {}, {"blur": "2"}, {"blur": -1}, {"blur": True}, {"blur": 0}, {"trap": 1}, {"keys": "secret"}],
)
def test_what_is_no_count_is_left_out_and_the_answer_is_stored(client, link, noted):
    person = take_part(client, link)
    assert send(client, link, person, noted).status_code == 200
    assert not Behaviour.objects.exists()


def test_counts_are_bounded(client, link):
    person = take_part(client, link)
    for _answer in range(3):
        assert send(client, link, person, {"away_ms": 10**30, "copy": 999_999_999}).status_code == 200
    assert stored() == NONE | {"away_ms": 1_000_000_000, "copy": 1_000_000_000}


def test_a_field_that_people_do_not_see_is_noted(client, link):
    client.post(f"{link}join/", CONSENT)
    assert 'name="homepage"' in read(client.get(f"{link}on/"))
    client.post(f"{link}about/", {"age": "21-30", "homepage": ""})
    assert not Behaviour.objects.exists()
    client.post(f"{link}about/", {"age": "21-30", "homepage": "https://example.org"})
    assert stored() == NONE | {"trap": 1}


def test_withdrawing_deletes_the_log_and_nothing_is_noted_afterwards(client, link):
    person = take_part(client, link)
    send(client, link, person, {"blur": 1})
    participants.withdraw(participant=person)
    assert not Behaviour.objects.exists()
    send_again = {"first": "", "key": str(uuid4()), "noted": {"blur": 1}, "person": str(person.public_id)}
    client.post(f"{link}questions/1/answer/", send_again, content_type="application/json")
    client.post(f"{link}about/", {"homepage": "x"})
    assert not Behaviour.objects.exists()


@pytest.mark.parametrize(
    ("told", "stored"), [(None, None), ("x", "refused"), ([], []), (["none of them", 3, None], []), ([2, 4], [2, 4])]
)
def test_lines_on_no_screen_are_told_by_their_tokens_and_what_is_none_is_left_out(client, link, told, stored):
    person = take_part(client, link)
    asked = person.presentations.get(position=1)
    unseen = [asked.tokens[each] if each in (2, 4) else each for each in told] if isinstance(told, list) else told
    fields = {"ranking": asked.tokens[:1], "key": str(uuid4()), "person": str(person.public_id), "unseen": unseen}
    fields = {name: value for name, value in fields.items() if value is not None}
    answer = client.post(f"{link}questions/1/answer/", fields, content_type="application/json")
    if stored == "refused":
        assert answer.status_code == 400
        return
    given = Answer.objects.get().unseen
    assert (given and sorted(given)) == (stored and sorted(asked.order[each] for each in stored))


def test_a_study_whose_consent_does_not_say_so_stores_none(client, link):
    Study.objects.update(notes_behaviour=False)
    client.post(f"{link}join/", CONSENT)
    assert 'name="homepage"' not in read(client.get(f"{link}on/"))
    person = take_part(client, link)
    assert client.get(f"{link}questions/1/").context["page_state"]["notesBehaviour"] is False
    assert send(client, link, person, {"blur": 2}).status_code == 200
    assert not Behaviour.objects.exists()
