"""What to look for among the items of a rewriting project, and where to go on."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.workflow import ItemState
from annotation.forms.pairs import INPUT, PlaceForm
from annotation.selectors.pairs import SKIPPED

STATES = {
    "": _("all states"),
    ItemState.OPEN: _("waiting to be written"),
    ItemState.WRITTEN: _("waiting for an inspector"),
    ItemState.RETURNED: _("sent back"),
    ItemState.KEPT: _("accepted"),
    ItemState.REMOVED: _("discarded"),
    SKIPPED: _("skipped by somebody"),
}


class ItemFilter(PlaceForm):
    """Every field may be empty; what is not understood is left out."""

    WANTED = ("search", "state")

    search = forms.CharField(
        required=False, max_length=200, label=_("Search in questions"),
        widget=forms.TextInput({"type": "search", **INPUT}),
    )  # fmt: skip
    state = forms.ChoiceField(
        required=False, choices=list(STATES.items()), label=_("State"), widget=forms.Select(INPUT)
    )
