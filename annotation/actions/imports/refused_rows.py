"""Refusal of the rows of a file, and its form for scripts."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.importers.reasons import reason_text
from annotation.importers.rows import BadRow
from core.actions.refusals import Refused, RefusedLine


class RowsRefused(Refused):
    """Refusal of a file because of some rows; nothing was stored. A row without a line means an unreadable file."""

    def __init__(self, rows: list[BadRow]) -> None:
        whole = next((row for row in rows if row.line is None), None)
        if whole:
            params = {"file": whole.file, "reason": reason_text(whole.reason)}
            super().__init__("file_refused", _("Nothing from “%(file)s” was stored. %(reason)s.") % params)
        else:
            text = ngettext(
                "Nothing was stored: %(n)s row was refused.", "Nothing was stored: %(n)s rows were refused.", len(rows)
            )
            super().__init__("rows_refused", text % {"n": f"{len(rows):,}"})
        self.rows = rows
        self.lines = list(map(refused_line, rows))


def refused_line(row: BadRow) -> RefusedLine:
    """Return a refused row with its reason in English."""
    line: RefusedLine = {"file": row.file, "line": row.line, "code": row.reason.code, "reason": str(row.reason)}
    if row.record is not None:
        line |= {"record": row.record, "dialogue": row.dialogue}
    return line


def kept_row(row: BadRow) -> dict[str, Any]:
    """Return a refused row as the result of a job keeps it, to be said in the language of a page."""
    return {
        "file": row.file,
        "line": row.line,
        "code": row.reason.code,
        "params": dict(row.reason.params),
        "excerpt": row.excerpt,
    }
