"""Pages of corpora: the list, where a file is received, and a corpus as a file."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.corpora import corpus_jobs, reviews
from annotation.exporters.dialogues import NoInstance
from annotation.forms.corpora import CorpusFilter, CorpusForm
from annotation.models import Corpus
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora as selectors
from annotation.selectors.corpora.corpus_pages import SplitFigures, figures_of, last_job, listed, sorted_corpora
from annotation.selectors.corpora.reviews import waiting
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, requires
from core.presenters.jobs import watch
from core.presenters.lists import ShownList
from core.tasks import dispatch

UNPROCESSABLE = 422
PAGE = 50


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
    asked = CorpusFilter(request.GET)
    found = sorted_corpora(listed(request.user, **asked.wanted()), asked.sorting())
    last = last_job(reviews.KIND, corpus_jobs.KIND, by=request.user)
    context = {
        "list": ShownList(asked, found, size=PAGE, number=request.GET.get("page"), rows=_with_figures),
        "archived": corpora_of(request.user).exclude(archived_at=None).count(),
        "form": form,
        "watch": watch(last) if last and not last.is_over else None,
        "waiting": waiting(reviews.KIND, by=request.user),
    }
    return render(request, "annotation/corpora/corpora.html", context, status=UNPROCESSABLE if form.errors else None)


def _with_figures(corpora: Sequence[Corpus]) -> list[tuple[Corpus, list[SplitFigures]]]:
    return [(corpus, figures_of(corpus)) for corpus in corpora]


@requires("corpus.read")
@require_safe
def export(request: AuthenticatedRequest, name: str, format: str) -> FileResponse | HttpResponse:
    found = get_object_or_404(corpora_of(request.user), name=name)
    if format not in selectors.formats_of(found):
        raise Http404
    try:
        archive = selectors.zipped(found, format=format)
    except NoInstance as dialogue:
        text = _(
            "Dialogue %(id)s does not fit into this format. Download the corpus as jsonl, which can hold everything."
        )
        messages.error(request, text % {"id": dialogue})
        return redirect("corpus", found.name)
    return FileResponse(
        archive, as_attachment=True, filename=f"{found.name}-{format}.zip", content_type="application/zip"
    )
