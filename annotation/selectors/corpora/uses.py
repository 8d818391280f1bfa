"""Where a corpus is used: apps above this one register how to find it (docs/architecture.md)."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise

from annotation.models import Corpus
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
