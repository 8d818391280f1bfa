"""The comparison of two runs to download, over all instances and over parts of them."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.actions.refusals import sentence_space
from core.exporters.latex import LatexTable
from core.templatetags.figures import interval, p_value
from study.presenters.runs.compare import ComparedRuns, PartDifference, PartTable, whole
from study.templatetags.run_figures import signed_share

CSV_HEADER = ["part", "name", "n", "only_first", "only_second", "difference", "low", "high", "p"]


UNREAD = ["unread_first", "unread_second"]


def csv_header(shown: ComparedRuns) -> list[str]:
    """Return the columns, with how many instances of each run are unread where there are some."""
    return [*CSV_HEADER, *UNREAD] if shown.unread else CSV_HEADER


def name_of(shown: ComparedRuns) -> str:
    return f"runs-{shown.found.first.pk}-{shown.found.second.pk}"


def csv_rows(shown: ComparedRuns, parts: Sequence[PartTable]) -> Iterator[list[Any]]:
    """Yield a row for all instances, then one for each part."""
    for key, rows in (("all", [whole(shown)]), *((part.key, part.rows) for part in parts)):
        for row in rows:
            d = row.difference
            numbers = (row.only_first, row.only_second, d.mean, *(d.interval or (None, None)), d.p)
            unread = row.unread if shown.unread else ()
            yield [key, row.label, row.n, *("" if number is None else number for number in numbers), *unread]


def latex_of(shown: ComparedRuns, parts: Sequence[PartTable]) -> LatexTable:
    """Return the difference over all instances, then within each part."""
    first, second = shown.titles
    said = {"first": first, "second": second, "measure": shown.found.measure, "on": shown.found.first.on}
    caption = [
        _("%(measure)s of %(first)s minus that of %(second)s on %(on)s, paired over instances, with 95 %% intervals.")
        % said,
        _("The p-values are not corrected for multiple comparisons."),
        *shown.unread,
    ]
    only = [_("only %(title)s") % {"title": title} for title in shown.titles]
    columns = [_("Instances"), "n", *only, _("difference"), "95 %", "p"]
    groups = [("", [_row(whole(shown))]), *((part.title, list(map(_row, part.rows))) for part in parts)]
    return LatexTable(f"{first} and {second}", sentence_space().join(caption), columns, groups)


def _row(row: PartDifference) -> list[str]:
    d = row.difference
    counts = ["" if count is None else f"{count:,}" for count in (row.only_first, row.only_second)]
    return [row.label, f"{row.n:,}", *counts, signed_share(d.mean), interval(d.interval), p_value(d.p)]
