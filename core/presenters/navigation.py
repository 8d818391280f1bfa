"""Frame of every page: the main navigation, to which each app adds its links, and the theme."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.models import User
from core.permissions import may
from core.presenters.own_keys import own_keys_at

THEMES = ("light", "dark")


@dataclass(frozen=True)
class NavigationEntry:
    label: str
    href: str
    is_current: bool
    count: int | None = None
    key: str = ""  # pressed after g, it leads there


@dataclass(frozen=True)
class NavigationGroup:
    label: str
    entries: list[NavigationEntry]


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor of every template (see the TEMPLATES setting)."""
    person = getattr(request, "user", None)
    own = getattr(person, "theme", "") or request.COOKIES.get("theme", "")
    theme = own if own in THEMES else ""
    return {
        "theme": theme,
        "other_theme": "light" if theme == "dark" else "dark",
        "own_keys": own_keys_at(request),
        "main_nav": main_nav(request, person) if person is not None and person.is_authenticated else [],
    }


@dataclass(frozen=True)
class MainEntry:
    """A link of the main navigation: its position, its permission, and the names of its addresses.

    The link leads to the first address and is marked as current at all of them.
    """

    position: int
    label: str | Promise
    permission: str
    names: Sequence[str]


MAIN_ENTRIES: list[MainEntry] = [
    MainEntry(0, _("Home"), "home", ["home"]),
    MainEntry(50, _("People"), "people.invite", ["people", "invite", "person", "person_password"]),
    MainEntry(60, _("API"), "api.read", ["api_reference"]),
]


def register(*entries: MainEntry) -> None:
    """Add an app's links to the main navigation."""
    MAIN_ENTRIES.extend(entries)
    MAIN_ENTRIES.sort(key=attrgetter("position"))


def main_nav(request: HttpRequest, person: User) -> list[NavigationEntry]:
    return [
        NavigationEntry(str(each.label), reverse(each.names[0]), is_at(request, *each.names))
        for each in MAIN_ENTRIES
        if may(person, each.permission)
    ]


def is_at(request: HttpRequest, *names: str) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in names
