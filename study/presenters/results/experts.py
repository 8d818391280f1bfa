"""Experts on the results page: a row each, and what tells how far they agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.templatetags.figures import time_at_work
from study.presenters.results.results import Estimate, ResultRow, Results, fewer


@dataclass(frozen=True)
class QuestionCount:
    """A row of bars: its label, the number of questions, and that as a share of the highest one."""

    label: str
    questions: int
    share: float


def rows_of_experts(results: Results, names: Mapping[str, str]) -> list[ResultRow]:
    """Return a row for each expert, `names` by their random id. Their intervals are over questions alone."""
    experts = results["experts"] or {"each": []}
    return [_row(expert, names.get(expert["expert"]) or _("Expert")) for expert in experts["each"]]


def _row(expert: dict[str, Any], name: str) -> ResultRow:
    answered = expert["figures"][0]["n"]
    figures = {
        figure["metric"]: Estimate(figure["p"], figure["ci"], n=fewer(figure, answered))
        for figure in expert["figures"]
        if figure["n"]
    }
    count = expert["sittings"]
    sittings = ngettext("%(n)s sitting", "%(n)s sittings", count) % {"n": count}
    notes = [sittings, time_at_work(expert["minutes"] / 60)]
    if expert["seconds_median"] is not None:
        notes.append(_("median %(seconds)s s") % {"seconds": f"{expert['seconds_median']:.0f}"})
    return ResultRow(name, _(", ").join(notes), "expert", figures, expert["answers"], answered)


def agreement_shown(results: Results, names: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the context of study/results/_experts.html; None where no one is signed in."""
    experts: dict[str, Any] | None = results["experts"]
    if experts is None or experts["kendall_w"] is None:
        return experts
    count = len(experts["each"])
    right = [
        (_("%(right)s of %(count)s right") % {"right": row["experts"], "count": count}, row["questions"])
        for row in experts["right"]
    ]
    pairs = [
        {**row, "names": [names.get(expert) or _("Expert") for expert in row["experts"]]} for row in experts["pairs"]
    ]
    return {
        **experts,
        "by_w": _counts([(_class(row), row["questions"]) for row in experts["by_w"]]),
        "right": _counts(right),
        "none_right": experts["right"][-1]["questions"],
        "pairs": pairs,
    }


def _class(row: dict[str, Any]) -> str:
    """Return the label of a class of W: < .25, .25–.49, 1."""
    low, high = row["from"], row["to"]
    if low == high:
        return "1"
    return f"< {_hundredths(high)}" if not low else f"{_hundredths(low)}–{_hundredths(high - 0.01)}"


def _hundredths(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _counts(rows: list[tuple[str, int]]) -> list[QuestionCount]:
    most = max((questions for _label, questions in rows), default=0) or 1
    return [QuestionCount(label, questions, questions / most) for label, questions in rows]
