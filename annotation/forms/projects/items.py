"""Filter of the items of a rewriting project, and the form to return an instance."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.actions.inspection.inspections import LONGEST_COMMENT
from annotation.actions.inspection.returns import COMMENT_MISSING
from annotation.domain.workflow import ItemState
from annotation.forms.rating.pairs import INPUT, PageForm
from annotation.selectors.projects.items import NOT_INSPECTED
from annotation.selectors.rating.pairs import SKIPPED
from core.forms.fields import TypedText

STATES = {
    "": _("all states"),
    ItemState.RECORDED: _("transcript to be corrected"),
    ItemState.CORRECTED: _("transcript to be checked"),
    ItemState.OPEN: _("waiting to be written"),
    ItemState.WRITTEN: _("waiting for an inspector"),
    ItemState.RETURNED: _("sent back"),
    ItemState.KEPT: _("accepted"),
    NOT_INSPECTED: _("accepted without inspection"),
    ItemState.REMOVED: _("discarded"),
    SKIPPED: _("skipped by a person"),
}


class ItemFilter(PageForm):
    """Filter of a list of items; every field may be empty, and an invalid value is ignored."""

    WANTED = ("search", "state")

    search = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search in questions"),
        widget=forms.TextInput({"type": "search", **INPUT}),
    )
    state = forms.ChoiceField(
        required=False, choices=list(STATES.items()), label=_("State"), widget=forms.Select(INPUT)
    )


class ReturnForm(forms.Form):
    comment = TypedText(
        label=_("What is to be mended"),
        error_messages={"required": COMMENT_MISSING},
        help_text=_("Its author reads it. What was frozen before keeps its text."),
        widget=forms.Textarea({**INPUT, "rows": 2, "maxlength": LONGEST_COMMENT}),
    )
