"""Board of a study's fieldwork: what its plan still lacks, and the arrivals. Nothing on it tells what people chose."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study.actions.results import models_in_force
from study.models import Study
from study.selectors.survey.fieldwork import Fieldwork, FieldworkRow, arrivals_of, fieldwork_of

CLOSE = 0.9  # of the time limit: a median above it is close to the limit


@dataclass(frozen=True)
class Unmet:
    """A part of the plan that is not met yet; one that is on its way asks nothing of anyone."""

    title: str
    text: str
    is_on_way: bool = False
    href: str = ""
    button: str = ""


@dataclass(frozen=True)
class ArrivalColumn:
    """An hour of the drawing, whose sides are in hundredths of its width and height."""

    left: str
    top: str
    height: str
    is_under_way: bool


@dataclass(frozen=True)
class ArrivalDrawing:
    columns: list[ArrivalColumn]
    width: str
    top: int
    first: Any
    last: Any
    total: int


def board_of(study: Study) -> dict[str, Any]:
    """Return the context of study/survey/_board.html, counted now."""
    fieldwork, arrivals = fieldwork_of(study), arrivals_of(study)
    most_missing = max(fieldwork.groups, key=lambda row: row.missing, default=None)
    return {
        "study": study,
        "survey": study.survey,
        "fieldwork": fieldwork,
        "is_by_form": len(fieldwork.forms) > 1,
        "most_missing": most_missing if len(fieldwork.groups) > 1 else None,
        "unmet": sorted(_unmet(study, fieldwork, arrivals.pace), key=lambda each: each.is_on_way),
        "arrivals": _drawn(arrivals.hours, is_open=study.closed_at is None),
        "now": timezone.now(),
    }


def _unmet(study: Study, fieldwork: Fieldwork, pace: dict[str, float]) -> Iterator[Unmet]:
    for row in fieldwork.groups:
        if row.missing:
            yield _missing_people(study, row, pace.get(row.name, 0.0))
        if _is_close_to_limit(study, row):
            yield Unmet(
                _("%(group)s is close to the time limit") % {"group": row.name},
                _("Median %(median).1f of %(minutes)d minutes. A longer limit would be a deviation from the plan.")
                % {"median": row.median_minutes, "minutes": study.survey.minutes},
            )
    if not models_in_force(study):
        yield Unmet(
            _("No model has been asked these questions yet"),
            _("People are compared with models on the same questions. A run may start while the study is open."),
            href=reverse("new_run", query={"on": study.slug}),
            button=_("Set up a run"),
        )


def _missing_people(study: Study, row: FieldworkRow, pace: float) -> Unmet:
    title = ngettext(
        "%(group)s: %(count)d person still needed", "%(group)s: %(count)d people still needed", row.missing
    ) % {"group": row.name, "count": row.missing}
    under_way = _("No one is under way.")
    if row.under_way:
        under_way = ngettext("%(count)d person is under way.", "%(count)d people are under way.", row.under_way)
        under_way %= {"count": row.under_way}
    wanted, finishing = row.missing - row.under_way, _share_finishing(row)
    if study.closed_at:
        return Unmet(title, under_way if row.under_way else _("The study is closed: no one can join now."))
    if not pace or not finishing:
        told = under_way if row.under_way else _("No one is under way. Send the link again.")
        return Unmet(title, told, href=reverse("study_groups", args=[study.slug]), button=_("Links"))
    if wanted <= 0:
        return Unmet(title, under_way, is_on_way=True)
    full_at = timezone.now() + timedelta(hours=wanted / (pace * finishing))
    text = _("%(under_way)s At the pace of the last 6 hours, recruitment will be complete on %(day)s.") % {
        "under_way": under_way,
        "day": f"{date_format(full_at)} {full_at:%H:%M}",
    }
    return Unmet(title, text, is_on_way=True)


def _share_finishing(row: FieldworkRow) -> float:
    """Return which share of those who are no longer answering has finished; 1 where no one has ended yet."""
    over = row.joined - row.under_way
    return row.finished / over if over else 1.0


def _is_close_to_limit(study: Study, row: FieldworkRow) -> bool:
    limit, median = study.survey.minutes, row.median_minutes
    return bool(limit) and median is not None and median >= CLOSE * limit


def _drawn(hours: list[tuple[Any, int]], *, is_open: bool) -> ArrivalDrawing:
    step, top = 100 / len(hours), max(1, *(count for _hour, count in hours))
    columns = [
        ArrivalColumn(
            f"{step * index:.2f}",
            f"{100 - 100 * count / top:.2f}",
            f"{100 * count / top:.2f}",
            is_open and index == len(hours) - 1,
        )
        for index, (_hour, count) in enumerate(hours)
        if count
    ]
    total = sum(count for _hour, count in hours)
    return ArrivalDrawing(columns, f"{0.85 * step:.2f}", top, hours[0][0], hours[-1][0], total)
