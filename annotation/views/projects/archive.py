"""Pages to archive or delete a project, and the list of those that are archived."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.projects import archiving, deleting
from annotation.permissions import project_at, projects_of
from annotation.presenters.projects.deleting import contents_of
from annotation.selectors.projects.members import people_at_work
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


@requires("project.view")
@require_safe
def archived(request: AuthenticatedRequest) -> HttpResponse:
    projects = projects_of(request.user, "project.view").exclude(archived_at=None).order_by("-archived_at")
    return render(request, "annotation/projects/archived.html", {"projects": projects})


@requires("project.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Say what archiving does and who is at work, and archive the project."""
    project = project_at(request, slug)
    if request.method == "POST":
        archiving.archive(project=project, by=request.user)
        messages.success(request, _("The project is archived. A link below the list of projects leads to it."))
        return redirect("board", slug)
    return render(request, "annotation/projects/archive.html", {"project": project, "people": people_at_work(project)})


@requires("project.manage")
@require_POST
def take_back(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    archiving.take_back(project=project_at(request, slug), by=request.user)
    messages.success(request, _("The project is back in the lists and gives out work again."))
    return redirect("board", slug)


@requires("project.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Say what would go with the project, or what holds it, and delete it."""
    project = project_at(request, slug)
    if request.method == "POST":
        with refusals_shown(request):
            deleting.delete(project=project, by=request.user)
            messages.success(request, _("“%(name)s” is deleted.") % {"name": project.title})
            return redirect("home")
        return redirect("delete_project", slug)
    context = {"project": project, "holds": deleting.holds_of(project), "contents": contents_of(project)}
    return render(request, "annotation/projects/delete.html", context)
