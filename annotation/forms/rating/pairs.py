"""Filters and order of the list of the pairs of a project."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.domain.workflow import ItemState
from annotation.models import Project
from annotation.selectors.projects.members import people_with_work
from annotation.selectors.rating.pairs import FLAGGED, SKIPPED, sources_of
from core.forms.fields import field_of
from core.forms.lists import Column, DayField, ListForm, SearchField

INPUT = {"class": "input"}
LAST_POSITION = 2**62
STATES = {
    "": _("all states"),
    ItemState.OPEN: _("waiting for grades"),
    ItemState.DISPUTED: _("awaiting adjudication"),
    ItemState.KEPT: _("kept"),
    ItemState.REMOVED: _("removed"),
    ItemState.CLEANED: _("removed by cleaning"),
    SKIPPED: _("skipped by a person"),
    FLAGGED: _("with an open flag"),
}


def integer_field(label: Any) -> forms.TypedChoiceField:
    """Return a field of numbers to choose from, which the form fills in; without a choice its value is None."""
    return forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label=label, widget=forms.Select(INPUT))


class PairFilter(ListForm):
    COLUMNS = {
        "order": Column(_("Prompt and response")),
        "source": Column(_("Source")),
        "state": Column(_("State")),
        "gap": Column(pgettext_lazy("of grades", "gap"), highest_first=True),
        "final": Column(pgettext_lazy("grade", "final"), highest_first=True),
        "graded": Column(_("Grades"), highest_first=True),
    }

    search = SearchField(label=_("Search in prompts and responses"))
    state = forms.ChoiceField(
        required=False, choices=list(STATES.items()), label=_("State"), widget=forms.Select(INPUT)
    )
    source = forms.ChoiceField(required=False, label=_("Source"), widget=forms.Select(INPUT))
    rater = integer_field(_("Rater"))
    grade = integer_field(_("Grade"))
    gap = integer_field(_("Gap"))
    since = DayField(label=_("Graded from"))
    until = DayField(label=_("Graded until"))

    def __init__(self, sent: Any, *, project: Project) -> None:
        super().__init__(sent)
        scale = project.rating.grades
        offered: dict[str, list[tuple[Any, Any]]] = {
            "source": [("", _("all sources")), *((source, source) for source in sources_of(project))],
            "rater": [("", _("all raters")), *((person.pk, str(person)) for person in people_with_work(project))],
            "grade": [("", _("all grades")), *((grade, str(grade)) for grade in scale.grades)],
            "gap": [("", _("any gap")), *((gap, f"≥ {gap}") for gap in range(1, scale.highest - scale.lowest + 1))],
        }
        for name, choices in offered.items():
            field_of(self, name, forms.ChoiceField).choices = choices
