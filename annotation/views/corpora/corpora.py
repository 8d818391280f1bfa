"""Pages of corpora: the list, an import with its refused rows, and a corpus as a file."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.corpora import corpus_jobs
from annotation.exporters.dialogues import NoInstance
from annotation.forms.corpora import CorpusForm
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora as selectors
from annotation.selectors.corpora.corpus_pages import figures_of, last_job, listed, refused_rows
from core.actions.refusals import Refused
from core.models import Job
from core.permissions import AuthenticatedRequest, jobs_of, requires
from core.presenters.files import csv_download
from core.presenters.jobs import watch
from core.tasks import dispatch

UNPROCESSABLE = 422
LISTED = 100  # refused rows on a page; the file has all that are stored


@requires("corpus.read")
@require_http_methods(["GET", "HEAD", "POST"])
def corpora(request: AuthenticatedRequest) -> HttpResponse:
    """List the corpora, and receive a file to import."""
    form = CorpusForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            job = corpus_jobs.receive(**form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            dispatch(job)
            return redirect("corpus_import", job.pk)
    last = last_job(corpus_jobs.KIND, by=request.user)
    context = {
        "corpora": [(corpus, figures_of(corpus)) for corpus in listed(request.user)],
        "form": form,
        "watch": watch(last) if last and not last.is_over else None,
    }
    return render(request, "annotation/corpora/corpora.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("corpus.import")
@require_safe
def outcome(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show the state of an import: running, stored, or why not, with the refused rows."""
    job = _import(request, pk)
    context = {
        "job": job,
        "file_name": job.arguments["file_name"] or job.arguments["name"],
        "watch": None if job.is_over else watch(job),
        "ended": watch(job) if job.came_to_nothing else None,
        "result": job.result or {},
        "why": corpus_jobs.why_not(job),
        "rows": refused_rows(job)[:LISTED],
        "listed": LISTED,
        "may_store": corpus_jobs.has_good_rows(job),
    }
    return render(request, "annotation/corpora/corpus_import.html", context)


@requires("corpus.import")
@require_POST
def store(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Store the good rows of a file with refused rows."""
    try:
        job = corpus_jobs.ask_for_good_rows(job=_import(request, pk), by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("corpus_import", pk)
    dispatch(job)
    return redirect("corpus_import", job.pk)


@requires("corpus.import")
@require_safe
def refused_csv(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    job = _import(request, pk)
    header = [_("file"), _("line"), _("reason"), _("text")]
    lines = ([row["file"], row["line"], row["reason"], row["excerpt"]] for row in refused_rows(job))
    return csv_download(f"{job.arguments['name']}-refused", header, lines)


@requires("corpus.read")
@require_safe
def export(request: AuthenticatedRequest, name: str, format: str) -> FileResponse | HttpResponse:
    found = get_object_or_404(corpora_of(request.user), name=name)
    if format not in selectors.formats_of(found):
        raise Http404
    try:
        archive = selectors.zipped(found, format=format)
    except NoInstance as dialogue:
        text = _("Dialogue %(id)s has no place in this format. Download the corpus as jsonl, which holds all.")
        messages.error(request, text % {"id": dialogue})
        return redirect("corpus", found.name)
    return FileResponse(
        archive, as_attachment=True, filename=f"{found.name}-{format}.zip", content_type="application/zip"
    )


def _import(request: AuthenticatedRequest, pk: int) -> Job:
    return get_object_or_404(jobs_of(request.user), pk=pk, kind=corpus_jobs.KIND)
