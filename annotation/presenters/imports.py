"""Context of the page of an import: its outcome, and its reading with the forms that change it."""

from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.actions.imports.imports import ROWS_KEPT
from annotation.domain.workflow import ItemState
from annotation.forms.imports import COLUMNS, ColumnsForm, ReadingForm
from annotation.importers.registry import choice_of, importer_of
from annotation.models import Import, Kind, Project
from annotation.selectors.imports import first_duplicates, look_at, refused_kinds, refused_page
from core.models import Job
from core.presenters.jobs import watch


def outcome_of(received: Import, job: Job | None, query: QueryDict) -> dict[str, Any]:
    """Return what came of the import, with the page of refused rows that the query names."""
    code = query.get("reason", "")
    return {
        "project": received.project,
        "received": received,
        "watch": watch(job) if job and not job.is_over else None,
        "ended": watch(job) if job and received.is_open and job.came_to_nothing else None,
        "duplicates": first_duplicates(received),
        "kinds": refused_kinds(received),
        # Counting looks at each item of the file, and pairs have no recordings.
        "recorded": received.project.kind != Kind.RATING and received.items.filter(state=ItemState.RECORDED).count(),
        "listed": ROWS_KEPT,
        "reason": code,
        "query": urlencode({"reason": code}) if code else "",
        "page": refused_page(received, code=code, number=query.get("page", "1")),
    }


def read_as_chosen(received: Import, sent: QueryDict) -> dict[str, Any]:
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
    return {
        "look": look,
        "reading_form": form,
        "columns_form": columns_form,
        "is_trial": form.is_bound,
        **(_readers(received.project) if received.project.kind == Kind.RATING else {}),
    }


def _readers(project: Project) -> dict[str, str]:
    """Name the columns of pairs that all who work on them read, and those that researchers alone read."""
    for_all = {"prompt", "response", *project.rating.told}
    return {
        "for_all": _(", ").join(str(label) for name, label in COLUMNS.items() if name in for_all),
        "for_researchers": _(", ").join(str(label) for name, label in COLUMNS.items() if name not in for_all),
    }
