"""Navigation on every page."""

import pytest
from django.test import Client
from django.urls import reverse

from core.models import Role
from tests import factories
from tests.pages import on_one_line


@pytest.mark.parametrize(
    ("role", "entries"),
    [
        (Role.ANNOTATOR, ["Home"]),
        (Role.INSPECTOR, ["Home"]),
        (Role.EXPERT, ["Home"]),
        (Role.RESEARCHER, ["Home", "Corpora", "Questions", "Studies", "Runs", "People", "API"]),
        (Role.ADMINISTRATOR, ["Home", "Corpora", "Questions", "Studies", "Runs", "People", "API"]),
    ],
)
def test_the_main_navigation_holds_what_a_role_may_open(db, role, entries):
    client = Client()
    client.force_login(factories.person("somebody", role))
    assert [entry.label for entry in client.get("/account/").context["main_nav"]] == entries


def test_the_menu_of_narrow_screens_holds_all_of_it_and_the_way_out(researcher):
    client = Client()
    client.force_login(researcher)
    page = client.get("/account/").content.decode()
    menu = page[page.index('class="menu narrow-only"') : page.index("</details>")]
    for name in ("home", "people", "api_reference", "account", "theme", "signout"):
        assert f'"{reverse(name)}"' in menu


def test_the_current_entry_is_marked_once_in_each_navigation(researcher):
    client = Client()
    client.force_login(researcher)
    page = on_one_line(client.get(reverse("people")).content)
    assert page.count(f'href="{reverse("people")}" aria-current="page"') == 2


@pytest.mark.parametrize(
    ("own", "cookie", "shown"), [("", "", ""), ("dark", "light", "dark"), ("", "dark", "dark"), ("", "x", "")]
)
def test_the_theme_is_the_persons_own_else_the_cookies_else_the_systems(annotator, own, cookie, shown):
    annotator.theme = own
    annotator.save()
    client = Client()
    client.force_login(annotator)
    client.cookies["theme"] = cookie
    page = client.get("/account/").content.decode()
    assert (f'data-theme="{shown}"' in page) if shown else ("data-theme=" not in page)


def test_no_page_holds_a_style_or_an_inline_script(researcher):
    client = Client()
    client.force_login(researcher)
    for name in ("home", "account", "people", "new_project"):
        page = client.get(reverse(name)).content.decode()
        assert " style=" not in page
        assert "<script>" not in page
        assert " onclick=" not in page
