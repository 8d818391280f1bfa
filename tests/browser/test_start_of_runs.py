"""The page that starts runs: what is sent twice is started once."""

from playwright.sync_api import Page, expect

from study.models import Run
from tests.study.instances import kitchen


def test_back_and_start_again_leads_to_the_run_that_is_there(transactional_db, open_page, researcher):
    kitchen(researcher, dev=5)
    page = open_page("/runs/new/", by=researcher)
    first = _started(page)
    page.go_back()
    assert _started(page) == first
    page.goto("/runs/new/")  # another visit
    assert _started(page) != first
    assert Run.objects.count() == 2


def _started(page: Page) -> str:
    """Start a run and return the address of its page."""
    page.locator("[data-start]").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("New run")
    return page.url
