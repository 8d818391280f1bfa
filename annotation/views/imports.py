"""Pages to import a file: uploaded, previewed, checked, then stored or dropped."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.imports import import_jobs
from annotation.actions.imports import imports as actions
from annotation.domain.workflow import ItemState
from annotation.forms.imports import ColumnsForm, ImportForm, ReadingForm
from annotation.importers.registry import choice_of, importer_of
from annotation.models import Import, Project
from annotation.permissions import project_at
from annotation.selectors.imports import (
    first_duplicates,
    imports_of,
    last_job,
    look_at,
    refusals,
    refused_kinds,
    refused_page,
)
from core.actions.refusals import Refused
from core.models import Job
from core.permissions import AuthenticatedRequest, requires
from core.presenters.jobs import watch
from core.presenters.tables import csv_download
from core.tasks import dispatch


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """List the imports, and receive a file."""
    project = project_at(request, slug)
    form = ImportForm(request.POST or None, request.FILES or None, project=project)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        received = actions.receive(
            project=project,
            file=sent["file"],
            name=sent["file"].name,
            format=sent["format"],
            is_practice=sent.get("is_practice", False),
            by=request.user,
        )
        return _ask(request, received, import_jobs.ask_for_check)
    context = {"project": project, "form": form, "imports": imports_of(project)}
    return render(request, "annotation/imports/imports.html", context)


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def outcome(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Show an import, read as chosen in the address. POST: read it so from now on."""
    project = project_at(request, slug)
    # Before the import itself, so that a job that ends in between is shown as running, not as ended without a result.
    job = last_job(project.pk, pk)
    received = _import(project, pk)
    reading = _read_as_chosen(received, request.POST or request.GET)
    if request.method == "POST":
        return _ask(request, received, import_jobs.ask_for_check, format=received.format, choice=choice_of(received))
    return render(request, "annotation/imports/import.html", {**_outcome(request, received, job), **reading})


@requires("pairs.import")
@require_POST
def store(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = _import(project_at(request, slug), pk)
    how = {"partial": "partial" in request.POST, "reading": request.POST.get("reading")}
    return _ask(request, received, import_jobs.ask_for_store, **how)


@requires("pairs.import")
@require_POST
def discard(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = _import(project_at(request, slug), pk)
    try:
        actions.discard(received=received, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("import", slug, pk)


@requires("pairs.import")
@require_safe
def refused_csv(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = _import(project_at(request, slug), pk)
    header = [_("file"), _("line"), _("record"), _("dialogue"), _("reason"), _("text")]
    rows = (
        [received.file_name, row.line, row.record, row.dialogue, row.reason, row.excerpt] for row in refusals(received)
    )
    return csv_download(f"{slug}-import-{pk}-refused", header, rows)


@requires("pairs.import")
@require_safe
def duplicate_csv(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = _import(project_at(request, slug), pk)
    rows = received.duplicate_rows.values_list("line", "first_file", "first_line", "excerpt")
    named = ([line, file or received.file_name, first or "", text] for line, file, first, text in rows)
    return csv_download(f"{slug}-import-{pk}-duplicate", [_("line"), _("equals"), _("line"), _("text")], named)


def _outcome(request: HttpRequest, received: Import, job: Job | None) -> dict[str, Any]:
    code = request.GET.get("reason", "")
    return {
        "project": received.project,
        "received": received,
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and received.is_open and job.came_to_nothing else None,
        "duplicates": first_duplicates(received),
        "kinds": refused_kinds(received),
        "recorded": received.items.filter(state=ItemState.RECORDED).count(),
        "listed": actions.ROWS_KEPT,
        "reason": code,
        "query": urlencode({"reason": code}) if code else "",
        "page": refused_page(received, code=code, number=request.GET.get("page", "1")),
    }


def _read_as_chosen(received: Import, sent: QueryDict) -> dict[str, Any]:
    """Set the format and layout of `received` from what was `sent`; return the preview and the forms to change them."""
    if not received.is_open:
        return {}
    columns = importer_of(received.project).columns
    form = ReadingForm(sent if "format" in sent else None, received=received)
    if form.is_bound and form.is_valid():
        chosen = choice_of(received).columns
        received.format, received.choice = form.cleaned_data["format"], asdict(form.choice)
        if parsed_header := look_at(received).parsed_header:
            named = ColumnsForm(sent, columns=columns, parsed_header=parsed_header, chosen={})
            chosen = named.columns if named.is_valid() else {}
        received.choice["columns"] = chosen
    look = look_at(received)
    own = look.read_from or choice_of(received).columns
    columns_form = (
        ColumnsForm(columns=columns, parsed_header=look.parsed_header, chosen=own)
        if look.parsed_header and columns
        else None
    )
    return {"look": look, "reading_form": form, "columns_form": columns_form, "is_trial": form.is_bound}


def _ask(request: AuthenticatedRequest, received: Import, ask: Callable[..., Job | None], **how: Any) -> HttpResponse:
    """Request a job on the file and start it if one is needed, or show why it was refused."""
    try:
        if job := ask(received=received, **how, by=request.user):
            dispatch(job)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("import", received.project.slug, received.pk)


def _import(project: Project, pk: int) -> Import:
    found = Import.objects.select_related("project", "created_by").filter(project=project)
    return get_object_or_404(found, pk=pk)
