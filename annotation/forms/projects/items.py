"""Filters and order of the list of the items of a rewriting project, and the form to return an instance."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.actions.inspection.inspections import LONGEST_COMMENT
from annotation.actions.inspection.returns import COMMENT_MISSING
from annotation.domain.workflow import ItemState
from annotation.forms.rating.pairs import INPUT, integer_field
from annotation.models import Project
from annotation.selectors.projects.items import NOT_INSPECTED
from annotation.selectors.projects.members import people_with_work
from annotation.selectors.rating.pairs import FLAGGED, SKIPPED
from core.forms.fields import TypedText, field_of
from core.forms.lists import Column, DayField, ListForm, SearchField

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
    FLAGGED: _("with an open flag"),
}


class ItemFilter(ListForm):
    COLUMNS = {
        "order": Column(_("Question")),
        "state": Column(_("State")),
        "author": Column(_("Author")),
        "written": Column(_("Written"), highest_first=True),
        "judged": Column(_("Verdicts"), highest_first=True),
    }

    search = SearchField(label=_("Search in questions"))
    state = forms.ChoiceField(
        required=False, choices=list(STATES.items()), label=_("State"), widget=forms.Select(INPUT)
    )
    author = integer_field(_("Author"))
    inspector = integer_field(_("Inspector"))
    since = DayField(label=_("Written from"))
    until = DayField(label=_("Written until"))

    def __init__(self, sent: Any, *, project: Project) -> None:
        super().__init__(sent)
        people = [(person.pk, str(person)) for person in people_with_work(project)]
        for name, everyone in (("author", _("all authors")), ("inspector", _("all inspectors"))):
            field_of(self, name, forms.ChoiceField).choices = [("", everyone), *people]


class ReturnForm(forms.Form):
    comment = TypedText(
        label=_("What must be changed"),
        error_messages={"required": COMMENT_MISSING},
        help_text=_("Its author will read it. Releases frozen earlier keep their text."),
        widget=forms.Textarea({**INPUT, "rows": 2, "maxlength": LONGEST_COMMENT}),
    )
