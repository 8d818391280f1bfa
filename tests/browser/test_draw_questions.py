"""The page that draws questions: keys choose and show another example, and what is typed stays."""

from playwright.sync_api import expect

from core.models import Job
from tests.corpora import dialogue, stored


def test_keys_choose_a_pick_show_another_example_and_draw(transactional_db, open_page, researcher, assert_accessible):
    stored("talk", [dialogue(number) for number in range(40)], by=researcher)
    page = open_page("/draw-questions/", by=researcher)
    name = page.locator("[name=name]")
    example = page.locator(".example-context")
    assert_accessible(page)
    name.fill("evening")
    name.blur()
    first = example.inner_text()
    page.keyboard.press("n")
    expect(example).not_to_have_text(first, use_inner_text=True)
    expect(name).to_have_value("evening")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.keyboard.press("3")
    expect(page.locator("#pick-length")).to_be_checked()
    page.locator("[name=count]").fill("12")
    page.locator("[name=count]").blur()
    expect(page.locator("[data-draw]")).to_have_text("Draw 12 questions")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions")
    job = Job.objects.get(kind="build_questions")
    assert {key: job.arguments[key] for key in ("name", "pick", "count")} == {
        "name": "evening",
        "pick": "length",
        "count": 12,
    }
