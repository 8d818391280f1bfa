"""Single-key shortcuts that a person may put on other keys, and a valid choice of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class KeyedPage:
    """A kind of page whose shortcuts can be changed: the names of its addresses, and what each usual key does."""

    name: str
    title: object
    addresses: tuple[str, ...]
    keys: Mapping[str, object]


KEYED_PAGES: list[KeyedPage] = []  # what the apps registered, in the order of the account page


def register(page: KeyedPage) -> None:
    KEYED_PAGES.append(page)


def keyed_page(name: str) -> KeyedPage:
    """Return the kind of page with this name, the first one where there is none."""
    return next((page for page in KEYED_PAGES if page.name == name), KEYED_PAGES[0])


def clashes(usual: Iterable[str], own: Mapping[str, str]) -> dict[str, str]:
    """Return, by the usual key of each changed shortcut, the other shortcut of the page that has the same key."""
    in_use = {key: own.get(key, key) for key in usual}
    found = ((key, other) for key in own for other, taken in in_use.items() if taken == in_use[key] and other != key)
    return dict(found)
