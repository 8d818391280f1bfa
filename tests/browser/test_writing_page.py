"""The writing page in a browser: drafts, the cut, remarks, errors, other windows, a lost connection."""

import re

import pytest
from playwright.sync_api import Error, expect

from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Flag, Item
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.rating import wait_until
from tests.browser.rewriting import WRITE, author, dream, judge, stored, write, write_all
from tests.dialogues import ANSWER, CANDIDATES, CHOICES, CUT, QUESTION, RETURN, items, judge_next, write_next

__all__ = ["author", "dream", "judge"]
SAVED = re.compile(r"Draft saved at \d\d:\d\d:\d\d")


@pytest.fixture
def page(open_page, dream, author):
    """The author's page, with two items to write."""
    items(dream, 2)
    return open_page(WRITE, by=author)


# ---- drafts ---------------------------------------------------------------------------------------------------------


def test_a_draft_survives_a_reload_and_is_submitted_by_key(page):
    page.locator(f"[data-cut='{CUT}']").click()
    write_all(page)
    wait_until(page, lambda: (stored().cut, stored().candidates) == (CUT, CANDIDATES))
    wait_until(page, lambda: page.evaluate("Object.keys(localStorage)") == [])
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.reload()
    assert [page.locator(f"#candidate-{number}").input_value() for number in range(4)] == CANDIDATES
    expect(page.locator("[aria-pressed=true]")).to_have_text("cut: 4 turns of context, W speaks next")
    expect(page.locator("#saved")).to_contain_text("Your draft of")
    page.locator("#candidate-2").focus()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Submitted: an inspector judges it next.")).to_be_visible()
    assert Item.objects.get(position=1).state == ItemState.WRITTEN
    assert page.evaluate("Object.keys(localStorage)") == []


def test_what_was_typed_last_is_sent_when_the_page_is_left(page):
    write(page, 0, "Typed a moment ago.")
    page.goto("/")
    wait_until(page, lambda: stored().candidates[0] == "Typed a moment ago.")
    page.goto(WRITE)
    expect(page.locator("#candidate-0")).to_have_value("Typed a moment ago.")
    expect(page.locator("[data-notice=stale]")).to_be_hidden()


def test_offline_the_draft_is_kept_on_the_device_and_sent_later(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    write(page, 1, "Written in a tunnel.")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    expect(page.locator("#saved")).to_have_text("Not stored yet, kept on this device")
    assert stored().candidates[1] == ""
    page.context.set_offline(False)
    expect(page.locator("[data-notice=arrived]")).to_be_visible()
    expect(page.locator("[data-notice=offline]")).to_be_hidden()
    expect(page.locator("#saved")).to_have_text(SAVED)
    assert stored().candidates[1] == "Written in a tunnel."


def test_what_a_lost_page_kept_is_brought_back(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    write(page, 1, "Written before the battery died.")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    fresh = page.context.new_page()
    with pytest.raises(Error, match="crash"):
        page.goto("chrome://crash")  # a page that is only closed may still send its draft
    page.close()
    fresh.context.set_offline(False)
    fresh.goto(WRITE)
    expect(fresh.locator("#candidate-1")).to_have_value("Written before the battery died.")
    expect(fresh.locator("#saved")).to_have_text(SAVED)
    assert stored().candidates[1] == "Written before the battery died."


def test_a_draft_saved_elsewhere_is_not_written_over(page, open_page, author, forgiven):
    forgiven.append("409")
    other = open_page(WRITE, by=author)  # another device: a browser of its own
    write(other, 0, "From the other device.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    write(page, 0, "From this one.")
    expect(page.locator("[data-notice=stale]")).to_contain_text("Saved in another window or on another device at")
    assert stored().candidates[0] == "From the other device."
    expect(page.locator("#candidate-0")).to_have_value("From this one.")
    page.get_by_role("button", name="Take over here").click()
    expect(page.locator("#saved")).to_have_text(SAVED)
    assert stored().candidates[0] == "From this one."


def test_the_other_draft_can_be_loaded_instead(page, open_page, author, forgiven):
    forgiven.append("409")
    other = open_page(WRITE, by=author)
    write(other, 0, "From the other device.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    write(page, 0, "From this one.")
    page.get_by_role("button", name="Load the other draft").click()
    page.locator("#ask-reload").get_by_role("button", name="Load the other draft").click()
    expect(page.locator("#candidate-0")).to_have_value("From the other device.")
    expect(page.locator("#saved")).to_have_text("The other draft is loaded")
    page.reload()
    expect(page.locator("#saved")).to_contain_text("Your draft of")


def test_a_text_made_equal_to_the_stored_one_ends_the_conflict(page, open_page, author, forgiven):
    forgiven.append("409")
    other = open_page(WRITE, by=author)
    write(other, 0, "From the other device.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    write(page, 0, "From this one.")
    expect(page.locator("[data-notice=stale]")).to_be_visible()
    write(page, 0, "From the other device. ")  # compared as it is stored
    expect(page.locator("[data-notice=stale]")).to_be_hidden()
    expect(page.locator("#saved")).to_have_text(SAVED)


def test_who_takes_over_reads_that_the_other_device_has_saved_again(page, open_page, author, forgiven):
    forgiven.append("409")
    other = open_page(WRITE, by=author)
    write(other, 0, "From the other device.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    write(page, 0, "From this one.")
    expect(page.locator("[data-notice=stale]")).to_contain_text("Saved in another window")
    with other.expect_response("**/save/"):
        write(other, 0, "From the other device, more.")
    page.get_by_role("button", name="Take over here").click()
    expect(page.locator("[data-notice=stale]")).to_contain_text("saved there again at")
    page.get_by_role("button", name="Take over here").click()
    expect(page.locator("#saved")).to_have_text(SAVED)
    assert stored().candidates[0] == "From this one."


def test_nothing_is_said_of_a_draft_that_was_emptied(page):
    write(page, 0, "Something.")
    expect(page.locator("#saved")).to_have_text(SAVED)
    with page.expect_response("**/save/"):
        write(page, 0, "")
    page.reload()
    expect(page.locator("#saved")).to_have_text("")


def test_the_newest_tab_has_the_work_until_the_older_takes_over(page):
    newer = page.context.new_page()
    newer.goto(WRITE)
    expect(page.locator("[data-notice=elsewhere]")).to_contain_text("Open in another tab since")
    expect(page.locator("#work")).to_have_attribute("inert", "")
    write(newer, 0, "From the newer tab.")
    expect(newer.locator("#saved")).to_have_text(SAVED)
    page.locator("[data-notice=elsewhere] button").click()
    expect(page.locator("#candidate-0")).to_have_value("From the newer tab.")
    expect(newer.locator("[data-notice=elsewhere]")).to_be_visible()


# ---- versions -------------------------------------------------------------------------------------------------------


def write_twice(page):
    """A first text, and another one in its place."""
    write(page, 0, CANDIDATES[0])
    wait_until(page, lambda: stored().candidates[0] == CANDIDATES[0])
    write(page, 0, "Quite another text.")
    wait_until(page, lambda: stored().candidates[0] == "Quite another text.")


def test_a_version_is_brought_back_by_keyboard_and_that_is_undone(page):
    write_twice(page)
    page.locator("#versions summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".version-list ins")).to_contain_text("Opening the courtyard would help")
    expect(page.locator(".version-list del")).to_contain_text("Quite another text")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Version restored.")).to_be_visible()
    expect(page.locator("#candidate-0")).to_have_value(CANDIDATES[0])
    page.locator("#versions summary").click()
    page.locator("[data-version]").click()
    expect(page.locator("#candidate-0")).to_have_value("Quite another text.")
    assert page.evaluate("Object.keys(localStorage)") == []


def test_the_list_is_beside_what_stands_on_the_page_and_bringing_back_loses_none_of_it(page):
    write_twice(page)
    write(page, 1, "Typed a moment ago.")
    page.locator("#versions summary").click()
    expect(page.locator(".version-list")).to_contain_text("Typed a moment ago.")
    write(page, 2, "And this after the list was opened.")
    page.locator("[data-version]").click()
    expect(page.locator("#candidate-0")).to_have_value(CANDIDATES[0])
    expect(page.locator("#candidate-2")).to_have_value("")
    page.locator("#versions summary").click()
    expect(page.locator(".version-list")).to_contain_text("And this after the list was opened.")


def test_a_page_that_is_behind_brings_nothing_back(page, open_page, author, forgiven):
    forgiven.append("409")
    write_twice(page)
    page.locator("#versions summary").click()
    expect(page.locator("[data-version]")).to_be_visible()
    other = open_page(WRITE, by=author)
    write(other, 0, "From the other device.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    write(page, 1, "Typed here.")
    page.locator("[data-version]").click()
    expect(page.locator("[data-notice=stale]")).to_be_visible()
    assert stored().candidates[0] == "From the other device."


def test_on_a_phone_a_version_is_brought_back_by_touch(open_page, dream, author, assert_accessible):
    items(dream, 1)
    page = open_page(WRITE, by=author, **PHONE)
    write_twice(page)
    page.locator("#versions summary").tap()
    expect(page.locator(".version-list ins")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Restore the version of").tap()
    expect(page.locator("#candidate-0")).to_have_value(CANDIDATES[0])


def test_without_javascript_a_version_is_brought_back_too(open_page, dream, author):
    items(dream, 1)
    page = open_page(WRITE, by=author, java_script_enabled=False)
    for text in (CANDIDATES[0], "Quite another text."):
        write(page, 0, text)
        page.get_by_role("button", name="Save the draft").click()
    page.locator("#versions summary").click()
    write(page, 1, "Not saved yet.")
    page.locator("[data-version]").click()
    expect(page.get_by_text("Version restored.")).to_be_visible()
    expect(page.locator("#candidate-0")).to_have_value(CANDIDATES[0])
    page.locator("#versions summary").click()
    expect(page.locator(".version-list")).to_contain_text("Not saved yet.")


# ---- the cut, marks, remarks ----------------------------------------------------------------------------------------


def test_the_cut_moves_by_key_and_says_who_speaks(page):
    page.locator("#candidate-0").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("[aria-pressed=true]")).to_have_text("cut: 4 turns of context, W speaks next")
    expect(page.locator("[data-speaker]").first).to_have_text("W")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("[data-heading]")).to_have_text("Four next turns for M")
    for _time in range(9):
        page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("[aria-pressed=true]")).to_have_text("cut: 1 turn of context, M speaks next")
    expect(page.locator(".turn-after")).to_have_count(5)
    wait_until(page, lambda: stored().cut == 1)


def test_words_and_shares_are_counted_while_one_writes(page):
    page.locator(f"[data-cut='{CUT}']").click()
    write(page, 1, CANDIDATES[1])
    editor = page.locator("[data-editor='1']")
    expect(editor.locator("[data-length]")).to_have_text("12 words")
    expect(editor.locator("[data-shared]")).to_have_text("58 % shared (7 of 12)")  # so, will, be, singing, in are new
    assert editor.locator("mark").all_text_contents() == ["the", "choir", "the", "library", "room", "until", "four"]
    page.locator("#candidate-1").focus()
    assert "choir" in page.locator(".turns mark").all_text_contents()
    page.locator("[data-cut='1']").click()
    assert editor.locator("mark").all_text_contents() == ["the", "the"]


def test_remarks_are_told_and_stop_nothing(page):
    write_all(page)
    write(page, 2, CANDIDATES[1].replace("four", "five"))
    expect(page.locator("[data-editor='2'] [data-remark]")).to_have_text("Nearly the same words as B.")
    write(page, 2, "No.")
    expect(page.locator("[data-editor='2'] [data-remark]")).to_contain_text("Much shorter than the others")
    write(page, 2, "And then " * 20)
    expect(page.locator("[data-editor='2'] [data-remark]")).to_contain_text("Much longer than the others")
    expect(page.locator("#remarks")).to_contain_text("remark")
    write(page, 2, CANDIDATES[2])
    write(page, 0, CANDIDATES[0].replace("twelve people", "half the audience"))
    expect(page.locator("[data-editor='0'] [data-remark]")).to_have_text(
        "“audience” occurs in the right answer and in no other text here: it may give the answer away."
    )
    page.locator("#submit").click()
    expect(page.get_by_text("Submitted: an inspector judges it next.")).to_be_visible()


# ---- submitting and skipping ----------------------------------------------------------------------------------------


def test_errors_are_listed_at_the_button_with_the_focus_on_the_first(page, forgiven):
    forgiven.append("409")
    write(page, 0, CANDIDATES[0])
    write(page, 1, CANDIDATES[1])
    write(page, 2, CANDIDATES[1].upper())
    page.locator("#submit").click()
    expect(page.locator(".flaws a")).to_have_text(
        ["C: The same as B, except for case, spaces or punctuation.", "D: Nothing is written here yet."]
    )
    expect(page.locator("#candidate-2")).to_be_focused()
    expect(page.locator("#candidate-2")).to_have_attribute("aria-invalid", "true")
    write(page, 2, CANDIDATES[2])
    expect(page.locator("#candidate-2")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(".flaws a")).to_have_text(["D: Nothing is written here yet."])
    page.locator("#candidate-3").focus()
    page.keyboard.insert_text("a" * 10_001)
    expect(page.locator("#flaw-3")).to_contain_text("10,000 characters")
    write(page, 3, CANDIDATES[3])
    expect(page.locator("#flaw-3")).to_be_hidden()
    expect(page.locator("#refusal")).to_be_hidden()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Submitted: an inspector judges it next.")).to_be_visible()


def test_what_is_missing_without_connection_is_told_once_it_is_back(page, forgiven):
    forgiven += ["ERR_INTERNET_DISCONNECTED", "409"]
    write(page, 0, CANDIDATES[0])
    page.context.set_offline(True)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".flaws a")).to_have_count(3)


def test_a_skip_needs_a_reason(page):
    page.keyboard.press("Control+Shift+X")
    page.get_by_role("button", name="Nothing to reason about").click()
    expect(page.get_by_text("Left to others.", exact=True)).to_be_visible()
    assert Assignment.objects.get(state=AssignmentState.SKIPPED).reason == "no_clue"


def test_a_skip_of_a_text_asks_and_brings_it_back_by_key(page, assert_accessible):
    write_all(page)
    page.keyboard.press("Control+Shift+X")
    page.get_by_role("button", name="Nothing to reason about").click()
    expect(page.locator("#ask-skip")).to_be_visible()
    assert_accessible(page)
    page.locator("#ask-skip").get_by_role("button", name="Continue writing").click()
    expect(page.locator("#candidate-3")).to_be_focused()
    assert not Assignment.objects.filter(state=AssignmentState.SKIPPED).exists()
    page.keyboard.press("Control+Shift+X")
    page.keyboard.press("1")
    page.locator("#ask-skip").get_by_role("button", name="Skip").click()
    expect(page.get_by_text("Left to others.", exact=True)).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("z")
    expect(page.get_by_text("The skip is undone.")).to_be_visible()
    assert [page.locator(f"#candidate-{number}").input_value() for number in range(4)] == CANDIDATES
    expect(page.locator("[data-undo-skip]")).to_have_count(0)


@pytest.mark.parametrize("more", [{"isComposing": True}, {"keyCode": 229}])
def test_no_shortcut_fires_while_an_input_method_composes(more, page):
    write_all(page)
    for key in ({"key": "Enter", "ctrlKey": True}, {"key": "ArrowUp", "altKey": True}):
        event = {**key, "bubbles": True, **more}
        page.locator("#candidate-0").evaluate(
            "(field, event) => field.dispatchEvent(new KeyboardEvent('keydown', event))", event
        )
    expect(page.locator("#saved")).to_have_text(SAVED)
    assert (stored().submitted_at, stored().cut) == (None, 5)


def test_letters_and_digits_are_only_text_in_a_field(page):
    page.locator("#candidate-0").press_sequentially("1? /gh0 xq")
    expect(page.locator("#candidate-0")).to_have_value("1? /gh0 xq")
    expect(page.locator("#keys")).to_be_hidden()
    assert page.url.endswith(WRITE)


# ---- flags ----------------------------------------------------------------------------------------------------------


def flagged() -> list[str]:
    return list(Flag.objects.order_by("pk").values_list("comment", flat=True))


def test_an_item_is_flagged_by_keyboard_and_written_on(page):
    write(page, 0, "The right one")
    page.locator("#candidate-0").focus()
    page.keyboard.press("Control+Shift+F")
    page.keyboard.type("Who speaks in turn 2?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your flag has arrived. A researcher will look at it.")).to_be_visible()
    expect(page.locator("#comment")).to_be_hidden()
    page.keyboard.press("End")
    page.keyboard.type(" goes on.")
    expect(page.locator("#candidate-0")).to_have_value("The right one goes on.")
    wait_until(page, lambda: stored().candidates[0] == "The right one goes on.")
    assert (flagged(), stored().submitted_at) == (["Who speaks in turn 2?"], None)


def test_words_of_a_flag_survive_a_reload_and_escape_sends_nothing(page):
    page.keyboard.press("Control+Shift+F")
    page.keyboard.type("Who speaks")
    page.reload()
    expect(page.locator("#comment")).to_have_value("Who speaks")
    page.locator("#comment").press("Escape")
    expect(page.locator("#comment")).to_be_hidden()
    expect(page.locator("#candidate-0")).to_be_focused()
    assert flagged() == []


def test_what_stands_in_the_open_panel_goes_with_the_item(page):
    write_all(page)
    page.locator("#flag summary").click()
    page.locator("#comment").fill("The second turn is cut off.")
    page.locator("#submit").click()
    expect(page.get_by_text("Submitted: an inspector judges it next.")).to_be_visible()
    wait_until(page, lambda: flagged() == ["The second turn is cut off."])
    expect(page.locator("#comment")).to_have_value("")


def test_a_flag_waits_for_the_connection(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.locator("#flag summary").click()
    page.locator("#comment").fill("Said in a tunnel.")
    page.get_by_role("button", name="Flag this item").click()
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[data-notice=flagged]")).to_be_visible()
    expect(page.locator("[data-notice=offline]")).to_be_hidden()
    assert flagged() == ["Said in a tunnel."]


def test_on_a_phone_an_item_is_flagged_by_touch(open_page, dream, author, assert_accessible):
    items(dream, 1)
    page = open_page(WRITE, by=author, **PHONE)
    page.locator("#flag summary").tap()
    page.locator("#comment").fill("Who?")
    assert_accessible(page)
    page.get_by_role("button", name="Flag this item").tap()
    wait_until(page, lambda: flagged() == ["Who?"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_context_and_the_question_are_within_reach_while_writing(
    open_page, dream, author, assert_accessible
):
    items(dream, 1)
    page = open_page(WRITE, by=author, **PHONE)
    page.locator("#candidate-3").tap()
    fold = page.locator("#within-reach")
    expect(fold.locator("summary")).to_be_in_viewport()
    before = page.evaluate("scrollY")
    page.touchscreen.tap(60, 20)
    expect(fold).to_contain_text(QUESTION)
    assert page.evaluate("scrollY") == before, "what is being written stays where it is"
    expect(fold.locator(".is-key")).to_contain_text(CHOICES[ANSWER])
    expect(fold.locator(".turn")).to_have_count(page.locator("#turns .turn:not(.turn-after)").count())
    expect(fold.locator(".is-key")).to_be_in_viewport()
    write(page, 3, "courtyard")
    expect(fold.locator("mark").first).to_have_text("courtyard")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(DESKTOP)
    expect(fold).to_be_hidden()


def test_without_javascript_an_item_is_flagged_and_what_was_typed_stays(open_page, dream, author):
    items(dream, 1)
    page = open_page(WRITE, by=author, java_script_enabled=False)
    write(page, 0, "Not saved yet.")
    page.locator("#flag summary").click()
    page.locator("#comment").fill("Who?")
    page.get_by_role("button", name="Flag this item").click()
    expect(page.get_by_text("Your flag has arrived.").first).to_be_visible()
    expect(page.locator("#candidate-0")).to_have_value("Not saved yet.")
    assert flagged() == ["Who?"]


# ---- returned, without a script, with axe ---------------------------------------------------------------------------


def test_what_came_back_shows_the_comment_above_its_editor(dream, author, judge, open_page):
    items(dream, 1)
    write_next(dream, author)
    judge_next(dream, judge, RETURN)
    page = open_page(WRITE, by=author)
    expect(page.locator("[data-editor='2'] .sent-back")).to_contain_text("This fits as well.")
    expect(page.locator("#candidate-2")).to_have_value(CANDIDATES[2])
    write(page, 2, "Mended, it fits nowhere at all.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Nothing is left to write")).to_be_visible()
    assert Item.objects.get().state == ItemState.WRITTEN


def test_without_javascript_the_page_is_a_plain_form(open_page, dream, author, forgiven):
    forgiven.append("409")
    items(dream, 2)
    page = open_page(WRITE, by=author, java_script_enabled=False)
    write_all(page)
    page.locator(f"[data-cut='{CUT}']").click()
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    assert (stored().cut, stored().candidates) == (CUT, CANDIDATES)
    write(page, 0, "")
    page.get_by_role("button", name="Submit for inspection").click()
    expect(page.locator(".flaws a")).to_have_text(["A: Nothing is written here yet."])
    write(page, 0, CANDIDATES[0])
    page.get_by_role("button", name="Submit for inspection").click()
    expect(page.get_by_text("Submitted: an inspector judges it next.")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_no_text_makes_the_page_scroll_sideways(width, open_page, dream, author):
    [item] = items(dream, 1)
    odd = ["W" * 400, "很长" * 400, "😀👨‍👩‍👧‍👦" * 100, "مرحبا كيف حالك " * 30]
    item.content["turns"] = [{"speaker": "Speaker" * 5, "text": text} for text in [*odd, "end"]]
    item.content["choices"] = odd[:3]
    item.save()
    page = open_page(WRITE, by=author, viewport={"width": width, "height": 800})
    for number, text in enumerate(odd):
        write(page, number, text)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    field, marks = (page.locator(f"[data-editor='0'] {part}").bounding_box() for part in ("textarea", "[data-marks]"))
    assert abs(field["height"] - marks["height"]) < 1  # all of the text is seen


@pytest.mark.parametrize("device", [{}, PHONE])
def test_everybody_can_use_the_page(device, open_page, dream, author, judge, assert_accessible, forgiven):
    forgiven += ["409", "ERR_INTERNET_DISCONNECTED"]
    items(dream, 1)
    write_next(dream, author)
    judge_next(dream, judge, RETURN)
    page = open_page(WRITE, by=author, **device)
    page.locator("#candidate-1").focus()
    assert_accessible(page)
    write(page, 1, "")
    page.locator("#submit").click()
    expect(page.locator(".flaws a")).to_have_count(1)
    page.locator("#skip summary").click()
    page.context.set_offline(True)
    write(page, 1, "Again.")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    assert_accessible(page)
