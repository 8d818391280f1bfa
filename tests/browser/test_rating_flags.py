"""Flagging a pair beside the grades: by keyboard, without a connection, on a phone."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Flag, User
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.rating import PATH, given, press, response_of, wait_until


def flagged() -> list[tuple[str, str]]:
    """Which response, and what was said."""
    flags = Flag.objects.order_by("pk").values_list("seat__place__item__content__response", "comment")
    return list(flags)


def test_a_pair_is_flagged_and_graded_by_keyboard(rating_page: Page, rater: User):
    press(rating_page, "f")
    rating_page.keyboard.type("who is 4F? x")
    press(rating_page, "Control+Enter")
    expect(rating_page.get_by_text("Flagged. A researcher looks at it")).to_be_visible()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(1))
    press(rating_page, "4")
    wait_until(rating_page, lambda: given(rater) == [(4, "")])
    assert flagged() == [(response_of(1), "who is 4F? x")]


def test_escape_leaves_the_words_and_flags_nothing(rating_page: Page, rater: User):
    press(rating_page, "f")
    rating_page.keyboard.type("hm")
    press(rating_page, "Escape")
    expect(rating_page.locator("#comment")).to_be_hidden()
    press(rating_page, "f")
    expect(rating_page.locator("#comment")).to_have_value("hm")
    press(rating_page, "Escape", "4")
    wait_until(rating_page, lambda: given(rater) == [(4, "")])
    assert flagged() == []


def test_words_that_stand_in_the_panel_belong_to_the_pair_that_is_left(rating_page: Page, rater: User):
    press(rating_page, "f")
    rating_page.keyboard.type("half a sentence")
    rating_page.locator("#pair").click()
    press(rating_page, "4")
    wait_until(rating_page, lambda: flagged() == [(response_of(1), "half a sentence")])
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    expect(rating_page.locator("#comment")).to_be_hidden()
    assert given(rater) == [(4, "")]


@pytest.mark.parametrize("forgiven", [["ERR_INTERNET_DISCONNECTED"]])
def test_a_flag_waits_for_the_connection_with_the_grades(rating_page: Page, rater: User):
    rating_page.context.set_offline(True)
    press(rating_page, "f")
    rating_page.keyboard.type("who?")
    press(rating_page, "Control+Enter", "4")
    expect(rating_page.locator("#saved")).to_contain_text("2 to send")
    rating_page.context.set_offline(False)
    wait_until(rating_page, lambda: given(rater) == [(4, "")] and flagged() == [(response_of(1), "who?")])


def test_on_a_phone_a_pair_is_flagged_by_touch(open_page, project, rater, assert_accessible):
    factories.pairs(project, 2)
    page = open_page(PATH, by=rater, **PHONE)
    page.locator("#flag summary").tap()
    page.locator("#comment").fill("who?")
    assert_accessible(page)
    page.get_by_role("button", name="Flag this pair").tap()
    wait_until(page, lambda: flagged() == [(response_of(1), "who?")])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
