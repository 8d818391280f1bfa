"""The pages that draw and audit questions: their keys, and what is typed stays."""

from playwright.sync_api import expect

from core.models import Job
from study.actions.questions import audits, questions
from tests.corpora import dialogue, stored
from tests.factories import no_progress


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


def test_arrows_go_from_row_to_row_of_an_audit_and_n_shows_two_others(
    transactional_db, open_page, researcher, assert_accessible
):
    stored("talk", [dialogue(number) for number in range(60)], by=researcher)
    made = questions.build(name="evening", sources=["talk"], count=50, report=no_progress, by=researcher)
    audits.report_of(made, by=researcher)
    page = open_page("/questions/evening/audit/", by=researcher)
    assert_accessible(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = page.locator(".row-open").nth(1)
    expect(second).to_be_focused()
    page.keyboard.press("Enter")
    expect(second).to_have_attribute("aria-expanded", "true")
    first = page.locator("#examples .exchange-name").all_inner_texts()
    page.keyboard.press("n")
    expect(page.locator("#examples .exchange-name").first).not_to_have_text(first[0], use_inner_text=True)
    assert_accessible(page)
