"""Page on which people name the reasoning type of accepted instances, and the request to ask for it: plain forms."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import reasoning
from annotation.actions.queue import assignments
from annotation.forms.assignments import SkipForm
from annotation.forms.reasoning import AskForm, TypeForm
from annotation.models import Assignment, Kind, Queue, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters.reasoning import types_page
from annotation.presenters.skips import last_skip
from annotation.selectors.reasoning import last_named, named_by, waiting_in
from core.forms.sent import checked
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


@requires("instances.type")
@require_GET
def types(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    last = last_named(project, request.user)
    changing = next((each for each in last if str(each.assignment_id) == request.GET.get("change")), None)
    queue = Queue.objects.filter(project=project, step=Step.TYPE).first()
    assignment = changing.assignment if changing else _next_assignment(request, queue)
    left = waiting_in(queue, request.user) if queue else 0
    done = named_by(project, request.user)
    skipped = last_skip(project, Step.TYPE, request.user)
    context = types_page.context(
        project, assignment, left=left, done=done, last=last, changing=changing, skipped=skipped
    )
    return render(request, "annotation/reasoning/types.html", context)


def _next_assignment(request: AuthenticatedRequest, queue: Queue | None) -> Assignment | None:
    if queue is None:
        return None
    return next(iter(assignments.claim(project=queue.project, step=Step.TYPE, by=request.user)), None)


@requires("instances.type")
@require_POST
def name(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.TYPE)
    with refusals_shown(request):
        sent = checked(TypeForm(request.POST))
        reasoning.choose(assignment=own, **sent, again="anew" in request.GET, by=request.user)
    return redirect("types", slug)


@requires("instances.type")
@require_POST
def skip(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.TYPE)
    with refusals_shown(request):
        reasoning.skip(assignment=own, **checked(SkipForm(request.POST)), by=request.user)
        messages.success(request, _("Left to others. Here is the next one."))
    return redirect("types", slug)


@requires("project.manage")
@require_POST
def ask(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Ask two people about a sample of the accepted instances, or about more of them."""
    project = project_at(request, slug, Kind.REWRITING)
    with refusals_shown(request):
        asked = reasoning.ask_about(project=project, **checked(AskForm(request.POST)), by=request.user)
        said = ngettext(
            "Two people are asked about one more instance.",
            "Two people are asked about %(count)d more instances.",
            asked,
        )
        none = _("Nothing new: two people are asked about as many already.")
        messages.success(request, said % {"count": asked} if asked else none)
    return redirect("board", slug)
