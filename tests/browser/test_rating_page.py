"""The rating page in a browser: by keyboard, by touch, without JavaScript, with odd texts, with axe."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.actions.projects import guidelines, projects, publishing
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Rating
from core.models import Role, User
from tests import factories
from tests.browser.conftest import AT_400_PERCENT, PHONE
from tests.browser.rating import (
    BETWEEN_KEYS_MS,
    BETWEEN_TAPS_MS,
    PATH,
    assert_bar_is_below,
    given,
    hold_the_clock,
    press,
    press_in_time,
    response_of,
    wait_until,
)


# ---- keys -----------------------------------------------------------------------------------------------------------
def test_a_grade_and_its_reason_take_two_keys(rating_page, annotator):
    press(rating_page, "3")
    expect(rating_page.locator(".guide-row.is-chosen")).to_contain_text("可接受")
    press(rating_page, "s")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    press(rating_page, "4")
    expect(rating_page.locator("#saved")).to_have_text(re.compile(r"Saved at \d\d:\d\d:\d\d"))
    wait_until(rating_page, lambda: given(annotator) == [(3, "versatile"), (4, "")])
    assert Rating.objects.earliest("pk").milliseconds >= 2 * BETWEEN_KEYS_MS
    expect(rating_page.locator("[data-today]")).to_have_text("2")


def test_the_next_pair_is_named_and_read_where_the_focus_goes(rating_page):
    for done in (1, 2):
        press(rating_page, "4")
        pair = rating_page.get_by_role("group", name=f"Rating {done} /")
        expect(pair).to_be_focused()
        expect(pair).to_contain_text(response_of(done + 1))
        expect(pair).to_have_attribute("aria-live", "polite")  # the focus may have been there before


def test_undo_goes_back_one_grade_at_a_time(rating_page, annotator):
    press(rating_page, "4", "4", "4")
    press(rating_page, "z", "z")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    expect(rating_page.locator("#changing")).to_be_visible()
    press(rating_page, "5", "d")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(4))
    wait_until(rating_page, lambda: given(annotator) == [(4, ""), (5, "new_topic"), (4, "")])
    expect(rating_page.locator(".past li").nth(1)).to_contain_text("opens a new topic")


def test_escape_leaves_an_earlier_grade_as_it_was(rating_page, annotator):
    press(rating_page, "4", "z", "Escape")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    wait_until(rating_page, lambda: given(annotator) == [(4, "")])
    assert Rating.objects.count() == 1


def test_a_skip_needs_a_reason_and_two_keys(rating_page, annotator):
    press(rating_page, "x", "2")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    skipped = Assignment.objects.filter(person=annotator, state=AssignmentState.SKIPPED, reason="cut_off")
    wait_until(rating_page, skipped.exists)


def test_a_skip_by_slip_is_undone_like_a_grade(rating_page, annotator):
    press(rating_page, "4", "x", "3")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(3))
    expect(rating_page.locator(".past li").first).to_contain_text("Should have been cleaned")
    expect(rating_page.locator("[data-notice=skipped]")).to_be_visible()
    press(rating_page, "z")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    expect(rating_page.locator("#changing")).to_be_hidden()
    press(rating_page, "5", "d")
    wait_until(rating_page, lambda: given(annotator) == [(4, ""), (5, "new_topic")])
    assert not Assignment.objects.filter(state=AssignmentState.SKIPPED).exists()


@pytest.mark.parametrize("more", [{"isComposing": True}, {"keyCode": 229}, {"ctrlKey": True}, {"repeat": True}])
def test_keys_of_input_methods_and_browsers_are_left_alone(more, rating_page, annotator):
    rating_page.wait_for_timeout(BETWEEN_KEYS_MS)
    event = {"key": "4", "code": "Digit4", "bubbles": True, **more}
    rating_page.evaluate("event => document.body.dispatchEvent(new KeyboardEvent('keydown', event))", event)
    rating_page.wait_for_timeout(2 * BETWEEN_KEYS_MS)
    assert given(annotator) == []


def test_where_a_grade_may_begin_another_typing_marks_and_enter_saves(open_page, researcher, annotator):
    page = open_page(scaled_project("0..10", researcher, annotator), by=annotator)
    hold_the_clock(page)
    press_in_time(page, "1", "0")
    expect(page.get_by_role("radio", name="10")).to_be_checked()
    assert given(annotator) == []
    press_in_time(page, "Enter", "1", "Enter", "0", "Enter")
    wait_until(page, lambda: given(annotator) == [(10, ""), (1, ""), (0, "")])


def test_without_a_pair_no_key_gives_a_grade(open_page, project, annotator):
    factories.pairs(project, 1)
    page = open_page(PATH, by=annotator)
    press(page, "3", "s")
    expect(page.get_by_text("There is nothing for you here right now.")).to_be_visible()
    expect(page.locator(".guide-row.is-chosen")).to_have_count(0)
    press(page, "3", "s", "4", "ArrowRight", "Enter", "x", "1")
    wait_until(page, lambda: given(annotator) == [(3, "versatile")])
    wait_until(page, lambda: page.evaluate("Object.keys(localStorage)") == [])  # once the answer has come
    press(page, "z")
    expect(page.get_by_role("radio", name="3 acceptable")).to_be_checked()
    press(page, "4")
    wait_until(page, lambda: given(annotator) == [(4, "")])


def test_going_back_shows_the_pair_that_is_next_now(rating_page, annotator):
    press(rating_page, "4", "4")
    wait_until(rating_page, lambda: len(given(annotator)) == 2)
    rating_page.goto("/")
    rating_page.go_back()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(3))
    expect(rating_page.locator("[data-today]")).to_have_text("2")


def test_a_page_that_the_browser_kept_is_brought_up_to_date(open_page, rating_page, annotator):
    press(rating_page, "4")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    other = open_page(PATH, by=annotator)
    press(other, "4")
    wait_until(other, lambda: len(given(annotator)) == 2)
    rating_page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(3))
    expect(rating_page.locator("[data-today]")).to_have_text("2")


def scaled_project(grades: str, researcher: User, annotator: User) -> str:
    project = projects.create(slug="scaled", kind="rating", settings={"grades": grades}, by=researcher)
    projects.add_member(project=project, person=annotator, role=Role.ANNOTATOR, by=researcher)
    factories.pairs(project, 6)
    return "/projects/scaled/rate/"


def test_arrows_mark_a_reason_and_enter_chooses_it(rating_page, annotator):
    press(rating_page, "ArrowRight", "Enter", "ArrowRight", "Enter")
    wait_until(rating_page, lambda: bool(given(annotator)))
    assert given(annotator) == [(1, "irrelevant")]


def test_what_is_new_in_the_guideline_is_read_before_the_next_pair(rating_page, project, researcher, annotator):
    content = project.guidelines.get().content
    content["grades"][4]["meaning"]["en"] = "Could be sent as it is."
    publishing.publish(
        project=project, content=content, seen=1, why="", is_announced=True, asks_again=False, by=researcher
    )
    press(rating_page, "4")
    expect(rating_page.get_by_role("heading", name="What is new in the guideline")).to_be_visible()
    expect(rating_page.locator("ins").filter(has_text="Could be sent as it is.")).to_have_count(2)  # listed, and marked
    assert given(annotator) == [(4, "")]
    rating_page.get_by_role("button", name="Go on").click()
    expect(rating_page.locator("[data-response]")).to_have_text(response_of(2))
    press(rating_page, "4")
    wait_until(rating_page, lambda: len(given(annotator)) == 2)


def test_a_new_guideline_is_announced(rating_page, project, researcher):
    content = project.guidelines.get().content
    guidelines.write(project=project, content=content, by=researcher)
    press(rating_page, "4")
    expect(rating_page.get_by_text("The guideline has changed since you opened this page.")).to_be_visible()


def test_the_days_number_is_said_once(open_page, project, annotator, researcher):
    projects.change_settings(project=project, settings={"per_day": 2}, by=researcher)
    factories.pairs(project, 6)
    page = open_page(PATH, by=annotator)
    press(page, "4")
    expect(page.get_by_text("daily goal reached")).to_be_hidden()
    press(page, "4")
    expect(page.get_by_text("2 today: daily goal reached. Stop here, or go on.")).to_be_visible()
    press(page, "4")
    expect(page.get_by_text("daily goal reached")).to_be_hidden()


# ---- touch, without JavaScript, odd texts, with axe -----------------------------------------------------------------
def test_on_a_phone_everything_is_done_by_touch(open_page, project, annotator):
    factories.pairs(project, 12)
    page = open_page(PATH, by=annotator, **PHONE)
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("radio", name="2 mediocre").tap()
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("radio", name="echoing").tap()
    expect(page.locator("[data-response]")).to_have_text(response_of(2))
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.locator("#skip summary").tap()
    page.get_by_role("button", name="Cut off").tap()
    expect(page.locator("[data-response]")).to_have_text(response_of(3))
    page.get_by_role("link", name="Undo last").tap()  # the skip
    expect(page.locator("[data-response]")).to_have_text(response_of(2))
    page.get_by_role("link", name="Undo last").tap()  # the grade
    expect(page.locator("[data-response]")).to_have_text(response_of(1))
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("radio", name="4 good").tap()
    wait_until(page, lambda: given(annotator) == [(4, "")])
    assert min(box["height"] for box in boxes(page, ".grade")) >= 44
    assert max(box["y"] + box["height"] for box in boxes(page, ".grade")) <= 844


def test_on_a_phone_with_nothing_left_undo_stands_beside_the_text(open_page, project, annotator):
    factories.pairs(project, 1)
    page = open_page(PATH, by=annotator, **PHONE)
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("radio", name="4 good").tap()
    expect(page.locator("#nothing")).to_be_visible()
    undo, home = page.locator("#undo"), page.locator("#nothing a").first
    expect(undo).to_be_in_viewport(ratio=1)
    assert undo.bounding_box()["x"] == home.bounding_box()["x"]
    assert undo.bounding_box()["y"] < page.locator("#guideline").bounding_box()["y"]


def test_a_duplicate_tap_gives_no_type_that_nobody_chose(open_page, project, annotator):
    """The types open away from the finger, so that one more tap is on the same grade."""
    factories.pairs(project, 12)
    page = open_page(PATH, by=annotator, **PHONE)
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    grade = page.get_by_role("radio", name="3 acceptable")
    box = grade.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*middle)
    page.touchscreen.tap(*middle)
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.touchscreen.tap(*middle)
    expect(grade).to_be_checked()
    expect(page.locator("[data-response]")).to_have_text(response_of(1))
    page.get_by_role("radio", name="versatile").tap()
    wait_until(page, lambda: given(annotator) == [(3, "versatile")])


OF_TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
HELD_LOW = {"viewport": {"width": 390, "height": 600}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("device", [PHONE, HELD_LOW, OF_TABLET])
def test_under_a_finger_no_grade_moves_when_types_open_or_the_next_pair_comes(device, open_page, project, annotator):
    for item in factories.pairs(project, 12):
        item.content = {"prompt": "很长的一句。" * 120, "response": item.content["response"]}
        item.save()
    page = open_page(PATH, by=annotator, **device)
    before = boxes(page, ".grade")
    for grade in ("5", "2", "3", "1"):
        page.wait_for_timeout(BETWEEN_TAPS_MS)
        page.locator(".grade", has=page.locator(f"input[value='{grade}']")).tap()
        expect(page.locator(f".kinds[data-grade='{grade}']")).to_be_in_viewport(ratio=1)
        assert boxes(page, ".grade") == before
    page.locator(".kinds[data-grade='1'] .chip").first.tap()
    expect(page.locator("[data-response]")).to_have_text(response_of(2))
    assert boxes(page, ".grade") == before
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("link", name="Undo last").tap()
    expect(page.locator("#changing")).to_be_visible()
    assert boxes(page, ".grade") == before


def test_a_quick_tap_on_a_type_is_no_slip(open_page, project, annotator):
    """A type is at another position than the grade."""
    factories.pairs(project, 12)
    page = open_page(PATH, by=annotator, **PHONE)
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("radio", name="2 mediocre").tap()
    page.get_by_role("radio", name="echoing").tap()
    wait_until(page, lambda: bool(given(annotator)))
    assert given(annotator) == [(2, "echoing")]


@pytest.mark.parametrize(("width", "height"), [(667, 375), (844, 390)])
def test_a_phone_held_sideways_shows_the_response(open_page, project, annotator, width, height):
    factories.pairs(project, 12)
    page = open_page(PATH, by=annotator, **PHONE | {"viewport": {"width": width, "height": height}})
    response = page.locator("[data-response]").bounding_box()
    controls = page.locator(".rating-controls").bounding_box()
    assert response["y"] + response["height"] <= controls["y"]
    page.wait_for_timeout(BETWEEN_TAPS_MS)
    page.get_by_role("radio", name="4 good").tap()
    wait_until(page, lambda: given(annotator) == [(4, "")])


def test_at_400_percent_the_grades_are_below_the_response(open_page, project, annotator):
    factories.pairs(project, 2)
    page = open_page(PATH, by=annotator, **AT_400_PERCENT)
    assert_bar_is_below(page, ".rating-controls", "[data-response]")
    press(page, "4")
    expect(page.locator("[data-response]")).to_have_text(response_of(2))


def test_a_duplicate_tap_grades_one_pair(open_page, project, annotator):
    factories.pairs(project, 12)
    page = open_page(PATH, by=annotator, **PHONE)
    page.clock.install()
    page.reload()
    page.clock.pause_at(timezone.now() + timedelta(minutes=1))  # from here on time goes on when it is told to
    box = page.get_by_role("radio", name="4 good").bounding_box()
    page.touchscreen.tap(box["x"] + 5, box["y"] + 5)
    expect(page.locator("[data-response]")).to_have_text(response_of(2))
    page.clock.run_for(250)
    page.touchscreen.tap(box["x"] + 5, box["y"] + 5)
    wait_until(page, lambda: given(annotator) == [(4, "")])
    expect(page.locator("[data-response]")).to_have_text(response_of(2))
    page.clock.run_for(250)
    page.touchscreen.tap(box["x"] + 5, box["y"] + 5)
    wait_until(page, lambda: given(annotator) == [(4, "")] * 2)


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    return [found.bounding_box() for found in page.locator(selector).all()]


def test_without_javascript_the_page_is_a_plain_form(open_page, project, annotator):
    factories.pairs(project, 3)
    page = open_page(PATH, by=annotator, java_script_enabled=False)
    page.get_by_role("radio", name="2 mediocre").check()
    page.get_by_role("radio", name="echoing").check()
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator("[data-response]")).to_have_text(response_of(2))
    assert given(annotator) == [(2, "echoing")]


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_no_text_makes_the_page_scroll_sideways(width, open_page, project, annotator):
    odd = ["W" * 900, "很长" * 5000, "😀👨‍👩‍👧‍👦" * 300, "مرحبا كيف حالك " * 50, "行\n" * 40]
    for item, text in zip(factories.pairs(project, len(odd)), odd, strict=True):
        item.content = {"prompt": text, "response": text}
        item.save()
    page = open_page(PATH, by=annotator, viewport={"width": width, "height": 800})
    for _ in odd:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".grades")).to_be_in_viewport()
        press(page, "4")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("device", [{}, PHONE])
def test_everybody_can_use_the_page(language, device, open_page, project, annotator, assert_accessible, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    factories.pairs(project, 3)
    page = open_page(PATH, by=annotator, locale=language, **device)
    press(page, "3")
    assert_accessible(page)
    press(page, "a", "4", "z", "x")
    page.context.set_offline(True)
    press(page, "Escape", "x")
    assert_accessible(page)
    press(page, "1")
    assert_accessible(page)
