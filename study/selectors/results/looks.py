"""R@1 by what no hypothesis was fixed for: length, type, place in a person's order, what they say of themselves."""

from typing import Any

from study.domain.results.answer_table import Table
from study.selectors.results.cells import ACROSS, rows_of_cells

APART = ("corpus", "group", "form")  # labels whose cells the results have in full


def looks_of(table: Table) -> list[dict[str, Any]]:
    """Return a row for each name of each other label: in all, in each corpus, each group, and both, where it occurs."""
    return [
        {"label": label, "name": row.pop(label), **row}
        for label in table.labels
        if label not in APART
        for row in rows_of_cells(table, [(label, *across) for across in ACROSS])
        if row["n"]
    ]
