"""Page that shows a rater what is new in the guideline, before their next pair."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions.projects import publishing
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.projects.guideline_page import news
from annotation.selectors.projects.guidelines import guideline_news
from core.permissions import AuthenticatedRequest, requires


@requires("pairs.rate")
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the changes; POST says that they were read. Where there are none, it leads on to the pairs."""
    project = project_at(request, slug, Kind.RATING)
    unread = guideline_news(project, request.user)
    if unread is None:
        return redirect("rate", slug)
    if request.method != "POST":
        return render(request, "annotation/rating/guideline_news.html", news(project, unread))
    number = request.POST.get("number", "")
    if number.isascii() and number.isdigit() and len(number) < 9:
        publishing.read(project=project, number=min(int(number), unread.newest.number), by=request.user)
    return redirect("rate", slug)
