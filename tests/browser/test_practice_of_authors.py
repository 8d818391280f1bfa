"""Practice in browsers: an author drafts, an inspector grades with a comment, the author passes and is
assigned work.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Inspection, Item, PracticeDraft, Project, Purpose
from core.models import Role, User
from tests import factories
from tests.browser.rewriting import write_all
from tests.rewriting import items, practice_items, rewriting_project

WRITE, INSPECT = "/projects/listening/write/", "/projects/listening/inspect/"


@pytest.fixture
def listening(researcher: User) -> Project:
    """Return a project in which one of the last two graded drafts must be accepted."""
    project = rewriting_project(researcher, practice=4, practice_window=2, practice_threshold=50)
    items(project)
    practice_items(project, 2)
    return project


def draft(page: Page) -> None:
    expect(page.locator(".practice-mark")).to_contain_text("It does not count")
    write_all(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Submitted: an inspector grades it.")).to_be_visible()


def answer(page: Page) -> None:
    position = Inspection.objects.order_by("pk").last().order.index(0) + 1
    page.keyboard.press(str(position))
    page.keyboard.press("Enter")
    expect(page.locator(".candidate.is-key")).to_be_visible()
    page.wait_for_load_state()


def test_practised_graded_with_a_comment_and_passed(open_page, listening, forgiven):
    forgiven.append("409 (Conflict)")  # a verdict without its comment
    author = factories.person("an", project=listening)
    inspector = factories.person("ivo", Role.INSPECTOR, project=listening)
    writing = open_page(WRITE, by=author)
    draft(writing)
    draft(writing)

    grading = open_page(INSPECT, by=inspector)
    expect(grading.locator(".practice-mark")).to_contain_text("A practice draft")
    answer(grading)
    grading.keyboard.press("q")
    grading.keyboard.press("s")
    expect(grading.locator(".notice.outcome-doubt")).to_contain_text("Say in a comment what must be changed")
    grading.keyboard.press("Control+Enter")
    expect(grading.locator("#refusal, [data-notice=refused]").first).to_contain_text("its author will read it")
    grading.locator(".candidate .comment.is-open textarea").fill("Fits as well.")
    expect(grading.locator(".notice.outcome-doubt")).to_contain_text("with your comment on")
    grading.keyboard.press("Control+Enter")
    expect(grading.get_by_text("The practice draft is graded: not accepted.")).to_be_visible()
    answer(grading)
    grading.keyboard.press("q")
    grading.keyboard.press("a")
    expect(grading.locator(".notice.outcome-accept")).to_be_visible()
    grading.keyboard.press("Control+Enter")
    expect(grading.get_by_text("The practice draft is graded: accepted.")).to_be_visible()
    assert [draft.is_accepted for draft in PracticeDraft.objects.all()] == [False, True]

    writing.goto(re.sub(WRITE + ".*", f"{WRITE}practice/", writing.url))
    expect(writing.get_by_role("heading", name="Qualification passed")).to_be_visible()
    expect(writing.get_by_text("Fits as well.")).to_be_visible()
    writing.get_by_role("link", name="Start writing").click()
    expect(writing.get_by_role("button", name=re.compile("Submit for inspection"))).to_be_visible()
    work = Item.objects.get(purpose=Purpose.WORK)
    assert work.slots.get().assignments.get().person == author
