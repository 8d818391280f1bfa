"""How a file is read, chosen in a real browser on a slow connection."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Route, expect

from tests import factories

ROWS = "prompt,response,note\n吃了吗?,吃了,你呢\n下雨了,带伞,没带\n"


class Slow:
    """The first look at the file that a page asks for waits until the test lets it go on."""

    def __init__(self) -> None:
        self.held: Route | None = None

    def take(self, route: Route) -> None:
        if self.held:
            route.continue_()
        else:
            self.held = route

    def go_on(self) -> None:
        assert self.held
        with suppress(Error):  # nobody waits for it any more
            self.held.continue_()


@pytest.fixture
def forgiven() -> list[str]:
    return ["htmx:afterRequest", "htmx:sendAbort"]  # of the look that nobody waits for any more


def test_a_choice_made_while_the_look_at_another_is_under_way_is_kept(open_page, project, researcher):
    slow, received = Slow(), factories.received(project, ROWS, "pairs.csv")
    page = open_page(f"/projects/weibo/import/{received.pk}/", by=researcher)
    page.route("**/import/*/?*", slow.take)
    prompt, response = (page.get_by_label(label, exact=True) for label in ("prompt", "response"))
    with page.expect_request("**/import/*/?*"):
        prompt.select_option("response")
    response.select_option("note")
    slow.go_on()
    expect(page.get_by_text("Only shown so far.")).to_be_visible()
    expect(prompt).to_have_value("response")
    expect(response).to_have_value("note")
    expect(page.locator("#reading").get_by_text("你呢")).to_be_visible()
