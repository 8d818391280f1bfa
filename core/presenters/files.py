"""Figures and tables as files. A figure has two themes and two sizes on a page, and is svg, pdf or png to download."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse

from core.exporters import csv as csv
from core.exporters.latex import LatexTable, written

FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
THEMES, SIZES = ("light", "dark"), ("wide", "narrow")


class FigureDrawing(Protocol):
    def __call__(self, *, theme: str, is_narrow: bool, format: str) -> bytes: ...


def drawing(query: QueryDict, draw: FigureDrawing, *, name: str, format: str) -> HttpResponse:
    """Return the figure in the theme and size of the address.

    With `download` in the address it is an attachment, `name`.format.
    """
    theme, size = query.get("theme", "light"), query.get("size", "wide")
    if format not in FORMATS or theme not in THEMES or size not in SIZES:
        raise Http404
    drawn = draw(theme=theme, is_narrow=size == "narrow", format=format)
    response = HttpResponse(drawn, content_type=FORMATS[format])
    if "download" in query:
        response["Content-Disposition"] = f'attachment; filename="{name}.{format}"'
    return response


def csv_download(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """Return `name`.csv to download; a text that a spreadsheet would run as a formula has an apostrophe in front."""
    return HttpResponse(
        b"".join(map(csv.row, [header, *rows])),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


def latex_download(name: str, table: LatexTable) -> HttpResponse:
    """Return `name`.tex to download."""
    return HttpResponse(
        written(table),
        content_type="application/x-tex; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.tex"'},
    )


def streamed(name: str, lines: Iterable[bytes], content_type: str) -> StreamingHttpResponse:
    """Return a file to download line by line, which is never in memory as a whole."""
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(lines, content_type=content_type, headers=disposition)
