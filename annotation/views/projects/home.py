"""The home page: what to do next, by role."""

from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.actions.demo import demo
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.models import Kind
from annotation.permissions import projects_as, projects_of
from annotation.presenters.qualification import why_not, why_not_writing
from annotation.presenters.rating import outbox_of
from annotation.selectors import adjudication, cleaning, reasoning, transcription
from annotation.selectors.inspection import inspector_work
from annotation.selectors.projects import overview
from annotation.selectors.qualification.qualification import paused_in, used_up_in
from annotation.selectors.rating import own_work
from annotation.selectors.rewriting import author_work
from core.models import Role
from core.permissions import AuthenticatedRequest, may, requires, roles_of
from core.presenters.health import in_words
from core.presenters.home import work_for
from core.selectors.health import concerns

QUALIFYING = Q(kind=Kind.RATING) | Q(settings__practice__gt=0)  # projects with a page of qualification


@requires("home")
@require_safe
def home(request: AuthenticatedRequest) -> HttpResponse:
    """Show the work of the person in one of their roles: the one in ?role=, else the first of those they have."""
    held = roles_of(request.user)
    is_researcher = may(request.user, "project.view")
    roles = [role for role in (Role.ANNOTATOR, Role.INSPECTOR) if role in held] + [Role.RESEARCHER] * is_researcher
    asked = request.GET.get("role")
    shown = asked if asked in roles else next(iter(roles), None)
    studies = work_for(request.user)
    frame: dict[str, Any] = {"home_work": studies, "is_home_work_first": shown is None}
    frame |= {"home_roles": roles if len(roles) > 1 else [], "home_role": shown}
    if request.user.is_administrator:
        frame["concerns"] = in_words(concerns())
    if shown == Role.ANNOTATOR:
        return _annotator_home(request, frame)
    if shown == Role.INSPECTOR:
        return _inspector_home(request, frame)
    if shown == Role.RESEARCHER:
        return _researcher_home(request, frame)
    return render(request, "annotation/projects/home_waiting.html", frame | {"is_expert": Role.EXPERT in held})


def _annotator_home(request: AuthenticatedRequest, frame: dict[str, Any]) -> HttpResponse:
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
    to_clean = cleaning.cleaning_work(request.user, Role.ANNOTATOR)
    to_type = reasoning.typing_work(request.user, Role.ANNOTATOR)
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
        "figures": figures,
        "figure_days": own_work.FIGURE_DAYS,
        "written": author_work.own_writing(request.user) if writing else None,
    }
    return render(request, "annotation/projects/home_annotator.html", frame | context)


def _inspector_home(request: AuthenticatedRequest, frame: dict[str, Any]) -> HttpResponse:
    work = inspector_work.inspecting_work(request.user)
    disputes = adjudication.adjudicating_work(request.user)
    waiting = sum(each.waiting for each in work) + sum(each.waiting for each in disputes)
    projects = projects_as(request.user, Role.INSPECTOR)
    paused, used_up = paused_in(projects), used_up_in(projects)
    to_clean = cleaning.cleaning_work(request.user, Role.INSPECTOR)
    context = {
        "work": work,
        "to_clean": to_clean,
        "to_type": reasoning.typing_work(request.user, Role.INSPECTOR),
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
    return render(request, "annotation/projects/home_inspector.html", frame | context)


def _researcher_home(request: AuthenticatedRequest, frame: dict[str, Any]) -> HttpResponse:
    projects = projects_of(request.user, "project.view")
    progress = overview.progress_of(projects)
    may_create = may(request.user, "project.create")
    if may_create and not progress:
        context = frame | {"may_load_sample": not demo.exists()}
        return render(request, "annotation/projects/home_first_start.html", context)
    needs, paused = overview.needs(projects, progress), paused_in(projects.order_by())
    used_up = used_up_in(projects.order_by())
    context = {
        "progress": progress,
        "may_create": may_create,
        "needs": needs,
        "paused": paused,
        "used_up": used_up,
        "wanted": len(needs) + len(paused) + len(used_up),
        "shared_titles": overview.shared_titles(each.project for each in progress),
    }
    return render(request, "annotation/projects/home_researcher.html", frame | context)
