"""Page on which people grade pairs, and its requests. Without JavaScript it works too, one pair at a time."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import flags
from annotation.actions.projects import publishing
from annotation.actions.projects.archiving import no_new_work
from annotation.actions.queue import skips
from annotation.actions.queue.ahead import claim_ahead
from annotation.actions.rating import ratings
from annotation.actions.rating.grade_and_next import grade_and_next
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.forms.assignments import UNREADABLE, SkipForm
from annotation.forms.rating.rating import FirstGradeForm, FlagForm, GradeForm, fields_of
from annotation.models import Assignment, Kind, Project, Rating, Step
from annotation.models.items import KEY
from annotation.permissions import own_assignment, project_at
from annotation.presenters import rating
from annotation.presenters.qualification import why_not
from annotation.selectors.projects.guidelines import last_known
from annotation.selectors.qualification.qualification import annotator_of
from annotation.selectors.rating import annotator_page
from annotation.selectors.rating.own_work import start_of_today
from core.actions.refusals import Refused
from core.forms.sent import Malformed, checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import status_of

AHEAD = 6  # pairs in the page: about a minute of usual work without a connection
PACE_OF = 20  # grades whose median is the pace


@requires("pairs.rate")
@require_GET
def rate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    if last_known(project, request.user):
        return redirect("guideline_news", slug)
    pairs, guideline = _claimed_pairs(request, project), project.guidelines.all()[:1].get()
    publishing.read(project=project, number=guideline.number, by=request.user)
    annotator = None if pairs else annotator_of(project, request.user)
    if annotator and annotator.status not in (QualificationStatus.FREE, QualificationStatus.PAUSED):
        return redirect("practice", slug)
    stopped = why_not(project, annotator) if annotator else ""
    done = [] if stopped else annotator_page.last_done(project, request.user)
    page = rating.context(
        project,
        request.user,
        guideline=guideline,
        pairs=pairs,
        done=done,
        changing=rating.wanted(done, request.GET.get("change")),
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
    done = annotator_page.last_done(project, request.user)
    return JsonResponse({"past": [rating.json_of(pair) for pair in done], **_state(request, project)})


@requires("pairs.rate", is_shown_by_what_is_found=True)
@require_POST
def grade(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    form = FirstGradeForm(fields_sent(request, fields_of))
    if not form.is_valid():
        own_assignment(request, slug, assignment, Step.RATE)  # only about a person's own pair it is said what is wrong
    try:
        sent = checked(form)
        since, by = start_of_today(), request.user
        if given := grade_and_next(assignment=assignment, slug=slug, **sent, most=AHEAD, since=since, by=by):
            return _done(request, given.project, given.rating, given.held, given.today)
        own = own_assignment(request, slug, assignment, Step.RATE)
        stored, held = ratings.submit_and_claim(assignment=own, **sent, most=AHEAD, by=by)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project, stored, held)


@requires("pairs.rate", is_shown_by_what_is_found=True)
@require_POST
def change(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.RATE)
    try:
        sent = checked(GradeForm(fields_sent(request, fields_of)))
        stored = ratings.change(assignment=own, **sent, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project, stored)


@requires("pairs.rate", is_shown_by_what_is_found=True)
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.RATE)
    try:
        ratings.skip(assignment=own, **checked(SkipForm(fields_sent(request, fields_of))), by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project)


@requires("pairs.rate", is_shown_by_what_is_found=True)
@require_POST
def undo_skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.RATE)
    try:
        skips.undo_skip(assignment=own, by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project)


@requires("pairs.rate", is_shown_by_what_is_found=True)
@require_POST
def flag(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.RATE)
    is_of_own_work = "own_work" in request.POST  # a form on the page of own work, to which it leads back
    try:
        flags.raise_flag(assignment=own, **checked(FlagForm(fields_sent(request, fields_of))), by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused, "own_work" if is_of_own_work else "rate")
    if is_of_own_work:
        messages.success(request, _("Your flag has arrived. A researcher looks at it; the answer appears here."))
        key = own.slot.item.digest[:KEY]
        return redirect(f"{reverse('own_work', args=[slug])}?{urlencode({'search': key})}")
    return _done(request, own.slot.queue.project)


def _done(
    request: AuthenticatedRequest,
    project: Project,
    stored: Rating | None = None,
    held: Sequence[Assignment] = (),
    today: int | None = None,
) -> HttpResponse:
    """Return to the script what was stored and the present state; lead a plain form to the page."""
    saved_at = clock.now()
    if not is_json(request):
        return redirect("rate", project.slug)
    answer: dict[str, Any] = {"saved_at": saved_at}
    if stored:
        answer |= {"assignment": stored.assignment_id}
        if version := stored.guideline:
            answer |= {"guideline": version.number, "announced": version.is_announced}
    return JsonResponse(answer | _state(request, project, held, today))


def _declined(request: HttpRequest, slug: str, refused: Refused, page: str = "rate") -> HttpResponse:
    if is_json(request):
        # A person can only forget to choose; a script that sends something else is an old or broken page.
        message = UNREADABLE if isinstance(refused, Malformed) else refused.message
        return JsonResponse({"code": refused.code, "message": str(message)}, status=status_of(refused))
    messages.error(request, str(refused))
    return redirect(page, slug)


def _state(
    request: AuthenticatedRequest, project: Project, held: Sequence[Assignment] = (), today: int | None = None
) -> dict[str, Any]:
    """Return the common part of all responses to the script: held pairs, topped up, and the day's count.

    For a person who may not go on it says why, and offers no grades to change; in an archived project no pair follows.
    """
    claimed = annotator_page.pairs_on(project, held) if held else _claimed_pairs(request, project)
    pairs = [rating.json_of(pair) for pair in claimed]
    state = {"pairs": pairs, "today": _graded_today(request, project) if today is None else today}
    if pairs:
        return state
    if stopped := why_not(project, annotator_of(project, request.user)):
        return state | {"stopped": stopped, "past": []}
    return state | {"stopped": str(no_new_work(project))} if project.archived_at else state


def _claimed_pairs(request: AuthenticatedRequest, project: Project) -> list[annotator_page.Pair]:
    return annotator_page.pairs_on(project, claim_ahead(project=project, step=Step.RATE, most=AHEAD, by=request.user))


def _graded_today(request: AuthenticatedRequest, project: Project) -> int:
    return annotator_page.graded_since(project, request.user, start_of_today())
