"""Error pages: what happened, what it means, what to do."""

import secrets
import sys

import structlog
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from core.forms.sent import is_json
from core.permissions import RoleEnded, wants_json
from core.presenters.refusals import is_of_storage

log = structlog.get_logger(__name__)

RETRY_AFTER_SECONDS = "60"  # the minute of which the sentence speaks
REFERENCE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without letters that look alike


def not_understood(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(request, "core/errors/400.html", _("The request could not be read."), 400)


def not_for_you(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RoleEnded) and is_json(request):  # a script keeps the work and sends it again
        message = _("Not saved: you no longer have this role in the project.")
        return JsonResponse({"code": "role_ended", "message": message}, status=403)
    return _answer(request, "core/errors/403.html", _("This page is not for your role."), 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(request, "core/errors/404.html", _("There is no page at this address."), 404)


def only_forms(request: HttpRequest, above: str) -> HttpResponse:
    """Say that the address answers no GET, and lead to the page `above` it."""
    if wants_json(request):
        return JsonResponse({"detail": _("This address only takes forms.")}, status=405)
    return render(request, "core/errors/405.html", {"above": above}, status=405)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse | HttpResponseRedirect:
    """Refuse a form whose token is out of date: the person signed in or out after the page was opened."""
    if request.user.is_authenticated and request.path == reverse("signin"):
        return redirect("home")  # signed in already, in another tab
    return _answer(request, "core/errors/stale_form.html", _("Not saved: this page is out of date. Reload it."), 403)


def broken(request: HttpRequest) -> HttpResponse:
    """Show the page for an error of ours, without database or session: either may be the cause."""
    language = getattr(request, "LANGUAGE_CODE", None) or translation.get_language_from_request(request)
    with translation.override(language):
        if is_of_storage(sys.exc_info()[1]):
            detail = _(
                "The server cannot store anything now. Nothing is lost: send it again in a minute. "
                "Reference %(reference)s."
            )
            return _of_storage(request, "core/errors/503.html", detail)
        return _of_ours(
            request,
            500,
            "broken",
            "core/errors/500.html",
            _("Something went wrong on the server. Reference %(reference)s."),
        )


def still_signed_in(request: HttpRequest) -> HttpResponse:
    """Say that a person is not signed out, as the session cannot be ended now."""
    detail = _("You are not signed out yet. Try again in a minute. Reference %(reference)s.")
    return _of_storage(request, "core/errors/still_signed_in.html", detail)


def _of_storage(request: HttpRequest, template: str, detail: str) -> HttpResponse:
    response = _of_ours(request, 503, "storage_trouble", template, detail)
    response.headers["Retry-After"] = RETRY_AFTER_SECONDS
    return response


def _of_ours(request: HttpRequest, status: int, code: str, template: str, detail: str) -> HttpResponse:
    """Log the error and return its answer: JSON for a script, also for one that sends JSON and asks for nothing."""
    reference = "".join(secrets.choice(REFERENCE_LETTERS) for _letter in range(6))
    view = request.resolver_match.view_name if request.resolver_match else ""
    log.error("page broken", reference=reference, view=view, method=request.method, exc_info=True)
    if wants_json(request) or is_json(request):
        return JsonResponse({"code": code, "detail": detail % {"reference": reference}}, status=status)
    return HttpResponse(render_to_string(template, {"reference": reference}), status=status)


def _answer(request: HttpRequest, template: str, detail: str, status: int) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"detail": detail}, status=status)
    return render(request, template, status=status)
