"""Versions of a rewrite for its author's page: when each was saved, and what restoring it changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotation.domain.rewriting.rewriting import LETTERS
from annotation.domain.rewriting.versions import Piece, difference
from annotation.models import DraftVersion, Rewrite


@dataclass(frozen=True)
class Changed:
    """A candidate that differs in a version: its ``text`` there, and the difference from the present text."""

    letter: str
    text: str
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Listed:
    """A version beside the present draft. ``parts`` names what differs; empty if nothing does."""

    number: int
    saved_at: datetime
    parts: str
    cut: int
    changed: Sequence[Changed]


def listed(rewrite: Rewrite) -> list[Listed]:
    """Return the versions, newest first."""
    return [_listed(version, rewrite) for version in rewrite.versions.all()]


def _listed(version: DraftVersion, rewrite: Rewrite) -> Listed:
    texts = zip(LETTERS, rewrite.candidates, version.candidates, strict=True)
    changed = [Changed(letter, then, difference(now, then)) for letter, now, then in texts if now != then]
    names = [pgettext("comment on", "the cut")] if version.cut != rewrite.cut else []
    parts = _(", ").join([*names, *(each.letter for each in changed)])
    return Listed(version.revision, version.saved_at, parts, version.cut, changed)
