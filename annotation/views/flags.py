"""Pages of the flags of annotators and authors, and of the notes on them."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.actions import flags as actions
from annotation.forms.flags import NoteForm
from annotation.models import Flag, Kind, Project
from annotation.permissions import project_at
from annotation.selectors.flags import flags_of, own_flags_of
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, may, requires

PAGE = 50
RESOLVED = "resolved"
LATEST = 50


@requires("project.view")
@require_safe
def flags(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _list(request, project_at(request, slug))


@requires("project.manage")
@require_POST
def resolve(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    project = project_at(request, slug)
    flag = get_object_or_404(Flag.objects.of_project(project), pk=pk)
    form = NoteForm(request.POST, prefix=str(pk))
    if form.is_valid():
        try:
            actions.resolve(flag=flag, note=form.cleaned_data["note"], by=request.user)
        except Refused as refused:
            if not refused.field:
                messages.error(request, str(refused))
                return redirect("flags", slug)
            form.add_error(refused.field, str(refused))
        else:
            messages.success(request, _("Resolved. The person who raised the flag will see your note."))
            return redirect("flags", slug)
    return _list(request, project, form, status=422)


@requires("instances.write")
@require_safe
def own_flags(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """List an author's own flags with the notes. Annotators see theirs on the page of their progress."""
    project = project_at(request, slug, Kind.REWRITING)
    flags = own_flags_of(project, request.user)[:LATEST]
    return render(request, "annotation/flags/own_flags.html", {"project": project, "flags": flags})


def _list(
    request: AuthenticatedRequest, project: Project, refused: NoteForm | None = None, status: int = 200
) -> HttpResponse:
    """List the flags; `refused` is a note that was not stored, shown beside its flag again."""
    is_resolved = request.GET.get("state") == RESOLVED
    page = Paginator(flags_of(project, resolved=is_resolved), PAGE).get_page(request.GET.get("page"))
    forms = {str(flag.pk): NoteForm(prefix=str(flag.pk)) for flag in page}
    if refused is not None:
        forms[str(refused.prefix)] = refused
    context = {
        "project": project,
        "page": page,
        "rows": [(flag, forms[str(flag.pk)]) for flag in page],
        "is_resolved": is_resolved,
        "query": f"state={RESOLVED}" if is_resolved else "",
        "may_resolve": may(request.user, "project.manage", within=project),
        "open": flags_of(project, resolved=False).count(),
        "resolved": flags_of(project, resolved=True).count(),
    }
    return render(request, "annotation/flags/flags.html", context, status=status)
