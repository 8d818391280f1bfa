"""Page of the audit of a corpus or of a release: each leak and shortcut, with instances that show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.releases import audits
from annotation.domain.releases.artefacts import CheckFinding
from annotation.domain.releases.leaks import Likeness
from annotation.models import Kind, Release
from annotation.permissions import corpora_of, project_at
from annotation.selectors.releases.audits import AuditedInstance, Subject, last_audit, last_report, shown
from core.permissions import AuthenticatedRequest, jobs_of, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import watch
from core.presenters.tables import csv_download
from core.tasks import dispatch

EXAMPLES = 10  # of each kind on the page; the file has all that are stored

LIKENESSES: dict[str, tuple[str | Promise, str | Promise]] = {
    Likeness.EXACT: (_("The same context"), _("letter by letter, in two splits or more")),
    Likeness.NEAR: (_("The same but for case, punctuation and space"), _("those above are not counted again")),
    Likeness.SIMILAR: (
        _("Nearly the same"),
        _("four fifths of the shorter stand in the longer: words changed, or one dialogue cut twice"),
    ),
}
POSITION = _("The right one stands at %(letter)s")
GUESSES: dict[str, tuple[str | Promise, str | Promise]] = {
    "longest": (_("Always the longest"), _("in words")),
    "shortest": (_("Always the shortest"), _("in words")),
    "most_alike": (_("Always the one most like the others"), _("by the words that the other options have, too")),
    "most_overlap": (_("Always the most shared words"), _("by the share that the context has")),
    "least_overlap": (_("Always the fewest shared words"), _("by the share that the context has")),
    "linear": (
        _("A linear model that never sees the context"),
        _("words and pairs of words of the options, taught on four fifths and asked about the fifth"),
    ),
}
MEANS: dict[str, tuple[str | Promise, str | Promise]] = {
    "length": (_("Length"), _("words of the right one minus the wrong ones")),
    "overlap": (_("Shared words"), _("share of words that the context has, right one minus wrong ones")),
}
FINDINGS: dict[str, str | Promise] = {
    CheckFinding.EXPECTED: _("as expected"),
    CheckFinding.LOOK: _("look"),
    CheckFinding.TOO_FEW: _("too few instances"),
}


@dataclass(frozen=True)
class CheckRow:
    """Row of the table for one way of guessing."""

    label: str | Promise
    note: str | Promise
    check: dict[str, Any]
    examples: Sequence[AuditedInstance] = ()

    @property
    def is_suspect(self) -> bool:
        return bool(self.check["finding"] == CheckFinding.LOOK)

    @property
    def finding(self) -> str | Promise:
        return FINDINGS[self.check["finding"]]


@dataclass(frozen=True)
class LeakRow:
    """Leaks of one likeness: their number, and the first examples, each with one instance of every split."""

    label: str | Promise
    note: str | Promise
    count: int
    examples: list[list[AuditedInstance]]


@requires("corpus.read")
@require_http_methods(["GET", "HEAD", "POST"])
def audit_corpus(request: AuthenticatedRequest, name: str) -> HttpResponse:
    corpus = get_object_or_404(corpora_of(request.user), name=name)
    return _audit(request, corpus, reverse("audit_corpus", args=[name]))


@requires("release.read")
@require_http_methods(["GET", "HEAD", "POST"])
def audit_release(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    return _audit(request, _release(request, slug, number), reverse("audit_release", args=[slug, number]))


@requires("corpus.read")
@require_safe
def corpus_leaks_csv(request: AuthenticatedRequest, name: str) -> HttpResponse:
    return _leaks_csv(get_object_or_404(corpora_of(request.user), name=name), name)


@requires("release.read")
@require_safe
def release_leaks_csv(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    return _leaks_csv(_release(request, slug, number), f"{slug}-{number}")


def _release(request: AuthenticatedRequest, slug: str, number: int) -> Release:
    project = project_at(request, slug, Kind.REWRITING)
    return get_object_or_404(Release.objects.select_related("project"), project=project, number=number)


def _audit(request: AuthenticatedRequest, subject: Subject, page: str) -> HttpResponse:
    """Show the page of an audit; return its progress to a polling page, or a reload once it is over."""
    if request.method == "POST":
        dispatch(audits.ask_for(subject=subject, by=request.user))
        return redirect(page)
    job = last_audit(subject)
    under_way = job if job is not None and not job.is_over else None
    context: dict[str, Any] = {
        "subject": subject,
        "page": page,
        "project": subject.project if isinstance(subject, Release) else None,
        "frame": "annotation/projects/project.html" if isinstance(subject, Release) else "base.html",
        "watch": watch(under_way),
        "poll_url": page,
        "may_cancel": under_way is not None and jobs_of(request.user).filter(pk=under_way.pk).exists(),
        "ended": watch(job) if job is not None and job.came_to_nothing else None,
    }
    if wants_json(request) and under_way:
        return polls.parts(request, "_components/job_progress.html", context)
    if wants_json(request):
        return polls.lead_to(page)
    if report := last_report(subject):
        context |= _found(subject, report)
    return render(request, "annotation/releases/audit.html", context)


def _found(subject: Subject, result: dict[str, Any]) -> dict[str, Any]:
    leaks, shortcuts = result["leaks"], result["shortcuts"]
    equal = shortcuts["equal_options"]
    return {
        "result": result,
        "leaks": [_leak_row(subject, likeness, leaks) for likeness in Likeness],
        "equal": equal,
        "equal_examples": shown(subject, [row["position"] for row in equal["rows"][:EXAMPLES]]),
        "guesses": [*_positions(shortcuts), *(_guess_row(subject, name, shortcuts[name]) for name in GUESSES)],
        "means": [CheckRow(*MEANS[name], shortcuts[name]) for name in MEANS],
        "level": 100 * shortcuts["level"],
    }


def _guess_row(subject: Subject, name: str, check: dict[str, Any]) -> CheckRow:
    """Return the row of a way of guessing, with examples if its finding is suspect."""
    row = CheckRow(*GUESSES[name], check)
    positions = [each["position"] for each in check.get("examples", ())]
    return replace(row, examples=shown(subject, positions)) if row.is_suspect else row


def _leak_row(subject: Subject, likeness: Likeness, leaks: dict[str, Any]) -> LeakRow:
    counts = {**leaks, Likeness.NEAR: leaks["near"] - leaks["exact"]}
    first = [row["instances"] for row in leaks["rows"] if row["likeness"] == likeness][:EXAMPLES]
    examples = [shown(subject, [each["position"] for each in _one_a_split(row)]) for row in first]
    return LeakRow(*LIKENESSES[likeness], counts[likeness], examples)


def _one_a_split(instances: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    first: dict[str, dict[str, Any]] = {}
    for each in instances:
        first.setdefault(each["split"], each)
    return list(first.values())


def _positions(shortcuts: dict[str, Any]) -> Iterator[CheckRow]:
    for name, check in shortcuts.items():
        _position, is_position, letter = name.partition("position_")
        if is_position:
            yield CheckRow(POSITION % {"letter": letter}, "", check)


def _leaks_csv(subject: Subject, name: str) -> HttpResponse:
    """Download every stored leak with a line for each instance; the instances of a leak share a number."""
    report = last_report(subject)
    if report is None:
        raise Http404
    leaks = enumerate(report["leaks"]["rows"], start=1)
    lines = (
        [number, leak["likeness"], each["split"], each["id"]] for number, leak in leaks for each in leak["instances"]
    )
    return csv_download(f"{name}-leaks", ["leak", "likeness", "split", "id"], lines)
