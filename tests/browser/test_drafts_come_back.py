"""Drafts in a browser: whatever was written and however the page is left, it comes back, and no conflict is made up."""

import unicodedata

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.projects import projects
from annotation.models import DraftVersion
from core.models import Role
from tests import recordings
from tests.browser.rating import wait_until
from tests.browser.rewriting import WRITE, author, dream, stored, write
from tests.browser.test_writing_page import SAVED
from tests.dialogues import items

__all__ = ["author", "dream"]
UNSTORED = "Not stored yet, kept on this device"
TEXTS = [
    "Plain words that come back.",
    "We could meet at ",
    "cafe\u0301, nai\u0308ve, A\u030angstro\u0308m",
    "第一行\n第二行，还有\n\n第四行",
    "👩‍👩‍👧 " + "a long text, " * 60,
]


def reload(page: Page) -> Page:
    page.reload()
    return page


def close_the_tab(page: Page) -> Page:
    """Close the tab and come back in another one, which is open before: a browser ends with its last tab."""
    fresh = page.context.new_page()
    page.close()
    fresh.goto(WRITE)
    return fresh


def follow_a_link(page: Page) -> Page:
    page.locator("a[href='/']").first.click()
    page.wait_for_url("**/")
    page.goto(WRITE)
    return page


def go_back(page: Page) -> Page:
    page.goto("/account/")
    page.go_back()
    return page


def is_kept(page: Page) -> bool:
    return page.evaluate("Object.keys(localStorage).length") == 1


def first_field(page: Page):
    return page.locator("#candidate-0")


def test_five_texts_come_back_after_four_ways_of_leaving(open_page, dream, author):
    """A refused save would be an error on the console, which fails the test."""
    items(dream, 1)
    page = open_page(WRITE, by=author)
    for number, leave in enumerate([reload, close_the_tab, follow_a_link, go_back]):
        for text in TEXTS:
            written = f"{number}: {text}"
            as_stored = unicodedata.normalize("NFC", written).strip()
            write(page, 0, written)
            assert is_kept(page)
            page = leave(page)
            expect(page.locator("#remarks")).to_be_attached()
            value = first_field(page).input_value()
            assert unicodedata.normalize("NFC", value).strip() == as_stored, (leave.__name__, text)
            wait_until(page, lambda: stored().candidates[0] == as_stored)  # noqa: B023
            wait_until(page, lambda: not is_kept(page))  # noqa: B023
            expect(page.locator("[data-notice=stale]")).to_be_hidden()


def test_what_is_typed_in_a_conflict_is_kept_said_to_be_unstored_and_comes_back(open_page, dream, author, forgiven):
    forgiven.append("409")
    items(dream, 1)
    page, other = (open_page(WRITE, by=author) for _device in range(2))
    write(other, 0, "From the other device.")
    expect(other.locator("#saved")).to_have_text(SAVED)
    write(page, 0, "From this one.")
    expect(page.locator("[data-notice=stale]")).to_be_visible()
    first_field(page).press("End")
    page.keyboard.type(" And on, ")
    expect(page.locator("#saved")).to_have_text(UNSTORED)
    with page.expect_event("dialog") as asked:
        page.once("dialog", lambda dialog: dialog.accept())
        page.reload()
    assert asked.value.type == "beforeunload"
    expect(first_field(page)).to_have_value("From this one. And on, ")
    expect(page.locator("[data-notice=stale]")).to_be_visible()
    expect(page.locator("#saved")).to_have_text(UNSTORED)
    assert stored().candidates[0] == "From the other device."
    page.get_by_role("button", name="Take over here").click()
    expect(page.locator("#saved")).to_have_text(SAVED)
    assert stored().candidates[0] == "From this one. And on,"
    assert DraftVersion.objects.get().candidates[0] == "From the other device."


def test_a_transcript_that_ends_with_a_space_comes_back_too(open_page, dream, author, tmp_path):
    recordings.items(dream, tmp_path)
    page = open_page("/projects/dream/transcribe/", by=author)
    text = page.get_by_role("textbox", name="Turn 1", exact=True)
    expect(page.get_by_role("button", name="Split turn 1")).to_be_visible()
    text.fill("Did you manage to book ")
    assert is_kept(page)
    page.locator("a[href='/']").first.click()
    page.wait_for_url("**/")
    page.go_back()
    wait_until(page, lambda: not is_kept(page))
    assert text.input_value().strip() == "Did you manage to book"
    expect(page.locator("[data-notice=stale]")).to_be_hidden()


@pytest.mark.parametrize("key", ["Z", "Alt+z"])
def test_without_a_skip_the_keys_that_undo_one_do_nothing(open_page, dream, author, key):
    items(dream, 1)
    page = open_page(WRITE, by=author)
    page.locator("#question").click()
    page.keyboard.press(key)
    expect(first_field(page)).to_have_value("")


def test_a_draft_of_a_person_who_was_removed_waits_until_they_are_a_member_again(
    open_page, dream, author, researcher, forgiven
):
    forgiven += ["403", "404"]  # of the draft, and of the next item, which the page fetches by itself
    items(dream, 1)
    page = open_page(WRITE, by=author)
    projects.remove_member(project=dream, person=author, by=researcher)
    write(page, 0, "Written too late.")
    expect(page.get_by_text("You no longer have this role in the project.")).to_be_visible()
    assert is_kept(page)
    with page.expect_response("**/submit/"):
        page.locator("#submit").click()
    expect(page.locator("#saved")).to_have_text(UNSTORED)
    projects.add_member(project=dream, person=author, role=Role.ANNOTATOR, by=researcher)
    expect(page.locator("#saved")).to_have_text(SAVED)
    expect(page.get_by_text("You no longer have this role in the project.")).to_be_hidden()
    assert stored().candidates[0] == "Written too late."
