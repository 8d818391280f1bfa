"""Filter of the pairs of a project, and the position in a list of them."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.workflow import ItemState
from annotation.selectors.rating.pairs import SKIPPED
from core.forms.fields import field_of

INPUT = {"class": "input"}
LAST_POSITION = 2**62
STATES = {
    "": _("all states"),
    ItemState.OPEN: _("waiting for grades"),
    ItemState.DISPUTED: _("waiting for a third person"),
    ItemState.KEPT: _("kept"),
    ItemState.REMOVED: _("removed"),
    ItemState.CLEANED: _("removed by cleaning"),
    SKIPPED: _("skipped by a person"),
}


class PageForm(forms.Form):
    """A filter and a position in a list. Every field may be empty, and an invalid value is ignored."""

    WANTED: tuple[str, ...] = ()

    before = forms.IntegerField(required=False, min_value=0, max_value=LAST_POSITION, widget=forms.HiddenInput)
    after = forms.IntegerField(required=False, min_value=0, max_value=LAST_POSITION, widget=forms.HiddenInput)

    def wanted(self) -> dict[str, str]:
        """Return the filter values for the selector."""
        return {name: value for name, value in self._understood().items() if name in self.WANTED}

    def position(self) -> dict[str, int]:
        """Return the position from which the list continues."""
        return {name: value for name, value in self._understood().items() if name in ("before", "after")}

    def _understood(self) -> dict[str, Any]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}


class PairFilter(PageForm):
    WANTED = ("search", "state", "source")

    search = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search in prompts and responses"),
        widget=forms.TextInput({"type": "search", **INPUT}),
    )
    state = forms.ChoiceField(
        required=False, choices=list(STATES.items()), label=_("State"), widget=forms.Select(INPUT)
    )
    source = forms.ChoiceField(required=False, label=_("Source"), widget=forms.Select(INPUT))

    def __init__(self, sent: Any, *, sources: list[str]) -> None:
        super().__init__(sent)
        field = field_of(self, "source", forms.ChoiceField)
        field.choices = [("", _("all sources")), *((source, source) for source in sources)]
