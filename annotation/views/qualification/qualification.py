"""Pages of who may rate or write in a project, by practice and gold, and to let a paused or failed person go on."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.qualification import qualification as actions
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.forms.qualification import ResumeForm
from annotation.models import Kind, Project
from annotation.permissions import project_at
from annotation.selectors.qualification.practice_drafts import authors_of, graded_drafts
from annotation.selectors.qualification.qualification import (
    QualifiedAnnotator,
    annotators_of,
    items_to_practise,
    missing_items,
)
from annotation.views.qualification.own_practice import SHOWN, shown
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.templatetags.page import sentence_space


@requires("raters.judge")
@require_safe
def qualification(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    if project.kind == Kind.REWRITING:
        context = {
            "project": project,
            "settings": project.rewriting,
            "authors": authors_of(project),
            "items": items_to_practise(project).count(),
        }
        return render(request, "annotation/qualification/qualification_authors.html", context)
    context = {
        "project": project,
        "settings": project.rating,
        "raters": annotators_of(project),
        "missing": missing_items(project),
        "least_kappa": f"{project.rating.least_kappa:.2f}",
    }
    return render(request, "annotation/qualification/qualification.html", context)


@requires("raters.judge")
@require_safe
def annotator(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Show one person's attempts, and the gold they graded between other pairs, or their graded drafts."""
    project = project_at(request, slug)
    return _page(request, project, _annotator(project, pk), ResumeForm())


@requires("raters.judge")
@require_POST
def resume(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    project = project_at(request, slug)
    found = _annotator(project, pk)
    form = ResumeForm(request.POST)
    if not form.is_valid():
        return _page(request, project, found, form, status=422)
    try:
        actions.let_go_on(project=project, person=found.person, why=form.cleaned_data["why"], by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        name = {"name": found.person}
        if found.status == QualificationStatus.FAILED:
            said = _("%(name)s may practise once more.")
        else:
            said = (
                _("%(name)s may go on.")
                + sentence_space()
                + _("What was missed before is not held against them again.")
            )
        messages.success(request, said % name)
    return redirect("annotator", slug, pk)


def _page(
    request: HttpRequest, project: Project, annotator: QualifiedAnnotator, form: ResumeForm, *, status: int = 200
) -> HttpResponse:
    context = {"project": project, "settings": project.chosen, "annotator": annotator, "form": form}
    if project.kind == Kind.RATING:
        return render(request, "annotation/qualification/rater.html", context, status=status)
    author = next(each for each in authors_of(project) if each.annotator.person == annotator.person)
    # Ungraded drafts are left out: an inspector may still have to judge them blind.
    drafts = list(map(shown, graded_drafts(project, annotator.person, most=SHOWN, waiting=False)))
    return render(
        request, "annotation/qualification/author.html", {**context, "author": author, "drafts": drafts}, status=status
    )


def _annotator(project: Project, pk: int) -> QualifiedAnnotator:
    found = next((each for each in annotators_of(project) if each.person.pk == pk), None)
    if found is None:
        raise Http404
    return found
