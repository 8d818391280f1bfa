"""Page on which people name the reasoning type of accepted instances, and the request to ask for it: plain forms."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import reasoning
from annotation.actions.queue import assignments
from annotation.actions.reasoning import SKIP_REASONS
from annotation.forms.reasoning import AskForm, TypeForm
from annotation.forms.rewriting import ItemSkipForm
from annotation.models import Assignment, Kind, Project, Queue, Step, TypeChoice
from annotation.permissions import own_assignment, project_at
from annotation.presenters.reasoning.reasoning_words import NAMES, TYPES
from annotation.selectors.reasoning import last_named, named_by, shown_on, waiting_in
from core.actions.refusals import Refused
from core.models import User
from core.permissions import AuthenticatedRequest, requires


@requires("instances.type")
@never_cache  # a page from the cache would offer an instance already named
@require_GET
def types(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    named = last_named(project, request.user)
    changing = next((each for each in named if str(each.assignment_id) == request.GET.get("change")), None)
    queue = Queue.objects.filter(project=project, step=Step.TYPE).first()
    assignment = changing.assignment if changing else _next_assignment(project, queue, request.user)
    left = waiting_in(queue, request.user) if queue else 0
    context = {
        "project": project,
        "shown": assignment and shown_on(assignment),
        "changing": changing,
        "earlier": _earlier(named, changing),
        "done": named_by(project, request.user),
        "types": TYPES,
        "names": NAMES,
        "skip_reasons": list(SKIP_REASONS.items()),
        "page_keys": _page_keys(),
        "page_name": _("Reasoning types, 1 of %(left)d") % {"left": left} if left else _("Reasoning types"),
    }
    return render(request, "annotation/reasoning/types.html", context)


def _next_assignment(project: Project, queue: Queue | None, person: User) -> Assignment | None:
    if queue is None:
        return None
    return next(iter(assignments.claim(project=project, step=Step.TYPE, by=person)), None)


def _earlier(named: list[TypeChoice], changing: TypeChoice | None) -> TypeChoice | None:
    """Return the choice that "change the last" leads to: one step further back in the last choices."""
    index = named.index(changing) + 1 if changing else 0
    return named[index] if index < len(named) else None


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 – 6", _("choose a type: saves and goes on")),
        ("?", _("unsure: saves and goes on")),
        ("Z", _("go back to your last choices, one by one")),
        ("X", _("skip with a reason")),
    ]


@requires("instances.type")
@require_POST
def name(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(assignment: Assignment, sent: dict[str, Any]) -> None:
        reasoning.choose(assignment=assignment, **sent, again="anew" in request.GET, by=request.user)

    return _act(request, slug, assignment, TypeForm, act)


@requires("instances.type")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    def act(assignment: Assignment, sent: dict[str, Any]) -> None:
        reasoning.skip(assignment=assignment, reason=sent["reason"], by=request.user)
        messages.success(request, _("Left to others. Here is the next one."))

    return _act(request, slug, assignment, ItemSkipForm, act)


def _act(
    request: AuthenticatedRequest,
    slug: str,
    assignment: int,
    kind_of_form: type[forms.Form],
    act: Callable[[Assignment, dict[str, Any]], None],
) -> HttpResponse:
    found = own_assignment(request, slug, assignment, Step.TYPE)
    form = kind_of_form(request.POST)
    try:
        if form.is_valid():
            act(found, form.cleaned_data)
        else:
            messages.error(request, str(next(iter(form.errors.values()))[0]))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("types", slug)


@requires("project.manage")
@require_POST
def ask(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Ask two people about a sample of the accepted instances, or about more of them."""
    project = project_at(request, slug, Kind.REWRITING)
    form = AskForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["instances"][0]))
        return redirect("board", slug)
    try:
        asked = reasoning.ask_about(project=project, instances=form.cleaned_data["instances"], by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("board", slug)
    said = ngettext(
        "Two people are asked about one more instance.", "Two people are asked about %(count)d more instances.", asked
    )
    none = _("Nothing new: two people are asked about as many already.")
    messages.success(request, said % {"count": asked} if asked else none)
    return redirect("board", slug)
