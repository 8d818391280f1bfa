"""Reading a corpus by keyboard: flagged dialogues one after the other, each edited, left out or cleared."""

import re

import pytest
from playwright.sync_api import expect

from core.models import User
from tests.browser.conftest import PHONE
from tests.corpora import dialogue, flag, stored

NO_SIDEWAYS_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def corpus(transactional_db, researcher):
    corpus = stored("lamps", map(dialogue, range(6)), by=researcher)
    flag(corpus, "d1", "d3", "d4")
    return corpus


def planned(corpus):
    return [*corpus.edits.order_by("position").values_list("external_id", "change")]


def test_flagged_dialogues_are_gone_through_by_keys(corpus, open_page, researcher):
    page = open_page("/corpora/lamps/dialogues/?flagged=1", by=researcher)
    name = page.locator(".exchange-name h3")
    for dialogue_shown, key in (("d1", "c"), ("d3", "x"), ("d4", "k"), ("d3", "j"), ("d4", "e")):
        expect(name).to_have_text(dialogue_shown)
        page.wait_for_load_state()  # keys work once all of the page is there
        page.keyboard.press(key)
    page.get_by_label("Turn 1", exact=False).first.fill("Another line.")
    page.get_by_role("button", name="Keep these texts").click()
    expect(page.locator(".changed-texts ins")).to_have_text("Another line.")
    assert planned(corpus) == [("d1", "cleared"), ("d3", "left_out"), ("d4", "edited")]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".changed-texts")).to_have_count(0)
    assert planned(corpus) == [("d1", "cleared"), ("d3", "left_out")]


def test_keys_typed_into_the_search_are_letters(corpus, open_page, researcher):
    page = open_page("/corpora/lamps/dialogues/", by=researcher)
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("story 3 xj")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=story"))
    expect(page.locator(".found-side .empty")).to_have_count(1)
    assert planned(corpus) == []


def test_a_corpus_fits_a_phone(corpus, open_page):
    researcher = User.objects.get(username="rui")
    for address in ("/corpora/lamps/", "/corpora/lamps/dialogues/?flagged=1", "/corpora/lamps/dialogues/1/edit/"):
        page = open_page(address, by=researcher, **PHONE)
        assert page.evaluate(NO_SIDEWAYS_SCROLL), address
