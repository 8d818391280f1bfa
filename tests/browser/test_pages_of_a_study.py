"""Pages of a closed study in a browser: questions with what was chosen, by keyboard, and participants to pay."""

import re

import pytest
from django.db.models import F
from playwright.sync_api import expect

from study.actions.survey import exclusions, participants, studies
from study.domain.survey.platforms import Visitor
from study.models import Answer, Behaviour, PayRecord, Presentation, Submission
from tests.browser.conftest import PHONE
from tests.study import study_cases
from tests.study.results_cases import run_of


def closed_study(by):
    """Close a study in which six people chose line 1 at every question."""
    study = study_cases.study("lines", by=by, settings={"forms": 1, "per_form": 4}, questions=4)
    for number in range(6):
        person, _secret = participants.join(group=study.groups.get(), visitor=Visitor("prolific", f"p{number}", {}))
        participants.describe(participant=person, demographics={"age": "31-40"})
        participants.practise(participant=person, first=0, second=1)
        participants.start(participant=person)
        for shown in study_cases.counting(person):
            study_cases.answer(shown, 1, 2, milliseconds=9_000)
        check = study_cases.check_of(person)
        study_cases.answer(check, check.question.answer)
        participants.finish(participant=person)
        Submission.objects.create(identity=person.identity, status="AWAITING REVIEW")
    run_of(study.question_sets.get(), "1010", by=by)
    return studies.close(study=study, why="Written for tests.", by=by)


def test_questions_are_read_by_keyboard_and_decided(open_page, researcher, assert_accessible):
    closed_study(researcher)
    page = open_page("/studies/lines/questions/", by=researcher)
    assert_accessible(page)
    page.get_by_role("link", name="q0", exact=True).click()
    expect(page.get_by_text("Most people chose the same other line: perhaps it is right, too.")).to_be_visible()
    assert_accessible(page)
    first = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(first)
    page.wait_for_load_state()  # keys work once all of the page is there
    page.keyboard.press("k")
    expect(page).to_have_url(first)
    page.locator(".chip", has_text=re.compile("^Perhaps valid$")).click()
    page.get_by_label("Reason").fill("Both lines answer the question.")
    page.get_by_role("button", name="Record the decision").click()
    expect(page.get_by_text("The decision is recorded. Nothing is rescored.")).to_be_visible()


def test_participants_are_excluded_and_their_pay_is_recorded(open_page, researcher, assert_accessible):
    study = closed_study(researcher)
    page = open_page("/studies/lines/participants/", by=researcher)
    assert_accessible(page)
    page.get_by_label(re.compile("^Choose [0-9a-f]{8}$")).first.check()
    page.get_by_label("Reason, for the report").fill("Took part twice.")
    page.get_by_role("button", name="Exclude the chosen participants").click()
    expect(page.get_by_text("1 person is excluded.")).to_be_visible()
    study.reconciliations.create(platform="prolific", rows=6, without_record=0, withdrew=0)
    page.reload()
    assert_accessible(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Record 6 decisions and download CSV").click()
    assert download.value.suggested_filename == "lines-decisions.csv"


def test_the_list_of_participants_is_seen_whole_on_a_small_desktop(open_page, researcher):
    study = closed_study(researcher)
    for person in study.participants.all():
        Behaviour.objects.update_or_create(participant=person, defaults={"webdriver": 1, "trap": 1})
    page = open_page("/studies/lines/participants/", by=researcher, viewport={"width": 1280, "height": 800})
    expect(page.get_by_text("signs of automation").first).to_be_visible()
    table = page.get_by_role("region", name="Participants, table")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    page.get_by_label("Choose all on this page").check()
    assert page.locator("#acts").evaluate("acts => getComputedStyle(acts).position") == "static"


def test_all_participants_on_a_page_are_approved_by_keyboard_and_it_is_taken_back(open_page, researcher):
    study = closed_study(researcher)
    page = open_page("/studies/lines/participants/", by=researcher)
    everyone = page.get_by_label("Choose all on this page")
    everyone.focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("6 chosen")).to_be_visible()
    page.get_by_label(re.compile("^Choose [0-9a-f]{8}$")).nth(2).uncheck()
    assert everyone.evaluate("box => box.indeterminate && !box.checked")
    expect(page.get_by_text("5 chosen")).to_be_visible()
    page.get_by_role("button", name="Approve the chosen participants").press("Enter")
    expect(page.get_by_text("5 participants are approved.")).to_be_visible()
    assert PayRecord.objects.filter(participant__study=study, decision="approve").count() == 5
    page.get_by_label("Choose all on this page").press("Space")
    page.get_by_role("button", name="Take back what is recorded").press("Enter")
    expect(page.get_by_text("5 decisions are taken back.")).to_be_visible()


def test_results_are_read_under_every_rule_and_by_label(open_page, researcher, assert_accessible):
    """Six people answer whole questions and changed ones, say different things, and one is excluded by hand."""
    study = closed_study(researcher)
    questions = study.question_sets.get().questions
    changed = [question.pk for question in questions.filter(position__gte=2)]
    questions.filter(pk__in=changed).update(condition="all", whole_id=F("external_id"), context=[])
    Presentation.objects.filter(question__in=changed).update(condition="all")
    people = list(study.participants.order_by("pk"))
    study.participants.filter(pk__in=[person.pk for person in people[:3]]).update(demographics={"age": "21-30"})
    Answer.objects.filter(presentation__participant=people[0], first=1).update(better=0)
    exclusions.exclude(study=study, people=people[:1], why="A colleague.", by=researcher)
    page = open_page("/studies/lines/results/", by=researcher)
    for heading in ("Under every exclusion rule", "What the context is worth", "What people say about themselves: Age"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    drawing = page.get_by_role("img", name=re.compile("^R@1 of people and models in each condition"))
    assert drawing.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    assert_accessible(page)
    page.get_by_role("switch", name=re.compile("^excluded by hand")).uncheck()
    page.get_by_role("button", name="Recalculate").click()
    expect(page).to_have_url(re.compile("chosen=1"))
    expect(page.get_by_role("switch", name=re.compile("^excluded by hand"))).not_to_be_checked()
    expect(page.get_by_role("heading", name="Under every exclusion rule")).to_be_visible()


def test_times_are_read_with_their_figure(open_page, researcher, assert_accessible):
    closed_study(researcher)
    page = open_page("/studies/lines/times/", by=researcher)
    expect(page.get_by_text("Half of the questions took less than 9.0 s.")).to_be_visible()
    drawing = page.get_by_role("img", name=re.compile("^Times at a question"))
    expect(drawing).to_be_visible()
    assert drawing.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    assert_accessible(page)


def test_numbers_are_tried_out_in_the_planner_by_keyboard(open_page, researcher, assert_accessible):
    study_cases.study("lines", by=researcher, is_open=False, groups={"crowd": 40})
    page = open_page("/studies/lines/", by=researcher)
    people, width = page.get_by_role("spinbutton", name="Number of people"), page.locator(".planner-width")
    expect(people).to_have_value("40")
    before = width.text_content()
    people.fill("400")
    people.press("Enter")
    expect(width).not_to_have_text(before or "")
    expect(people).to_have_value("400")
    expect(page.get_by_role("img", name=re.compile("^Half-width by number of people"))).to_be_visible()
    assert_accessible(page)
    people.fill("0")
    people.press("Enter")
    expect(people).to_have_attribute("aria-invalid", "true")


def test_on_a_phone_the_later_tables_are_closed_and_a_wide_table_shows_that_it_scrolls(open_page, researcher):
    closed_study(researcher)
    page = open_page("/studies/lines/results/", by=researcher, **PHONE)
    tables = page.get_by_role("heading", name="All intervals")
    expect(tables).to_be_visible()
    expect(page.get_by_role("region", name="All intervals, table")).to_be_hidden()
    tables.click()
    wide = page.get_by_role("region", name="All intervals, table")
    expect(wide).to_be_visible()
    assert wide.evaluate("table => table.scrollWidth > table.clientWidth")
    assert "gradient" in wide.evaluate("table => getComputedStyle(table).backgroundImage")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    desk = open_page("/studies/lines/results/", by=researcher)
    expect(desk.get_by_role("region", name="All intervals, table")).to_be_visible()


@pytest.mark.parametrize("address", ["results/", "participants/", "plan"])
def test_a_page_is_at_most_three_screens_long_on_a_phone_and_its_sections_open(open_page, researcher, address):
    study = closed_study(researcher)
    study.reconciliations.create(platform="prolific", rows=6, without_record=0, withdrew=0)
    path = f"/plans/{study.plan_checksum}/" if address == "plan" else f"/studies/lines/{address}"
    page = open_page(path, by=researcher, **PHONE)
    folds = page.locator("main details.phone-fold")
    expect(folds.first).not_to_have_attribute("open", "")
    assert page.evaluate("document.documentElement.scrollHeight") <= 3 * PHONE["viewport"]["height"]
    folds.first.locator("summary").first.click()
    expect(folds.first).to_have_attribute("open", "")


def test_a_folded_section_stays_open_on_a_phone_while_something_in_it_is_to_be_put_right(
    open_page, researcher, forgiven
):
    forgiven.append("422 (Unprocessable Entity)")
    closed_study(researcher)
    page = open_page("/studies/lines/participants/", by=researcher, **PHONE)
    page.get_by_text("Reconcile with the platform").click()
    page.get_by_role("button", name="Read the list").click()
    expect(page.get_by_text("Choose a file first.")).to_be_visible()
