"""Stored figures on a page: as they are now, or as they were a moment ago beside the job that computes newer ones."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from core.actions import stored_figures
from core.actions.stored_figures import WITHOUT, Arguments, FigureKind, FigureLook
from core.permissions import AuthenticatedRequest, may
from core.presenters.jobs import watch
from core.tasks import dispatch

BEING_COMPUTED = _("These figures are being computed. Try again after the number of seconds in Retry-After.")
RETRY_AFTER = 2  # seconds
AGAIN = "again"  # in the address: asks for a job that came to nothing once more


def look_at(request: AuthenticatedRequest, kind: FigureKind, scope: Any, arguments: Arguments = WITHOUT) -> FigureLook:
    """Return a figure for a page; pass a job that computes it to the broker."""
    return _look_at(request, kind, scope, arguments, is_asked_again=AGAIN in request.GET)


def look_for_file(
    request: AuthenticatedRequest, kind: FigureKind, scope: Any, arguments: Arguments = WITHOUT
) -> FigureLook:
    """Return a figure for a file. A program that asks for it sees no button, so a job that failed is tried again."""
    return _look_at(request, kind, scope, arguments, is_asked_again=not _is_browser(request))


def _look_at(
    request: AuthenticatedRequest, kind: FigureKind, scope: Any, arguments: Arguments, *, is_asked_again: bool
) -> FigureLook:
    found = stored_figures.look(kind, scope, arguments, is_asked_again=is_asked_again, by=request.user)
    if found.job and found.is_asked:
        dispatch(found.job)
    return found


def state_of(request: AuthenticatedRequest, found: FigureLook, scope: Any) -> dict[str, Any]:
    """Return what `_components/figure_state.html` shows above figures."""
    query = request.GET.copy()
    query.pop(AGAIN, None)
    here = f"{request.path}?{query.urlencode()}" if query else request.path
    query[AGAIN] = "1"
    is_under_way = found.job is not None and not found.job.is_over
    return {
        "look": found,
        "watch": watch(found.job) if is_under_way else None,
        "ended": watch(found.job) if found.job is not None and not is_under_way else None,
        "poll_url": here,
        "again_url": f"{request.path}?{query.urlencode()}",
        "may_cancel": may(request.user, "jobs.watch", within=scope),
    }


def answer_without_figures(request: HttpRequest, page: str) -> HttpResponse:
    """Answer for a file whose figures are being computed: browsers are led to the page that shows how far they are.

    A program is answered 503, as by the API: it would take that page for the file.
    """
    if _is_browser(request):
        return redirect(page)
    headers = {"Content-Type": "text/plain; charset=utf-8", "Retry-After": str(RETRY_AFTER)}
    return HttpResponse(BEING_COMPUTED, status=503, headers=headers)


def figures_as_file(
    request: AuthenticatedRequest, found: FigureLook, page: str, file_of: Callable[[Any], HttpResponse]
) -> HttpResponse:
    """Answer with the file that is made of the figures of a look, or as `answer_without_figures` does."""
    return file_of(found.content) if found.is_there else answer_without_figures(request, page)


def figures_as_drawing(
    request: AuthenticatedRequest, found: FigureLook, page: str, file_of: Callable[[Any], HttpResponse]
) -> HttpResponse:
    """Answer with a drawing; on a page with figures of a moment ago it is of these, a download is of newer ones."""
    if "download" in request.GET or found.content is None:
        return figures_as_file(request, found, page, file_of)
    return file_of(found.content)


def _is_browser(request: HttpRequest) -> bool:
    """Return whether a person follows a link: their browser asks for a page, whatever the link leads to."""
    return "text/html" in request.headers.get("Accept", "")
