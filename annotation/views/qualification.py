"""Who may rate in a project, how they do on gold, and letting a paused person go on."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.actions import pausing
from annotation.actions.refusals import Refused
from annotation.forms.qualification import ResumeForm
from annotation.models import Kind, Project
from annotation.permissions import projects_of, requires
from annotation.selectors.qualification import Rater, missing_gold, raters_of
from annotation.templatetags.page import sentence_space


@requires("raters.judge")
@require_GET
def qualification(request: HttpRequest, slug: str) -> HttpResponse:
    project = _project(request, slug)
    context = {
        "project": project, "settings": project.rating, "raters": raters_of(project),
        "missing": missing_gold(project), "least_kappa": f"{project.rating.least_kappa:.2f}",
    }  # fmt: skip
    return render(request, "annotation/qualification.html", context)


@requires("raters.judge")
@require_GET
def rater(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """How one person does: their attempts, and the gold they graded between other pairs."""
    project = _project(request, slug)
    context = {"project": project, "settings": project.rating, "rater": _rater(project, pk), "form": ResumeForm()}
    return render(request, "annotation/rater.html", context)


@requires("raters.judge")
@require_POST
def resume(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    project = _project(request, slug)
    found = _rater(project, pk)
    form = ResumeForm(request.POST)
    if not form.is_valid():
        context = {"project": project, "settings": project.rating, "rater": found, "form": form}
        return render(request, "annotation/rater.html", context, status=422)
    try:
        pausing.resume(project=project, person=found.person, why=form.cleaned_data["why"], by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        said = _("%(name)s may go on.") % {"name": found.person}
        messages.success(request, said + sentence_space() + _("What was missed before is not held against them again."))
    return redirect("rater", slug, pk)


def _project(request: HttpRequest, slug: str) -> Project:
    return get_object_or_404(projects_of(request.user), slug=slug, kind=Kind.RATING)


def _rater(project: Project, pk: int) -> Rater:
    found = next((each for each in raters_of(project) if each.person.pk == pk), None)
    if found is None:
        raise Http404
    return found
