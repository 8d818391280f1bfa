"""Parts of every page in a real browser: keys, menu, switches, copying, and accounts by invitation."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.models import Role, User
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.study import study_cases
from tests.study.results_cases import answer_all, closed_study, question_set

PASSWORD = "correct horse battery"


def sign_in(page: Page, username: str, password: str = PASSWORD) -> None:
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")


@pytest.fixture
def person(researcher: User) -> User:
    researcher.set_password(PASSWORD)
    researcher.save()
    return researcher


def test_signing_in_by_keyboard_alone(person, open_page, assert_accessible):
    page = open_page("/account/")
    sign_in(page, "rui", "wrong")
    expect(page.get_by_text("4 attempts left.")).to_be_visible()
    assert_accessible(page)
    sign_in(page, "rui")
    expect(page).to_have_url(re.compile("/account/$"))


def test_the_list_of_keys_opens_and_closes_and_g_h_goes_home(project, researcher, open_page, assert_accessible):
    page = open_page("/people/", by=researcher)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys.get_by_text("search")).to_be_visible()  # this page has one
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type("gh?")  # in a field they are letters
    expect(page.get_by_label("Find by name")).to_have_value("gh?")
    page.get_by_label("Find by name").blur()
    page.keyboard.press("g")
    page.keyboard.press("h")
    expect(page.get_by_role("heading", name="Projects", exact=True)).to_be_visible()


def test_g_b_goes_to_the_board_of_the_project(project, researcher, open_page):
    page = open_page("/people/", by=researcher)
    expect(page.locator("[data-key-board]")).to_have_attribute("hidden", "")
    page.goto(f"/projects/{project.slug}/settings/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys").locator("[data-key-board]")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("b")
    expect(page).to_have_url(re.compile(f"/projects/{project.slug}/$"))


def test_the_skip_link_is_the_first_stop_and_leads_to_the_content(researcher, open_page):
    page = open_page("/account/", by=researcher)
    page.keyboard.press("Tab")
    link = page.locator(":focus")
    expect(link).to_have_text("Skip to the content")
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))


def test_on_a_phone_the_menu_holds_the_main_navigation(project, researcher, open_page, assert_accessible):
    page = open_page("/projects/weibo/settings/", by=researcher, **PHONE)
    people = page.get_by_label("Main").get_by_role("link", name="People")
    expect(people).to_be_hidden()
    menu = page.locator("summary", has=page.locator(".icon")).first
    menu.focus()
    page.keyboard.press("Enter")
    expect(people).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(people).to_be_hidden()
    expect(menu).to_be_focused()
    menu.tap()
    people.tap()
    expect(page).to_have_url(re.compile("/people/$"))


def test_the_theme_switch_goes_to_the_other_theme_and_stays_there(researcher, open_page):
    page = open_page("/account/", by=researcher, color_scheme="dark")
    page.get_by_role("button", name="Light or dark").first.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_the_language_switch_stays_on_the_page(researcher, open_page):
    page = open_page("/projects/new/", by=researcher)
    page.get_by_role("button", name="中文").click()
    expect(page).to_have_url(re.compile("/projects/new/$"))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")


def test_the_short_name_shows_what_the_title_would_give(researcher, open_page):
    page = open_page("/projects/new/", by=researcher)
    title, short_name = page.get_by_label("Title"), page.get_by_label("Short name")
    for typed, shown in (
        ("Forum pairs, wave 2", "forum-pairs-wave-2"),
        ("Café à Paris", "cafe-a-paris"),
        ("论坛 chat", ""),
    ):
        title.fill(typed)
        expect(short_name).to_have_attribute("placeholder", shown)


def test_from_an_invitation_to_the_first_page(project, researcher, open_page, assert_accessible):
    host = open_page("/projects/weibo/people/", by=researcher, permissions=["clipboard-read", "clipboard-write"])
    host.get_by_role("link", name="Invite by link").click()
    host.get_by_label("For whom").fill("Lin")
    host.get_by_role("button", name="Create link").click()
    expect(host.get_by_role("heading", name="Invite by link")).to_be_visible()
    host.get_by_role("button", name="Copy").click()
    expect(host.get_by_role("button", name="Copied")).to_be_visible()
    assert_accessible(host)
    guest = open_page(host.evaluate("navigator.clipboard.readText()"), **PHONE)
    assert_accessible(guest)
    guest.get_by_label("Your name").fill("林悦")
    guest.get_by_label("User name").fill("linyue")
    guest.get_by_label("New password").fill(PASSWORD)
    guest.get_by_label("Repeat the password").fill(PASSWORD)
    guest.get_by_role("button", name="Create account").tap()
    expect(guest.get_by_role("heading", name="Nothing is waiting for you")).to_be_visible()
    assert project.memberships.get(person__username="linyue").role == Role.ANNOTATOR


@pytest.mark.parametrize(
    ("answer", "words", "is_selected"),
    [("Promise.resolve()", "Copied", False), ("Promise.reject(new Error())", "Select and copy it by hand", True)],
)
def test_what_became_of_copying_is_said_and_a_text_that_was_not_copied_is_selected(
    open_page, researcher, answer, words, is_selected
):
    study_cases.study("lines", by=researcher)
    page = open_page("/studies/lines/groups/", by=researcher)
    page.evaluate(f"() => {{ navigator.clipboard.writeText = () => {answer} }}")
    page.get_by_role("button", name="Copy the link of crowd", exact=True).click()
    expect(page.get_by_role("button", name=words, exact=True)).to_be_visible()
    expect(page.get_by_role("status").get_by_text(words, exact=True)).to_have_count(1)
    link = page.locator(".secret code").first.text_content()
    assert page.evaluate("String(getSelection())") == (link if is_selected else "")


def test_the_time_zone_of_the_browser_is_told(researcher, open_page):
    page = open_page("/account/", by=researcher, timezone_id="Asia/Shanghai")
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    assert cookies["timezone"] == "Asia/Shanghai"


def test_what_an_administrator_does_about_an_account(administrator, annotator, open_page, assert_accessible):
    page = open_page(f"/people/{annotator.pk}/", by=administrator)
    assert_accessible(page)
    page.get_by_role("button", name="Create a new password").click()
    expect(page.get_by_text("It is shown this once")).to_be_visible()
    assert_accessible(page)


def test_a_very_long_file_name_leaves_room_for_the_page_on_a_phone(open_page, project, researcher):
    name = "weibo-" + "a" * 240 + ".tsv"
    received = factories.received(project, "吃了吗?\t吃了,你呢?\n", name)
    page = open_page(f"/projects/weibo/import/{received.pk}/", by=researcher, **PHONE)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_attribute("title", name)
    lines = heading.evaluate("h1 => h1.offsetHeight / parseFloat(getComputedStyle(h1).lineHeight)")
    assert lines <= 3.01


def test_paper_is_light_where_a_person_chose_dark(researcher, open_page):
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1111", "11-1", "1-11"])
    page = open_page(f"/studies/{study.slug}/results/", by=researcher, color_scheme="light")
    page.get_by_role("button", name="Light or dark").first.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    figure = page.locator("picture img").first
    wait_until(page, lambda: "theme=dark" in figure.evaluate("image => image.currentSrc"))
    page.emulate_media(media="print")
    wait_until(page, lambda: "theme=dark" not in figure.evaluate("image => image.currentSrc"))
    ink = page.locator("body").evaluate("body => getComputedStyle(body).color")
    paper = page.locator("html").evaluate("html => getComputedStyle(html).backgroundColor")
    assert lightness(ink) < 0.2 < 0.8 < lightness(paper)


def lightness(colour: str) -> float:
    """Return the mean of the three parts of rgb(r, g, b), from 0 to 1."""
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / (3 * 255)
