"""Single-key shortcuts that a person may put on other keys, and a valid choice of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class KeyedPage:
    """A kind of page whose shortcuts can be changed: the names of its addresses, and what each usual key does.

    What is fixed stays on its run of digits for everyone.
    """

    name: str
    title: object
    addresses: tuple[str, ...]
    keys: Mapping[str, object]
    fixed: Mapping[str, object] = field(default_factory=dict)


KEYED_PAGES: list[KeyedPage] = []  # what the apps registered, in the order of the account page


def register(page: KeyedPage) -> None:
    KEYED_PAGES.append(page)


def keyed_page(name: str) -> KeyedPage:
    """Return the kind of page with this name, the first one where there is none."""
    return next((page for page in KEYED_PAGES if page.name == name), KEYED_PAGES[0])


def clashes(usual: Iterable[str], own: Mapping[str, str]) -> dict[str, str]:
    """Return, by the usual key of each changed shortcut, the other shortcut of the page that has the same key.

    An empty key is none, which any number of shortcuts may have. static/js/account/slot.js says it while one chooses.
    """
    in_use = {key: own.get(key, key) for key in usual}
    taken = {key: chosen for key, chosen in in_use.items() if chosen}
    return {key: other for key in own for other in taken if other != key and taken[other] == in_use[key]}
