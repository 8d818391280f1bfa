"""A page that only a form leads to: switching the language or the theme leads to the page above it."""

import re

import pytest
from playwright.sync_api import expect

from tests import factories


@pytest.mark.parametrize("switch", ["language", "theme"])
def test_a_switch_on_the_question_about_chosen_rows_leads_to_their_list(
    open_page, project, annotator, researcher, switch
):
    factories.pairs(project, 3)
    [held] = factories.take(project, annotator)
    factories.grade(held)
    page = open_page("/projects/weibo/pairs/", by=researcher)
    for box in page.locator("tbody input[type=checkbox]").all():
        box.check()
    page.get_by_role("button", name="Void grades").click()
    page.wait_for_url(re.compile(r"/pairs/bulk/\?page=1$"))
    page.locator(f".topbar button[name={switch}]:visible").click()
    page.wait_for_url(re.compile(r"/pairs/\?page=1$"))
    expect(page.locator("tbody input[type=checkbox]")).to_have_count(3)
