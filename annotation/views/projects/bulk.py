"""Acts for many pairs or items at once: asked once, with what follows, then done."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions import flags
from annotation.actions.cleaning import cleaning
from annotation.actions.inspection import returns
from annotation.actions.queue import voiding
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.forms.cleaning import HitFilter
from annotation.forms.projects.items import ItemFilter
from annotation.forms.rating.pairs import PairFilter
from annotation.models import Item, Kind, Project
from annotation.permissions import project_at
from annotation.presenters.cleaning import names_of_rules
from annotation.presenters.projects.bulk import CLEANING, RETURN, VOID, BulkAct, acts_of, acts_of_cleaning
from annotation.selectors.cleaning.marked_pairs import hits_of, sorted_hits
from annotation.selectors.projects.items import items_of, sorted_items
from annotation.selectors.rating.pairs import pairs_of, sorted_pairs
from core.actions.refusals import Refused
from core.forms.lists import chosen_rows
from core.models import User
from core.permissions import AuthenticatedRequest, may, requires


@requires("project.manage")
@require_POST
def pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    form = PairFilter(request.GET, project=project)
    matching = sorted_pairs(pairs_of(project, **form.wanted()), project, form.sorting())
    return _bulk(request, project, "pairs", matching, acts_of(project))


@requires("project.manage")
@require_POST
def items(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    form = ItemFilter(request.GET, project=project)
    matching = sorted_items(items_of(project, **form.wanted()), form.sorting())
    return _bulk(request, project, "items", matching, acts_of(project))


@requires("cleaning.oversee")
@require_POST
def marked_pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    form = HitFilter(request.GET, rules=names_of_rules(project))
    matching = sorted_hits(hits_of(project, **form.wanted()), form.sorting())
    return _bulk(request, project, "marked_pairs", matching, acts_of_cleaning(request.user))


def _bulk(
    request: AuthenticatedRequest, project: Project, name: str, matching: QuerySet[Item], acts: Mapping[str, BulkAct]
) -> HttpResponse:
    """Ask about the chosen rows of a list, or do what was asked; either way the list then is as it was."""
    act = acts.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    if not may(request.user, act.permission, within=project):
        raise PermissionDenied
    back = f"{reverse(name, args=[project.slug])}?{request.GET.urlencode()}"
    chosen = chosen_rows(request.POST, matching=matching, everything=project.items.work().order_by("position"))
    things = act.things(chosen)
    fitting = [item for item in chosen if item.pk in things]
    if not fitting:
        said = act.left_out % {"n": len(chosen)} if chosen else _("Choose the rows first.")
        messages.error(request, said)
        return redirect(back)
    form = act.form(request.POST if "text" in request.POST else None)
    if form.is_valid():
        try:
            done, left_out = _do(act.name, fitting, project, form.cleaned_data["text"], by=request.user)
        except Refused as refused:
            form.add_error("text", str(refused))
        else:
            if done:
                messages.success(request, act.done % {"n": done})
            if left_out:
                messages.warning(request, act.left_out % {"n": left_out})
            return redirect(back)
    return _asked(request, project, act, form, fitting, len(chosen), sum(things.values()), back)


def _do(act: str, items: Sequence[Item], project: Project, text: str, *, by: User) -> tuple[int, int]:
    """Do it, and return how many grades, flags or items it was done with, and how many rows were left out at that
    moment. Raises Refused.
    """
    if act in CLEANING:
        many = cleaning.decide_many(items=items, project=project, verdict=CleaningVerdict(act), why=text, by=by)
        return many.done, many.left_out
    if act == VOID.name:
        return voiding.void_grades(items=items, project=project, why=text, by=by), 0
    if act == RETURN.name:
        return returns.return_instances(items=items, comment=text, by=by), 0
    return flags.resolve_on(items=items, note=text, by=by), 0


def _asked(
    request: AuthenticatedRequest,
    project: Project,
    act: BulkAct,
    form: Any,
    items: Sequence[Item],
    chosen: int,
    things: int,
    back: str,
) -> HttpResponse:
    left_out = chosen - len(items)
    context = {
        "project": project,
        "act": act,
        "form": form,
        "items": items,
        # Who cleans reads no ids: one may name the system that wrote the response.
        "texts": [
            (
                "" if act.name in CLEANING else item.key,
                item.content.get("question") or item.content.get("response", ""),
            )
            for item in items
        ],
        "title": act.title % {"n": len(items)},
        "consequences": act.consequences % {"n": things},
        "left_out": act.left_out % {"n": left_out} if left_out else "",
        "button": act.button % {"n": things},
        "back": back,
    }
    return render(request, "annotation/projects/bulk.html", context, status=422 if form.errors else 200)
