"""Pages to archive or delete a study, and the list of those that are archived."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown
from study.actions.survey import archiving, deleting
from study.domain.survey.phases import StudyState
from study.permissions import own_study, studies_of
from study.presenters.deleting import contents_of_study
from study.selectors.survey.fieldwork import fieldwork_of


@requires("study.view")
@require_safe
def archived(request: AuthenticatedRequest) -> HttpResponse:
    studies = studies_of(request.user).exclude(archived_at=None).order_by("-archived_at")
    return render(request, "study/survey/archived.html", {"studies": studies})


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Say what archiving does and who is under way, and archive the study."""
    study = own_study(request, slug)
    if request.method == "POST":
        with refusals_shown(request):
            archiving.archive(study=study, by=request.user)
            messages.success(request, _("The study is archived. A link below the list of studies leads to it."))
        return redirect("study", slug)
    under_way = fieldwork_of(study).total.under_way
    return render(request, "study/survey/archive.html", {"study": study, "under_way": under_way})


@requires("study.manage")
@require_POST
def take_back(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    archiving.take_back(study=own_study(request, slug), by=request.user)
    messages.success(request, _("The study is back in the lists."))
    return redirect("study", slug)


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Say what would go with the study, or what holds it, and delete it."""
    study = own_study(request, slug)
    if request.method == "POST":
        with refusals_shown(request):
            deleting.delete(study=study, by=request.user)
            messages.success(request, _("“%(name)s” is deleted.") % {"name": study.title})
            return redirect("studies")
        return redirect("delete_study", slug)
    context = {
        "study": study,
        "is_open": study.state == StudyState.OPEN,
        "holds": deleting.holds_of(study),
        "contents": contents_of_study(study),
    }
    return render(request, "study/survey/delete.html", context)
