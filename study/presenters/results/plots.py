"""Small figures on the pages of results and times: how well people do against time, own expertise and place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from typing import Any

from django.utils.translation import gettext as _

from study.domain.survey.demographics import DemographicQuestion
from study.models import Study
from study.presenters.results.times import rows_of_questions
from study.selectors.survey.demographics import demographics_of

TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)  # seconds
SHARES = ((0.0, "0"), (0.5, "50"), (1.0, "100"))
LONGEST = 12  # letters of an answer below an axis


@dataclass(frozen=True)
class PlotMark:
    """A point with its interval, in per cent of the plot from the left and from the top; `label` is above it."""

    x: str
    y: str
    ends: tuple[str, str] | None = None
    kind: str = "point"
    label: str = ""


@dataclass(frozen=True)
class SmallPlot:
    """A figure of points: `below` and `beside` are the ticks of its axes, `notes` say in words what it shows."""

    title: str
    axis: str
    below: list[tuple[str, str]]
    beside: list[tuple[str, str]]
    marks: list[PlotMark]
    notes: Sequence[str] = ()
    path: list[tuple[PlotMark, PlotMark]] = field(default_factory=list)


def plots_of(study: Study, times: dict[str, Any]) -> list[SmallPlot]:
    """Return the plots that have something to show, of what is stored of a study's times."""
    found = times.get("against_score")  # what an earlier version stored has none
    if not found:
        return []
    drawn = (
        _time_against_score(found["groups"]),
        _own_expertise(found, demographics_of(study)),
        _by_place(found["position"]),
        _time_by_place(rows_of_questions(times)),
    )
    return [plot for plot in drawn if plot]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _rounded(value: float) -> str:
    return f"{value:.0f}"


def _shares() -> list[tuple[str, str]]:
    return [(_percent(1 - at), label) for at, label in SHARES]


def _time_against_score(groups: list[dict[str, Any]]) -> SmallPlot | None:
    seconds = [time for group in groups for time, _right in group["people"]]
    if not seconds:
        return None
    low = max((tick for tick in TICKS if tick <= min(seconds)), default=min(seconds))
    high = min((tick for tick in TICKS if tick >= max(seconds) and tick > low), default=2 * max(seconds))

    def along(time: float) -> str:
        return _percent(log(time / low) / log(high / low))

    marks = [
        PlotMark(along(time), _percent(1 - right), kind="point open" if place else "point faint")
        for place, group in enumerate(groups)
        for time, right in group["people"]
    ]
    ticks = [(along(tick), f"{tick:g}") for tick in (low, *TICKS, high) if low <= tick <= high]
    return SmallPlot(
        _("Time against score"),
        _("median seconds at a question"),
        [*dict.fromkeys(ticks)],
        _shares(),
        marks,
        _of_groups(groups),
    )


def _of_groups(groups: list[dict[str, Any]]) -> list[str]:
    first, *others = groups
    said = [_("Filled: %(group)s.") % {"group": first["group"] or _("All people")}] if others else []
    if others:
        said.append(_("Hollow: %(groups)s.") % {"groups": ", ".join(group["group"] or "–" for group in others)})
    if first["rho"] is not None:
        numbers = {"rho": f"{first['rho']:+.2f}".replace("-", "−"), "n": len(first["people"])}
        if ends := first["rho_ci"]:
            numbers |= dict(zip(("low", "high"), (f"{end:+.2f}".replace("-", "−") for end in ends), strict=True))
            said.append(_("Spearman's ρ of time and score %(rho)s (%(low)s to %(high)s), n %(n)s.") % numbers)
        else:
            said.append(_("Spearman's ρ of time and score %(rho)s, n %(n)s.") % numbers)
    return said


def _own_expertise(found: dict[str, Any], asked: Sequence[DemographicQuestion]) -> SmallPlot | None:
    question = next((one for one in asked if one.key == found["expertise"]), None)
    if question is None or len(found["expertise_rows"]) < 2:
        return None
    names = [question.answers.get(row["name"], row["name"]) for row in found["expertise_rows"]]
    title = _("Own expertise against score")
    if found["expertise_corpus"]:
        title = _("Own expertise against score, %(corpus)s") % {"corpus": found["expertise_corpus"]}
    return _cells(title, question.text, names, found["expertise_rows"])


def _by_place(rows: list[dict[str, Any]]) -> SmallPlot | None:
    if len(rows) < 2:
        return None
    names = [row["position"].partition("-")[0] for row in rows]
    plot = _cells(_("Learning over the survey"), _("position in the survey, from"), names, rows)
    plot.path.extend(pairwise(plot.marks))
    return plot


def _cells(title: str, axis: str, names: Iterable[str], rows: list[dict[str, Any]]) -> SmallPlot:
    """Return a plot of R@1 with its headline interval for each row, and how many people each is of."""
    places = [_percent((place + 0.5) / len(rows)) for place in range(len(rows))]
    marks = [_mark(place, row) for place, row in zip(places, rows, strict=True)]
    below = [(place, _shortened(name)) for place, name in zip(places, names, strict=True)]
    people = _("People: %(counts)s.") % {"counts": ", ".join(f"{row['people']:,}" for row in rows)}
    return SmallPlot(title, axis, below, _shares(), marks, [people])


def _mark(place: str, row: dict[str, Any]) -> PlotMark:
    ends = row["headline"] and (_percent(1 - row["headline"][1]), _percent(1 - row["headline"][0]))
    return PlotMark(place, _percent(1 - row["p"]), ends, label=_rounded(100 * row["p"]))


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"


def _time_by_place(times: Sequence[Any]) -> SmallPlot | None:
    """Return the median seconds at a question by place, with the quartiles as its span."""
    rows = [row for row in times if row.field == "position" and row.is_known]
    known = [end for row in rows for end in row.quartiles if end is not None]
    if len(rows) < 2:
        return None
    high = next((tick for tick in TICKS if tick >= max(known)), max(known))
    marks = []
    for place, row in enumerate(rows):
        lower, median, upper = (None if end is None else _percent(1 - end / high) for end in row.quartiles)
        at = _percent((place + 0.5) / len(rows))
        marks.append(PlotMark(at, median or "", (upper or "0", lower or "100"), label=_rounded(row.median)))
    below = [(mark.x, row.place) for mark, row in zip(marks, rows, strict=True)]
    beside = [(_percent(1 - part), f"{high * part:g}") for part in (0, 0.5, 1)]
    title = _("Fatigue over the survey")
    note = _("Median seconds at a question; bars from the lower to the upper quartile.")
    return SmallPlot(title, _("position in the survey, from"), below, beside, marks, [note], [*pairwise(marks)])
