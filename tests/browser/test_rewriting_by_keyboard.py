"""An instance from its first word to its acceptance, in two tabs, returned for revision and revised, without a
pointer.
"""

from playwright.sync_api import Locator, Page, expect

from annotation.domain.workflow import ItemState
from annotation.models import Inspection, Item
from tests.browser.rating import wait_until
from tests.browser.rewriting import INSPECT, WRITE, author, dream, judge, stored
from tests.dialogues import CANDIDATES, CUT, TURNS, items

__all__ = ["author", "dream", "judge"]
COMMENT = "with twelve people this fits as well"
REVISED = "Then let's ask the reading group to leave by two."
MOST_STOPS = 80  # presses of Tab on a page


def test_an_instance_is_written_sent_back_and_revised_by_keyboard_alone(open_page, dream, author, judge):
    items(dream, 1)
    page = open_page("/", by=author)
    follow(page, page.get_by_role("link", name="Start the next item"))

    write_from_the_first_field_on(page)
    reload_and_find_all(page)
    newer = take_the_work_to_another_tab(page)
    take_it_back(page, newer)
    newer.close()
    submit(page)

    inspector = open_page(INSPECT, by=judge)
    answer_blind(inspector)
    return_for_revision(inspector)

    page.goto("/")
    follow(page, page.get_by_role("link", name="Revise the text"))
    revise(page)
    inspector.goto(INSPECT)
    answer_blind(inspector)
    accept(inspector)
    assert Item.objects.get().state == ItemState.KEPT
    assert stored().candidates == [CANDIDATES[0], CANDIDATES[1], REVISED, CANDIDATES[3]]


def reach(page: Page, wanted: Locator) -> None:
    """Move the focus by Tab, as a person without a pointer does."""
    page.wait_for_load_state()  # keys work once all of the page is there
    for _stop in range(MOST_STOPS):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {wanted}.")


def follow(page: Page, link: Locator) -> None:
    reach(page, link)
    page.keyboard.press("Enter")
    expect(page.locator("#candidate-0")).to_be_visible()
    page.wait_for_load_state()


def write_from_the_first_field_on(page: Page) -> None:
    expect(page.locator("#candidate-0")).to_be_focused()
    for _turn in range(len(TURNS) - 1 - CUT):
        page.keyboard.press("Alt+ArrowUp")
    for number, text in enumerate(CANDIDATES):
        expect(page.locator(f"#candidate-{number}")).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    wait_until(page, lambda: (stored().cut, stored().candidates) == (CUT, CANDIDATES))


def reload_and_find_all(page: Page) -> None:
    page.reload()
    for number, text in enumerate(CANDIDATES):
        expect(page.locator(f"#candidate-{number}")).to_have_value(text)
    expect(page.locator("#saved")).to_contain_text("Your draft of")


def take_the_work_to_another_tab(page: Page) -> Page:
    newer = page.context.new_page()
    newer.goto(WRITE)
    expect(page.locator("[data-notice=elsewhere]")).to_be_visible()
    reach(newer, newer.locator("#candidate-2"))
    newer.keyboard.press("Control+End")
    newer.keyboard.type(" Or so.")
    wait_until(newer, lambda: stored().candidates[2] == f"{CANDIDATES[2]} Or so.")
    return newer


def take_it_back(page: Page, newer: Page) -> None:
    page.bring_to_front()
    reach(page, page.locator("[data-notice=elsewhere] button"))
    page.keyboard.press("Enter")
    expect(page.locator("#candidate-2")).to_have_value(f"{CANDIDATES[2]} Or so.")
    expect(newer.locator("[data-notice=elsewhere]")).to_be_visible()


def submit(page: Page) -> None:
    page.wait_for_load_state()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Nothing is left to write")).to_be_visible()


def answer_blind(page: Page) -> None:
    expect(page.locator(".candidate")).to_have_count(len(CANDIDATES))
    page.wait_for_load_state()
    page.keyboard.press(str(claimed().order.index(0) + 1))
    page.keyboard.press("Enter")
    expect(page.locator(".candidate.is-key")).to_contain_text("your answer")
    page.wait_for_load_state()


def claimed() -> Inspection:
    return Inspection.objects.order_by("pk").last()


def return_for_revision(page: Page) -> None:
    for key in ("q", "s", "r", "c", str(claimed().order.index(2) + 1)):
        page.keyboard.press(key)
    page.keyboard.type(COMMENT)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Nothing is left to inspect")).to_be_visible()


def revise(page: Page) -> None:
    expect(page.locator("[data-editor='2'] .sent-back")).to_contain_text(COMMENT)
    reach(page, page.locator("#candidate-2"))
    page.keyboard.press("Control+a")
    page.keyboard.type(REVISED)
    submit(page)


def accept(page: Page) -> None:
    for key in ("q", "a"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Nothing is left to inspect")).to_be_visible()
