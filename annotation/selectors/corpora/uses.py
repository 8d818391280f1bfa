"""Where a corpus is used: apps above this one register how to find it (docs/architecture.md)."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.utils.functional import Promise

from annotation.models import Corpus
from core.domain.deletion import Hold
from core.models import User


@dataclass(frozen=True)
class CorpusUse:
    """What a corpus was used for, of all that a person may see: its kind, its name, its address, and a fact of it."""

    kind: str | Promise
    name: str
    href: str
    note: str = ""


FindUses = Callable[[str, User], list[CorpusUse]]  # of a corpus by its name
FINDERS: list[FindUses] = []


def register(find: FindUses) -> None:
    """Add the function of an app that finds where a corpus is used."""
    FINDERS.append(find)


def uses_of(corpus: Corpus, *, by: User) -> list[CorpusUse]:
    return [use for find in FINDERS for use in find(corpus.name, by)]


FindHolds = Callable[[Collection[str]], list[Hold]]  # of corpora by their names
HOLDERS: list[FindHolds] = []


def register_holds(find: FindHolds) -> None:
    """Add the function of an app that finds what keeps corpora from being deleted, of all people."""
    HOLDERS.append(find)


def holds_elsewhere(corpora: Collection[str]) -> list[Hold]:
    """Return what of other apps keeps one of these corpora from being deleted."""
    return [hold for find in HOLDERS for hold in find(corpora)]
