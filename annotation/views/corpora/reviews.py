"""Pages of a file on its way into a corpus: its review, its import, and its refused rows."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.corpora import corpus_jobs, reviews
from annotation.forms.corpora import ReviewForm
from annotation.presenters.corpora.review import review_of
from annotation.selectors.corpora.corpus_pages import refused_rows, same_corpora
from annotation.selectors.corpora.reviews import imported_as
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
    return _review(request, job, ReviewForm(review=job))


@requires("corpus.import")
@require_POST
def count_again(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Read the file of a review again, in another way."""
    form = ReviewForm(request.POST, request.FILES, review=_job(request, pk, reviews.KIND), counts=True)
    if not form.is_valid():
        return _review(request, form.review, form)
    return _counted_again(request, form)


@requires("corpus.import")
@require_POST
def import_reviewed(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Import what a review shows; where its choices changed since, show the new counts first."""
    form = ReviewForm(request.POST, request.FILES, review=_job(request, pk, reviews.KIND))
    if not form.is_valid():
        return _review(request, form.review, form)
    if form.must_count:
        messages.warning(request, _("Your choices change what is imported: look at the new counts, and import then."))
        return _counted_again(request, form)
    named = {name: form.cleaned_data[name] for name in ("name", "source", "licence")}
    try:
        job = reviews.ask_for_import(review=form.review, **named, by=request.user)
    except Refused as refused:
        form.add_error("name", str(refused))
        return _review(request, form.review, form)
    dispatch(job)
    return redirect("corpus_import", job.pk)


def _counted_again(request: AuthenticatedRequest, form: ReviewForm) -> HttpResponse:
    try:
        words = form.cleaned_data["words"]
        job = reviews.count_again(review=form.review, changes=form.changes, words=words, by=request.user)
    except Refused as refused:
        form.add_error("words", str(refused))
        return _review(request, form.review, form)
    dispatch(job)
    return redirect("corpus_review", job.pk)


def _review(request: AuthenticatedRequest, job: Job, form: ReviewForm) -> HttpResponse:
    counted = job if job.is_over else _before(request, job)
    made = imported_as(job)
    context = {
        "job": job,
        "form": form,
        "watch": None if job.is_over else watch(job),
        "ended": watch(job) if job.came_to_nothing else None,
        "review": counted and review_of(counted, request.GET.get("pair", "")),
        "leave": form["leave"].value() or [] if "leave" in form.fields else [],
        "why": corpus_jobs.why_not(job),
        "rows": refused_rows(job)[:LISTED],
        "refused": (job.result or {}).get("refused", 0),
        "same": same_corpora(job, by=request.user),
        "may_import": reviews.has_good_rows(job) and not made,
        "imported": made,
        "counted_again": job.is_over and "before" in job.arguments,
    }
    status = UNPROCESSABLE if form.errors else None
    return render(request, "annotation/corpora/corpus_review.html", context, status=status)


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
        "why": corpus_jobs.why_not(job),
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
