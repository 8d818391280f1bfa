"""Fieldwork of an open study: counts are updated without a reload, and nothing on the page moves."""

from playwright.sync_api import expect

from study.actions.survey import studies
from tests.study import study_cases


def test_counts_come_by_themselves_and_nothing_moves(open_page, researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 5, "lab": 3})
    page = open_page("/studies/lines/board/", by=researcher)
    page.get_by_text("Close the study", exact=True).click()
    page.get_by_label("A closed study cannot be opened again.").check()
    button = page.get_by_role("button", name="Close for good")
    button.scroll_into_view_if_needed()
    bounds = button.bounding_box()
    study_cases.begun(study)
    study_cases.finished(study, "lab")
    expect(page.locator("#counts-line")).to_contain_text("1 of 8 people have finished; under way: 1.")
    expect(page.get_by_role("row", name="lab")).to_contain_text("1 / 3")
    assert page.get_by_label("A closed study cannot be opened again.").is_checked()
    assert button.bounding_box() == bounds


def test_the_page_tells_when_somebody_else_has_closed_the_study(open_page, researcher):
    study = study_cases.study("lines", by=researcher)
    page = open_page("/studies/lines/board/", by=researcher)
    studies.close(study=study, why="Written for tests.", by=researcher)
    expect(page.get_by_text("No results here until the study closes.")).to_be_hidden()
    expect(page.get_by_role("heading", name="Board")).to_be_visible()


def test_a_study_is_set_up_and_opened_by_keyboard_alone(open_page, researcher, assert_accessible):
    study_cases.question_set("movies", 12, by=researcher)
    page = open_page("/studies/new/", by=researcher)
    page.get_by_label("Title").press_sequentially("Which line")
    expect(page.get_by_label("Short name")).to_have_attribute("placeholder", "which-line")
    page.get_by_label("movies").press("Space")
    page.get_by_label("Questions in each form").fill("4")
    page.get_by_role("button", name="Create study").press("Enter")
    page.get_by_role("navigation", name="Study").get_by_role("link", name="Groups and links").press("Enter")
    expect(page.get_by_text("Add a group", exact=True)).to_be_visible()
    assert_accessible(page)
    page.get_by_text("Add a group", exact=True).press("Enter")
    page.get_by_label("Name of the group").fill("lab")
    page.get_by_label("Name of the group").press("Enter")
    expect(page.get_by_role("heading", name="lab")).to_be_visible()
    page.get_by_role("navigation", name="Study").get_by_role("link", name="Plan").press("Enter")
    page.get_by_label("Opening freezes this plan").press("Space")
    page.get_by_role("button", name="Open the study").press("Enter")
    expect(page.get_by_text("The study is open. Send the links.")).to_be_visible()
    assert_accessible(page)
