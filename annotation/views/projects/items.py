"""Pages of the items of a rewriting project: search, read, and return accepted ones."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.inspection import inspections, returns
from annotation.actions.rewriting import rewrites
from annotation.actions.transcription import transcripts
from annotation.domain.rewriting.rewriting import CANDIDATES, CONTEXT, CUT, LETTERS
from annotation.forms.projects.items import ItemFilter, ReturnForm
from annotation.models import Kind, Project
from annotation.permissions import project_at
from annotation.presenters.projects.bulk import acts_of
from annotation.selectors.projects.items import histories_of, items_of, sorted_items
from annotation.selectors.rating.pairs import PAGE
from core.actions.refusals import Refused
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.lists import ShownList

LETTER_OF = dict(zip(CANDIDATES, LETTERS, strict=True))


@requires("project.view")
@require_safe
def items(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    return _list(request, project_at(request, slug, Kind.REWRITING))


@requires("instances.return")
@require_POST
def return_instance(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Return an accepted item to its author, and redirect to the same part of the list."""
    project = project_at(request, slug, Kind.REWRITING)
    item = get_object_or_404(project.items.counting(), pk=pk)
    form = ReturnForm(request.POST, prefix=str(pk))
    if not form.is_valid():
        return _list(request, project, form, status=422)
    try:
        returns.return_instance(item=item, comment=form.cleaned_data["comment"], by=request.user)
    except Refused as refused:
        if refused.field:
            form.add_error(refused.field, str(refused))
            return _list(request, project, form, status=422)
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Sent back. It will be inspected again once it has been revised."))
    return redirect(f"{reverse('items', args=[slug])}?{request.GET.urlencode()}")


def _list(
    request: AuthenticatedRequest, project: Project, refused: ReturnForm | None = None, status: int = 200
) -> HttpResponse:
    """List the items; `refused` is a comment that was not stored, shown beside its item again."""
    form = ItemFilter(request.GET, project=project)
    found = sorted_items(items_of(project, **form.wanted()), form.sorting())
    shown = ShownList(form, found, size=PAGE, number=request.GET.get("page"), rows=histories_of)
    forms = {str(row.item.pk): ReturnForm(prefix=str(row.item.pk)) for row in shown.rows}
    if refused is not None:
        forms[str(refused.prefix)] = refused
    context = {
        "project": project,
        "list": shown,
        "rows": [(row, forms[str(row.item.pk)]) for row in shown.rows],
        "acts": acts_of(project),
        "may_return_instance": may(request.user, "instances.return", within=project),
        "fields": {CUT: pgettext("comment on", "the cut"), CONTEXT: pgettext("comment on", "the context"), **LETTER_OF},
        "skip_reasons": inspections.SKIP_REASONS | rewrites.SKIP_REASONS | transcripts.SKIP_REASONS,
    }
    return render(request, "annotation/projects/items.html", context, status=status)
