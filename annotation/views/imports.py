"""Pages to import a file: uploaded, previewed, checked, then stored or dropped."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.imports import import_jobs
from annotation.actions.imports import imports as actions
from annotation.forms.imports import GradesForm, ImportForm
from annotation.importers.registry import choice_of
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.presenters.imports import grades_of, outcome_of, read_as_chosen
from annotation.selectors.imports import imports_of, last_job, refusals
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download
from core.presenters.refusals import refusals_shown
from core.tasks import dispatch

UNPROCESSABLE = 422


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
        with refusals_shown(request):
            job = import_jobs.ask_for_check(received=received, by=request.user)
            if job:
                dispatch(job)
        return redirect("import", slug, received.pk)
    context = {"project": project, "form": form, "imports": imports_of(project)}
    return render(request, "annotation/imports/imports.html", context, status=UNPROCESSABLE if form.errors else None)


@requires("pairs.import")
@require_http_methods(["GET", "HEAD", "POST"])
def outcome(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Show an import, read as chosen in the address. POST: read it so from now on."""
    project = project_at(request, slug)
    # Before the import itself, so that a job that ends in between is shown as running, not as ended without a result.
    job = last_job(project.pk, pk)
    received = get_object_or_404(imports_of(project), pk=pk)
    reading = read_as_chosen(received, request.POST or request.GET)
    is_wrong = request.method == "POST" and bool(reading) and bool(reading["reading_form"].errors)
    if request.method == "POST" and not is_wrong:
        choice = choice_of(received)
        with refusals_shown(request):
            job = import_jobs.ask_for_check(received=received, format=received.format, choice=choice, by=request.user)
            if job:
                dispatch(job)
        return redirect("import", slug, pk)
    context = {**outcome_of(received, job, request.GET), **reading}
    return render(request, "annotation/imports/import.html", context, status=UNPROCESSABLE if is_wrong else None)


@requires("pairs.import")
@require_POST
def decide_grades(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Say what the column of grades is, and read the file again so."""
    project = project_at(request, slug)
    job = last_job(project.pk, pk)
    received = get_object_or_404(imports_of(project), pk=pk)
    form = GradesForm(request.POST, received=received)
    if form.is_valid():
        with refusals_shown(request):
            job = import_jobs.decide_grades(received=received, **form.cleaned_data, by=request.user)
            if job:
                dispatch(job)
        return redirect("import", slug, pk)
    context = {
        **outcome_of(received, job, request.GET),
        **read_as_chosen(received, request.GET),
        "grades": grades_of(received, form),
    }
    return render(request, "annotation/imports/import.html", context, status=UNPROCESSABLE)


@requires("pairs.import")
@require_POST
def store(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = get_object_or_404(imports_of(project_at(request, slug)), pk=pk)
    partial, reading = "partial" in request.POST, request.POST.get("reading")
    with refusals_shown(request):
        dispatch(import_jobs.ask_for_store(received=received, partial=partial, reading=reading, by=request.user))
    return redirect("import", slug, pk)


@requires("pairs.import")
@require_POST
def discard(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = get_object_or_404(imports_of(project_at(request, slug)), pk=pk)
    with refusals_shown(request):
        actions.discard(received=received, by=request.user)
    return redirect("import", slug, pk)


@requires("pairs.import")
@require_safe
def refused_csv(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    received = get_object_or_404(imports_of(project_at(request, slug)), pk=pk)
    header = [_("file"), _("line"), _("record"), _("dialogue"), _("reason"), _("text")]
    rows = (
        [received.file_name, row.line, row.record, row.dialogue, row.reason, row.excerpt] for row in refusals(received)
    )
    return csv_download(f"{slug}-import-{pk}-refused", header, rows)


@requires("pairs.import")
@require_safe
def duplicate_csv(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    project = project_at(request, slug)
    received = get_object_or_404(imports_of(project), pk=pk)
    header, told = [_("line"), _("duplicate of"), _("line"), _("text")], ["excerpt"]
    if project.kind == Kind.REWRITING:  # the same question may be asked about two dialogues
        header += [_("dialogue"), _("dialogue of the earlier row")]
        told += ["opening", "first_opening"]
    rows = received.duplicate_rows.values_list("line", "first_file", "first_line", *told)
    named = (
        [line, file or (received.file_name if first else ""), first or "", *texts] for line, file, first, *texts in rows
    )
    return csv_download(f"{slug}-import-{pk}-duplicate", header, named)
