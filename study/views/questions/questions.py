"""Pages of question sets: the list, drawing another set, one set, its audit and revisions."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotation.permissions import corpora_of
from annotation.selectors.corpora.corpus_pages import last_job, page_of, position_in
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, jobs_of, requires, wants_json
from core.presenters import polls
from core.presenters.files import csv_download
from core.presenters.jobs import watch
from core.presenters.lists import ShownList
from core.tasks import dispatch
from study.actions.questions import audits, refusals, revisions
from study.actions.questions import questions as actions
from study.forms.questions import QuestionSetFilter
from study.forms.revisions import CANDIDATE, TURN, LeaveOutForm, RevisionForm
from study.models import Question, QuestionSet
from study.permissions import is_own_set, question_sets_of
from study.presenters.questions.audit_page import audit_page
from study.presenters.questions.audits import CSV_HEADER, csv_rows
from study.presenters.questions.drawing import draw_form, draw_page, draws_again, named_in_request
from study.presenters.questions.questions import conditions_of, last_build, left_out_of, picked_of
from study.selectors.questions.audits import counted_in, stored_report
from study.selectors.questions.material import names_of, sources_of
from study.selectors.questions.questions import command_of, listed, next_name, shown, sorted_sets

UNPROCESSABLE = 422
PAGE = 50
MOST_NAMED = 50  # sources in an address, each of which is looked up


@requires("questions.read")
@require_safe
def question_sets(request: AuthenticatedRequest) -> HttpResponse:
    """List the question sets, with what became of the last draw."""
    job = last_job(actions.KIND, by=request.user)
    form = QuestionSetFilter(request.GET)
    found = sorted_sets(listed(request.user, **form.wanted()), form.sorting())
    context = {
        "list": ShownList(form, found, size=PAGE, number=request.GET.get("page"), rows=list),
        "archived": question_sets_of(request.user).exclude(archived_at=None).count(),
        "has_sources": bool(names_of(request.user)),
        "archived_corpora": corpora_of(request.user).exclude(archived_at=None).exists(),
        **last_build(job),
    }
    return render(request, "study/questions/question_sets.html", context)


@requires("questions.build")
@require_http_methods(["GET", "HEAD", "POST"])
def draw_questions(request: AuthenticatedRequest) -> HttpResponse:
    """Show what a draw would be and ask for it; a form that only looks comes back with what its values would draw."""
    looks = request.method != "POST" or "look" in request.POST
    sources = sources_of(request.user, also=named_in_request(request)[:MOST_NAMED])
    form = draw_form(request, sources, looks=looks, by=request.user)
    if not looks and form.is_valid():
        asked = {name: value for name, value in form.cleaned_data.items() if name != "example"}
        try:
            dispatch(actions.ask_for_build(**asked, by=request.user))
        except Refused as refused:
            form.add_error(None if refused.code in refusals.OF_SOURCES else "name", str(refused))
        else:
            return redirect("question_sets")
    context = draw_page(form, sources, request.user)
    if wants_json(request):
        return polls.parts(render_to_string("study/questions/_draw.html", context, request))
    return render(request, "study/questions/draw.html", context, status=UNPROCESSABLE if form.errors else None)


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
        "is_own": is_own_set(found, request.user),
        "duplicate_url": draws_again(found),
        "another_url": draws_again(found, seed=str(found.seed + 1)),
        "questions": shown(page.rows),
        "audit": stored_report(found),
    }
    return render(request, "study/questions/question_set.html", context)


@requires("questions.read")
@require_http_methods(["GET", "HEAD", "POST"])
def audit_questions(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Show the audit of a set; begin one, and return its progress to a polling page, or a reload once it is over."""
    found, page = get_object_or_404(question_sets_of(request.user), name=name), reverse("audit_questions", args=[name])
    if request.method == "POST":
        dispatch(audits.ask_for(question_set=found, by=request.user))
        return redirect(page)
    job = audits.last_audit(found)
    under_way = job if job is not None and not job.is_over else None
    context: dict[str, Any] = {
        "question_set": found,
        "watch": watch(under_way),
        "poll_url": page,
        "may_cancel": under_way is not None and jobs_of(request.user).filter(pk=under_way.pk).exists(),
        "ended": watch(job) if job is not None and job.came_to_nothing else None,
    }
    if wants_json(request):
        if under_way:
            return polls.parts(render_to_string("_components/job_progress.html", context, request))
        return polls.lead_to(page)
    if report := stored_report(found):
        context |= audit_page(found, report, request.GET, by=request.user)
    return render(request, "study/questions/audit.html", context)


@requires("questions.read")
@require_safe
def audit_questions_csv(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Download the checks of a set's audit, a row each and one for each source of it."""
    report = stored_report(get_object_or_404(question_sets_of(request.user), name=name))
    if report is None:
        raise Http404
    return csv_download(f"{name}-audit", CSV_HEADER, csv_rows(report))


@requires("questions.build")
@require_http_methods(["GET", "HEAD", "POST"])
def leave_out_questions(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Make another set without some questions: those that a check of the audit found are filled in."""
    found = get_object_or_404(question_sets_of(request.user), name=name)
    named = counted_in(found, request.GET.get("found", ""))
    form = LeaveOutForm(request.POST or None, initial={"name": next_name(found), "ids": "\n".join(named)})
    if request.method == "POST" and form.is_valid():
        try:
            made = revisions.leave_out(question_set=found, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("question_set", made.name)
    context = {"question_set": found, "form": form}
    return render(request, "study/questions/leave_out.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("questions.build")
@require_http_methods(["GET", "HEAD", "POST"])
def revise_question(request: AuthenticatedRequest, name: str, position: int) -> HttpResponse:
    """Make another set without a question, or with edited texts of it."""
    found = get_object_or_404(question_sets_of(request.user), name=name)
    question = get_object_or_404(found.questions.counting().whole(), position=position)
    form = RevisionForm(request.POST or None, question=question, initial={"name": next_name(found)})
    if request.method == "POST" and form.is_valid():
        try:
            made = _revised(request, found, question, form)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("question_set", made.name)
    context = {"question_set": found, "question": question, "form": form}
    return render(request, "study/questions/revise.html", context, status=UNPROCESSABLE if form.errors else None)


def _revised(request: AuthenticatedRequest, found: QuestionSet, question: Question, form: RevisionForm) -> QuestionSet:
    asked: dict[str, Any] = {"question_set": found, "by": request.user}
    asked |= {name: form.cleaned_data[name] for name in ("name", "why")}
    if request.POST.get("act") == "leave_out":
        return revisions.leave_out(ids={question.external_id}, **asked)
    turns, candidates = form.edited(TURN), form.edited(CANDIDATE)
    return revisions.edit(id=question.external_id, turns=turns, candidates=candidates, **asked)
