"""Pages of a new project, and of a project's settings."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import projects
from annotation.forms.projects.projects import NewProjectForm, ProjectForm
from annotation.models import Kind
from annotation.permissions import project_at
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires

MADE = {
    Kind.RATING: gettext_lazy("The project is there. Bring its pairs in next."),
    Kind.REWRITING: gettext_lazy("The project is there. Bring its items in next."),
}


@requires("project.create")
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: AuthenticatedRequest) -> HttpResponse:
    """Show a form for the kind in ?kind= (so that it works without a script), and create the project."""
    wanted = request.GET.get("kind")
    kind = Kind(wanted) if wanted in Kind.values else Kind.RATING
    form = NewProjectForm.of(kind, request.POST or None)
    if request.method == "POST" and form.is_valid():
        described = {name: form.cleaned_data[name] for name in ("slug", "title", "source_licence")}
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
    is_begun = projects.is_begun(project)
    form = ProjectForm.of(project, request.POST or None, is_begun=is_begun)
    if request.method == "POST" and form.is_valid():
        described = {name: form.cleaned_data[name] for name in ("seen", "title", "source_licence", "why")}
        try:
            projects.change(project=project, settings=form.settings, **described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect("settings", project.slug)
    context = {"project": project, "form": form, "is_begun": is_begun, "seen": projects.as_seen(project)}
    return render(request, "annotation/projects/settings.html", context)
