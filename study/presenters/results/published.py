"""Published and quoted figures as rows of the results: how many they are of, and with what they may be compared."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study.domain.results.published import Comparable
from study.presenters.results.results import Estimate, ResultRow, Results, corpora_of


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
        possible=row["possible"] and (row["possible"][0], row["possible"][1]),
        candidates=row["candidates"] or 0,
        quoted=row["quoted"] or 0,
    )


def _printed(share: str, half_width: str | None) -> Estimate:
    value = float(share)
    if half_width is None:
        return Estimate(value)
    return Estimate(value, (value - float(half_width), min(1.0, value + float(half_width))))


def _about_published(row: dict[str, Any]) -> Iterator[str]:
    """Yield how many people or instances it is of, where it is printed, and with what it may be compared."""
    if row["n"] and row["is_model"]:
        yield ngettext("%(n)s instance", "%(n)s instances", row["n"]) % {"n": f"{row['n']:,}"}
    elif row["n"]:
        yield ngettext("%(n)s person", "%(n)s people", row["n"]) % {"n": f"{row['n']:,}"}
    printed = {"source": row["source"], "table": row["table"]}
    yield _("%(source)s, table %(table)s") % printed if row["table"] else row["source"]
    match row["comparable"]:
        case Comparable.OTHER_CANDIDATES:
            yield _("%(n)s candidates, so not comparable") % {"n": row["candidates"]}
        case Comparable.UNKNOWN_CANDIDATES if not row["candidates"]:
            yield _("how many candidates is not said")
