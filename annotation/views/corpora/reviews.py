"""Pages of a file on its way into a corpus: its review, its import, and its refused rows."""

from dataclasses import asdict, replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.corpora import corpus_jobs, reviews
from annotation.forms.corpora import NAMED, ReviewForm
from annotation.importers.layout import LayoutChoice
from annotation.presenters.corpora.refusals import why_not
from annotation.presenters.corpora.review import review_of
from annotation.presenters.corpora.table_reading import is_counted, is_trial, table_reading
from annotation.presenters.reading_choices import FileReading
from annotation.selectors.corpora.corpus_pages import refused_rows, same_corpora
from annotation.selectors.corpora.reviews import import_of, imported_as
from core.actions.refusals import Refused
from core.models import Job
from core.permissions import AuthenticatedRequest, jobs_of, requires
from core.presenters.files import csv_download
from core.presenters.jobs import watch
from core.tasks import dispatch

UNPROCESSABLE = 422
LISTED = 100  # refused rows on a page; the file has all that are stored


@requires("corpus.import")
@require_safe
def review(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show what an import of a file would make of it; nothing is stored yet."""
    job = _job(request, pk, reviews.KIND)
    failed = import_of(job, corpus_jobs.KIND, request.GET.get("import", ""), by=request.user)
    reading = table_reading(job, request.GET)
    form = ReviewForm(review=job, failed=failed, tried=request.GET.dict(), others=_others(reading))
    return _review(request, job, form, reading)


@requires("corpus.import")
@require_POST
def count_again(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Read the file of a review again, in another way."""
    form, reading = _sent(request, pk, counts=True)
    if not form.is_valid():
        return _review(request, form.review, form, reading)
    return _counted_again(request, form, reading)


@requires("corpus.import")
@require_POST
def import_reviewed(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Import what a review shows; where its choices changed since, show the new counts first."""
    form, reading = _sent(request, pk)
    if not form.is_valid():
        return _review(request, form.review, form, reading)
    if form.must_count or (reading and not is_counted(form.review, _layout(form, reading))):
        messages.warning(request, _("Your choices change what is imported: check the new counts, then import."))
        return _counted_again(request, form, reading)
    named = {name: form.cleaned_data[name] for name in NAMED}
    try:
        job = reviews.ask_for_import(review=form.review, **named, by=request.user)
    except Refused as refused:
        form.add_error("name", str(refused))
        return _review(request, form.review, form, reading)
    dispatch(job)
    return redirect("corpus_import", job.pk)


def _sent(request: AuthenticatedRequest, pk: int, *, counts: bool = False) -> tuple[ReviewForm, FileReading | None]:
    """Return the form of a review as it was sent, and how its file is read if it is a table."""
    job = _job(request, pk, reviews.KIND)
    reading = table_reading(job, request.POST)
    form = ReviewForm(request.POST, request.FILES, review=job, counts=counts, others=_others(reading))
    return form, reading


def _others(reading: FileReading | None) -> list[str]:
    return reading.look.left_out if reading else []


def _layout(form: ReviewForm, reading: FileReading) -> LayoutChoice:
    return replace(reading.choice, keeps_others=form.keeps_others)


def _counted_again(request: AuthenticatedRequest, form: ReviewForm, reading: FileReading | None) -> HttpResponse:
    changes = {**form.changes, "choice": asdict(_layout(form, reading))} if reading else form.changes
    try:
        words = form.cleaned_data["words"]
        job = reviews.count_again(review=form.review, changes=changes, words=words, by=request.user)
    except Refused as refused:
        form.add_error("words", str(refused))
        return _review(request, form.review, form, reading)
    dispatch(job)
    return redirect("corpus_review", job.pk)


def _review(request: AuthenticatedRequest, job: Job, form: ReviewForm, reading: FileReading | None) -> HttpResponse:
    counted = job if job.is_over else _before(request, job)
    made = imported_as(job)
    context = {
        "job": job,
        "form": form,
        "reading": reading,
        "is_trial": is_trial(job, reading) if reading else _is_other_format(request, job, form),
        "watch": None if job.is_over else watch(job),
        "ended": watch(job) if job.came_to_nothing else None,
        "review": counted and review_of(counted, request.GET.get("pair", "")),
        "leave": form["leave"].value() or [] if "leave" in form.fields else [],
        "why": why_not(job),
        "rows": refused_rows(job)[:LISTED],
        "refused": (job.result or {}).get("refused", 0),
        "same": same_corpora(job, by=request.user),
        "may_import": reviews.has_good_rows(job) and not made,
        "imported": made,
        "counted_again": job.is_over and "before" in job.arguments,
    }
    form.focus_first_error()
    status = UNPROCESSABLE if form.errors else None
    return render(request, "annotation/corpora/corpus_review.html", context, status=status)


def _is_other_format(request: AuthenticatedRequest, job: Job, form: ReviewForm) -> bool:
    """Tell whether another format than the counted one is tried."""
    return "format" in request.GET and form.initial["format"] != (job.result or {}).get("format")


def _before(request: AuthenticatedRequest, job: Job) -> Job | None:
    """Return the review whose choices were changed, while those of `job` are still counted."""
    return jobs_of(request.user).filter(pk=job.arguments.get("before"), kind=reviews.KIND).first()


@requires("corpus.import")
@require_safe
def outcome(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show the state of an import: running, stored, or why not, with the refused rows."""
    job = _job(request, pk, corpus_jobs.KIND)
    context = {
        "job": job,
        "file_name": job.arguments["file_name"] or job.arguments["name"],
        "watch": None if job.is_over else watch(job),
        "ended": watch(job) if job.came_to_nothing else None,
        "result": job.result or {},
        "why": why_not(job),
        "rows": refused_rows(job)[:LISTED],
    }
    return render(request, "annotation/corpora/corpus_import.html", context)


@requires("corpus.import")
@require_safe
def refused_csv(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    job = _job(request, pk, corpus_jobs.KIND, reviews.KIND)
    header = [_("file"), _("line"), _("reason"), _("text")]
    lines = ([row["file"], row["line"], row["reason"], row["excerpt"]] for row in refused_rows(job))
    return csv_download(f"{job.arguments['name']}-refused", header, lines)


def _job(request: AuthenticatedRequest, pk: int, *kinds: str) -> Job:
    return get_object_or_404(jobs_of(request.user), pk=pk, kind__in=kinds)
