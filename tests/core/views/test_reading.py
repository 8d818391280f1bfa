"""How a person reads and which keys they press: /account/keys/."""

import json

import pytest
from django.test import Client

from annotation.presenters.own_keys import PAGES
from core.domain.keys import clashes, keyed_page
from core.models import User
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def rater() -> User:
    return factories.person("lin")


def save(client: Client, page: str, **changed: object) -> object:
    usual = {f"key_{key}": key for key in keyed_page(page).keys}
    sent = {"text_size": "", "has_single_keys": "on", "shows_keys": "on"} | usual | changed
    return client.post(f"/account/keys/?page={page}", {name: value for name, value in sent.items() if value != "off"})


def test_keys_are_those_of_the_account_and_of_one_kind_of_page(client, rater):
    client.force_login(rater)
    save(client, "rating", key_A="p", key_S="O")
    save(client, "cleaning", key_K="M")
    rater.refresh_from_db()
    assert rater.own_keys == {"rating": {"A": "P", "S": "O"}, "cleaning": {"K": "M"}}
    save(client, "rating")
    rater.refresh_from_db()
    assert rater.own_keys == {"cleaning": {"K": "M"}}


def test_shortcuts_may_have_no_key_and_leave_theirs_to_others(client, rater):
    client.force_login(rater)
    save(client, "rating", key_F="", key_X="", key_G="F")
    rater.refresh_from_db()
    assert rater.own_keys == {"rating": {"F": "", "X": "", "G": "F"}}


def test_the_page_tells_its_script_what_is_stored_also_after_a_refusal(client, rater):
    client.force_login(rater)
    save(client, "rating", key_A="P", text_size="large", shows_keys="off")
    state = save(client, "rating", key_A="X").context["page_state"]
    assert state["stored"] == {"text_size": "large", "has_single_keys": "on", "shows_keys": ""} | {
        f"key_{usual}": usual for usual in keyed_page("rating").keys
    } | {"key_A": "P"}


def test_grades_are_fixed_on_the_rating_page_alone(client, rater):
    client.force_login(rater)
    assert [bool(client.get(f"/account/keys/?page={page.name}").context["page"].fixed) for page in PAGES] == [
        page.name == "rating" for page in PAGES
    ]


def test_two_shortcuts_of_a_page_may_change_places_and_not_have_one_key(client, rater):
    client.force_login(rater)
    assert save(client, "rating", key_X="Z", key_Z="X").status_code == 302
    answer = save(client, "rating", key_F="X")
    assert list(answer.context["form"].errors) == ["key_F"]
    rater.refresh_from_db()
    assert rater.own_keys == {"rating": {"X": "Z", "Z": "X"}}


@pytest.mark.parametrize("key", ["1", "?", "é", "好", "AB"])
def test_a_key_is_one_letter(client, rater, key):
    client.force_login(rater)
    assert list(save(client, "rating", key_A=key).context["form"].errors) == ["key_A"]


def test_a_page_tells_its_script_only_what_differs(client, rater):
    client.force_login(rater)
    assert b"data-own-keys" not in client.get("/account/").content
    assert save(client, "rating", has_single_keys="off", text_size="large").status_code == 302
    page = client.get("/account/").content.decode()
    assert 'data-text-size="large"' in page
    told = page.split('data-own-keys="')[1].split('"')[0].replace("&quot;", '"')
    assert json.loads(told) == {"isOff": True, "ownOf": {}}


def test_no_kind_of_page_has_one_key_twice_to_begin_with():
    for page in PAGES:
        assert clashes(page.keys, {}) == {}
        assert all(len(key) == 1 and key.isupper() for key in page.keys)
