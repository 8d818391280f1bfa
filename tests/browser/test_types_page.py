"""The page of reasoning types in a browser: by keyboard alone, without JavaScript, on a phone."""

import pytest
from playwright.sync_api import expect

from annotation.actions import reasoning
from annotation.models import TypeChoice
from core.models import Role
from tests import factories
from tests.browser.conftest import PHONE
from tests.dialogues import items, judge_next, rewriting_project, write_next

PATH = "/projects/dream/types/"


@pytest.fixture
def judge(transactional_db, researcher):
    """An inspector who is asked about three accepted instances."""
    dream = rewriting_project(researcher)
    author, judge = factories.person("an", project=dream), factories.person("ivo", Role.INSPECTOR, project=dream)
    items(dream, 3)
    for _item in range(3):
        write_next(dream, author)
        judge_next(dream, judge)
    reasoning.ask_about(project=dream, by=researcher)
    return judge


def named() -> list[str]:
    return list(TypeChoice.objects.filter(replaced_at=None).order_by("assignment").values_list("answer", flat=True))


def test_types_are_named_changed_and_skipped_by_keyboard_alone(open_page, judge):
    page = open_page(PATH, by=judge)
    page.keyboard.press("5")
    expect(page.get_by_text("Multi-fact, saved at")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("?")
    expect(page.get_by_text("Unsure, saved at")).to_be_visible()
    expect(page.locator("#keys")).to_be_hidden()
    assert named() == ["multi_fact", "unsure"]
    page.wait_for_load_state()
    page.keyboard.press("z")
    expect(page.get_by_text("You are changing an earlier choice: Unsure.")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("1")
    expect(page.get_by_text("Attitude, saved at")).to_be_visible()
    assert named() == ["multi_fact", "attitude"]
    assert all(TypeChoice.objects.values_list("milliseconds", flat=True))
    page.wait_for_load_state()
    page.keyboard.press("x")
    page.keyboard.press("1")
    expect(page.get_by_text("No instance waits for its reasoning type")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("z")
    expect(page.get_by_text("The skip is undone.")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("2")
    expect(page.get_by_text("Algebraic, saved at")).to_be_visible()
    assert named() == ["multi_fact", "attitude", "algebraic"]


def test_without_a_script_the_buttons_are_enough(open_page, judge):
    page = open_page(PATH, by=judge, java_script_enabled=False)
    page.get_by_role("button", name="Algebraic").click()
    expect(page.get_by_text("Algebraic, saved at")).to_be_visible()
    assert named() == ["algebraic"]


def test_on_a_phone_nothing_is_wider_than_the_screen(open_page, judge):
    page = open_page(PATH, by=judge, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Situation").tap()
    expect(page.get_by_text("Situation, saved at")).to_be_visible()
