"""Download of payable work as a table."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.forms.payable import PeriodForm, this_month
from annotation.models import Kind
from annotation.permissions import project_at
from annotation.selectors.quality.payable import payable_columns, payable_rows
from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download


@requires("project.manage")
@require_safe
def payable_csv(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Return the work of the days in the form; without any, of this month so far."""
    project = project_at(request, slug)
    form = PeriodForm(request.GET or this_month())
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        wrong = _("%(field)s: %(wrong)s") % {"field": form.fields[field].label, "wrong": errors[0]}
        messages.error(request, wrong)
        return redirect("quality" if project.kind == Kind.RATING else "board", slug)
    days = form.cleaned_data
    name = f"{project.slug}-payable-{days['since']}-{days['until']}"
    return csv_download(name, payable_columns(project), payable_rows(project, **days))
