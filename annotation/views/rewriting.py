"""Page on which authors rewrite an item, and its requests. Without JavaScript it is a plain form."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import flags
from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.forms.rating.rating import FlagForm
from annotation.forms.rating.rating import fields_of as flag_fields_of
from annotation.forms.rewriting import DraftForm, ItemSkipForm, fields_of
from annotation.models import Assignment, Cursor, Kind, Rewrite, Step
from annotation.permissions import project_at, projects_of
from annotation.presenters.rewriting import writing_page
from annotation.selectors.qualification.qualification import may_go_on
from core.actions.refusals import Refused
from core.forms.sent import fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires

UNREADABLE = _("Not saved: what this page sent cannot be read. Load the page again.")


@requires("instances.write")
@never_cache  # a page from the cache would show a draft since replaced
@require_GET
def write(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the item to write: the held one asked for, else a returned one, else the oldest.

    An author who still has to practise, but has no practice item now, is redirected to the page of their practice.
    """
    project = project_at(request, slug, Kind.REWRITING)
    claimed = assignments.claim(project=project, step=Step.WRITE, by=request.user)
    if not claimed:
        if not may_go_on(project, request.user, Cursor()):
            return redirect("own_practice", slug)
        context = {"project": project, "has_items": project.items.counting().exists()}
        return render(request, "annotation/rewriting/none.html", context)
    rewrite = rewrites.open_assignment(assignment=_first(claimed, request.GET.get("assignment", "")), by=request.user)
    return _page(request, rewrite, rewrite.cut, rewrite.candidates)


@requires("instances.write")
@require_POST
def save(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _keep(request, _rewrite(request, slug, assignment), rewrites.save, _saved)


@requires("instances.write")
@require_POST
def submit(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _keep(request, _rewrite(request, slug, assignment), rewrites.submit, _submitted)


@requires("instances.write")
@require_POST
def restore(request: AuthenticatedRequest, slug: str, assignment: int, version: int) -> HttpResponse:
    """Restore a version. The text on the page comes with the request, and is saved first."""
    return _keep(request, _rewrite(request, slug, assignment), partial(rewrites.restore, version=version), _restored)


@requires("instances.write")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    rewrite = _rewrite(request, slug, assignment)
    form = ItemSkipForm(fields_sent(request, fields_of))
    if not form.is_valid():
        return _declined(request, rewrite, Refused("malformed", str(next(iter(form.errors.values()))[0])), status=400)
    try:
        rewrites.skip(rewrite=rewrite, reason=form.cleaned_data["reason"], by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused)
    return _go_on(request, slug, str(_("Left to others. Here is the next one.")))


@requires("instances.write")
@require_POST
def flag(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    """Flag the item, which stays held; a plain form is shown again as it was sent, without saving its text."""
    rewrite = _rewrite(request, slug, assignment)
    form = FlagForm(fields_sent(request, flag_fields_of))
    if not form.is_valid():
        return _declined(request, rewrite, Refused("malformed", UNREADABLE), status=400)
    stands = DraftForm(fields_sent(request, fields_of))
    try:
        flags.raise_flag(assignment=rewrite.assignment, **form.cleaned_data, by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused, stands if stands.is_valid() else None)
    if is_json(request):
        return JsonResponse({"saved_at": clock.now()})
    messages.success(request, _("Your flag has arrived. A researcher looks at it."))
    return _page(request, rewrite, **_stands(rewrite, stands if stands.is_valid() else None))


def _keep(
    request: AuthenticatedRequest, rewrite: Rewrite, act: Callable[..., Rewrite], done: Callable[..., HttpResponse]
) -> HttpResponse:
    form = DraftForm(fields_sent(request, fields_of))
    if not form.is_valid():
        return _declined(request, rewrite, Refused("malformed", UNREADABLE), status=400)
    try:
        return done(request, act(rewrite=rewrite, **form.draft, by=request.user))
    except Refused as refused:
        return _declined(request, rewrite, refused, form)


def _saved(request: HttpRequest, rewrite: Rewrite) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"saved_at": rewrite.saved_at, "revision": rewrite.revision})
    messages.success(request, _("The draft is saved."))
    return redirect(writing_page.address(rewrite))


def _restored(request: HttpRequest, rewrite: Rewrite) -> HttpResponse:
    messages.success(request, _("The version is back. What stood before is kept among the versions."))
    if is_json(request):
        return JsonResponse({"saved_at": rewrite.saved_at, "next": writing_page.address(rewrite)})
    return redirect(writing_page.address(rewrite))


def _submitted(request: HttpRequest, rewrite: Rewrite) -> HttpResponse:
    project = rewrite.assignment.slot.queue.project
    if rewrite.assignment.slot.item.is_practice:
        return _go_on(request, project.slug, str(_("Handed in: an inspector grades it. Practice counts nowhere.")))
    is_full = project.rewriting.inspected_percent == 100
    # the same message whether it was drawn or not, so that authors cannot tell
    said = _("Submitted: an inspector judges it next.") if is_full else _("Submitted: an inspector may judge it next.")
    return _go_on(request, project.slug, str(said))


def _go_on(request: HttpRequest, slug: str, message: str) -> HttpResponse:
    """Lead to the next item, with a message on its page."""
    messages.success(request, message)
    if is_json(request):
        return JsonResponse({"saved_at": clock.now(), "next": reverse("write", args=[slug])})
    return redirect("write", slug)


def _declined(
    request: HttpRequest, rewrite: Rewrite, refused: Refused, form: DraftForm | None = None, *, status: int = 409
) -> HttpResponse:
    """Return the refusal; re-render with the unsaved text."""
    kept = refused if isinstance(refused, rewrites.RewriteNotSubmitted) else None
    flaws = kept.flaws if kept else []
    rewrite = _newest(rewrite)
    if is_json(request):
        answer = {
            "code": refused.code,
            "message": str(refused),
            "flaws": writing_page.sentences(flaws),
            "kept": kept is not None,
            "revision": rewrite.revision,
            "saved_at": rewrite.saved_at,
        }
        return JsonResponse(answer, status=status)
    return _page(request, rewrite, **_stands(rewrite, form), status=status, flaws=flaws, refusal=str(refused))


def _stands(rewrite: Rewrite, form: DraftForm | None) -> dict[str, Any]:
    """Return what the page shows: the draft of the form, else the stored one."""
    if form is None:
        return {"cut": rewrite.cut, "candidates": rewrite.candidates}
    return {"cut": form.draft["cut"], "candidates": form.draft["candidates"]}


def _page(
    request: HttpRequest, rewrite: Rewrite, cut: int, candidates: Sequence[str], *, status: int = 200, **more: Any
) -> HttpResponse:
    context = writing_page.context(rewrite, cut=cut, candidates=candidates, **more)
    return render(request, "annotation/rewriting/rewriting.html", context, status=status)


def _first(claimed: Sequence[Assignment], wanted: str) -> Assignment:
    """Return the assignment asked for by its number; else one returned for revision; else the one held longest."""
    return min(
        claimed, key=lambda assignment: (str(assignment.pk) != wanted, assignment.slot.round == 1, assignment.pk)
    )


def _rewrite(request: AuthenticatedRequest, slug: str, assignment: int) -> Rewrite:
    own = Rewrite.objects.select_related(
        "assignment__person", "assignment__slot__item", "assignment__slot__queue__project"
    )
    own = own.filter(assignment__person=request.user, assignment__slot__queue__step=Step.WRITE)
    return get_object_or_404(
        own, assignment=assignment, assignment__slot__queue__project__in=projects_of(request.user).filter(slug=slug)
    )


def _newest(rewrite: Rewrite) -> Rewrite:
    """Return the rewrite as stored now, on the newer assignment if the person was given the slot again."""
    own = Rewrite.objects.filter(
        assignment__slot=rewrite.assignment.slot_id, assignment__person=rewrite.assignment.person_id
    )
    return own.select_related("assignment__slot__item", "assignment__slot__queue__project").latest("pk")
