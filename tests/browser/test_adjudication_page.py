"""The adjudication page in a browser: by keyboard alone, with axe, on a phone."""

import pytest
from playwright.sync_api import expect

from annotation.actions.projects import projects
from annotation.models import Adjudication
from tests import factories
from tests.browser.conftest import PHONE

PATH = "/projects/weibo/adjudicate/"


@pytest.fixture
def disputed(project, annotator, partner, researcher):
    """Create three pairs graded 1 and 5."""
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=researcher)
    items = factories.pairs(project, 3)
    factories.grade_next(project, annotator, 1, 1, 1)
    factories.grade_next(project, partner, 5, 5, 5)
    return [item.content["response"] for item in items]


def decisions() -> list[tuple[int | None, str]]:
    return list(Adjudication.objects.filter(replaced_at=None).order_by("assignment").values_list("grade", "reason"))


def test_pairs_are_decided_removed_undone_and_skipped_by_keyboard_alone(open_page, disputed, inspector):
    page = open_page(PATH, by=inspector)
    response = page.locator(".answer .said")
    expect(response).to_have_text(disputed[0])
    page.keyboard.press("3")
    expect(page.get_by_text("Why 3?")).to_be_visible()
    page.keyboard.press("s")
    expect(response).to_have_text(disputed[1])
    page.wait_for_load_state()
    page.keyboard.press("r")
    page.keyboard.press("1")
    expect(response).to_have_text(disputed[2])
    assert decisions() == [(3, "versatile"), (None, "ambiguous")]
    page.wait_for_load_state()
    page.keyboard.press("z")
    expect(page.get_by_text("removed, Can be read in several ways")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("4")
    expect(page.get_by_text("You are changing")).to_be_hidden()
    expect(response).to_have_text(disputed[2])
    assert decisions() == [(3, "versatile"), (4, "")]
    page.wait_for_load_state()
    page.keyboard.press("x")
    page.keyboard.press("1")
    expect(page.get_by_text("No pair waits for a third person.")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("z")
    expect(response).to_have_text(disputed[2])


def test_without_a_connection_nothing_is_lost_and_the_page_says_so(open_page, disputed, inspector, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page = open_page(PATH, by=inspector)
    page.context.set_offline(True)
    page.keyboard.press("4")
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
    page.context.set_offline(False)
    page.keyboard.press("4")
    expect(page.locator(".answer .said")).to_have_text(disputed[1])
    assert decisions() == [(4, "")]


def test_a_phone_has_room_for_it_and_axe_finds_nothing(open_page, disputed, inspector, assert_accessible):
    page = open_page(PATH, by=inspector, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    page.locator(".grade input").nth(4).tap()
    page.locator(".chip input[value=interesting]").tap()
    expect(page.locator(".answer .said")).to_have_text(disputed[1])
    assert decisions() == [(5, "interesting")]
