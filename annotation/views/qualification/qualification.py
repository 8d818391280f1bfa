"""Pages of who may rate or write in a project, by practice and gold, and to let a paused or failed person go on."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.qualification import qualification as actions
from annotation.forms.qualification import ResumeForm
from annotation.models import Kind, Project
from annotation.permissions import project_at
from annotation.presenters.qualification import going_on_message, shown_drafts
from annotation.selectors.qualification.practice_drafts import authors_of
from annotation.selectors.qualification.qualification import (
    QualifiedAnnotator,
    annotators_of,
    items_to_practise,
    missing_items,
)
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


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
        "annotators": annotators_of(project),
        "missing": missing_items(project),
        "least_kappa": f"{project.rating.least_kappa:.2f}",
    }
    return render(request, "annotation/qualification/qualification.html", context)


@requires("raters.judge")
@require_safe
def annotator(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Show one person's attempts, and the gold they graded between other pairs, or their graded drafts."""
    return _page(request, *_annotator(request, slug, pk), ResumeForm())


@requires("raters.judge")
@require_POST
def resume(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    project, found = _annotator(request, slug, pk)
    form = ResumeForm(request.POST)
    if not form.is_valid():
        return _page(request, project, found, form, status=422)
    with refusals_shown(request):
        actions.let_go_on(project=project, person=found.person, why=form.cleaned_data["why"], by=request.user)
        messages.success(request, going_on_message(found))
    return redirect("annotator", slug, pk)


def _page(
    request: HttpRequest, project: Project, annotator: QualifiedAnnotator, form: ResumeForm, *, status: int = 200
) -> HttpResponse:
    context = {"project": project, "settings": project.chosen, "annotator": annotator, "form": form}
    if project.kind == Kind.RATING:
        return render(request, "annotation/qualification/annotator.html", context, status=status)
    author = next(each for each in authors_of(project) if each.annotator.person == annotator.person)
    # Ungraded drafts are left out: an inspector may still have to judge them blind.
    drafts = shown_drafts(project, annotator.person, waiting=False)
    return render(
        request, "annotation/qualification/author.html", {**context, "author": author, "drafts": drafts}, status=status
    )


def _annotator(request: AuthenticatedRequest, slug: str, pk: int) -> tuple[Project, QualifiedAnnotator]:
    project = project_at(request, slug)
    found = next((each for each in annotators_of(project) if each.person.pk == pk), None)
    if found is None:
        raise Http404
    return project, found
