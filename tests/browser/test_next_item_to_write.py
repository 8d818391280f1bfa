"""The next item to write, asked for ahead: there at once, with all that a loaded page has, and nothing is lost."""

import json
import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import Flaw
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Flag, Rewrite, Slot, Step
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.browser.rewriting import WRITE, author, dream, judge, write, write_all
from tests.dialogues import CANDIDATES, CUT, RETURN, items, judge_next, write_next

__all__ = ["author", "dream", "judge"]
SUBMITTED = "Submitted: an inspector judges it next."


@pytest.fixture
def many(dream):
    return items(dream, 5)


@pytest.fixture
def page(open_page, many, author):
    """The author's page, with the next item in it."""
    return opened(open_page, author)


def opened(open_page, author, **device) -> Page:
    page = open_page("/", by=author, **device)
    with page.expect_response("**/write/?after=*"):
        page.goto(WRITE)
    page.wait_for_load_state("networkidle")
    return page


def submit(page: Page) -> None:
    page.keyboard.press("Control+Enter")


def shown(page: Page, number: int) -> None:
    expect(page.locator(".turns")).to_contain_text(f"Number {number}.")


def hold(page: Page) -> list[Route]:
    """Keep submissions from the server until the test lets them go."""
    held: list[Route] = []
    page.route("**/submit/", lambda route: held.append(route))
    return held


def handed_in() -> list[int]:
    """Return the positions of the submitted items, in the order of their submission."""
    done = Assignment.objects.filter(slot__queue__step=Step.WRITE, state=AssignmentState.SUBMITTED)
    return list(done.order_by("ended_at").values_list("slot__item__position", flat=True))


def of_item(position: int) -> Rewrite:
    return Rewrite.objects.filter(assignment__slot__item__position=position).latest("pk")


def kept(page: Page) -> list[str]:
    return page.evaluate("Object.keys(localStorage)")


# ---- going on -------------------------------------------------------------------------------------------------------


def test_the_next_item_is_there_before_the_submission_is_stored_and_is_written_by_keyboard(page):
    held = hold(page)
    write_all(page)
    submit(page)
    shown(page, 2)
    expect(page.locator("#candidate-0")).to_be_focused()
    expect(page.locator("#candidate-0")).to_have_value("")
    expect(page.locator("[data-next-item]")).to_contain_text("The next item is here: ")
    assert handed_in() == []
    page.keyboard.type(CANDIDATES[0])
    with page.expect_response("**/write/?after=*"):
        held.pop().continue_()
    expect(page.get_by_text(SUBMITTED)).to_be_visible()
    page.unroute("**/submit/")
    for text in CANDIDATES[1:]:
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Alt+ArrowUp")
    submit(page)
    shown(page, 3)
    wait_until(page, lambda: handed_in() == [1, 2])
    assert (of_item(1).candidates, of_item(2).candidates, of_item(2).cut) == (CANDIDATES, CANDIDATES, CUT)
    wait_until(page, lambda: kept(page) == [])


def test_what_is_submitted_without_a_connection_arrives_in_its_order(page, forgiven):
    forgiven.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    write_all(page)
    submit(page)
    shown(page, 2)
    write_all(page)
    submit(page)
    expect(page.get_by_text("What you submitted is kept on this device")).to_be_visible()
    expect(page.locator("#work")).to_have_attribute("inert", "")
    assert handed_in() == []
    page.context.set_offline(False)
    shown(page, 3)
    assert handed_in() == [1, 2]
    assert (of_item(1).candidates, of_item(2).candidates) == (CANDIDATES, CANDIDATES)
    wait_until(page, lambda: kept(page) == [])


def test_a_submission_that_could_not_be_sent_survives_the_end_of_its_page_and_is_told_on_the_home_page(page, forgiven):
    forgiven.append("ERR_FAILED")
    page.context.route("**/submit/", lambda route: route.abort())
    page.context.route("**/save/", lambda route: route.abort())
    write_all(page)
    submit(page)
    shown(page, 2)
    fresh = page.context.new_page()
    page.close()
    fresh.goto("/")
    expect(fresh.get_by_text("One answer of yours is kept on this device and not sent yet.")).to_be_visible()
    fresh.goto(WRITE)
    expect(fresh.locator("#work")).to_have_attribute("inert", "")
    expect(fresh.locator("#candidate-3")).to_have_value(CANDIDATES[3])
    assert handed_in() == []
    fresh.context.unroute("**/submit/")
    fresh.context.unroute("**/save/")
    shown(fresh, 2)
    assert (handed_in(), of_item(1).candidates) == ([1], CANDIDATES)
    assert kept(fresh) == []


def test_the_last_item_waits_for_its_submission_and_then_says_that_nothing_is_left(open_page, dream, author):
    items(dream, 1)
    page = open_page(WRITE, by=author)
    held = hold(page)
    write_all(page)
    submit(page)
    expect(page.get_by_text("Your text is being submitted.")).to_be_visible()
    page.wait_for_timeout(200)
    held.pop().continue_()
    expect(page.get_by_text("Nothing is left to write")).to_be_visible()
    expect(page.get_by_text(SUBMITTED)).to_be_visible()


def test_who_is_signed_out_is_led_to_the_sign_in_when_no_next_item_is_there(open_page, dream, author):
    items(dream, 1)
    page = open_page(WRITE, by=author)
    page.context.clear_cookies(name="sessionid")
    write_all(page)
    submit(page)
    expect(page.get_by_role("link", name="Sign in to send it")).to_be_visible()
    expect(page.locator("[data-notice=signed-out]")).to_be_focused()
    expect(page.locator("[data-notice=kept]")).to_be_visible()
    expect(page.locator("[data-notice=sending]")).to_be_hidden()


# ---- refusals -------------------------------------------------------------------------------------------------------


def refuse_texts(monkeypatch) -> None:
    flaw = Flaw("2", "odd", "This is odd.")
    monkeypatch.setattr(rewrites, "flaws", lambda turns, cut, candidates: [flaw] if "odd" in candidates[2] else [])


def test_a_text_that_the_server_refuses_comes_back_with_what_is_wrong_in_it(page, forgiven, monkeypatch):
    forgiven.append("409")
    refuse_texts(monkeypatch)
    write_all(page)
    write(page, 2, "An odd text.")
    submit(page)
    expect(page.locator(".flaws a")).to_have_text(["C: This is odd."])
    shown(page, 1)
    expect(page.locator("#candidate-2")).to_be_focused()
    expect(page.locator("#candidate-2")).to_have_value("An odd text.")
    write(page, 2, CANDIDATES[2])
    page.wait_for_load_state("networkidle")
    submit(page)
    shown(page, 2)
    wait_until(page, lambda: handed_in() == [1])


def test_who_writes_the_next_text_by_then_goes_back_when_it_suits(page, forgiven, monkeypatch):
    forgiven.append("409")
    refuse_texts(monkeypatch)
    held = hold(page)
    write_all(page)
    write(page, 2, "An odd text.")
    submit(page)
    shown(page, 2)
    write(page, 0, "Begun.")
    held.pop().continue_()
    back = page.get_by_role("button", name="Back to this item")
    expect(back).to_be_visible()
    shown(page, 2)
    page.unroute("**/submit/")
    back.click()
    expect(page.locator(".flaws a")).to_have_text(["C: This is odd."])
    expect(page.locator("#candidate-2")).to_have_value("An odd text.")
    wait_until(page, lambda: of_item(2).candidates[0] == "Begun.")


def test_a_text_that_another_device_has_changed_comes_back_and_waits_for_a_decision(page, author, forgiven):
    forgiven.append("409")
    write_all(page)
    expect(page.locator("#saved")).to_have_text(re.compile("Draft saved at"))
    now = of_item(1)
    rewrites.save(rewrite=now, cut=CUT, candidates=["From elsewhere."] * 4, revision=now.revision, by=author)
    write(page, 0, "From here.")
    submit(page)
    expect(page.locator("[data-notice=stale]")).to_be_visible()
    expect(page.locator("#candidate-0")).to_have_value("From here.")
    assert (handed_in(), of_item(1).candidates[0]) == ([], "From elsewhere.")
    page.get_by_role("button", name="Take over here").click()
    wait_until(page, lambda: of_item(1).candidates[0] == "From here.")


def test_a_save_on_its_way_is_no_conflict(page, forgiven):
    forgiven.append("409")
    saves: list[Route] = []
    page.route("**/save/", lambda route: saves.append(route))
    held = hold(page)
    write_all(page)
    wait_until(page, lambda: bool(saves))
    write(page, 0, "Better so, or twelve people will have nowhere to sit.")
    submit(page)
    shown(page, 2)
    saves.pop().continue_()
    wait_until(page, lambda: of_item(1).candidates == CANDIDATES)
    page.unroute("**/submit/")
    held.pop().continue_()
    wait_until(page, lambda: handed_in() == [1])
    assert of_item(1).candidates[0].startswith("Better so")
    shown(page, 2)


def test_a_text_whose_item_has_gone_to_someone_else_is_shown_and_stored(page, forgiven):
    forgiven.append("409")
    write_all(page)
    mine = of_item(1).assignment
    Assignment.objects.filter(pk=mine.pk).update(state=AssignmentState.EXPIRED)
    Slot.objects.filter(pk=mine.slot_id).update(free=0)
    submit(page)
    expect(page.get_by_text("this item went to someone else")).to_be_visible()
    shown(page, 2)
    page.get_by_text("What you wrote", exact=True).click()
    expect(page.get_by_text(CANDIDATES[3])).to_be_visible()
    assert of_item(1).candidates == CANDIDATES


def test_what_this_page_can_see_is_wrong_is_told_on_it(page, forgiven):
    forgiven.append("409")
    write_all(page)
    write(page, 2, CANDIDATES[1].upper() + " !")
    submit(page)
    expect(page.locator(".flaws a")).to_have_text(["C: The same as B, except for case, spaces or punctuation."])
    shown(page, 1)


# ---- what the next item has -----------------------------------------------------------------------------------------


def test_the_draft_of_the_next_item_is_in_it(open_page, many, dream, author):
    first, second = assignments.claim(project=dream, step=Step.WRITE, count=2, by=author)
    draft = rewrites.open_assignment(assignment=second, by=author)
    rewrites.save(rewrite=draft, cut=2, candidates=["Half", "a", "draft", ""], revision=0, by=author)
    page = opened(open_page, author)
    shown(page, 1)
    write_all(page)
    submit(page)
    shown(page, 2)
    expect(page.locator("#candidate-0")).to_have_value("Half")
    expect(page.locator("[aria-pressed=true]")).to_contain_text("cut: 2 turns of context")
    expect(page.locator("#saved")).to_contain_text("Your draft of")
    expect(page.locator("#candidate-3")).to_be_focused()
    write(page, 3, "and more")
    wait_until(page, lambda: of_item(2).candidates == ["Half", "a", "draft", "and more"])
    assert (of_item(2).assignment, first.slot.item.position) == (second, 1)


def test_an_item_that_was_sent_back_comes_next_with_its_comments(open_page, many, dream, author, judge, forgiven):
    for _item in range(2):
        write_next(dream, author)
    for _item in range(2):
        judge_next(dream, judge, RETURN)
    page = opened(open_page, author)
    write(page, 2, "Mended, it fits nowhere at all.")
    submit(page)
    shown(page, 2)
    expect(page.locator("[data-editor='2'] .sent-back")).to_contain_text("This fits as well.")
    expect(page.locator("[data-heading]")).to_be_focused()
    forgiven.append("409")
    submit(page)
    expect(page.get_by_text("nothing has changed since it was sent back")).to_be_visible()


def test_flags_skips_and_versions_of_the_next_item_are_its_own(page):
    write_all(page)
    submit(page)
    shown(page, 2)
    page.keyboard.press("Control+Shift+F")
    page.keyboard.type("Who speaks?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your flag has arrived.").first).to_be_visible()
    assert Flag.objects.get().assignment == of_item(2).assignment
    write(page, 0, CANDIDATES[0])
    wait_until(page, lambda: of_item(2).candidates[0] == CANDIDATES[0])
    write(page, 0, "Quite another text.")
    page.locator("#versions summary").click()
    expect(page.locator(".version-list ins")).to_contain_text("Opening the courtyard would help")
    page.locator("#candidate-0").focus()
    page.keyboard.press("Control+Shift+X")
    page.keyboard.press("1")
    page.locator("#ask-skip").get_by_role("button", name="Skip").click()
    shown(page, 3)
    page.wait_for_load_state("networkidle")
    page.keyboard.press("z")
    shown(page, 2)
    expect(page.locator("#candidate-0")).to_have_value("Quite another text.")


def test_a_flag_that_an_older_page_kept_is_sent(page, author):
    flag = {"url": f"{WRITE}{of_item(1).assignment.pk}/flag/", "body": {"comment": "Who?", "key": str(uuid4())}}
    flag |= {"at": 0, "about": {"pair": {"assignment": of_item(1).assignment.pk}}}
    page.evaluate("([id, flag]) => localStorage.setItem(id, flag)", [f"flag/{author.pk}/dream/1", json.dumps(flag)])
    page.reload()
    expect(page.get_by_text("Your flag has arrived.").first).to_be_visible()
    assert Flag.objects.get().comment == "Who?"


def test_a_skip_is_undone_from_an_item_that_came_without_loading(open_page, many, author):
    page = open_page(WRITE, by=author)
    page.keyboard.press("Control+Shift+X")
    with page.expect_response("**/write/?after=*"):
        page.keyboard.press("1")
    shown(page, 2)
    page.wait_for_load_state("networkidle")
    write_all(page)
    submit(page)
    shown(page, 3)
    wait_until(page, lambda: handed_in() == [2])
    page.get_by_role("button", name="Undo the skip").click()
    shown(page, 1)
    assert of_item(1).assignment.state == "held"


def test_an_older_tab_takes_over_what_came_without_loading(page):
    write_all(page)
    submit(page)
    shown(page, 2)
    newer = page.context.new_page()
    newer.goto(WRITE)
    shown(newer, 2)
    expect(page.locator("[data-notice=elsewhere]")).to_be_visible()
    page.locator("[data-notice=elsewhere] button").click()
    shown(page, 2)
    expect(newer.locator("[data-notice=elsewhere]")).to_be_visible()


def test_on_a_phone_the_next_item_begins_at_its_top(open_page, many, author, assert_accessible):
    page = opened(open_page, author, **PHONE)
    write_all(page)
    page.locator("#submit").tap()
    shown(page, 2)
    expect(page.get_by_text(SUBMITTED)).to_be_visible()
    assert page.evaluate("[scrollY, document.documentElement.scrollWidth <= innerWidth]") == [0, True]
    assert_accessible(page)
