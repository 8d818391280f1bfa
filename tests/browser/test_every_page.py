"""Every page of the product, in both languages, light and dark: nothing for axe, the console or the policy to say."""

import pytest
from playwright.sync_api import Page

from core.models import Role, User
from tests.addresses import DOWNLOADS, GET, OWN_PAGES, PAGES
from tests.browser.conftest import DESKTOP
from tests.samples import SampleData

PARTS = {"study_fieldwork"}  # of a page, which asks for them by itself
WHO = {Role.ANNOTATOR: "linyue", Role.INSPECTOR: "amara", Role.RESEARCHER: "ines", Role.ADMINISTRATOR: "admin"}
NO_SIDEWAYS_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def pages_of(role: Role) -> list[str]:
    """The pages a role opens; an administrator's are a researcher's."""
    table = {**PAGES, **OWN_PAGES}
    opened = {name for name, (method, roles) in table.items() if method == GET and role in (roles or ())}
    return sorted(opened - DOWNLOADS - PARTS)


@pytest.fixture
def sample(transactional_db) -> SampleData:
    return SampleData.load()


def look_at(page: Page, assert_accessible) -> None:
    assert_accessible(page)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(NO_SIDEWAYS_SCROLL), f"{page.url} scrolls sideways at {width} pixels"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.INSPECTOR, Role.RESEARCHER])
def test_every_page_of_a_role_is_accessible_and_quiet(role, language, sample, open_page, assert_accessible):
    person = User.objects.get(username=WHO[role])
    person.language = language
    person.save()
    page = open_page("/", by=person)
    for address in (address for name in pages_of(role) for address in sample.addresses(name)):
        page.set_viewport_size(DESKTOP)
        page.goto(address)
        look_at(page, assert_accessible)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("name", ["signin", "invitation", "nowhere"])
def test_pages_without_sign_in_are_accessible_and_quiet(name, language, sample, open_page, assert_accessible, forgiven):
    forgiven.append("404")
    path = "/nowhere/" if name == "nowhere" else sample.address(name)
    page = open_page(path, locale={"en": "en-GB", "zh-hans": "zh-CN"}[language])
    assert page.locator("html").get_attribute("lang") == {"en": "en", "zh-hans": "zh-Hans"}[language]
    look_at(page, assert_accessible)


def test_a_new_house_has_a_page_that_says_how_to_begin(researcher, open_page, assert_accessible):
    page = open_page("/", by=researcher)
    look_at(page, assert_accessible)
    assert page.get_by_role("button").or_(page.get_by_role("link")).count() > 3
