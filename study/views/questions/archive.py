"""Pages to archive or delete a question set, and the list of those that are archived."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown
from study.actions.questions import archiving, deleting
from study.models import QuestionSet
from study.permissions import own_question_sets, question_sets_of, studies_of
from study.presenters.deleting import contents_of_set


@requires("questions.read")
@require_safe
def archived(request: AuthenticatedRequest) -> HttpResponse:
    sets = question_sets_of(request.user).exclude(archived_at=None).order_by("-archived_at")
    own = {*own_question_sets(request.user).values_list("pk", flat=True)}
    return render(request, "study/questions/archived.html", {"question_sets": sets, "own": own})


@requires("questions.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Say what archiving does and which studies ask the questions, and archive the set."""
    found = own_set_at(request, name)
    if request.method == "POST":
        archiving.archive(question_set=found, by=request.user)
        messages.success(request, _("The question set is archived. A link below the list of questions leads to it."))
        return redirect("question_set", name)
    studies = studies_of(request.user).filter(question_sets=found)
    return render(request, "study/questions/archive.html", {"question_set": found, "studies": studies})


@requires("questions.manage")
@require_POST
def take_back(request: AuthenticatedRequest, name: str) -> HttpResponse:
    archiving.take_back(question_set=own_set_at(request, name), by=request.user)
    messages.success(request, _("The question set is in the lists again."))
    return redirect("question_set", name)


@requires("questions.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Say what would go with the set, or what holds it, and delete it."""
    found = own_set_at(request, name)
    if request.method == "POST":
        with refusals_shown(request):
            deleting.delete(question_set=found, by=request.user)
            messages.success(request, _("“%(name)s” is deleted.") % {"name": name})
            return redirect("question_sets")
        return redirect("delete_questions", name)
    context = {"question_set": found, "holds": deleting.holds_of(found), "contents": contents_of_set(found)}
    return render(request, "study/questions/delete.html", context)


def own_set_at(request: AuthenticatedRequest, name: str) -> QuestionSet:
    """Return a set that the person may archive and delete, or raise 404."""
    return get_object_or_404(own_question_sets(request.user), name=name)
