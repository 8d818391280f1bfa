"""Fifty pairs in a row, by keyboard and by touch, with a connection that is gone for half a minute in between."""

from collections.abc import Callable
from itertools import cycle, islice

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Rating
from tests import factories
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.rating import BETWEEN_TAPS_MS, PATH, given, response_of, wait_until

PAIRS, LOST_AT, AHEAD = 50, 20, 6
GONE_S = 30
READING_MS = BETWEEN_TAPS_MS  # a tap that comes sooner is taken for a slip

# grade and reason, as stored; the keys; what is tapped
ONE_OF_EACH = [
    ((4, ""), "4", ["4 good"]),
    ((2, "echoing"), "2s", ["2 mediocre", "echoing"]),
    ((5, "informative"), "5a", ["5 excellent", "informative"]),
    ((1, "irrelevant"), "1s", ["1 bad", "irrelevant"]),
    ((3, "versatile"), "3s", ["3 acceptable", "versatile, fits anything"]),
]
GRADES = list(islice(cycle(ONE_OF_EACH), PAIRS))


def by_keys(page: Page, number: int) -> None:
    _grade, keys, _taps = GRADES[number - 1]
    for key in keys:
        page.keyboard.press(key)


def by_touch(page: Page, number: int) -> None:
    _grade, _keys, taps = GRADES[number - 1]
    for name in taps:
        page.get_by_role("radio", name=name, exact=True).tap()
        page.clock.run_for(BETWEEN_TAPS_MS)


@pytest.mark.parametrize(("device", "grade"), [({"viewport": DESKTOP}, by_keys), (PHONE, by_touch)])
def test_fifty_grades_are_stored_once_though_the_connection_was_lost(
    device, grade, open_page, project, annotator, forgiven
):
    forgiven += ["ERR_FAILED", "ERR_INTERNET_DISCONNECTED"]
    factories.pairs(project, PAIRS)
    page = open_page(PATH, by=annotator, **device)
    page.clock.install()  # time goes on as usual, and can be wound forward
    page.reload()
    page.wait_for_load_state()

    rate(page, grade, range(1, LOST_AT))
    wait_until(page, lambda: len(given(annotator)) == LOST_AT - 1)
    expect(page.locator("[data-pace]")).to_contain_text("s a pair")
    expect(page.locator("[data-done]")).to_contain_text("done at about")
    page.route("**/grade/", lose_the_connection_before_the_answer, times=1)
    rate(page, grade, range(LOST_AT, LOST_AT + AHEAD))
    expect(page.get_by_text("You can continue when the connection is back.")).to_be_visible()
    for _second in range(GONE_S):  # by seconds: what the page sends again and again has time to fail
        page.clock.run_for(1000)
    expect(page.get_by_text(f"{AHEAD} answers are kept on this device")).to_be_visible()
    assert len(given(annotator)) == LOST_AT, "the first of them has arrived, but its answer has not"

    page.context.set_offline(False)
    expect(page.get_by_text(f"All {AHEAD} have arrived.")).to_be_visible()
    rate(page, grade, range(LOST_AT + AHEAD, PAIRS + 1))
    expect(page.get_by_text("There is nothing for you here right now.")).to_be_visible()
    expect(page.locator("[data-done]")).to_have_text("")
    wait_until(page, lambda: len(given(annotator)) == PAIRS)
    assert given(annotator) == [grade for grade, _keys, _taps in GRADES]
    assert Rating.objects.count() == PAIRS
    wait_until(page, lambda: page.evaluate("Object.keys(localStorage)") == [])  # once the last answer has come


def rate(page: Page, grade: Callable[[Page, int], None], numbers: range) -> None:
    """Grade these pairs, each once it can be read."""
    for number in numbers:
        expect(page.locator("[data-response]")).to_have_text(response_of(number))
        page.clock.run_for(READING_MS)
        grade(page, number)


def lose_the_connection_before_the_answer(route: Route) -> None:
    """Let the server store the grade, but lose its answer."""
    route.fetch()
    route.request.frame.page.context.set_offline(True)
    route.abort()
