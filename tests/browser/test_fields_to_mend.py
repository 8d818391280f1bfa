"""After a refusal the first field to mend has the focus and is in view, wherever the form led."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE
from tests.study import study_cases


@pytest.fixture(autouse=True)
def forgive_the_refusal(forgiven):
    forgiven.append("Failed to load resource: the server responded with a status of 4")


def assert_to_be_mended(page: Page, field: Locator) -> None:
    page.wait_for_load_state("load")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)


def test_who_ticked_nothing_is_led_to_the_boxes_on_a_phone(open_page, researcher):
    study = study_cases.study("lines", by=researcher)
    page = open_page(f"/take/{study.groups.get().token}/", **PHONE)
    page.get_by_role("button", name="I take part").click()
    expect(page.get_by_role("alert")).to_have_text("To take part, tick both.")
    assert_to_be_mended(page, page.get_by_role("checkbox").first)


def test_a_wrong_return_link_can_be_mended_at_once(open_page, researcher):
    study = study_cases.study("lines", by=researcher)
    page = open_page(f"/take/{study.groups.get().token}/back/", **PHONE)
    page.get_by_label("Your saved link").fill("nothing")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("This link does not work")
    assert_to_be_mended(page, page.get_by_label("Your saved link"))


def test_a_form_that_leads_to_a_part_of_its_page_leads_to_the_field_to_mend(open_page, researcher):
    study_cases.study("lines", by=researcher, is_open=False)
    page = open_page("/studies/lines/", by=researcher, viewport={"width": 800, "height": 400})
    field = page.locator("#settings").get_by_label("Minutes")
    page.locator("#settings summary").first.click()
    field.fill("-1")
    field.press("Enter")
    page.wait_for_url("**/#settings")
    assert_to_be_mended(page, field)


@pytest.mark.parametrize(("name", "wrong"), [("", "User name"), ("rui", "Password")])
def test_signing_in_leads_to_the_field_that_is_wrong(open_page, db, name, wrong):
    page = open_page("/signin/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill("not that one")
    page.get_by_label("Password").press("Enter")
    assert_to_be_mended(page, page.get_by_label(wrong))
