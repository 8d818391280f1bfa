"""The page of reasoning types in a browser: by keyboard alone, without JavaScript, on a phone."""

import re

import pytest
from playwright.sync_api import expect

from annotation.actions import reasoning
from annotation.models import Assignment, Slot, Step, TypeChoice
from core.models import Role
from tests import factories
from tests.browser.conftest import PHONE
from tests.dialogues import items, judge_next, rewriting_project, write_next

PATH = "/projects/dream/types/"
BOUNCE_MS = 250  # a key that comes sooner after a new instance is taken for one that bounced


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


def press(page, *keys: str) -> None:
    for key in keys:
        page.wait_for_timeout(BOUNCE_MS)
        page.keyboard.press(key)


def named() -> list[str]:
    return list(TypeChoice.objects.filter(replaced_at=None).order_by("assignment").values_list("answer", flat=True))


def test_types_are_named_changed_and_skipped_by_keyboard_alone(open_page, judge):
    page = open_page(PATH, by=judge)
    expect(page.locator("#last")).to_be_hidden()
    press(page, "5")
    expect(page.get_by_text("Multi-fact, saved at")).to_be_visible()
    expect(page.get_by_role("group", name="What reasoning does it take")).to_be_focused()
    press(page, "?")
    expect(page.get_by_text("Unsure, saved at")).to_be_visible()
    expect(page.locator("#keys")).to_be_hidden()
    assert named() == ["multi_fact", "unsure"]
    press(page, "z")
    expect(page.get_by_text("You are changing an earlier choice: Unsure.")).to_be_visible()
    press(page, "1")
    expect(page.get_by_text("Attitude, saved at")).to_be_visible()
    assert named() == ["multi_fact", "attitude"]
    assert all(TypeChoice.objects.values_list("milliseconds", flat=True))
    press(page, "x")
    press(page, "1")
    expect(page.get_by_text("No instance is waiting for its reasoning type")).to_be_visible()
    press(page, "z")
    expect(page.get_by_text("No instance is waiting for its reasoning type")).to_be_hidden()
    press(page, "2")
    expect(page.get_by_text("Algebraic, saved at")).to_be_visible()
    assert named() == ["multi_fact", "attitude", "algebraic"]


def test_choices_made_without_a_connection_arrive_once_it_is_back(open_page, judge, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(PATH, by=judge)
    page.context.set_offline(True)
    expect(page.get_by_text("what you decide is kept on this device")).to_be_visible()
    press(page, "5", "1", "z", "2")
    expect(page.locator("#saved")).to_have_text("3 to send")
    expect(page.locator("#last .icon:visible use")).to_have_attribute("href", re.compile("#clock$"))
    assert named() == []
    page.context.set_offline(False)
    expect(page.get_by_text("All 3 have arrived.")).to_be_visible()
    assert named() == ["multi_fact", "algebraic"]
    expect(page.get_by_text("Algebraic, saved at")).to_be_visible()


def test_choices_that_were_not_sent_survive_a_reload(open_page, judge, forgiven):
    forgiven.append("ERR_FAILED")
    page = open_page(PATH, by=judge)
    page.route("**/name/", lambda route: route.abort())
    press(page, "5", "1")
    expect(page.locator("#saved")).to_have_text("2 to send")
    page.unroute("**/name/")
    page.reload()
    expect(page.get_by_text("Attitude, saved at")).to_be_visible()
    assert named() == ["multi_fact", "attitude"]


def test_a_choice_that_the_server_refuses_is_told(open_page, judge, researcher, forgiven):
    forgiven.append("409")
    page = open_page(PATH, by=judge)
    Assignment.objects.filter(slot__queue__step=Step.TYPE).update(state="expired")
    Slot.objects.filter(queue__step=Step.TYPE).update(free=0)
    press(page, "5")
    expect(page.get_by_text("this instance went to someone else")).to_be_visible()
    assert named() == []


def test_without_a_script_the_buttons_are_enough(open_page, judge):
    page = open_page(PATH, by=judge, java_script_enabled=False)
    expect(page.locator("#last")).to_be_hidden()
    page.get_by_role("button", name="Algebraic").click()
    expect(page.get_by_text("Algebraic, saved at")).to_be_visible()
    assert named() == ["algebraic"]


def test_on_a_phone_nothing_is_wider_than_the_screen(open_page, judge):
    page = open_page(PATH, by=judge, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Situation").tap()
    expect(page.get_by_text("Situation, saved at")).to_be_visible()
