"""The shortcuts of this app's pages that a person may put on other letters (core/presenters/own_keys.py)."""

from django.utils.translation import gettext_lazy as _

from annotation.presenters.rating import REASON_KEYS
from core.domain.keys import KeyedPage

_SKIP, _UNDO, _GUIDELINE = _("skip with a reason"), _("undo"), _("guideline")
_NTH = [
    _("first reason"),
    _("second reason"),
    _("third reason"),
    _("fourth reason"),
    _("fifth reason"),
    _("sixth reason"),
    _("seventh reason"),
]
_REASONS = dict(zip(REASON_KEYS, _NTH, strict=True))

PAGES = (
    KeyedPage(
        "rating",
        _("Rating"),
        ("rate", "practice"),
        {**_REASONS, "Z": _UNDO, "X": _SKIP, "F": _("Flag"), "G": _GUIDELINE},
        fixed={"12345": _("grade")},
    ),
    KeyedPage(
        "cleaning",
        _("Cleaning"),
        ("clean",),
        {"K": _("keep the pair"), "S": _("sensitive"), "D": _("knowledge-dependent"), "Z": _UNDO},
    ),
    KeyedPage(
        "adjudication",
        _("Adjudication"),
        ("adjudicate",),
        {**_REASONS, "R": _("remove with a reason"), "Z": _UNDO, "X": _SKIP, "G": _GUIDELINE},
    ),
    KeyedPage("types", _("Reasoning types"), ("types",), {"Z": _UNDO, "X": _SKIP}),
    KeyedPage("writing", _("Rewriting"), ("write", "transcribe"), {"Z": _UNDO, "X": _SKIP}),
    KeyedPage(
        "inspection",
        _("Inspection"),
        ("inspect",),
        {
            "Q": _("the key is right"),
            "W": _("the key is in doubt"),
            "A": _("it is the only right one"),
            "S": _("others may be right, too"),
            "R": _("send back"),
            "D": _("discard"),
            "C": _("comment on a candidate"),
            "Z": _UNDO,
            "X": _SKIP,
        },
    ),
)
