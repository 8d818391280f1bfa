"""Pages of a new project, also with the settings of another one, and of a project's settings."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import copies, fixed, projects
from annotation.forms.projects.projects import DuplicateForm, NewProjectForm, ProjectForm
from annotation.models import Kind
from annotation.permissions import project_at, projects_of
from core.actions.names import free_name
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, may, requires

UNPROCESSABLE = 422
DESCRIBED = ("title", "source_licence", "annotator_profile")
MADE = {
    Kind.RATING: gettext_lazy("Project created. Import your pairs next."),
    Kind.REWRITING: gettext_lazy("Project created. Import your items next."),
}


@requires("project.create")
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: AuthenticatedRequest) -> HttpResponse:
    """Show a form for the kind in ?kind= (so that it works without a script), and create the project."""
    wanted = request.GET.get("kind")
    kind = Kind(wanted) if wanted in Kind.values else Kind.RATING
    form = NewProjectForm.of(kind, request.POST or None)
    if request.method == "POST" and form.is_valid():
        described = {name: form.cleaned_data[name] for name in ("slug", *DESCRIBED)}
        try:
            project = projects.create(kind=kind, settings=form.settings, **described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, MADE[kind])
            return redirect("imports", project.slug)
    return render(request, "annotation/projects/new_project.html", {"form": form, "kinds": Kind})


@requires("project.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    is_begun = fixed.is_begun(project)
    form = ProjectForm.of(project, request.POST or None, is_begun=is_begun)
    if request.method == "POST" and form.is_valid():
        described = {name: form.cleaned_data[name] for name in ("seen", *DESCRIBED, "why")}
        try:
            projects.change(project=project, settings=form.settings, **described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect("settings", project.slug)
    context = {
        "project": project,
        "form": form,
        "is_begun": is_begun,
        "seen": projects.as_seen(project),
        "may_create": may(request.user, "project.create"),
    }
    return render(request, "annotation/projects/settings.html", context)


@requires("project.create")
@require_http_methods(["GET", "HEAD", "POST"])
def duplicate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Say what a duplicate has of the project, and create it."""
    project = get_object_or_404(projects_of(request.user, "project.manage"), slug=slug)
    form = DuplicateForm(
        request.POST or None, initial={"title": project.title, "slug": free_name(project.slug, "project")}
    )
    if request.method == "POST" and form.is_valid():
        try:
            copy = copies.duplicate(project=project, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, MADE[Kind(copy.kind)])
            return redirect("imports", copy.slug)
    context = {"project": project, "form": form}
    status = UNPROCESSABLE if form.errors else None
    return render(request, "annotation/projects/duplicate.html", context, status=status)
