"""The import page in a real browser on a slow connection: choices of how to read a file, and the page of a job."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Route, expect

from annotation.actions.imports import import_jobs
from core import tasks
from tests import factories
from tests.browser.rating import wait_until

ROWS = "prompt,response,note\n吃了吗?,吃了,你呢\n下雨了,带伞,没带\n"


class Slow:
    """Route that delays the first preview of the file until the test lets it go on."""

    def __init__(self) -> None:
        self.held: Route | None = None

    def take(self, route: Route) -> None:
        if self.held:
            route.continue_()
        else:
            self.held = route

    def go_on(self) -> None:
        assert self.held
        with suppress(Error):  # the page no longer waits for it
            self.held.continue_()


@pytest.fixture
def forgiven() -> list[str]:
    return ["status of 401"]  # the answer to a page that asks after its session has ended


def test_a_choice_made_while_the_look_at_another_is_under_way_is_kept(open_page, project, researcher):
    slow, received = Slow(), factories.received(project, ROWS, "pairs.csv")
    page = open_page(f"/projects/weibo/import/{received.pk}/", by=researcher)
    page.route("**/import/*/?*", slow.take)
    prompt, response = (page.get_by_label(label, exact=True) for label in ("prompt", "response"))
    with page.expect_request("**/import/*/?*"):
        prompt.select_option("response")
    response.focus()
    response.select_option("note")
    slow.go_on()
    expect(page.get_by_text("This is only a preview.")).to_be_visible()
    expect(prompt).to_have_value("response")
    expect(response).to_have_value("note")
    expect(page.locator("#reading").get_by_role("cell", name="你呢")).to_be_visible()
    expect(response).to_be_focused()


def test_a_choice_made_after_the_session_has_ended_leads_to_the_sign_in_page(open_page, project, researcher):
    received = factories.received(project, ROWS, "pairs.csv")
    address = f"/projects/weibo/import/{received.pk}/"
    page = open_page(address, by=researcher)
    page.context.clear_cookies()
    page.get_by_label("prompt", exact=True).select_option("response")
    expect(page).to_have_url(re.compile(re.escape(f"/signin/?next={address}") + "$"))


def test_a_page_that_follows_a_job_leads_to_the_sign_in_page_once_the_session_has_ended(open_page, project, researcher):
    received = factories.received(project, ROWS, "pairs.csv")
    import_jobs.ask_for_check(received=received, by=researcher)
    address = f"/projects/weibo/import/{received.pk}/"
    page = open_page(address, by=researcher)
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.context.clear_cookies()
    page.wait_for_url(f"**/signin/?next={address}")


def test_a_page_that_follows_a_job_outlives_errors_and_ends_at_the_outcome(open_page, project, researcher, forgiven):
    forgiven.append("status of 503")
    received = factories.received(project, ROWS, "pairs.csv")
    job = import_jobs.ask_for_check(received=received, by=researcher)
    page = open_page(f"/projects/weibo/import/{received.pk}/", by=researcher)
    failures: list[Route] = []
    page.route(f"**/jobs/{job.pk}/", lambda route: (failures.append(route), route.fulfill(status=503)), times=2)
    expect(page.get_by_text("waiting for a worker")).to_be_visible()
    wait_until(page, lambda: bool(failures))
    tasks.do_here(job.pk)
    expect(page.get_by_text("Import 2 pairs")).to_be_visible()
    assert failures
