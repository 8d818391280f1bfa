"""Transcripts in a browser: corrected by keyboard beside the audio, checked by a second person, passed on
to an author.
"""

import re

import pytest
from playwright.sync_api import expect

from annotation.domain.workflow import ItemState
from annotation.models import Item, Transcript
from tests import factories, recordings
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.browser.rewriting import WRITE, author, dream

__all__ = ["author", "dream"]
TRANSCRIBE = "/projects/dream/transcribe/"
CHECK = "/projects/dream/check/"
SAVED = re.compile(r"Draft saved at \d\d:\d\d:\d\d")
NOW = "document.getElementById('audio').currentTime"


@pytest.fixture
def page(open_page, dream, author, tmp_path):
    """Return the page of the first person, with one item with audio."""
    recordings.items(dream, tmp_path)
    page = open_page(TRANSCRIBE, by=author)
    wait_until(page, lambda: page.evaluate("document.getElementById('audio').readyState") >= 1)
    wait_for_script(page)
    return page


def wait_for_script(page) -> None:
    """Wait for the button that the script adds: from then on keys work."""
    expect(page.get_by_role("button", name="Split turn 1")).to_be_visible()


def turn(page, number):
    return page.get_by_role("textbox", name=f"Turn {number}", exact=True)


def stored() -> Transcript:
    return Transcript.objects.latest("pk")


def test_two_people_correct_a_transcript_by_keyboard_and_an_author_gets_it(page, open_page, dream, author):
    turn(page, 1).focus()
    page.keyboard.press("F4")
    assert page.evaluate(NOW) == 3
    page.keyboard.press("F3")
    assert page.evaluate(NOW) == 0
    page.keyboard.press("F8")
    assert page.evaluate("document.getElementById('audio').playbackRate") == 0.75
    page.keyboard.press("F2")
    wait_until(page, lambda: page.evaluate(NOW) > 0)
    page.keyboard.press("F2")
    assert page.evaluate("document.getElementById('audio').paused")
    expect(turn(page, 1)).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(recordings.SAID[0]["text"])
    page.keyboard.press("Alt+ArrowDown")
    expect(turn(page, 2)).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(recordings.SAID[1]["text"])
    page.get_by_role("radio", name="A It is taken.").check()
    wait_until(page, lambda: page.evaluate("Object.keys(localStorage)") == [])
    page.reload()
    wait_for_script(page)
    expect(turn(page, 2)).to_have_value(recordings.SAID[1]["text"])
    expect(page.locator("#saved")).to_contain_text("Your draft of")
    turn(page, 2).focus()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Submitted: a second person checks it next.")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage)") == []

    checking = open_page("/", by=factories.person("bo", project=dream))
    checking.get_by_role("link", name="Check transcripts").click()
    expect(checking.locator(".difference ins").filter(has_text="book")).to_be_visible()
    expect(checking.locator(".difference del").filter(has_text="cook")).to_be_visible()
    expect(checking.get_by_text("The machine read C; the first person chose A.")).to_be_visible()
    wait_for_script(checking)
    turn(checking, 3).fill("Then take the small library room.")
    checking.keyboard.press("Control+Enter")
    expect(checking.get_by_text("Confirmed: authors can now get this item.")).to_be_visible()

    writing = open_page(WRITE, by=author)
    expect(writing.get_by_text("Then take the small library room.")).to_be_visible()
    assert Item.objects.get().state == ItemState.OPEN


def test_turns_are_split_added_removed_and_put_back(page, forgiven):
    forgiven.append("409")  # the last turn is empty
    turn(page, 1).focus()
    page.keyboard.press("Home")
    for _ in "Did you manage":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+Shift+Enter")
    expect(page.get_by_role("textbox", name="Speaker of turn 2")).to_be_focused()
    page.keyboard.type("M")
    expect(turn(page, 2)).to_have_value("to cook the community hall?")
    page.get_by_role("button", name="Remove turn 3").click()
    expect(page.get_by_text("Turn 3 is removed.")).to_be_visible()
    wait_until(page, lambda: len(stored().turns) == 3)
    page.get_by_role("button", name="Put it back").click()
    page.get_by_role("button", name="Add a turn").click()
    wait_until(page, lambda: len(stored().turns) == 5)
    assert [each["speaker"] for each in stored().turns] == ["W", "M", "M", "W", "M"]
    page.keyboard.press("Control+Enter")
    expect(page.locator("#refusal")).to_contain_text("This turn is empty")
    expect(turn(page, 5)).to_be_focused()


def test_no_key_acts_while_an_input_method_composes(page):
    turn(page, 1).focus()
    page.evaluate("""
        for (const key of ["F4", "Enter"])
            document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", {key, ctrlKey: key === "Enter", isComposing: true, bubbles: true}))
    """)
    assert page.evaluate(NOW) == 0
    assert stored().submitted_at is None


def test_another_window_is_told_and_nothing_is_written_over(page):
    other = page.context.new_page()
    other.goto(TRANSCRIBE)
    wait_for_script(other)
    expect(page.locator("[data-notice=elsewhere]")).to_be_visible()
    turn(other, 1).fill("Here it is newer.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    page.get_by_role("button", name="Take over here").first.click()
    expect(turn(page, 1)).to_have_value("Here it is newer.")


def test_offline_the_draft_is_kept_on_the_device_and_sent_later(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    turn(page, 1).fill("Written in a tunnel.")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[data-notice=arrived]")).to_be_visible()
    assert stored().turns[0]["text"] == "Written in a tunnel."


def test_on_a_phone_everything_is_there_and_accessible(open_page, dream, author, tmp_path, assert_accessible):
    recordings.items(dream, tmp_path)
    page = open_page(TRANSCRIBE, by=author, **PHONE)
    wait_for_script(page)
    page.get_by_role("button", name="Forward 3 seconds").tap()
    wait_until(page, lambda: page.evaluate(NOW) == 3)
    page.get_by_role("button", name="× 0.5").tap()
    assert page.evaluate("document.getElementById('audio').playbackRate") == 0.5
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert_accessible(page)
