"""Figures as files: two themes and two sizes on a page; svg, pdf or png to download."""

from typing import Protocol

from django.http import Http404, HttpRequest, HttpResponse

FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
THEMES, SIZES = ("light", "dark"), ("wide", "narrow")


class FigureDrawing(Protocol):
    def __call__(self, *, theme: str, is_narrow: bool, format: str) -> bytes: ...


def drawing(request: HttpRequest, draw: FigureDrawing, *, name: str, format: str) -> HttpResponse:
    """Return the figure in the theme and size of the address.

    With `download` in the address it is an attachment, `name`.format.
    """
    theme, size = request.GET.get("theme", "light"), request.GET.get("size", "wide")
    if format not in FORMATS or theme not in THEMES or size not in SIZES:
        raise Http404
    drawn = draw(theme=theme, is_narrow=size == "narrow", format=format)
    response = HttpResponse(drawn, content_type=FORMATS[format])
    if "download" in request.GET:
        response["Content-Disposition"] = f'attachment; filename="{name}.{format}"'
    return response
