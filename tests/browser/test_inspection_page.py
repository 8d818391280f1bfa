"""The inspection page in a browser: both steps by keyboard, comments, a lost connection, with axe."""

import re

import pytest
from playwright.sync_api import Route, expect

from annotation.domain.workflow import ItemState
from annotation.models import Inspection, Item
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.browser.rewriting import INSPECT, author, dream, judge
from tests.dialogues import RETURN, items, judge_next, write_next

__all__ = ["author", "dream", "judge"]


@pytest.fixture
def page(open_page, dream, author, judge):
    """The inspector's page, with two items to judge."""
    items(dream, 2)
    write_next(dream, author)
    write_next(dream, author)
    return open_page(INSPECT, by=judge)


def position_of_key() -> str:
    """Return the key that chooses the right candidate of the held item."""
    return str(Inspection.objects.order_by("pk").last().order.index(0) + 1)


def answer(page) -> None:
    page.keyboard.press(position_of_key())
    page.keyboard.press("Enter")
    wait_for_the_key(page)


def wait_for_the_key(page) -> None:
    """Wait for the second step, another page, whose keys work once all of it is loaded."""
    expect(page.locator(".candidate.is-key")).to_be_visible()
    page.wait_for_load_state()


def test_an_item_is_answered_and_accepted_by_keyboard_alone(page):
    page.keyboard.press("3")
    page.keyboard.press(position_of_key())
    page.keyboard.press("Enter")
    expect(page.locator(".candidate.is-key")).to_contain_text("your answer")
    expect(page.locator("#saved")).to_have_text(re.compile(r"Saved at \d\d:\d\d:\d\d"))
    assert Inspection.objects.get().answer == 0
    page.keyboard.press("q")
    expect(page.get_by_role("button", name="Give the verdict")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_text("Will be accepted")).to_be_visible()
    expect(page.get_by_text("Can the author fix it?")).to_be_hidden()
    expect(page.get_by_role("button", name="Accept")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your verdict is stored: accept.")).to_be_visible()
    assert Item.objects.get(position=1).state == ItemState.KEPT
    expect(page.get_by_text("Number 2.")).to_be_visible()


def test_an_item_is_sent_back_with_a_comment_by_keyboard_alone(page):
    answer(page)
    page.keyboard.press("q")
    page.keyboard.press("s")
    page.keyboard.press("r")
    expect(page.locator("[data-with-comments]")).to_contain_text("Say in a comment what must be changed")
    page.keyboard.press("c")
    page.keyboard.press("2")
    page.keyboard.type("as well qwasrdzx 1")  # letters that are keys elsewhere
    expect(page.locator("[data-with-comments]")).to_have_text(", with your comment on B.")
    expect(page.locator("[name=is_revisable][value=yes]")).to_be_checked()
    expect(page.locator("[name=is_correct][value=yes]")).to_be_checked()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your verdict is stored: send back.")).to_be_visible()
    inspection = Inspection.objects.get(decided_at__isnull=False)
    assert inspection.comments == {str(inspection.order[1]): "as well qwasrdzx 1"}
    assert Item.objects.get(position=1).state == ItemState.RETURNED


def test_an_item_is_discarded(page):
    answer(page)
    for key in "wad":
        page.keyboard.press(key)
    expect(page.get_by_text("Will be discarded")).to_be_visible()
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("Your verdict is stored: discard.")).to_be_visible()


def test_who_cannot_decide_presses_0(page):
    page.keyboard.press("0")
    expect(page.get_by_text("Not decided, after")).to_be_visible()
    assert Inspection.objects.get().answer is None


def test_enter_without_a_choice_asks_for_one(page, forgiven):
    forgiven.append("400")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Choose one of the four, or say that you cannot decide.")).to_be_visible()
    assert Inspection.objects.get().answered_at is None


def test_a_verdict_that_is_refused_keeps_what_was_written(page, forgiven):
    forgiven.append("409")
    answer(page)
    for key in ("q", "s", "r"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Send back").click()
    expect(page.get_by_text("Say what must be changed: its author will read it.")).to_be_visible()
    page.get_by_role("button", name="Comment on the cut").click()
    page.keyboard.type("Too early.")
    Item.objects.filter(position=1).update(state=ItemState.KEPT)  # decided by others since
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Not counted: this item has been sent back or decided in the meantime.")).to_be_visible()
    expect(page.locator("#comment-cut")).to_have_value("Too early.")


def test_a_reload_keeps_what_was_begun_and_the_next_item_has_nothing_of_it(page):
    answer(page)
    page.keyboard.press("w")
    page.get_by_role("button", name="Comment on the cut").click()
    page.keyboard.type("Too early.")
    page.reload()
    page.wait_for_load_state()
    expect(page.locator("#comment-cut")).to_be_visible()
    expect(page.locator("#comment-cut")).to_have_value("Too early.")
    expect(page.locator("[name=is_correct][value=doubt]")).to_be_checked()
    page.locator("#judge").click()
    for key in "qa":
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your verdict is stored: accept.")).to_be_visible()
    page.wait_for_load_state()
    answer(page)
    expect(page.locator("#comment-cut")).to_be_hidden()
    expect(page.locator("[name=is_correct]:checked")).to_have_count(0)


def test_a_skip_of_what_was_begun_asks_and_undoing_it_brings_it_back(page):
    answer(page)
    page.keyboard.press("w")
    page.get_by_role("button", name="Comment on the cut").click()
    page.keyboard.type("Too early.")
    page.locator("#judge").click()
    page.keyboard.press("x")
    page.keyboard.press("1")
    page.locator("#ask-skip").get_by_role("button", name="Continue writing").click()
    expect(page.locator("#skip")).not_to_have_attribute("open", "")
    page.locator("#judge").click()
    page.keyboard.press("x")
    page.keyboard.press("1")
    page.locator("#ask-skip").get_by_role("button", name="Skip").click()
    expect(page.locator("[data-undo-skip]")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("z")
    wait_for_the_key(page)
    expect(page.locator("#comment-cut")).to_have_value("Too early.")
    expect(page.locator("[name=is_correct][value=doubt]")).to_be_checked()


def test_comments_of_a_skip_come_back_in_another_tab_after_this_one_was_closed(page, open_page, judge):
    answer(page)
    page.get_by_role("button", name="Comment on the cut").click()
    page.keyboard.type("Too early.")
    page.locator("#judge").click()
    page.keyboard.press("x")
    page.keyboard.press("1")
    page.locator("#ask-skip").get_by_role("button", name="Skip").click()
    expect(page.locator("[data-undo-skip]")).to_be_visible()
    assert page.evaluate("JSON.stringify([localStorage, sessionStorage])").count("Too early.") == 0
    page.close()
    other = open_page(INSPECT, by=judge)
    other.keyboard.press("z")
    wait_for_the_key(other)
    expect(other.locator("#comment-cut")).to_be_visible()
    expect(other.locator("#comment-cut")).to_have_value("Too early.")


@pytest.mark.parametrize("device", [{"viewport": {"width": 1280, "height": 800}}, PHONE])
def test_the_reasons_to_skip_lie_in_the_window_in_both_steps(device, open_page, dream, author, judge):
    items(dream, 1)
    write_next(dream, author)
    page = open_page(INSPECT, by=judge, **device)
    assert_reasons_in_window(page)
    answer(page)
    assert_reasons_in_window(page)


def assert_reasons_in_window(page) -> None:
    page.locator("#skip summary").click()
    reasons = page.locator("#skip .skip-reasons button")
    for reason in reasons.all():
        expect(reason).to_be_in_viewport(ratio=1)
    assert len({reason.bounding_box()["x"] for reason in reasons.all()}) == 1
    page.keyboard.press("Escape")
    expect(reasons.first).to_be_hidden()


def test_without_connection_nothing_is_lost(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    answer(page)
    page.keyboard.press("c")
    page.keyboard.press("1")
    page.keyboard.type("Nearly right.")
    page.keyboard.press("Escape")
    page.locator("#judge").click()
    for key in "qa":
        page.keyboard.press(key)
    page.context.set_offline(True)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    page.context.set_offline(False)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your verdict is stored: accept.")).to_be_visible()
    assert list(Inspection.objects.get(decided_at__isnull=False).comments.values()) == ["Nearly right."]


# ---- the next item, asked for while this one is judged --------------------------------------------------------------
@pytest.fixture
def many(open_page, dream, author, judge):
    """The inspector's page, with enough items that the next one is held too."""
    items(dream, 5)
    for _item in range(5):
        write_next(dream, author)
    return open_page(INSPECT, by=judge)


def answer_and_wait_for_the_next(page) -> None:
    with page.expect_response(lambda response: "after=" in response.url) as asked:
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    assert "is-key" not in asked.value.text()
    wait_for_the_key(page)
    page.wait_for_timeout(100)  # the script reads the answer


def accept(page) -> None:
    for key in ("q", "a", "Control+Enter"):
        page.keyboard.press(key)


def decided() -> list[str]:
    return list(Inspection.objects.exclude(decided_at=None).order_by("pk").values_list("verdict", flat=True))


def test_the_next_item_is_there_before_the_verdict_is_stored(many):
    verdicts: list[Route] = []
    many.route("**/decide/", lambda route: verdicts.append(route))
    answer_and_wait_for_the_next(many)
    accept(many)
    expect(many.get_by_text("Number 2.")).to_be_visible()
    expect(many.locator("#go")).to_be_visible()
    assert decided() == []
    verdicts.pop().continue_()
    expect(many.get_by_text("Your verdict is stored: accept.")).to_be_visible()
    assert decided() == ["accept"]
    many.unroute("**/decide/")
    answer_and_wait_for_the_next(many)
    expect(many.locator("[name=is_correct]:checked")).to_have_count(0)
    accept(many)
    expect(many.get_by_text("Number 3.")).to_be_visible()
    wait_until(many, lambda: decided() == ["accept"] * 2)


def test_a_verdict_that_could_not_be_sent_is_kept_over_a_reload(many, forgiven):
    forgiven.append("ERR_FAILED")
    many.route("**/decide/", lambda route: route.abort())
    answer_and_wait_for_the_next(many)
    accept(many)
    expect(many.get_by_text("Number 2.")).to_be_visible()
    expect(many.get_by_text("Your last verdict is kept on this device")).to_be_visible()
    many.reload()
    expect(many.locator("#saved")).to_have_text("1 to send")
    many.unroute("**/decide/")
    expect(many.get_by_text("Number 2.")).to_be_visible()
    assert decided() == ["accept"]


def test_a_verdict_that_is_refused_later_is_told_and_its_comments_are_kept(many, forgiven):
    forgiven.append("409")
    answer_and_wait_for_the_next(many)
    many.get_by_role("button", name="Comment on the cut").click()
    many.keyboard.type("Too early.")
    many.locator("#judge").click()
    Item.objects.filter(position=1).update(state=ItemState.KEPT)  # decided by others since
    accept(many)
    expect(many.get_by_text("Number 2.")).to_be_visible()
    expect(many.get_by_text("Not counted: this item has been sent back or decided in the meantime.")).to_be_visible()
    assert Inspection.objects.order_by("pk").first().comments == {"cut": "Too early."}
    assert decided() == []


def test_a_verdict_with_something_missing_stays_on_its_page(many, forgiven):
    forgiven.append("409")
    answer_and_wait_for_the_next(many)
    for key in ("q", "s", "r", "Control+Enter"):
        many.keyboard.press(key)
    expect(many.get_by_text("Say what must be changed: its author will read it.")).to_be_visible()
    expect(many.get_by_text("Number 1.")).to_be_visible()


@pytest.mark.parametrize("more", [{"isComposing": True}, {"keyCode": 229}, {"ctrlKey": True}, {"repeat": True}])
def test_keys_of_input_methods_and_browsers_are_left_alone(more, page):
    for key in ("0", "2"):
        event = {"key": key, "code": f"Digit{key}", "bubbles": True, **more}
        page.evaluate("event => document.body.dispatchEvent(new KeyboardEvent('keydown', event))", event)
    page.wait_for_timeout(300)
    expect(page.locator("input:checked")).to_have_count(0)
    assert Inspection.objects.get().answered_at is None


def test_without_javascript_both_steps_are_plain_forms(open_page, dream, author, judge, forgiven):
    forgiven.append("409")
    items(dream, 1)
    write_next(dream, author)
    page = open_page(INSPECT, by=judge, java_script_enabled=False)
    page.locator("input[name=answer]").nth(int(position_of_key()) - 1).check()
    page.get_by_role("button", name="Answer and see the key").click()
    page.locator("[name=is_correct][value=yes]").check()
    page.locator("[name=is_unique][value=doubt]").check()
    page.locator("[name=is_revisable][value=yes]").check()
    page.get_by_role("button", name="Send back").click()
    expect(page.get_by_text("Say what must be changed: its author will read it.")).to_be_visible()
    page.locator("#comment-2").fill("Fits as well.")
    page.get_by_role("button", name="Send back").click()
    expect(page.get_by_text("Nothing is left to inspect")).to_be_visible()
    wait_until(page, lambda: Item.objects.get().state == ItemState.RETURNED)


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("device", [{}, PHONE])
def test_everybody_can_use_the_page(device, language, open_page, dream, author, judge, assert_accessible):
    items(dream, 1)
    write_next(dream, author)
    judge_next(dream, judge, RETURN)
    write_next(dream, author)
    page = open_page(INSPECT, by=judge, locale=language, **device)
    page.locator("#skip summary").click()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.locator("input[name=answer]").first.check()
    page.locator("#go").click()
    wait_for_the_key(page)
    page.locator("[name=is_unique][value=doubt]").check()
    page.locator("[name=is_correct][value=yes]").check()
    page.locator("[data-comment]").last.click()
    assert_accessible(page)
    page.locator("[name=is_revisable][value=yes]").check()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
