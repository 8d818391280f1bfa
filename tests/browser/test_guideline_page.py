"""The editor of a guideline in a browser: what is typed is a draft that the preview follows; keys move and publish."""

import re

import pytest
from playwright.sync_api import expect

from annotation.actions.projects import guidelines
from annotation.domain.rating.guideline import study_guideline
from annotation.models import GuidelineDraft, GuidelineVersion
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until

GUIDELINE = "/projects/weibo/guideline/"
SAVED = re.compile(r"Draft saved at \d\d:\d\d:\d\d")
MEANING = "[name=g0-meaning-en]"


@pytest.fixture
def page(open_page, project, researcher):
    return ready(open_page(GUIDELINE, by=researcher))


def ready(page):
    """Wait for the script, which alone disables the button to publish."""
    expect(page.locator("#publish-version")).to_be_disabled()
    return page


def reload(page) -> None:
    page.reload()
    expect(page.locator("#saved")).to_contain_text("Your draft of")


def write(page, text: str, field: str = MEANING) -> None:
    page.locator(field).fill(text)
    expect(page.locator("#saved")).to_have_text(SAVED)


def stored() -> dict:
    return GuidelineDraft.objects.get().content


def names_of(grade: int) -> list[str]:
    return [kind["name"]["en"] for kind in stored()["grades"][grade]["types"]]


def test_what_is_typed_is_saved_and_seen_in_the_preview_while_the_focus_stays(page, assert_accessible):
    field = page.locator(MEANING)
    field.press_sequentially("Untrue.")
    expect(page.locator("#saved")).to_have_text(SAVED)
    expect(page.locator("#seen ins")).to_have_text("Untrue.")
    expect(page.locator("#guide-state")).to_contain_text("Draft of version 2, from version 1 · 1 change.")
    expect(page.locator("#publish-version")).to_be_enabled()
    expect(page.locator("#changed-g0-meaning-en")).to_contain_text("changed")
    expect(field).to_be_focused()
    page.keyboard.type(" Or rude.")
    expect(page.locator("#seen ins")).to_have_text("Untrue. Or rude.")
    assert stored()["grades"][0]["meaning"]["en"] == "Untrue. Or rude."
    wait_until(page, lambda: page.evaluate("Object.keys(localStorage)") == [])
    assert_accessible(page)


def test_a_reload_brings_the_draft_back_and_discarding_ends_it(page):
    write(page, "Untrue.")
    reload(page)
    expect(page.locator(MEANING)).to_have_value("Untrue.")
    page.get_by_role("button", name="Discard draft").click()
    page.get_by_role("dialog").get_by_role("button", name="Continue writing").click()
    assert GuidelineDraft.objects.exists()
    page.get_by_role("button", name="Discard draft").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("The draft is discarded.")).to_be_visible()
    expect(page.locator(MEANING)).to_have_value("")
    assert not GuidelineDraft.objects.exists()
    assert page.evaluate("Object.keys(localStorage)") == []


def test_ctrl_enter_publishes_what_was_typed_a_moment_ago(page):
    page.locator(MEANING).fill("Untrue.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Version 2 applies from now on.")).to_be_visible()
    assert GuidelineVersion.objects.first().content["grades"][0]["meaning"]["en"] == "Untrue."
    assert not GuidelineDraft.objects.exists()
    ready(page)
    assert page.evaluate("Object.keys(localStorage)") == []


def test_what_is_wrong_is_said_at_publishing_and_kept_as_a_draft(page, forgiven):
    forgiven.append("409")
    for language in ("en", "zh"):
        page.locator(f"[name=g0-name-{language}]").fill("")
    page.locator("#publish-version").click()
    expect(page.locator("#refusal")).to_contain_text("Give it a name.")
    expect(page.locator("[name=g0-name-zh]")).to_have_attribute("aria-invalid", "true")
    wait_until(page, lambda: GuidelineDraft.objects.exists() and stored()["grades"][0]["name"] == {"zh": "", "en": ""})
    expect(page.locator("#saved")).to_have_text(SAVED)
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("[name=g0-name-zh]")).to_have_attribute("aria-invalid", "true")
    assert GuidelineVersion.objects.count() == 1


def test_alt_and_an_arrow_move_a_type_and_the_focus_goes_with_it(page):
    field = page.locator("[name=g4-t0-example-en]")
    field.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("[name=g4-t1-example-en]")).to_be_focused()
    wait_until(page, lambda: names_of(4) == ["interesting", "informative", "opens a new topic"])
    page.keyboard.press("Alt+ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")  # it is the first one
    page.locator("button[value=up-g4-t2]").click()
    wait_until(page, lambda: names_of(4) == ["informative", "opens a new topic", "interesting"])
    expect(page.locator("button[value=up-g4-t1]")).to_be_focused()


def test_a_type_is_added_without_a_new_page_and_stands_where_one_goes_on_typing(page):
    page.locator(MEANING).fill("Untrue.")
    page.get_by_role("button", name="Add a type to 2").click()
    expect(page.locator("[name=g1-t2-name-zh]")).to_be_focused()
    page.keyboard.type("空话")
    expect(page.locator("#seen ins").filter(has_text="空话")).to_be_visible()
    expect(page.locator("[data-type=g1-t2]")).to_contain_text("new")
    expect(page.locator("[data-type=g1-t2] kbd")).to_have_text("D")
    expect(page.locator(MEANING)).to_have_value("Untrue.")


def test_offline_the_draft_is_kept_on_the_device_and_saved_when_the_connection_is_back(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.locator(MEANING).fill("Untrue.")
    expect(page.locator("[data-notice=offline]")).to_be_visible()
    expect(page.locator("#saved")).to_have_text("Not stored yet, kept on this device")
    assert not GuidelineDraft.objects.exists()
    page.context.set_offline(False)
    expect(page.locator("#saved")).to_have_text(SAVED)
    expect(page.locator("[data-notice=offline]")).to_be_hidden()
    assert stored()["grades"][0]["meaning"]["en"] == "Untrue."


def test_offline_publishing_and_discarding_say_that_they_were_not_done(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    write(page, "Untrue.")
    page.context.set_offline(True)
    page.locator(MEANING).fill("Untrue, or rude.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#refusal")).to_have_text("Not published: no connection.")
    page.get_by_role("button", name="Discard draft").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard draft").click()
    expect(page.locator("#refusal")).to_have_text("Not discarded: no connection.")
    page.context.set_offline(False)
    expect(page.locator("#refusal")).to_be_hidden()
    assert stored()["grades"][0]["meaning"]["en"] == "Untrue, or rude."


def test_an_error_in_a_new_type_has_the_border_of_an_error_and_the_notice_stands_apart(page, forgiven):
    forgiven.append("409")
    page.get_by_role("button", name="Add a type to 2").click()
    added, publish = page.locator("[name=g1-t2-name-zh]"), page.locator("#publish-version")
    expect(added).to_be_focused()
    publish.click()
    expect(added).to_have_attribute("aria-invalid", "true")
    border = "field => getComputedStyle(field).borderTopColor"
    expect(page.locator("#refusal")).to_contain_text("Grade 2, Type that explains it, Chinese: Give it a name.")
    assert added.evaluate(border) != page.locator("[name=g1-t2-name-en]").evaluate(border)
    notice, button = page.locator("#refusal").bounding_box(), publish.bounding_box()
    assert button["y"] - notice["y"] - notice["height"] >= 8


def test_publishing_after_another_person_puts_only_one_s_own_changes_on_top(page, researcher, project, forgiven):
    forgiven.append("409")
    write(page, "Untrue.")
    theirs = study_guideline()
    theirs["prose"]["en"], theirs["grades"][1]["name"]["en"] = "Read first.", "dull"
    guidelines.write(project=project, content=theirs, by=researcher)
    page.locator("#publish-version").click()
    expect(page.locator("#refusal")).to_contain_text("your changes are now on top of it")
    expect(page.locator("[name=prose-en]")).to_have_value("Read first.")
    expect(page.locator("[name=g1-name-en]")).to_have_value("dull")
    expect(page.locator(MEANING)).to_have_value("Untrue.")
    expect(page.locator("#seen-from")).to_contain_text("Raters see version 3 from their next page on.")
    expect(page.locator("#version-rows")).to_contain_text("Version 2")
    expect(page.locator("#seen-changes li")).to_have_count(1)
    page.locator("#publish-version").click()
    expect(page.get_by_text("Version 3 applies from now on.")).to_be_visible()
    newest = GuidelineVersion.objects.first().content
    assert (newest["prose"]["en"], newest["grades"][0]["meaning"]["en"]) == ("Read first.", "Untrue.")


def test_a_refused_publish_keeps_the_notice_of_the_other_window(page, open_page, researcher, forgiven):
    forgiven.append("409")
    other = ready(open_page(GUIDELINE, by=researcher))
    write(other, "Untrue.")
    page.locator("[name=g0-name-zh]").fill("")
    page.locator("[name=g0-name-en]").fill("")
    expect(page.locator("[data-notice=stale]")).to_be_visible()
    page.locator("#publish-version").click()
    expect(page.locator("#refusal")).to_contain_text("Grade 1, Name, Chinese: Give it a name.")
    expect(page.locator("[data-notice=stale]")).to_be_visible()


def test_the_bar_stays_in_reach_on_a_phone(open_page, project, researcher, assert_accessible):
    page = ready(open_page(GUIDELINE, by=researcher, **PHONE))
    expect(page.get_by_text("Nothing differs from version 1 yet.")).to_be_in_viewport()
    write(page, "Untrue.")
    expect(page.locator("#publish-version")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Discard draft")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert_accessible(page)


def test_without_a_script_the_buttons_save_the_draft(open_page, project, researcher):
    page = open_page(GUIDELINE, by=researcher, java_script_enabled=False)
    page.locator(MEANING).fill("Untrue.")
    page.get_by_role("button", name="Show it as raters see it").click()
    expect(page.locator("#seen ins")).to_have_text("Untrue.")
    assert stored()["grades"][0]["meaning"]["en"] == "Untrue."
    page.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Version 2 applies from now on.")).to_be_visible()
