"""Cleaning pages: the queue that people work through by keyboard, and the ledger of rules and decisions."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone as clock
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from annotation.actions.cleaning import cleaning as actions
from annotation.actions.cleaning import cleaning_rules, cleaning_scan
from annotation.actions.queue.ahead import claim_ahead
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.forms.cleaning import VERDICTS, CleaningVerdictForm, DecisionFilter, WordsForm
from annotation.models import CleaningDecision, Kind, Project, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters import cleaning
from annotation.selectors import cleaning as selectors
from core.actions.refusals import Refused
from core.forms.sent import checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.jobs import watch
from core.presenters.refusals import refusals_shown, status_of
from core.tasks import dispatch

AHEAD = 6  # pairs in the page, so that the next one appears at once
MOST_LEFT = 999  # waiting pairs are counted up to this number


@requires("pairs.clean")
@require_GET
def clean(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    pairs = _claimed_pairs(request, project)
    past = selectors.last_decided(project, request.user)
    page = cleaning.context(project, request.user, pairs=pairs, past=past, left=_left(request, project, len(pairs)))
    has_scanned = selectors.has_scanned(project)
    ledger = selectors.ledger_of(project) if may(request.user, "cleaning.oversee", within=project) else None
    return render(request, "annotation/cleaning/cleaning.html", {**page, "has_scanned": has_scanned, "ledger": ledger})


@requires("pairs.clean")
@require_POST
def next_pairs(request: AuthenticatedRequest, slug: str) -> JsonResponse:
    """Return the present state to a page that was left open or refused."""
    return JsonResponse(_state(request, project_at(request, slug, Kind.RATING)))


@requires("pairs.clean", is_shown_by_what_is_found=True)
@require_POST
def decide(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    own = own_assignment(request, slug, assignment, Step.CLEAN)
    try:
        sent = checked(CleaningVerdictForm(fields_sent(request)))
        actions.decide(assignment=own, verdict=CleaningVerdict(sent["verdict"]), key=sent["key"], by=request.user)
    except Refused as refused:
        return _declined(request, slug, refused)
    return _done(request, own.slot.queue.project)


@requires("pairs.clean", is_shown_by_what_is_found=True)
@require_POST
def take_back(request: AuthenticatedRequest, slug: str, assignment: int) -> HttpResponse:
    """Undo one's own decision about the pair on this assignment."""
    own = own_assignment(request, slug, assignment, Step.CLEAN)
    for decision in CleaningDecision.objects.in_force().filter(assignment=own):
        actions.undo(decision=decision, by=request.user)
    return _done(request, own.slot.queue.project)


@requires("cleaning.oversee")
@require_safe
def ledger(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _ledger(request, project_at(request, slug, Kind.RATING), WordsForm())


@requires("cleaning.oversee")
@require_POST
def undo(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    made = CleaningDecision.objects.of_project(project_at(request, slug, Kind.RATING))
    actions.undo(decision=get_object_or_404(made, pk=pk), by=request.user)
    messages.success(request, _("Undone. The pair waits for a decision again."))
    return redirect("cleaning", slug)


@requires("project.manage")
@require_POST
def scan(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    with refusals_shown(request):
        dispatch(cleaning_scan.ask_for_scan(project=project, by=request.user))
    return redirect("cleaning", slug)


@requires("project.manage")
@require_POST
def words(request: AuthenticatedRequest, slug: str) -> HttpResponseBase:
    """Store a list of words and request a scan with it."""
    project = project_at(request, slug, Kind.RATING)
    form = WordsForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        name = form.cleaned_data["name"] or file.name.rpartition(".")[0] or file.name
        try:
            cleaning_rules.put_words(project=project, name=name, file=file, by=request.user)
        except Refused as refused:
            form.add_error("name" if refused.code != "words_wrong" else "file", str(refused))
        else:
            return scan(request, slug)
    return _ledger(request, project, form, status=422)


@requires("cleaning.oversee")
@require_safe
def word_list(request: AuthenticatedRequest, slug: str, key: str) -> HttpResponse:
    """Return the words of a list as a file that can be changed and uploaded again."""
    words = selectors.words_of(project_at(request, slug, Kind.RATING), key)
    if words is None:
        raise Http404
    disposition = content_disposition_header(True, f"{selectors.rule_name(key)}.txt")
    lines = "".join(f"{word}\n" for word in words)
    return HttpResponse(lines, "text/plain; charset=utf-8", headers={"Content-Disposition": disposition})


@requires("project.manage")
@require_POST
def switch(request: AuthenticatedRequest, slug: str) -> HttpResponseBase:
    """Switch a rule on or off and request a scan."""
    project, key = project_at(request, slug, Kind.RATING), request.POST.get("rule", "")
    try:
        cleaning_rules.switch(project=project, key=key, is_on=request.POST.get("to") == "on", by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("cleaning", slug)
    return scan(request, slug)


def _ledger(
    request: AuthenticatedRequest, project: Project, words_form: WordsForm, *, status: int = 200
) -> HttpResponse:
    job = selectors.scan_job(project)  # first, so that the findings of a job that ends in between are not missed
    found = selectors.ledger_of(project)
    rules = selectors.rules_of(project)
    named = {key: selectors.rule_name(key) for key in [*(rule.key for rule in rules), *found.by_rule]}
    form = DecisionFilter(request.GET, rules=named, people={person.username: str(person) for person in found.by_person})
    decisions = Paginator(selectors.decisions_of(project, **form.wanted()), selectors.PAGE)
    context = {
        "project": project,
        "ledger": found,
        "words_form": words_form,
        "job": job,
        "rules": [
            (rule, found.found[rule.key], found.by_rule.get(rule.key, selectors.DecisionTally())) for rule in rules
        ],
        "waiting": selectors.waiting_in(project),
        "cleaned": project.items.work().count() - project.items.counting().count(),
        "may_manage": may(request.user, "project.manage", within=project),
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and job.came_to_nothing else None,
        "has_scanned": selectors.has_scanned(project),
        "has_pairs": project.items.work().exists(),
        "form": form,
        "is_filtered": bool(form.wanted()),
        "query": urlencode(form.wanted()),
        "rule_names": named,
        "verdicts": VERDICTS,
        "page": decisions.get_page(form.number),
    }
    return render(request, "annotation/cleaning/ledger.html", context, status=status)


def _done(request: AuthenticatedRequest, project: Project) -> HttpResponse:
    if not is_json(request):
        return redirect("clean", project.slug)
    return JsonResponse({"saved_at": clock.now(), **_state(request, project)})


def _declined(request: HttpRequest, slug: str, refused: Refused) -> HttpResponse:
    if is_json(request):
        return JsonResponse({"code": refused.code, "message": str(refused)}, status=status_of(refused))
    messages.error(request, str(refused))
    return redirect("clean", slug)


def _state(request: AuthenticatedRequest, project: Project) -> dict[str, Any]:
    """Return the common part of all responses to the script: held pairs, topped up, and the last decisions."""
    pairs = _claimed_pairs(request, project)
    past = selectors.last_decided(project, request.user)
    return {
        "pairs": [cleaning.json_of(pair, project) for pair in pairs],
        "past": [cleaning.json_of(pair, project) for pair in past],
        "left": _left(request, project, len(pairs)),
    }


def _claimed_pairs(request: AuthenticatedRequest, project: Project) -> list[selectors.MarkedPair]:
    return selectors.pairs_on(claim_ahead(project=project, step=Step.CLEAN, most=AHEAD, by=request.user))


def _left(request: AuthenticatedRequest, project: Project, held: int) -> int:
    return selectors.count_left(project, request.user, held=held, most=MOST_LEFT)
