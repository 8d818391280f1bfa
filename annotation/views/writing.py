"""The page on which authors rewrite an item, and what it sends. Without JavaScript it is a plain form."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import assignments, rewrites
from annotation.actions.refusals import Refused
from annotation.forms.writing import DraftForm, SkipForm, fields_of
from annotation.models import Kind, Rewrite, Seat, Step
from annotation.permissions import projects_of, requires
from annotation.views import writing_page
from annotation.views.loading import project_at
from annotation.views.sent import fields_sent, is_json

UNREADABLE = _("Not saved: what this page sent cannot be read. Load the page again.")


@requires("instances.write")
@never_cache  # a page from the past would show a draft that has been written over since
@require_GET
def write(request: HttpRequest, slug: str) -> HttpResponse:
    """The item to write: one that was sent back before any other, unless another one in hand is asked for."""
    project = project_at(request, slug, Kind.REWRITING)
    seats = assignments.hold(project=project, step=Step.WRITE, by=request.user)
    if not seats:
        context = {"project": project, "has_items": project.items.counting().exists()}
        return render(request, "annotation/writing_none.html", context)
    rewrite = rewrites.open_seat(seat=_first(seats, request.GET.get("seat", "")), by=request.user)
    return _page(request, rewrite, rewrite.cut, rewrite.candidates)


@requires("instances.write")
@require_POST
def save(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    return _keep(request, _rewrite(request, slug, seat), rewrites.save, _saved)


@requires("instances.write")
@require_POST
def submit(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    return _keep(request, _rewrite(request, slug, seat), rewrites.submit, _submitted)


@requires("instances.write")
@require_POST
def skip(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    rewrite = _rewrite(request, slug, seat)
    form = SkipForm(fields_sent(request, fields_of))
    if not form.is_valid():
        return _declined(request, rewrite, Refused("malformed", next(iter(form.errors.values()))[0]), status=400)
    try:
        rewrites.skip(rewrite=rewrite, reason=form.cleaned_data["reason"], by=request.user)
    except Refused as refused:
        return _declined(request, rewrite, refused)
    return _go_on(request, slug, str(_("Left to others. Here is the next one.")))


def _keep(
    request: HttpRequest, rewrite: Rewrite, act: Callable[..., Rewrite], done: Callable[..., HttpResponse]
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
    return redirect(_address(rewrite))


def _submitted(request: HttpRequest, rewrite: Rewrite) -> HttpResponse:
    return _go_on(request, rewrite.seat.place.queue.project.slug, str(_("Submitted: an inspector judges it next.")))


def _go_on(request: HttpRequest, slug: str, message: str) -> HttpResponse:
    """To whatever is next, with what happened on top of it."""
    messages.success(request, message)
    if is_json(request):
        return JsonResponse({"saved_at": clock.now(), "next": reverse("write", args=[slug])})
    return redirect("write", slug)


def _declined(
    request: HttpRequest, rewrite: Rewrite, refused: Refused, form: DraftForm | None = None, *, status: int = 409
) -> HttpResponse:
    """Why not, with the text as it stands on the page."""
    kept = refused if isinstance(refused, rewrites.NotSubmitted) else None
    flaws = kept.flaws if kept else []
    rewrite = _newest(rewrite)
    if is_json(request):
        answer = {"code": refused.code, "message": str(refused), "flaws": writing_page.sentences(flaws),
                  "kept": kept is not None, "revision": rewrite.revision, "saved_at": rewrite.saved_at}  # fmt: skip
        return JsonResponse(answer, status=status)
    stands = form.draft if form else {"cut": rewrite.cut, "candidates": rewrite.candidates}
    context = {"flaws": flaws, "refusal": str(refused)}
    return _page(request, rewrite, stands["cut"], stands["candidates"], status=status, **context)


def _page(
    request: HttpRequest, rewrite: Rewrite, cut: int, candidates: Sequence[str], *, status: int = 200, **more: Any
) -> HttpResponse:
    context = writing_page.context(rewrite, cut=cut, candidates=candidates, **more)
    return render(request, "annotation/writing.html", context, status=status)


def _first(seats: Sequence[Seat], wanted: str) -> Seat:
    """The seat that was asked for by its number; else one that was sent back; else the one held for longest."""
    return min(seats, key=lambda seat: (str(seat.pk) != wanted, seat.place.round == 1, seat.pk))


def _rewrite(request: HttpRequest, slug: str, seat: int) -> Rewrite:
    own = Rewrite.objects.select_related("seat__person", "seat__place__item", "seat__place__queue__project")
    own = own.filter(seat__person=request.user, seat__place__queue__step=Step.WRITE)
    return get_object_or_404(
        own, seat=seat, seat__place__queue__project__in=projects_of(request.user).filter(slug=slug)
    )


def _newest(rewrite: Rewrite) -> Rewrite:
    """As it is stored now, on a newer seat where the person was given the place again."""
    own = Rewrite.objects.filter(seat__place=rewrite.seat.place_id, seat__person=rewrite.seat.person_id)
    return own.select_related("seat__place__item", "seat__place__queue__project").latest("pk")


def _address(rewrite: Rewrite) -> str:
    return f"{reverse('write', args=[rewrite.seat.place.queue.project.slug])}?seat={rewrite.seat_id}"
