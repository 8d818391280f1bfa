"""Figures of other studies that researchers quote: typed in, changed and deleted, each with an event."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.models.people import User
from study.domain.results.published import METRICS_QUOTED, Published
from study.models import QuotedFigure, Study

MOST = 100  # of a study


@transaction.atomic
def add(*, study: Study, row: Published, by: User) -> QuotedFigure:
    """Quote figures beside the results of a study. Raises Refused as `change` does, and beyond MOST rows."""
    if study.quoted_figures.count() >= MOST:
        raise Refused("too_many_quoted", _("A study quotes at most %(most)s rows. Delete one first.") % {"most": MOST})
    quoted = QuotedFigure.objects.create(study=study, **_columns(row), created_by=by)
    record(quoted, became="quoted", scope=study, by=by)
    return quoted


@transaction.atomic
def change(*, quoted: QuotedFigure, row: Published, by: User) -> None:
    """Store what the row says now. Raises Refused for a row without a label, a source or any figure."""
    for name, value in _columns(row).items():
        setattr(quoted, name, value)
    quoted.save()
    record(quoted, was="quoted", became="changed", scope=quoted.study, by=by)


@transaction.atomic
def remove(*, quoted: QuotedFigure, by: User) -> None:
    record(quoted, was="quoted", became="deleted", scope=quoted.study, by=by)
    quoted.delete()


def _columns(row: Published) -> dict[str, Any]:
    label, source = one_line(row.who), one_line(row.source)
    if not label or not source:
        raise Refused("quoted_without_name", _("Say whose figures they are, and where they are printed."))
    figures = {name: getattr(row, name) for name in METRICS_QUOTED}
    if not any(figures.values()):
        raise Refused("quoted_nothing", _("Enter at least one figure."))
    about = {"is_of_model": row.is_model, "corpus": row.corpus, "n": row.n, "candidates": row.candidates}
    return {"label": label, "source": source, **figures, **about}
