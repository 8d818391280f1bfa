"""Checks for artefacts in words: ways of guessing, differences of right and wrong options, and what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.domain.artefacts import CheckFinding

POSITION = _("The right one is at %(letter)s")
BEYOND = (_("The right one is in one of the positions after J"), _("the position furthest from chance"))
GUESSES: dict[str, tuple[str | Promise, str | Promise]] = {
    "longest": (_("Always the longest"), _("in words")),
    "shortest": (_("Always the shortest"), _("in words")),
    "most_alike": (_("Always the one most like the others"), _("by the words that the other options have, too")),
    "most_overlap": (_("Always the most shared words"), _("by the share that the context has")),
    "least_overlap": (_("Always the fewest shared words"), _("by the share that the context has")),
    "linear": (
        _("A linear model that never sees the context"),
        _("words and pairs of words of the options, trained on four fifths and tested on the fifth"),
    ),
}
MEANS: dict[str, tuple[str | Promise, str | Promise]] = {
    "length": (_("Length"), _("words of the right one minus the wrong ones")),
    "overlap": (_("Shared words"), _("share of words that occur in the context, right one minus wrong ones")),
    "capital": (_("Capital letter"), _("share that begins with one, right one minus wrong ones")),
    "end_mark": (_("End mark"), _("share that ends a sentence, right one minus wrong ones")),
}
FINDINGS: dict[str, str | Promise] = {
    CheckFinding.EXPECTED: _("as expected"),
    CheckFinding.LOOK: _("look"),
    CheckFinding.TOO_FEW: _("too few instances"),
}


@dataclass(frozen=True)
class CheckRow:
    """Row of the table for one way of guessing; `check` has its value, interval, chance and finding."""

    label: str | Promise
    note: str | Promise
    check: dict[str, Any]
    examples: Sequence[Any] = ()

    @property
    def is_suspect(self) -> bool:
        return bool(self.check["finding"] == CheckFinding.LOOK)

    @property
    def finding(self) -> str | Promise:
        return FINDINGS[self.check["finding"]]
