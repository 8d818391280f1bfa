"""Pages of corpora: the list, where a file is received, and a corpus as a file."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.corpora import corpus_jobs, reviews
from annotation.exporters.dialogues import NoInstance
from annotation.forms.corpora import CorpusForm
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora as selectors
from annotation.selectors.corpora.corpus_pages import figures_of, last_job, listed
from annotation.selectors.corpora.reviews import waiting
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.jobs import watch
from core.tasks import dispatch

UNPROCESSABLE = 422


@requires("corpus.read")
@require_http_methods(["GET", "HEAD", "POST"])
def corpora(request: AuthenticatedRequest) -> HttpResponse:
    """List the corpora, and receive a file to review and import."""
    form = CorpusForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            job = reviews.receive(**form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            dispatch(job)
            return redirect("corpus_review", job.pk)
    last = last_job(reviews.KIND, corpus_jobs.KIND, by=request.user)
    context = {
        "corpora": [(corpus, figures_of(corpus)) for corpus in listed(request.user)],
        "form": form,
        "watch": watch(last) if last and not last.is_over else None,
        "waiting": waiting(reviews.KIND, by=request.user),
    }
    return render(request, "annotation/corpora/corpora.html", context, status=UNPROCESSABLE if form.errors else None)


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
