"""Page of the guideline: the version in force, earlier ones, and a new one."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import fixed, guidelines, publishing
from annotation.domain.rating.guideline import complete
from annotation.domain.rating.guideline_edits import edited
from annotation.forms.projects.guideline import GuidelineForm, PublishingForm, typed
from annotation.forms.projects.rewriting_guideline import RewritingGuidelineForm
from annotation.models import GuidelineVersion, Kind, Project
from annotation.permissions import project_at
from annotation.presenters.projects import guideline_page
from annotation.selectors.projects.guidelines import readers_of
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires


@requires("project.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def guideline(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the editor of the newest version, or an older one by ?version=. POST writes a new one, or edits its rows."""
    project = project_at(request, slug)
    versions = list(project.guidelines.select_related("created_by"))
    if wanted := request.GET.get("version"):
        if (old := next((each for each in versions if str(each.number) == wanted), None)) is None:
            raise Http404
        context = guideline_page.of_version(project, versions, old)
        return render(request, "annotation/projects/guideline_version.html", context)
    answer = _rating if project.kind == Kind.RATING else _rewriting
    return answer(request, project, versions)


def _rating(request: AuthenticatedRequest, project: Project, versions: list[GuidelineVersion]) -> HttpResponse:
    newest, has_grades = complete(versions[0].content), fixed.has_grades(project)
    edit = request.POST.get("edit", "")
    content = edited(typed(request.POST, newest), edit) if request.method == "POST" else newest
    kept = frozenset(kind["key"] for guide in newest["grades"] for kind in guide["types"] if has_grades)
    form = GuidelineForm(
        content=content,
        language=project.rating.language,
        kept=kept,
        why=request.POST.get("why", ""),
        is_sent=request.method == "POST" and not edit,
    )
    switches = PublishingForm(request.POST or None)
    if form.is_bound and form.is_valid() and switches.is_valid():
        if content == newest:
            messages.info(request, _("Nothing was changed, so there is no new version."))
            return redirect("guideline", project.slug)
        try:
            version = publishing.publish(
                project=project,
                content=content,
                seen=_seen(request),
                why=form.cleaned_data["why"],
                **switches.cleaned_data,
                by=request.user,
            )
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return _written(request, version)
    context = guideline_page.editor(project, versions, form, content, has_grades=has_grades)
    context["seen"] = _seen(request) if edit else versions[0].number
    context |= {"switches": switches, "readers": readers_of(project)}
    return render(request, "annotation/projects/guideline.html", context)


def _rewriting(request: AuthenticatedRequest, project: Project, versions: list[GuidelineVersion]) -> HttpResponse:
    newest = versions[0].content if versions else None
    form = RewritingGuidelineForm(request.POST or None, content=newest, language=project.rewriting.language)
    if request.method == "POST" and form.is_valid() and "edit" not in request.POST:
        if form.content == newest:
            messages.info(request, _("Nothing was changed, so there is no new version."))
            return redirect("guideline", project.slug)
        try:
            version = guidelines.write_for_rewriting(
                project=project,
                content=form.content,
                seen=_seen(request),
                why=form.cleaned_data["why"],
                by=request.user,
            )
        except Refused as refused:
            form.add_error(refused.field or None, str(refused))
        else:
            return _written(request, version)
    context: dict[str, Any] = guideline_page.rewriting_editor(project, versions, form)
    context["seen"] = _seen(request) if "edit" in request.POST else versions[0].number if versions else None
    return render(request, "annotation/projects/guideline_rewriting.html", context)


def _seen(request: AuthenticatedRequest) -> int | None:
    """Return the number of the version that the page edited."""
    number = request.POST.get("seen", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None


def _written(request: AuthenticatedRequest, version: GuidelineVersion) -> HttpResponse:
    messages.success(request, _("Version %(number)s applies from now on.") % {"number": version.number})
    return redirect("guideline", version.project.slug)
