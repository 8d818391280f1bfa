"""Bringing a file in: given, looked at, checked, then stored or dropped."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions import imports as actions
from annotation.actions.refusals import Refused
from annotation.domain.workflow import ImportState, JobState
from annotation.forms.imports import FormatForm, ImportForm
from annotation.models import Import, Job, Project
from annotation.permissions import projects_of, requires
from annotation.selectors.imports import imports_of, last_job, look_at, refusals, refused_kinds, refused_page
from annotation.tasks import dispatch
from annotation.views.job_watch import watch
from annotation.views.tables import csv_download

OPEN = (ImportState.RECEIVED, ImportState.CHECKED)


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest, slug: str) -> HttpResponse:
    """The files brought in so far, and a place for the next one."""
    project = _project(request, slug)
    form = ImportForm(request.POST or None, request.FILES or None, project=project)
    if request.method == "POST" and form.is_valid():
        file, format = form.cleaned_data["file"], form.cleaned_data["format"]
        received = actions.receive(project=project, file=file, name=file.name, format=format, by=request.user)
        dispatch(actions.ask_for_check(received=received, by=request.user))
        return redirect("import", project.slug, received.pk)
    context = {"project": project, "form": form, "imports": imports_of(project)}
    return render(request, "annotation/imports.html", context)


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def outcome(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What a file holds and what became of it. POST: read it again, in another format if one is chosen."""
    received = _import(request, slug, pk)
    if request.method == "POST":
        form = FormatForm(request.POST, project=received.project)
        format = form.cleaned_data["format"] if form.is_valid() else None
        return _ask(request, received, actions.ask_for_check, format=format)
    return render(request, "annotation/import.html", _outcome(request, received))


@requires("pairs.import")
@require_POST
def store(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _ask(request, _import(request, slug, pk), actions.ask_for_store, partial="partial" in request.POST)


@requires("pairs.import")
@require_POST
def discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    received = _import(request, slug, pk)
    try:
        actions.discard(received=received, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("import", slug, pk)


@requires("pairs.import")
@require_safe
def refused_csv(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    received = _import(request, slug, pk)
    header = [_("file"), _("line"), _("record"), _("dialogue"), _("reason"), _("text")]
    rows = (
        [received.file_name, row.line, row.record, row.dialogue, row.reason, row.excerpt] for row in refusals(received)
    )
    return csv_download(f"{slug}-import-{pk}-refused", header, rows)


def _outcome(request: HttpRequest, received: Import) -> dict[str, Any]:
    job = last_job(received)
    code = request.GET.get("reason", "")
    is_open = received.state in OPEN
    return {
        "project": received.project,
        "received": received,
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and is_open and job.state in (JobState.FAILED, JobState.CANCELLED) else None,
        "look": look_at(received) if is_open else None,
        "format_form": FormatForm(initial={"format": received.format}, project=received.project),
        "kinds": refused_kinds(received),
        "listed": actions.REFUSED_ROWS_KEPT,
        "reason": code,
        "page": refused_page(received, code=code, number=request.GET.get("page", "1")),
    }


def _ask(request: HttpRequest, received: Import, ask: Callable[..., Job], **how: Any) -> HttpResponse:
    """Hand a job on the file to the worker, or say why there is none."""
    try:
        dispatch(ask(received=received, **how, by=request.user))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("import", received.project.slug, received.pk)


def _project(request: HttpRequest, slug: str) -> Project:
    return get_object_or_404(projects_of(request.user), slug=slug)


def _import(request: HttpRequest, slug: str, pk: int) -> Import:
    found = Import.objects.select_related("project", "created_by").filter(project=_project(request, slug))
    return get_object_or_404(found, pk=pk)
