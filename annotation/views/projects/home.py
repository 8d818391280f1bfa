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
from annotation.presenters.projects.home import annotator_rows, in_order, inspector_rows
from annotation.selectors.inspection.inspector_work import own_verdicts
from annotation.selectors.projects import home_work, overview
from annotation.selectors.qualification.qualification import paused_in, used_up_in
from annotation.selectors.quality.alerts import last_alerts
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
    work = home_work.annotator_work(request.user)
    context = {
        "held": work.held,
        "rows": in_order(annotator_rows(work, figures.median_seconds)),
        "to_clean": work.cleaning,
        "waiting": sum(each.waiting for each in work.rating),
        "to_practise": any(each.annotator.may_practise for each in work.rating)
        or any(each.practice for each in work.writing),
        "is_paused": any(each.annotator.status == QualificationStatus.PAUSED for each in work.rating),
        "returned": work.returned,
        "to_write": sum(each.waiting for each in work.writing),
        "to_transcribe": sum(each.waiting for each in work.transcription),
        "to_type": work.typing,
        "figures": figures,
        "figure_days": own_work.FIGURE_DAYS,
        "own_projects": projects_of(request.user, "work.own").order_by("title", "slug"),
        "written": author_work.own_writing(request.user) if work.writing else None,
    }
    return render(request, "annotation/projects/home_annotator.html", frame | context)


def _inspector_home(request: AuthenticatedRequest, frame: dict[str, Any]) -> HttpResponse:
    work = home_work.inspector_work(request.user)
    projects = projects_as(request.user, Role.INSPECTOR).filter(archived_at=None)
    paused, used_up = paused_in(projects), used_up_in(projects)
    context = {
        "held": work.held,
        "rows": in_order(inspector_rows(work)),
        "to_clean": work.cleaning,
        "to_type": work.typing,
        "waiting": sum(each.waiting for each in work.inspecting) + sum(each.waiting for each in work.adjudicating),
        "figures": own_verdicts(request.user),
        "own_projects": projects_of(request.user, "work.own").order_by("title", "slug"),
        "paused": paused,
        "used_up": used_up,
        "annotators_waiting": len(paused) + len(used_up),
        "qualifying": projects.filter(QUALIFYING).order_by("title", "slug"),
    }
    return render(request, "annotation/projects/home_inspector.html", frame | context)


def _researcher_home(request: AuthenticatedRequest, frame: dict[str, Any]) -> HttpResponse:
    every = projects_of(request.user, "project.view")
    projects, archived = every.filter(archived_at=None), every.exclude(archived_at=None).count()
    progress = overview.progress_of(projects)
    may_create = may(request.user, "project.create")
    if may_create and not (progress or archived):
        context = frame | {"may_load_sample": not demo.exists()}
        return render(request, "annotation/projects/home_first_start.html", context)
    needs, paused = overview.needs(projects, progress), paused_in(projects.order_by())
    used_up = used_up_in(projects.order_by())
    alerts = last_alerts(each.project for each in progress)
    context = {
        "progress": progress,
        "alerts": alerts,
        "may_create": may_create,
        "archived": archived,
        "needs": needs,
        "paused": paused,
        "used_up": used_up,
        "wanted": len(needs) + len(paused) + len(used_up) + len(alerts),
        "shared_titles": overview.shared_titles(each.project for each in progress),
    }
    return render(request, "annotation/projects/home_researcher.html", frame | context)
