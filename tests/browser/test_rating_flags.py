"""Flagging a pair beside the grades: by keyboard, without a connection, on a phone."""

from playwright.sync_api import Page, expect

from annotation.models import Flag
from core.models import User
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.rating import BETWEEN_TAPS_MS, PATH, given, press, response_of, wait_until


def flagged() -> list[tuple[str, str]]:
    """Return the response and the comment of each flag."""
    flags = Flag.objects.order_by("pk").values_list("assignment__slot__item__content__response", "comment")
    return list(flags)


def test_a_pair_is_flagged_and_graded_by_keyboard(rating_page: Page, annotator: User):
    press(rating_page, "f")
    rating_page.keyboard.type("who is 4F? x")
    press(rating_page, "Control+Enter")
    expect(rating_page.get_by_text("Your flag has arrived. A researcher will look at it")).to_be_visible()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(1))
    press(rating_page, "4")
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])
    assert flagged() == [(response_of(1), "who is 4F? x")]


def test_escape_leaves_the_words_and_flags_nothing(rating_page: Page, annotator: User):
    press(rating_page, "f")
    rating_page.keyboard.type("hm")
    press(rating_page, "Escape")
    expect(rating_page.locator("#comment")).to_be_hidden()
    press(rating_page, "f")
    expect(rating_page.locator("#comment")).to_have_value("hm")
    press(rating_page, "Escape", "4")
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])
    assert flagged() == []


def test_words_that_stand_in_the_panel_belong_to_the_pair_that_is_left(rating_page: Page, annotator: User):
    press(rating_page, "f")
    rating_page.keyboard.type("half a sentence")
    rating_page.locator("#pair").click()
    press(rating_page, "4")
    wait_until(rating_page, lambda: flagged() == [(response_of(1), "half a sentence")])
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    expect(rating_page.locator("#comment")).to_be_hidden()
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])


def test_a_reload_and_another_language_lose_neither_the_words_nor_the_grade(rating_page: Page, annotator: User):
    press(rating_page, "1", "f")  # 1 waits for its reason
    rating_page.keyboard.type("who is")
    rating_page.reload()
    expect(rating_page.locator("#comment")).to_have_value("who is")
    expect(rating_page.locator("#comment")).to_be_focused()
    rating_page.keyboard.press("End")
    rating_page.keyboard.type(" Lin?")
    rating_page.locator(".topbar").get_by_role("button", name="中文").click()
    expect(rating_page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(rating_page.locator("#comment")).to_have_value("who is Lin?")
    expect(rating_page.locator("input[name=grade][value='1']")).to_be_checked()
    rating_page.wait_for_timeout(BETWEEN_TAPS_MS)
    rating_page.locator(".kinds.is-open input").first.click()
    wait_until(rating_page, lambda: flagged() == [(response_of(1), "who is Lin?")] and given(annotator)[0][0] == 1)
    rating_page.reload()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    expect(rating_page.locator("#comment")).to_have_value("")
    expect(rating_page.locator("input[name=grade]:checked")).to_have_count(0)


def test_words_that_were_sent_are_not_there_again_after_a_reload(rating_page: Page):
    press(rating_page, "f")
    rating_page.keyboard.type("who?")
    press(rating_page, "Control+Enter")
    wait_until(rating_page, lambda: flagged() == [(response_of(1), "who?")])
    rating_page.reload()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(1))
    expect(rating_page.locator("#comment")).to_have_value("")
    expect(rating_page.locator("#comment")).to_be_hidden()


def test_on_a_phone_a_pair_is_flagged_by_touch(open_page, project, annotator, assert_accessible):
    factories.pairs(project, 2)
    page = open_page(PATH, by=annotator, **PHONE)
    page.locator("#flag summary").tap()
    page.locator("#comment").fill("who?")
    assert_accessible(page)
    page.get_by_role("button", name="Flag this pair").tap()
    wait_until(page, lambda: flagged() == [(response_of(1), "who?")])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
