"""Page of the audit of a corpus or of a release: each leak and shortcut, with instances that show it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.releases import audits
from annotation.models import Kind, Release
from annotation.permissions import corpora_of, project_at
from annotation.presenters.releases.audits import leaks_csv, tables_of
from annotation.selectors.releases.audits import Subject, last_audit, last_report
from core.permissions import AuthenticatedRequest, jobs_of, requires, wants_json
from core.presenters import polls
from core.presenters.jobs import watch
from core.tasks import dispatch


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
    return leaks_csv(get_object_or_404(corpora_of(request.user), name=name), name)


@requires("release.read")
@require_safe
def release_leaks_csv(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    return leaks_csv(_release(request, slug, number), f"{slug}-{number}")


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
        return polls.parts(render_to_string("_components/job_progress.html", context, request))
    if wants_json(request):
        return polls.lead_to(page)
    if report := last_report(subject):
        context |= tables_of(subject, report)
    return render(request, "annotation/releases/audit.html", context)
