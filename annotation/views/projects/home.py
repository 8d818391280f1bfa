"""The home page: what to do next, by role."""

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.actions.demo import demo
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.models import Kind
from annotation.permissions import projects_of
from annotation.presenters.qualification import why_not, why_not_writing
from annotation.presenters.rating import outbox_of
from annotation.selectors import adjudication, cleaning, reasoning, transcription
from annotation.selectors.inspection import inspector_work
from annotation.selectors.projects import overview
from annotation.selectors.qualification.qualification import paused_in, used_up_in
from annotation.selectors.rating import own_work
from annotation.selectors.rewriting import author_work
from core.permissions import AuthenticatedRequest, may, requires

QUALIFYING = Q(kind=Kind.RATING) | Q(settings__practice__gt=0)  # projects with a page of qualification


@requires("home")
@require_safe
def home(request: AuthenticatedRequest) -> HttpResponse:
    if may(request.user, "pairs.rate"):
        return _annotator_home(request)
    if may(request.user, "instances.inspect"):
        return _inspector_home(request)
    if may(request.user, "project.view"):
        return _researcher_home(request)
    return render(request, "annotation/projects/home_waiting.html")


def _annotator_home(request: AuthenticatedRequest) -> HttpResponse:
    figures = own_work.own_figures(request.user)
    work = own_work.rating_work(request.user)
    rows = [
        (
            each,
            each.minutes(figures.median_seconds),
            why_not(each.project, each.annotator),
            outbox_of(each.project, request.user),
        )
        for each in work
    ]
    writing = author_work.writing_work(request.user)
    returned = [(each.project, item) for each in writing for item in each.returned]
    to_clean = cleaning.cleaning_work(request.user)
    to_type = reasoning.typing_work(request.user)
    to_transcribe = transcription.transcription_work(request.user)
    is_asked = any(each.waiting for each in work) or any(each.has_something for each in writing)
    has_main_work = bool(is_asked or returned)
    context = {
        "rows": rows,
        "to_clean": to_clean,
        "waiting": sum(each.waiting for each in work),
        "to_practise": any(each.annotator.may_practise for each in work) or any(each.practice for each in writing),
        "is_paused": any(each.annotator.status == QualificationStatus.PAUSED for each in work),
        "returned": returned,
        "writing": [(each, why_not_writing(each.practice) if each.practice else "") for each in writing],
        "to_write": sum(each.waiting for each in writing),
        "to_transcribe": to_transcribe,
        "to_transcribe_count": sum(each.waiting for each in to_transcribe),
        "is_transcription_first": not has_main_work,
        "is_cleaning_first": not (has_main_work or to_transcribe),
        "to_type": to_type,
        "is_typing_first": not (has_main_work or to_transcribe or to_clean),
        "has_work": bool(rows or writing or to_clean or to_type),
        "figures": figures,
        "figure_days": own_work.FIGURE_DAYS,
        "written": author_work.own_writing(request.user) if writing else None,
    }
    return render(request, "annotation/projects/home_annotator.html", context)


def _inspector_home(request: AuthenticatedRequest) -> HttpResponse:
    work = inspector_work.inspecting_work(request.user)
    disputes = adjudication.adjudicating_work(request.user)
    waiting = sum(each.waiting for each in work) + sum(each.waiting for each in disputes)
    projects = projects_of(request.user)
    paused, used_up = paused_in(projects), used_up_in(projects)
    to_clean = cleaning.cleaning_work(request.user)
    context = {
        "work": work,
        "to_clean": to_clean,
        "to_type": reasoning.typing_work(request.user),
        "is_typing_first": not (waiting or to_clean),
        "disputes": disputes,
        "is_cleaning_first": not waiting,
        "waiting": waiting,
        "figures": inspector_work.own_verdicts(request.user),
        "paused": paused,
        "used_up": used_up,
        "annotators_waiting": len(paused) + len(used_up),
        "qualifying": projects.filter(QUALIFYING).order_by("title", "slug"),
    }
    return render(request, "annotation/projects/home_inspector.html", context)


def _researcher_home(request: AuthenticatedRequest) -> HttpResponse:
    projects = projects_of(request.user)
    progress = overview.progress_of(projects)
    if not progress:
        return render(request, "annotation/projects/home_first_start.html", {"may_load_sample": not demo.exists()})
    needs, paused = overview.needs(projects, progress), paused_in(projects.order_by())
    used_up = used_up_in(projects.order_by())
    context = {
        "progress": progress,
        "needs": needs,
        "paused": paused,
        "used_up": used_up,
        "wanted": len(needs) + len(paused) + len(used_up),
        "shared_titles": overview.shared_titles(each.project for each in progress),
    }
    return render(request, "annotation/projects/home_researcher.html", context)
