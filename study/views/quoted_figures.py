"""Figures of other studies that a researcher types in, to stand beside the results of a study."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from study.actions import quoted_figures
from study.forms.quoted_figures import QuotedFigureForm, as_initial
from study.permissions import own_study
from study.presenters.results.published import why_impossible
from study.selectors.results.published import as_published
from study.selectors.survey.plans import counting_questions

UNPROCESSABLE = 422


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def quote(request: AuthenticatedRequest, slug: str, pk: int | None = None) -> HttpResponse:
    """Show the form that adds a row, or changes the one of this key."""
    study = own_study(request, slug)
    quoted = get_object_or_404(study.quoted_figures.all(), pk=pk) if pk else None
    corpora = {*counting_questions(study).values_list("corpus", flat=True), quoted.corpus if quoted else ""} - {""}
    initial = as_initial(as_published(quoted)) if quoted else None
    form = QuotedFigureForm(request.POST or None, initial=initial, corpora=sorted(corpora))
    if request.method == "POST" and form.is_valid():
        try:
            if quoted:
                quoted_figures.change(quoted=quoted, row=form.row, by=request.user)
            else:
                quoted_figures.add(study=study, row=form.row, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The figures are shown beside the results."))
            check = form.row.check
            if why := why_impossible(check.why, check.between, form.row.candidates):
                messages.warning(request, why)
            return redirect("results", slug)
    page = {"study": study, "form": form, "quoted": quoted}
    return render(request, "study/results/quote.html", page, status=UNPROCESSABLE if form.errors else None)


@requires("study.manage")
@require_POST
def remove(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    study = own_study(request, slug)
    quoted_figures.remove(quoted=get_object_or_404(study.quoted_figures.all(), pk=pk), by=request.user)
    messages.success(request, _("The figures are deleted."))
    return redirect("results", slug)
