"""Times on their page: a sentence, rows of a table and of a figure, and the people who are too fast by the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from study.figures import TimeRow
from study.models import Study
from study.presenters.people import short_id
from study.presenters.results.conditions import condition_title

Times = dict[str, Any]
MS, UNIT = 1000, 1  # of a second, and of a minute: what `times_of` counts in
FIELDS = {
    "group": gettext_lazy("Group"),
    "corpus": gettext_lazy("Corpus"),
    "condition": gettext_lazy("Context"),
    "form": gettext_lazy("Form"),
    "position": gettext_lazy("Position in the survey"),
}
HEADER = ("what", "field", "name", "people", "times", "cut", "lower_quartile", "median", "upper_quartile", "unit")


@dataclass(frozen=True)
class TimesRow:
    """A part with its quartiles in seconds or minutes: None beyond the deadline, and of fewer than five people."""

    field: str
    name: str
    people: int
    times: int
    cut: int
    quartiles: tuple[float | None, ...] | None
    begins: bool
    place: str = ""  # the first one of a class of places

    @property
    def heading(self) -> Any:
        """The name of the field, above its first row; empty elsewhere."""
        return FIELDS[self.field] if self.begins and self.field else ""

    @property
    def median(self) -> float | None:
        return self.quartiles[1] if self.quartiles else None

    @property
    def in_order(self) -> list[float | None]:
        """The median, then the quartiles; [] of fewer than five people."""
        return [self.quartiles[place] for place in (1, 0, 2)] if self.quartiles else []

    @property
    def is_known(self) -> bool:
        return self.median is not None


@dataclass(frozen=True)
class FastPerson:
    """A person who is too fast by the study's rules, under the beginning of their random id."""

    short: str
    group: str
    form: int | None
    seconds: float
    answers: int


def rows_of_questions(found: Times) -> list[TimesRow]:
    """Return the times at a question in seconds."""
    return list(_rows(found["questions"], MS))


def rows_of_survey(found: Times) -> list[TimesRow]:
    """Return the times of the whole survey in minutes."""
    return list(_rows(found["survey"], UNIT))


def _rows(parts: list[dict[str, Any]], unit: int) -> Iterator[TimesRow]:
    field = None
    for part in parts:
        ends = part["quartiles"]
        yield TimesRow(
            part["field"],
            _name(part["field"], part["name"]),
            part["people"],
            part["times"],
            part["cut"],
            None if ends is None else tuple(None if end is None else end / unit for end in ends),
            part["field"] != field,
            part["name"].partition("–")[0],
        )
        field = part["field"]


def _name(field: str, name: str) -> str:
    if not field:
        return _("All")
    if field == "form":
        return _("Form %(name)s") % {"name": name}
    if field == "position":
        return _("questions %(name)s") % {"name": name}
    return condition_title(name) if field == "condition" else name


def too_fast(study: Study, found: Times) -> list[FastPerson]:
    """Return the people whom the rule on speed leaves out, the fastest first; [] without the rule."""
    rows = (found["too_fast"] or {"people": []})["people"]
    people = study.participants.select_related("group").in_bulk([row["person"] for row in rows])
    return [
        FastPerson(short_id(person), person.group.name if person.group else "", person.form, **_counts(row))
        for row in rows
        if (person := people.get(row["person"]))
    ]


def _counts(row: dict[str, Any]) -> dict[str, Any]:
    return {"seconds": row["seconds"], "answers": row["answers"]}


def figure_rows(found: Times) -> tuple[TimeRow, ...]:
    """Return the rows of the figure: the parts whose lower quartile is known, in seconds."""
    rows: list[TimeRow] = []
    before = None
    for row in rows_of_questions(found):
        if row.quartiles and row.quartiles[0] is not None:
            lower, median, upper = row.quartiles
            rows.append(TimeRow(row.name, lower, median, upper, row.field != before))
            before = row.field
    return tuple(rows)


def csv_rows(found: Times) -> Iterator[list[Any]]:
    """Yield the parts as a table; a quartile beyond the deadline, or of fewer than five people, is empty."""
    for what, parts, per, unit in (("question", "questions", MS, "s"), ("survey", "survey", UNIT, "min")):
        for part in found[parts]:
            ends = [None if end is None else end / per for end in part["quartiles"] or (None, None, None)]
            counts = [part[name] for name in ("field", "name", "people", "times", "cut")]
            yield [what, *counts, *ends, unit]
