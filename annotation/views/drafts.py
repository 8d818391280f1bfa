"""Find the draft of a request, and answer it, for the pages of all drafts: a script with JSON, a form with a page.

A handler reads down: it calls one action, and returns `saved` or `go_on`, or its page again with the refusal.
"""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone as clock
from django.utils.translation import gettext as _

from annotation.models.drafts import Draft, DraftT
from annotation.permissions import must_still_work_in
from core.forms.sent import is_json
from core.permissions import AuthenticatedRequest


def own_draft(request: AuthenticatedRequest, model: type[DraftT], slug: str, assignment: int) -> DraftT:
    """Return the draft on an assignment of the person in the project; 404 otherwise."""
    drafts = model._default_manager.select_related("assignment__slot__item", "assignment__slot__queue__project")
    own = drafts.filter(assignment__person=request.user, assignment__slot__queue__project__slug=slug)
    draft = get_object_or_404(own, assignment=assignment)
    must_still_work_in(request, draft.assignment.slot.queue.project)
    return draft


def saved(request: HttpRequest, draft: Draft, here: str) -> HttpResponse:
    """Stay on the page, whose address is `here`."""
    if is_json(request):
        return JsonResponse({"saved_at": draft.saved_at, "revision": draft.revision})
    messages.success(request, _("The draft is saved."))
    return redirect(here)


def go_on(request: HttpRequest, there: str, message: str, *, saved_at: datetime | None = None) -> HttpResponse:
    """Lead to the page at the address `there`, which shows the message."""
    messages.success(request, message)
    if is_json(request):
        return JsonResponse({"saved_at": saved_at or clock.now(), "next": there})
    return redirect(there)
