"""Every page of the product: nothing for axe, the console or the policy to say, in light and dark.

axe looks at the English pages. What another language can change is looked at in Chinese: the width of the page, the
language it declares, and what the console says of it.
"""

import re

import pytest
from playwright.sync_api import Page

from core.models import Role, User
from tests.addresses import DOWNLOADS, GET, OWN_PAGES, PAGES
from tests.browser.conftest import DESKTOP
from tests.samples import SampleData

PARTS = {"study_fieldwork"}  # of a page, which asks for them by itself
WHO = {Role.ANNOTATOR: "linyue", Role.INSPECTOR: "amara", Role.RESEARCHER: "ines", Role.ADMINISTRATOR: "admin"}
LANGUAGES = {"en": "en", "zh-hans": "zh-Hans"}  # and what a page in it declares
IN_THE_STUDYS_LANGUAGE = re.compile("/studies/.*/preview/")
NO_SIDEWAYS_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def pages_of(role: Role) -> list[str]:
    """The pages a role opens; an administrator's are a researcher's."""
    table = {**PAGES, **OWN_PAGES}
    opened = {name for name, (method, roles) in table.items() if method == GET and role in (roles or ())}
    return sorted(opened - DOWNLOADS - PARTS)


@pytest.fixture
def committed_sample(transactional_db) -> SampleData:
    """Load the sample where the server finds it."""
    return SampleData.load()


def look_at(page: Page, language: str, assert_accessible) -> None:
    if not IN_THE_STUDYS_LANGUAGE.search(page.url):
        assert page.locator("html").get_attribute("lang") == LANGUAGES[language], page.url
    if language == "en":
        assert_accessible(page)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(NO_SIDEWAYS_SCROLL), f"{page.url} scrolls sideways at {width} pixels, {language}"
    page.set_viewport_size(DESKTOP)


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.INSPECTOR, Role.RESEARCHER])
def test_every_page_of_a_role_is_accessible_and_quiet(role, committed_sample, open_page, assert_accessible):
    person = User.objects.get(username=WHO[role])
    page = open_page("/", by=person)
    for language in LANGUAGES:
        person.language = language
        person.save()
        for address in (address for name in pages_of(role) for address in committed_sample.addresses(name)):
            page.goto(address)
            look_at(page, language, assert_accessible)


def test_pages_without_sign_in_are_accessible_and_quiet(committed_sample, open_page, assert_accessible, forgiven):
    forgiven.append("404")
    for language, locale in (("en", "en-GB"), ("zh-hans", "zh-CN")):
        page = open_page("/nowhere/", locale=locale)
        for path in ("/nowhere/", committed_sample.address("signin"), committed_sample.address("invitation")):
            page.goto(path)
            look_at(page, language, assert_accessible)


def test_a_new_house_has_a_page_that_says_how_to_begin(researcher, open_page, assert_accessible):
    page = open_page("/", by=researcher)
    look_at(page, "en", assert_accessible)
    assert page.get_by_role("button").or_(page.get_by_role("link")).count() > 3
