"""Tables of a page as files."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse

from core.exporters import csv as csv


def csv_download(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """Return `name`.csv to download; a text that a spreadsheet would run as a formula has an apostrophe in front."""
    return HttpResponse(
        b"".join(map(csv.row, [header, *rows])),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )
