"""Page that shows a rater what is new in the guideline, before their next pair."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import publishing
from annotation.forms.projects.sent_guideline import version_number
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.projects.guideline_news import news
from annotation.selectors.projects.guidelines import last_known
from core.permissions import AuthenticatedRequest, requires


@requires("pairs.rate")
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the changes, if there are any, and the guideline; POST says that they were read."""
    project = project_at(request, slug, Kind.RATING)
    if request.method != "POST":
        page = news(project, project.guidelines.all()[:1].get(), last_known(project, request.user))
        return render(request, "annotation/rating/guideline_news.html", page)
    if number := version_number(request.POST.get("number", "")):
        publishing.read(project=project, number=number, by=request.user)
    return redirect("rate", slug)
