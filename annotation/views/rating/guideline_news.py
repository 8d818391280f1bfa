"""Page that shows a rater what is new in the guideline, before their next pair."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import publishing
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
    newest = project.guidelines.all()[:1].get()
    if request.method != "POST":
        page = news(project, newest, last_known(project, request.user))
        return render(request, "annotation/rating/guideline_news.html", page)
    number = request.POST.get("number", "")
    if number.isascii() and number.isdigit() and len(number) < 9:
        publishing.read(project=project, number=min(int(number), newest.number), by=request.user)
    return redirect("rate", slug)
