"""Cleaning pages: the queue that people work through by keyboard, and the ledger of rules and decisions."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST, require_safe

from annotation.actions.cleaning import cleaning as actions
from annotation.actions.cleaning import cleaning_rules, cleaning_scan
from annotation.actions.queue.ahead import claim_ahead
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.forms.cleaning import (
    VERDICTS,
    CleaningVerdictForm,
    DecisionFilter,
    HitFilter,
    WordsForm,
    moved_switches,
)
from annotation.models import CleaningDecision, Kind, Project, Step
from annotation.permissions import own_assignment, project_at
from annotation.presenters import cleaning
from annotation.presenters.projects.bulk import acts_of_cleaning
from annotation.selectors.cleaning import cleaning as selectors
from annotation.selectors.cleaning.marked_pairs import hits_of, reasons_of, sorted_hits, waiting_by_rule
from annotation.views.one_by_one import answer_declined
from core.actions.refusals import Refused
from core.forms.lists import chosen_rows
from core.forms.sent import checked, fields_sent, is_json
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.jobs import watch
from core.presenters.lists import ShownList
from core.presenters.refusals import refusals_shown
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
    messages.success(request, _("Undone. The pair is waiting for a decision again."))
    return redirect("cleaning", slug)


@requires("cleaning.oversee")
@require_POST
def undo_many(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Undo the decisions chosen in the list of them."""
    project = project_at(request, slug, Kind.RATING)
    form = _decision_filter(request, project, selectors.ledger_of(project))
    everything = selectors.decisions_of(project).filter(undone_at=None)
    matching = selectors.decisions_of(project, **form.wanted()).filter(undone_at=None)
    chosen = chosen_rows(request.POST, matching=matching, everything=everything)
    if undone := actions.undo_many(decisions=chosen, by=request.user):
        text = ngettext(
            "%(n)d decision was undone. Its pair is waiting for a decision again.",
            "%(n)d decisions were undone. Their pairs are waiting for a decision again.",
            undone,
        )
        messages.success(request, text % {"n": undone})
    elif request.POST.getlist("row"):
        messages.info(request, _("These decisions have been undone already."))
    else:
        messages.error(request, _("Choose the rows first."))
    return redirect(f"{reverse('cleaning', args=[slug])}?{request.GET.urlencode()}#decisions")


@requires("cleaning.oversee")
@require_safe
def marked_pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """List the pairs that wait for a decision, with what marks each."""
    project = project_at(request, slug, Kind.RATING)
    form = HitFilter(request.GET, rules=cleaning.names_of_rules(project))
    found = sorted_hits(hits_of(project, **form.wanted()), form.sorting())
    shown = ShownList(form, found, size=selectors.PAGE, number=request.GET.get("page"), rows=cleaning.rows_of)
    acts = {} if project.archived_at else acts_of_cleaning(request.user)
    return render(request, "annotation/cleaning/marked_pairs.html", {"project": project, "list": shown, "acts": acts})


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
        words_at = "file" if form.cleaned_data["file"] else "typed"
        try:
            cleaning_rules.put_words(project=project, name=form.list_name(), file=form.words(), by=request.user)
        except Refused as refused:
            form.add_error("name" if refused.code != "words_wrong" else words_at, str(refused))
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
    """Switch on or off the rules whose switches were moved, and request a scan."""
    project = project_at(request, slug, Kind.RATING)
    with refusals_shown(request):
        if cleaning_rules.switch_many(project=project, to=moved_switches(request.POST), by=request.user):
            return scan(request, slug)
        messages.info(request, _("No switch was changed."))
    return redirect("cleaning", slug)


def _ledger(
    request: AuthenticatedRequest, project: Project, words_form: WordsForm, *, status: int = 200
) -> HttpResponse:
    job = selectors.scan_job(project)  # first, so that the findings of a job that ends in between are not missed
    found = selectors.ledger_of(project)
    form = _decision_filter(request, project, found)
    decisions = selectors.decisions_of(project, **form.wanted())
    shown = ShownList(form, decisions, size=selectors.PAGE, number=request.GET.get("page"), rows=list)
    waiting = waiting_by_rule(project)
    context = {
        "project": project,
        "ledger": found,
        "words_form": words_form,
        "job": job,
        "rules": [
            (
                rule,
                found.found[rule.key],
                waiting.get(rule.key, 0),
                found.by_rule.get(rule.key, selectors.DecisionTally()),
            )
            for rule in selectors.rules_of(project)
        ],
        "waiting": selectors.waiting_in(project),
        "cleaned": project.items.work().count() - project.items.counting().count(),
        "may_manage": may(request.user, "project.manage", within=project),
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and job.came_to_nothing else None,
        "has_scanned": selectors.has_scanned(project),
        "has_pairs": project.items.work().exists(),
        "list": shown,
        "reasons": reasons_of(shown.rows),
        "acts": {"undo": {"label": _("Undo")}},
        "rule_names": cleaning.names_of_rules(project, found.by_rule),
        "verdicts": VERDICTS,
    }
    return render(request, "annotation/cleaning/ledger.html", context, status=status)


def _decision_filter(request: AuthenticatedRequest, project: Project, ledger: selectors.Ledger) -> DecisionFilter:
    people = {person.username: str(person) for person in ledger.by_person}
    return DecisionFilter(request.GET, rules=cleaning.names_of_rules(project, ledger.by_rule), people=people)


def _done(request: AuthenticatedRequest, project: Project) -> HttpResponse:
    if not is_json(request):
        return redirect("clean", project.slug)
    return JsonResponse({"saved_at": clock.now(), **_state(request, project)})


_declined = partial(answer_declined, page="clean")


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
