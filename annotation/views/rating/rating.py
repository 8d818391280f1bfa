"""Page on which people grade pairs, and its requests. Without JavaScript it works too, one pair at a time."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import flags
from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.forms.rating.rating import FirstGradeForm, FlagForm, GradeForm, RatingSkipForm, fields_of
from annotation.models import Assignment, Kind, Project, Rating, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters import rating
from annotation.presenters.qualification import why_not
from annotation.selectors.qualification.qualification import annotator_of
from annotation.selectors.rating import annotator_page
from annotation.selectors.rating.own_work import start_of_today
from core.actions.refusals import Refused
from core.forms.sent import fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires

AHEAD = 6  # pairs in the page: about a minute of usual work without a connection
PACE_OF = 20  # grades whose median is the pace
UNREADABLE = _("Not saved: what this page sent cannot be read. Load the page again.")


@requires("pairs.rate")
@never_cache  # a page from the cache would offer pairs that are graded
@require_GET
def rate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    pairs = _claimed_pairs(request, project)
    annotator = None if pairs else annotator_of(project, request.user)
    if annotator and annotator.status not in (QualificationStatus.FREE, QualificationStatus.PAUSED):
        return redirect("practice", slug)
    stopped = why_not(project, annotator) if annotator else ""
    graded = [] if stopped else annotator_page.last_graded(project, request.user)
    page = rating.context(
        project,
        request.user,
        guideline=project.guidelines.all()[:1].get(),
        pairs=pairs,
        graded=graded,
        changing=next((pair for pair in graded if str(pair.assignment) == request.GET.get("change")), None),
        today=_graded_today(request, project),
        left=annotator_page.count_left(project, request.user, held=len(pairs)),
        milliseconds=annotator_page.last_milliseconds(project, request.user, count=PACE_OF),
    )
    has_pairs = bool(pairs) or project.items.counting().exists()
    return render(request, "annotation/rating/rating.html", {**page, "has_pairs": has_pairs, "stopped": stopped})


@requires("pairs.rate")
@require_POST
def next_pairs(request: AuthenticatedRequest, slug: str) -> JsonResponse:
    """Return the present state to a page that was left open or refused."""
    project = project_at(request, slug, Kind.RATING)
    graded = annotator_page.last_graded(project, request.user)
    return JsonResponse({"past": [rating.json_of(pair) for pair in graded], **_state(request, project)})


@requires("pairs.rate")
@require_POST
def grade(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _act(request, slug, assignment, FirstGradeForm, partial(ratings.submit_and_claim, count=AHEAD))


@requires("pairs.rate")
@require_POST
def change(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _act(request, slug, assignment, GradeForm, _then_nothing(ratings.change))


@requires("pairs.rate")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _act(request, slug, assignment, RatingSkipForm, _then_nothing(ratings.skip))


@requires("pairs.rate")
@require_POST
def flag(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    return _act(request, slug, assignment, FlagForm, _then_nothing(flags.raise_flag))


# The rating, and the person's held assignments if the action claimed the next ones.
Outcome = tuple[Rating | None, list[Assignment]]


def _then_nothing(action: Callable[..., Rating | None]) -> Callable[..., Outcome]:
    return lambda **how: (action(**how), [])


def _act(
    request: AuthenticatedRequest,
    slug: str,
    assignment_pk: int,
    kind_of_form: type[forms.Form],
    action: Callable[..., Outcome],
) -> HttpResponse:
    assignment = own_assignment(request, slug, assignment_pk, Step.RATE)
    project = assignment.slot.queue.project
    form = kind_of_form(fields_sent(request, fields_of))
    if not form.is_valid():
        # A person can only forget to choose; a script that sends something else is an old or broken page.
        message = UNREADABLE if is_json(request) else next(iter(form.errors.values()))[0]
        return _declined(request, project, "malformed", str(message), status=400)
    try:
        rating, held = action(assignment=assignment, by=request.user, **form.cleaned_data)
    except Refused as refused:
        return _declined(request, project, refused.code, str(refused), status=409)
    saved_at = clock.now()
    if not is_json(request):
        return redirect("rate", project.slug)
    stored = (
        {"assignment": rating.assignment_id, "guideline": rating.guideline and rating.guideline.number}
        if rating
        else {}
    )
    return JsonResponse({"saved_at": saved_at, **stored, **_state(request, project, held)})


def _declined(request: HttpRequest, project: Project, code: str, message: str, *, status: int) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"code": code, "message": message}, status=status)
    messages.error(request, message)
    return redirect("rate", project.slug)


def _state(request: AuthenticatedRequest, project: Project, held: Sequence[Assignment] = ()) -> dict[str, Any]:
    """Return the common part of all responses to the script: held pairs, topped up, and the day's count.

    For a person who may not go on it says why, and offers no grades to change.
    """
    claimed = annotator_page.pairs_on(project, held) if held else _claimed_pairs(request, project)
    pairs = [rating.json_of(pair) for pair in claimed]
    stopped = "" if pairs else why_not(project, annotator_of(project, request.user))
    return {
        "pairs": pairs,
        "today": _graded_today(request, project),
        **({"stopped": stopped, "past": []} if stopped else {}),
    }


def _claimed_pairs(request: AuthenticatedRequest, project: Project) -> list[annotator_page.Pair]:
    return annotator_page.pairs_on(
        project, assignments.claim(project=project, step=Step.RATE, count=AHEAD, by=request.user)
    )


def _graded_today(request: AuthenticatedRequest, project: Project) -> int:
    return annotator_page.graded_since(project, request.user, start_of_today())
