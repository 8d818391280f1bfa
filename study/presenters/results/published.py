"""Figures of other studies as rows of the table of results, and why some of them cannot be."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.actions.refusals import sentence_space
from study.domain.results.feasibility import Impossible
from study.domain.results.published import Comparable
from study.presenters.results.results import Ends, Estimate, ResultRow, Results, corpora_of
from study.templatetags.results import points


def rows_published(results: Results, corpus: str | None) -> list[ResultRow]:
    """Return what was published on a corpus and what researchers quote beside it, or beside all questions."""
    shown = {corpus, None} if len(corpora_of(results)) < 2 else {corpus}
    return [_published(row) for row in results["published"] if row["corpus"] in shown]


def _published(row: dict[str, Any]) -> ResultRow:
    widths = dict(zip(("R@1", "R@2"), row["half_widths"] or (), strict=False))
    figures = {name: _printed(row[name], widths.get(name)) for name in ("R@1", "R@2", "MRR") if row[name]}
    return ResultRow(
        row["who"],
        _("; ").join(_about_published(row)),
        "published-model" if row["is_model"] else "published",
        figures,
        impossible=row["impossible"] or "",
        why_impossible=why_impossible(row["impossible"], row["possible"], row["candidates"]),
        quoted=row["quoted"] or 0,
    )


def why_impossible(why: str | None, between: Ends | None, candidates: int | None) -> str:
    """Return why the figures of a published or quoted row cannot be, MRR having to be `between`; "" where they can."""
    match why:
        case Impossible.ORDER:
            said = _("These figures are impossible."), _("R@2 counts all that R@1 counts, so it is never lower.")
        case Impossible.TWO:
            said = _("This R@2 is impossible."), _("Of two candidates the true one is always among the first two.")
        case Impossible.MRR if between:
            text = _("With the other figures it lies between %(ends)s, rounding allowed for.")
            if candidates:
                text = _("With %(n)s candidates and the other figures it lies between %(ends)s, rounding allowed for.")
            ends = "–".join(map(points, between))
            said = _("This MRR is impossible."), text % {"ends": f"{ends} %", "n": candidates}
        case _:
            return ""
    return sentence_space().join(said)


def _printed(share: str, half_width: str | None) -> Estimate:
    value = float(share)
    if half_width is None:
        return Estimate(value)
    return Estimate(value, (value - float(half_width), min(1.0, value + float(half_width))))


def _instances(count: int) -> str:
    return ngettext("%(n)s instance", "%(n)s instances", count) % {"n": f"{count:,}"}


def _about_published(row: dict[str, Any]) -> Iterator[str]:
    """Yield how many people or instances it is of, where it is printed, and with what it may be compared."""
    if row["n"] and row["is_model"]:
        yield _instances(row["n"])
    elif row["n"]:
        yield ngettext("%(n)s person", "%(n)s people", row["n"]) % {"n": f"{row['n']:,}"}
    if row["instances"]:
        yield _instances(row["instances"])
    if row["split"]:  # no row of a dev set is shown beside people
        yield _("%(corpus)s test") % {"corpus": row["published_corpus"]}
    printed = {"source": row["source"], "table": row["table"]}
    yield _("%(source)s, table %(table)s") % printed if row["table"] else row["source"]
    match row["comparable"]:
        case Comparable.OTHER_CANDIDATES:
            yield _("%(n)s candidates, so not comparable") % {"n": row["candidates"]}
        case Comparable.UNKNOWN_CANDIDATES if not row["candidates"]:
            yield _("number of candidates not given")
