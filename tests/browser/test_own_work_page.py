"""A person's own work in a browser: a text is found by its words and taken back by one click."""

from playwright.sync_api import expect

from annotation.models import Rewrite
from tests import factories
from tests.browser.conftest import PHONE
from tests.rewriting import items, rewriting_project, write


def test_an_author_finds_a_text_and_takes_it_back_on_a_phone(researcher, open_page, assert_accessible):
    project = rewriting_project(researcher)
    author = factories.person("an", project=project)
    items(project, 2)
    first = write(project, author)
    write(project, author)
    page = open_page("/projects/listening/own/", by=author, **PHONE)
    expect(page.locator(".own-list > li")).to_have_count(2)
    page.get_by_label("Search in texts").fill(first.assignment.slot.item.content["question"])
    page.get_by_role("button", name="Find").tap()
    expect(page.locator(".own-list > li")).to_have_count(1)
    assert_accessible(page)
    page.get_by_role("button", name="Take back").tap()
    expect(page.get_by_text("Taken back. It is your draft again.")).to_be_visible()
    expect(page.locator("textarea").first).to_have_value("Then it is too small.")
    assert Rewrite.objects.get(pk=first.pk).submitted_at is None
