"""Page of the guideline: the version in force, earlier ones, and a new one."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import projects as actions
from annotation.forms.projects.guideline import GuidelineForm
from annotation.models import Kind
from annotation.permissions import project_at
from core.permissions import AuthenticatedRequest, requires


@requires("project.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def guideline(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the newest version, or an older one by ?version=. POST writes a new one if a text has changed."""
    project = project_at(request, slug, Kind.RATING)
    versions = list(project.guidelines.select_related("created_by"))
    newest = versions[0]
    form = GuidelineForm(request.POST or None, guideline=newest.content)
    if request.method == "POST" and form.is_valid():
        if form.content() == newest.content:
            messages.info(request, _("Nothing was changed, so there is no new version."))
        else:
            version = actions.write_guideline(project=project, content=form.content(), by=request.user)
            messages.success(request, _("Version %(number)s holds from now on.") % {"number": version.number})
        return redirect("guideline", slug)
    wanted = request.GET.get("version", str(newest.number))
    shown = next((version for version in versions if str(version.number) == wanted), None)
    if shown is None:
        raise Http404
    context = {"project": project, "versions": versions, "newest": newest, "shown": shown, "form": form}
    return render(request, "annotation/projects/guideline.html", context)
