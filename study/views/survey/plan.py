"""Pages of a study's plan: its parts, its own questions, questions about people, what deviates from it, copies."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.actions.names import free_name
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown
from study.actions.survey import copies, demographics, drafts, own_questions
from study.domain.survey.phases import StudyState
from study.domain.survey.plan import as_bytes
from study.forms.plan import DemographicForm, OwnQuestionForm
from study.models import QuestionPurpose, Study
from study.permissions import own_study
from study.presenters.plan import plan_forms
from study.presenters.plan_parts import section_of
from study.presenters.public_plan import public_plan_of
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.plans import prospect_of, tells_its_checks
from study.views.survey.studies import shown_again
from study.views.survey.study_setup import groups_again

UNPROCESSABLE = 422
PARTS = {  # parts with a form, and the section that it is in
    "checks": "practice",
    "rules": "rules",
    "pay": "pay",
    "analysis": "analysis",
    "mix": "groups",
    "derived": "groups",
}
MOVES = {"up": -1, "down": 1}


@requires("study.manage")
@require_POST
def change_part(request: AuthenticatedRequest, slug: str, part: str) -> HttpResponse:
    """Change the settings of one part of a draft's plan."""
    study = own_study(request, slug)
    if part not in PARTS or study.is_imported:
        raise Http404
    form = plan_forms(study, prospect_of(study), request.POST)[f"{part}_form"]
    if form.is_valid():
        try:
            drafts.change(study=study, settings=form.settings, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The plan is saved."))
            return redirect(section_of(study, PARTS[part]))
    shown = groups_again if PARTS[part] == "groups" else shown_again
    return shown(request, study, **{f"{part}_form": form})


@requires("study.manage")
@require_POST
def remove_derived_group(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    study = own_study(request, slug)
    kept = [str(group) for place, group in enumerate(study.survey.derived_groups) if place != number]
    with refusals_shown(request):
        drafts.change(study=study, settings={"derived": "; ".join(kept)}, by=request.user)
        messages.success(request, _("The plan is saved."))
    return redirect(section_of(study, "groups"))


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def about_people(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the questions about people; in a draft with the forms that change, move, remove and add one."""
    study = own_study(request, slug)
    if study.is_imported:
        raise Http404
    form = DemographicForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            demographics.add(study=study, **form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The question is added."))
            return redirect("study_demographics", slug)
    return _shown_about_people(request, study, form)


def _shown_about_people(
    request: AuthenticatedRequest, study: Study, added: DemographicForm, changed: DemographicForm | None = None
) -> HttpResponse:
    asked = demographics_of(study)
    forms = [changed if changed and changed.key == each.key else DemographicForm(question=each) for each in asked]
    page = {
        "study": study,
        "form": added,
        "rows": list(zip(asked, forms, strict=True)),
        "is_draft": study.state == StudyState.DRAFT,
    }
    is_wrong = added.errors or (changed and changed.errors)
    return render(request, "study/survey/demographics.html", page, status=UNPROCESSABLE if is_wrong else None)


@requires("study.manage")
@require_POST
def change_demographic(request: AuthenticatedRequest, slug: str, key: str) -> HttpResponse:
    """Move or remove a question about people, or give it other words, as the button says that was pressed."""
    study, act = own_study(request, slug), request.POST.get("act", "")
    question = next((each for each in demographics_of(study) if each.key == key), None)
    if act in {*MOVES, "remove"} or question is None:
        with refusals_shown(request):
            if act in MOVES:
                demographics.move(study=study, key=key, steps=MOVES[act], by=request.user)
            else:
                demographics.remove(study=study, key=key, by=request.user)
        return redirect("study_demographics", slug)
    form = DemographicForm(request.POST, question=question)
    if form.is_valid():
        try:
            demographics.change(study=study, key=key, **form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The question is changed."))
            return redirect("study_demographics", slug)
    return _shown_about_people(request, study, DemographicForm(), form)


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def own_question(request: AuthenticatedRequest, slug: str, name: str) -> HttpResponse:
    """Show the form that writes a practice question or an attention check of a draft in other words."""
    study = own_study(request, slug)
    own = study.own_questions.exclude(purpose=QuestionPurpose.WORK)
    question = get_object_or_404(own, external_id=name)
    form = OwnQuestionForm(request.POST or None, purpose=question.purpose, question=question)
    if request.method == "POST" and form.is_valid():
        try:
            own_questions.write(question=question, **form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The question is changed."))
            return redirect(section_of(study, "practice"))
    return _shown_own_question(request, study, question.purpose, form)


@requires("study.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def add_own_question(request: AuthenticatedRequest, slug: str, purpose: str) -> HttpResponse:
    """Show the form that adds a practice question or an attention check to a draft, after the others."""
    study = own_study(request, slug)
    if purpose not in {QuestionPurpose.PRACTICE, QuestionPurpose.CHECK} or study.is_imported:
        raise Http404
    form = OwnQuestionForm(request.POST or None, purpose=purpose)
    if request.method == "POST" and form.is_valid():
        try:
            drafts.add_question(study=study, purpose=QuestionPurpose(purpose), **form.described, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The question is added."))
            return redirect(section_of(study, "practice"))
    return _shown_own_question(request, study, purpose, form)


def _shown_own_question(
    request: AuthenticatedRequest, study: Study, purpose: str, form: OwnQuestionForm
) -> HttpResponse:
    page = {"study": study, "purpose": purpose, "form": form, "is_draft": study.state == StudyState.DRAFT}
    status = UNPROCESSABLE if form.errors else None
    return render(request, "study/survey/own_question.html", page, status=status)


@requires("study.manage")
@require_POST
def remove_own_question(request: AuthenticatedRequest, slug: str, name: str) -> HttpResponse:
    study = own_study(request, slug)
    question = get_object_or_404(study.own_questions.exclude(purpose=QuestionPurpose.WORK), external_id=name)
    with refusals_shown(request):
        drafts.remove_question(question=question, by=request.user)
        messages.success(request, _("The question is removed."))
    return redirect(section_of(study, "practice"))


@requires("study.manage")
@require_POST
def duplicate(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Make a draft with this plan: a copy, or a pilot whose answers are in no figure."""
    study, is_pilot = own_study(request, slug), "pilot" in request.POST
    with refusals_shown(request):
        name = free_name(f"{study.slug}-pilot" if is_pilot else study.slug, "study")
        copy = copies.duplicate(study=study, slug=name, is_pilot=is_pilot, by=request.user)
        messages.success(request, _("Draft created with the same plan. It has its own links."))
        return redirect("study", copy.slug)
    return redirect("study", slug)


@require_safe
def public_plan(request: HttpRequest, checksum: str) -> HttpResponse:
    """Show a frozen plan to anyone who has its address, without a text of its questions."""
    return render(request, "study/survey/public_plan.html", public_plan_of(_frozen_at(checksum)))


@require_safe
def public_plan_file(request: HttpRequest, checksum: str) -> HttpResponse:
    """Return the bytes that a checksum is of, once no participant can read in them which question is a check."""
    study = _frozen_at(checksum)
    if study.plan is None or not tells_its_checks(study):
        raise Http404
    headers = {"Content-Disposition": 'attachment; filename="plan.json"'}
    return HttpResponse(as_bytes(study.plan), content_type="application/json", headers=headers)


def _frozen_at(checksum: str) -> Study:
    """Return the first study with a plan of this checksum, or raise 404; equal plans have one address."""
    study = Study.objects.filter(plan_checksum=checksum).exclude(plan=None).order_by("pk").first()
    if study is None:
        raise Http404
    return study
