"""Pages of question sets: the list, drawing another set, and one set."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.selectors.corpora.corpus_pages import last_job, page_of, position_in
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.tasks import dispatch
from study.actions.questions import questions as actions
from study.forms.questions import BuildForm
from study.permissions import question_sets_of
from study.presenters.questions import conditions_of, last_build, left_out_of, picked_of
from study.selectors.questions.material import names_of
from study.selectors.questions.questions import command_of, listed, shown

UNPROCESSABLE = 422


@requires("questions.read")
@require_http_methods(["GET", "HEAD", "POST"])
def question_sets(request: AuthenticatedRequest) -> HttpResponse:
    """List the question sets, with a form to draw another one."""
    chosen = {"sources": request.GET.getlist("from")}
    form = BuildForm(request.POST or None, sources=names_of(request.user), initial=chosen)
    if request.method == "POST" and form.is_valid():
        try:
            dispatch(actions.ask_for_build(**form.cleaned_data, by=request.user))
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            return redirect("question_sets")
    job = last_job(actions.KIND, by=request.user)
    context = {"question_sets": listed(request.user), "form": form, **last_build(job)}
    return render(request, "study/questions/question_sets.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("questions.read")
@require_safe
def question_set(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Show a set: how it was drawn, what was left out, and its questions with the right candidate marked."""
    found = get_object_or_404(question_sets_of(request.user).select_related("created_by"), name=name)
    page = page_of(found.questions.all(), **position_in(request.GET))
    context = {
        "question_set": found,
        "left_out": left_out_of(found),
        "picked": picked_of(found),
        "conditions": conditions_of(found),
        "command": command_of(found),
        "page": page,
        "questions": shown(page),
    }
    return render(request, "study/questions/question_set.html", context)
