"""Filters and order of a list, as its address has them, and the rows of it that a person chose."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time
from typing import Any, ClassVar, NamedTuple, TypeVar

from django import forms
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.sorting import Sorting

FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2999, 12, 31)
LONGEST_SEARCH = 200  # characters
MOST = 500  # rows that one act is for, as a page waits for it
Row = TypeVar("Row", bound=Model)


class Column(NamedTuple):
    """A column by which a list can be sorted, and how it is at first; the first one of a list is its usual order."""

    label: object
    highest_first: bool = False


class DayField(forms.DateField):
    """A day of the calendar, in years in which there can be work."""

    def __init__(self, *, required: bool = False, **kwargs: Any) -> None:
        widget = forms.DateInput({"class": "input", "type": "date"}, format="%Y-%m-%d")
        super().__init__(required=required, input_formats=["%Y-%m-%d"], widget=widget, **kwargs)

    def clean(self, value: Any) -> date | None:
        day: date | None = super().clean(value)
        if day is not None and not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(_("Choose a day between the years 2000 and 2999."))
        return day


class SearchField(forms.CharField):
    """What to look for in a list."""

    def __init__(self, *, label: Any, placeholder: Any = "") -> None:
        errors = {
            "max_length": _("Search for at most %(limit_value)d characters."),
            "null_characters_not_allowed": _("Leave out the null character, which no text has."),
        }
        hint = {"placeholder": placeholder} if placeholder else {}
        widget = forms.TextInput({"type": "search", "class": "input", **hint})
        super().__init__(
            required=False,
            max_length=LONGEST_SEARCH,
            label=label,
            widget=widget,
            error_messages=errors,
        )


class ListForm(forms.Form):
    """Filters of a list and its order. Every field may be empty; an invalid value has an error and no effect."""

    COLUMNS: ClassVar[Mapping[str, Column]] = {}
    ALWAYS_SHOWN: ClassVar[Collection[str]] = ("search", "state")

    sort: forms.Field = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_sort(self) -> str:
        text = str(self.cleaned_data["sort"])
        try:
            return str(Sorting.parse(text, self.COLUMNS)) if text else ""
        except ValueError:
            unknown = _("This list cannot be sorted by “%(column)s”. It is in its usual order.")
            raise forms.ValidationError(unknown, params={"column": text[:40]}) from None

    def clean(self) -> None:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first one."))

    def wanted(self) -> dict[str, Any]:
        """Return the filters for the selector; days as the moments at which they begin and end for the person."""
        found = {name: value for name, value in self.understood().items() if name != "sort"}
        for name, moment in (("since", time.min), ("until", time.max)):
            if name in found:
                found[name] = timezone.make_aware(datetime.combine(found[name], moment))
        return found

    def sorting(self) -> Sorting:
        """Return the order of the list: the usual one where none is asked for."""
        name, usual = next(iter(self.COLUMNS.items()))
        asked = self.understood().get("sort") or str(Sorting(name, is_descending=usual.highest_first))
        return Sorting.parse(asked, self.COLUMNS)

    def sent(self) -> dict[str, str]:
        """Return what was understood, as the address has it."""
        return {name: str(self.data[name]) for name in self.understood()}

    def understood(self) -> dict[str, Any]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}

    def first_fields(self) -> Iterable[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name in self.ALWAYS_SHOWN]

    def more_fields(self) -> Iterable[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name not in self.ALWAYS_SHOWN]

    def more_in_use(self) -> int:
        """Return how many of the filters that are folded away are in use, or hold an error."""
        return sum(field.name in self.understood() or bool(field.errors) for field in self.more_fields())


class NamedListForm(ListForm):
    """Filters of a list of things with names."""

    search = SearchField(label=_("Search in names"))


def chosen_rows(sent: QueryDict, *, matching: QuerySet[Row], everything: QuerySet[Row]) -> list[Row]:
    """Return the rows chosen for one act, at most `MOST`: of all that match the filters, or of those with a tick.

    Both are ordered.
    """
    if "all" in sent:
        return list(matching[:MOST])
    ticked = [int(key) for key in sent.getlist("row") if key.isascii() and key.isdigit() and len(key) < 19]
    return list(everything.filter(pk__in=ticked[:MOST]))
