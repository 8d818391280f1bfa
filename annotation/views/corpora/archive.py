"""Pages to archive or delete a corpus, and the list of those that are archived."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.corpora import archiving, deleting
from annotation.models import Corpus
from annotation.permissions import corpora_of, own_corpora
from annotation.presenters.corpora.deleting import contents_of
from annotation.selectors.corpora.uses import uses_of
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import refusals_shown


@requires("corpus.read")
@require_safe
def archived(request: AuthenticatedRequest) -> HttpResponse:
    corpora = corpora_of(request.user).exclude(archived_at=None).order_by("-archived_at")
    own = {*own_corpora(request.user).values_list("pk", flat=True)}
    return render(request, "annotation/corpora/archived.html", {"corpora": corpora, "own": own})


@requires("corpus.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Say what archiving does and where the corpus is used, and archive it."""
    corpus = own_corpus_at(request, name)
    if request.method == "POST":
        archiving.archive(corpus=corpus, by=request.user)
        messages.success(request, _("The corpus is archived. A link below the list of corpora leads to it."))
        return redirect("corpus", name)
    context = {"corpus": corpus, "uses": uses_of(corpus, by=request.user)}
    return render(request, "annotation/corpora/archive.html", context)


@requires("corpus.manage")
@require_POST
def take_back(request: AuthenticatedRequest, name: str) -> HttpResponse:
    archiving.take_back(corpus=own_corpus_at(request, name), by=request.user)
    messages.success(request, _("The corpus is in the lists again."))
    return redirect("corpus", name)


@requires("corpus.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: AuthenticatedRequest, name: str) -> HttpResponse:
    """Say what would go with the corpus, or what holds it, and delete it."""
    corpus = own_corpus_at(request, name)
    if request.method == "POST":
        with refusals_shown(request):
            deleting.delete(corpus=corpus, by=request.user)
            messages.success(request, _("“%(name)s” is deleted.") % {"name": name})
            return redirect("corpora")
        return redirect("delete_corpus", name)
    both = deleting.with_variant(corpus)
    context = {"corpus": corpus, "holds": deleting.holds_of(corpus), "contents": contents_of(both)}
    return render(request, "annotation/corpora/delete.html", context)


def own_corpus_at(request: AuthenticatedRequest, name: str) -> Corpus:
    """Return a corpus that the person may archive and delete, or raise 404."""
    return get_object_or_404(own_corpora(request.user), name=name)
