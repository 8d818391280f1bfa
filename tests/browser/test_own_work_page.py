"""A person's own work in a browser: a text is found by its words and taken back by one click, or by keys alone."""

from playwright.sync_api import expect

from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Assignment, Membership, Rewrite
from core.models import Role
from tests import factories
from tests.browser.conftest import PHONE
from tests.rewriting import inspect, items, rewriting_project, write


def test_an_author_finds_a_text_and_takes_it_back_on_a_phone(researcher, open_page, assert_accessible):
    project = rewriting_project(researcher)
    author = factories.person("an", project=project)
    items(project, 2)
    first = write(project, author)
    write(project, author)
    page = open_page("/projects/listening/own/", by=author, **PHONE)
    expect(page.locator(".own-list > li")).to_have_count(2)
    page.get_by_label("Search", exact=True).fill(first.assignment.slot.item.content["question"])
    page.get_by_role("button", name="Find").tap()
    expect(page.locator(".own-list > li")).to_have_count(1)
    assert_accessible(page)
    page.get_by_role("button", name="Take back").tap()
    expect(page.get_by_text("Taken back. It is your draft again.")).to_be_visible()
    expect(page.locator("textarea").first).to_have_value("Then it is too small.")
    assert Rewrite.objects.get(pk=first.pk).submitted_at is None


def test_an_author_finds_a_comment_revises_and_goes_to_other_work_by_keys_alone(
    researcher, project, open_page, assert_accessible
):
    dialogues = rewriting_project(researcher)
    author = factories.person("an", project=dialogues)
    inspector = factories.person("ida", Role.INSPECTOR, project=dialogues)
    items(dialogues, 3)
    for _text in range(2):
        write(dialogues, author)
    inspect(dialogues, inspector, InspectionVerdict.RETURN)
    Membership.objects.create(project=project, person=author, role=Role.ANNOTATOR)
    factories.pairs(project, 3)
    factories.grade_next(project, author, 4)
    page = open_page("/projects/listening/own/", by=author)
    expect(page.get_by_role("heading", name="Why sent back or discarded")).to_be_visible()
    expect(page.locator(".own-search kbd")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("fits as well")
    page.keyboard.press("Enter")
    expect(page.locator(".own-list > li")).to_have_count(1)
    revise = page.locator(".own-list").get_by_role("link", name="Revise the text")
    tab_to(page, revise)
    page.keyboard.press("Enter")
    held = Assignment.objects.get(slot__round=2)
    page.wait_for_url(f"**/projects/listening/write/?assignment={held.pk}")
    page.go_back()
    tab_to(page, page.get_by_role("link", name="rating 1"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/weibo/own/")
    tab_to(page, page.locator(".page-head").get_by_role("link", name="Continue rating"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/weibo/rate/")


def tab_to(page, link):
    """Press Tab until the link has the focus, and fail where no press of it leads there."""
    page.locator("#main").evaluate("main => { main.tabIndex = -1; main.focus(); }")
    for _press in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError("The link is not reached by Tab.")
