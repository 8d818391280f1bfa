"""Stored figures as answers of the API: 503 with Retry-After while a job computes them."""

from typing import Any

from django.utils.http import http_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework.exceptions import APIException
from rest_framework.response import Response

from core.actions import stored_figures
from core.actions.stored_figures import WITHOUT, Arguments, FigureKind, FigureLook
from core.api.requests import ApiRequest
from core.presenters.stored_figures import BEING_COMPUTED, RETRY_AFTER
from core.tasks import dispatch


class BeingComputed(APIException):
    """Answer while the figures are computed. Clients that obey Retry-After get them with a later request."""

    status_code = 503
    default_detail = BEING_COMPUTED
    default_code = "being_computed"
    wait = RETRY_AFTER


FIGURES: dict[Any, Any] = {
    200: OpenApiTypes.OBJECT,
    503: OpenApiResponse(
        OpenApiTypes.OBJECT,
        description="The figures are being computed by a job. `Retry-After` says after how many seconds to ask again. "
        "Figures in an answer are of the time in `Last-Modified`.",
        examples=[
            OpenApiExample("Being computed", value={"detail": str(BeingComputed.default_detail)}, response_only=True)
        ],
    ),
}


def figure_for(request: ApiRequest, kind: FigureKind, scope: Any, arguments: Arguments = WITHOUT) -> FigureLook:
    """Return a figure. Raises BeingComputed where it takes too long for an answer; a job computes it then."""
    found = stored_figures.look(kind, scope, arguments, is_asked_again=True, by=request.user)
    if found.job and found.is_asked:
        dispatch(found.job)
    if not found.is_there:
        raise BeingComputed
    return found


def answer(found: FigureLook, content: Any) -> Response:
    """Return the content of a figure with the time that it is of."""
    assert found.as_of is not None
    return Response(content, headers={"Last-Modified": http_date(found.as_of.timestamp())})
