"""Page of a person's own work in a project, at all its steps; it shows no other person's."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.actions import flags
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.forms.own_work import OwnWorkFilter
from annotation.models import Assignment, Kind, Step
from annotation.models.work import CHANGEABLE
from annotation.permissions import project_at
from annotation.presenters.own_work import bars, shown_work, state_links
from annotation.presenters.projects.home import next_row
from annotation.presenters.qualification import why_not
from annotation.selectors import own_work as selectors
from annotation.selectors.qualification.qualification import annotator_of
from annotation.selectors.rewriting.own_returns import own_returns, revisions_held
from core.permissions import AuthenticatedRequest, requires

PAGE = 20


@requires("work.own")
@require_safe
def own_work(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    steps = selectors.own_steps(project, request.user)
    annotator = annotator_of(project, request.user) if Step.RATE in steps else None
    form = OwnWorkFilter(request.GET, steps=steps)
    wanted = form.wanted()
    own = selectors.own_work(project, request.user, **wanted)
    returns = own_returns(project, request.user) if Step.WRITE in steps else None
    page = Paginator(list(own.found), PAGE).get_page(request.GET.get("page"))
    may_change = annotator is not None and annotator.status != QualificationStatus.PAUSED
    changeable = {each.pk for each in Assignment.objects.changeable(request.user)} if may_change else ()
    context = {
        "project": project,
        "projects": selectors.work_by_project(request.user),
        "next": next_row(project, request.user),
        "stopped": why_not(project, annotator) if annotator else "",
        "missed": annotator.shown_misses(project.rating) if annotator else [],
        "form": form,
        "has_several_steps": len(steps) > 1,
        "has_work": bool(steps),
        "states": state_links(own.states, wanted),
        "page": page,
        "rows": shown_work(project, own.found, list(page), changeable, revisions_held(project, request.user)),
        "last": CHANGEABLE,
        "longest_comment": flags.LONGEST,
        "query": urlencode(wanted),
        "wanted": wanted,
        "hours": selectors.own_hours(project, request.user),
        "days": selectors.own_days(project, request.user) if project.kind == Kind.REWRITING else [],
        "returns": returns,
        "bars": bars(returns) if returns else [],
        "has_progress": Step.RATE in steps,
        "is_timed": bool({*steps} - {Step.ADJUDICATE}),
    }
    return render(request, "annotation/own_work/own_work.html", context)
