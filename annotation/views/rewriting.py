"""Page on which authors rewrite an item, and its requests. Without JavaScript it is a plain form."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import flags
from annotation.actions.rewriting import rewrites
from annotation.forms.assignments import UNREADABLE, SkipForm
from annotation.forms.rating.rating import FlagForm
from annotation.forms.rating.rating import fields_of as flag_fields_of
from annotation.forms.rewriting import RewriteForm
from annotation.models import Cursor, Kind, Rewrite, Step
from annotation.permissions import project_at
from annotation.presenters import drafts
from annotation.presenters.rewriting import writing_page
from annotation.presenters.skips import last_skip
from annotation.selectors.drafts import newest
from annotation.selectors.qualification.qualification import may_go_on
from annotation.selectors.rewriting.author_page import first_to_write
from annotation.views.drafts import go_on, own_draft, saved
from annotation.views.one_by_one import claimed_for
from core.actions.refusals import Refused
from core.forms.sent import checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import status_of


@requires("instances.write")
@require_GET
def write(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the item to write: the held one asked for, else a returned one, else the oldest.

    An author who still has to practise, but has no practice item now, is redirected to the page of their practice.
    """
    project = project_at(request, slug, Kind.REWRITING)
    claimed = claimed_for(request, project, Step.WRITE)
    if not claimed:
        if not may_go_on(project, request.user, Cursor()):
            return redirect("own_practice", slug)
        skipped = last_skip(project, Step.WRITE, request.user)
        context = {"project": project, "has_items": project.items.counting().exists(), "skipped": skipped}
        return render(request, "annotation/rewriting/none.html", context)
    assignment = first_to_write(claimed, wanted=request.GET.get("assignment", ""))
    return _page(request, rewrites.open_assignment(assignment=assignment, by=request.user))


@requires("instances.write", is_shown_by_what_is_found=True)
@require_POST
def save(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    rewrite = own_draft(request, Rewrite, slug, assignment)
    form = RewriteForm.of(request)
    try:
        draft = form.draft()
        rewrite = rewrites.save(rewrite=rewrite, **draft, takes_over=form.cleaned_data["takes_over"], by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused, form)
    return saved(request, rewrite, writing_page.address(rewrite))


@requires("instances.write", is_shown_by_what_is_found=True)
@require_POST
def submit(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    rewrite = own_draft(request, Rewrite, slug, assignment)
    form = RewriteForm.of(request)
    try:
        draft, shown = form.draft(), form.cleaned_data["goes_on"]
        rewrite = rewrites.submit(rewrite=rewrite, **draft, shown_next=shown, by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused, form)
    said = writing_page.submission_message(rewrite)
    if shown:
        return JsonResponse({"said": said, "saved_at": rewrite.submitted_at})
    return go_on(request, reverse("write", args=[slug]), said)


@requires("instances.write", is_shown_by_what_is_found=True)
@require_POST
def restore(request: AuthenticatedRequest, slug: str, assignment: int, version: int) -> HttpResponse:
    """Restore a version. The text on the page comes with the request, and is saved first."""
    rewrite = own_draft(request, Rewrite, slug, assignment)
    form = RewriteForm.of(request)
    try:
        rewrite = rewrites.restore(rewrite=rewrite, version=version, **form.draft(), by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused, form)
    message = _("Version restored. The previous text is kept among the versions.")
    return go_on(request, writing_page.address(rewrite), message, saved_at=rewrite.saved_at)


@requires("instances.write", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    rewrite = own_draft(request, Rewrite, slug, assignment)
    try:
        rewrites.skip(rewrite=rewrite, **checked(SkipForm.of(request)), by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused)
    return go_on(request, reverse("write", args=[slug]), _("Left to others."))


@requires("instances.write", is_shown_by_what_is_found=True)
@require_POST
def flag(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    """Flag the item, which stays held; a plain form is shown again as it was sent, without saving its text."""
    rewrite = own_draft(request, Rewrite, slug, assignment)
    form = RewriteForm.of(request)
    try:
        sent = checked(FlagForm(fields_sent(request, flag_fields_of)), UNREADABLE)
        flags.raise_flag(assignment=rewrite.assignment, **sent, by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused, form)
    if is_json(request):
        return JsonResponse({"saved_at": clock.now()})
    messages.success(request, _("Your flag has arrived. A researcher will look at it."))
    form.show_on(rewrite)
    return _page(request, rewrite)


def _declined(
    request: HttpRequest, rewrite: Rewrite, refused: Refused, form: RewriteForm | None = None
) -> HttpResponse:
    """Return the refusal and what is stored now; the page shows the unsaved text."""
    rewrite = newest(rewrite)
    if is_json(request):
        return JsonResponse(drafts.refusal(rewrite, refused), status=status_of(refused))
    if form:
        form.show_on(rewrite)
    return _page(request, rewrite, refused)


def _page(request: HttpRequest, rewrite: Rewrite, refused: Refused | None = None) -> HttpResponse:
    context = writing_page.context(rewrite, refused)
    return render(request, "annotation/rewriting/rewriting.html", context, status=status_of(refused))
