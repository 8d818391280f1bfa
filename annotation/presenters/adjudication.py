"""Context of the page on which an adjudicator decides."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.adjudication.adjudication import REMOVAL_REASONS, SKIP_REASONS
from annotation.models import Project
from annotation.presenters.rating import json_of, scale_of
from annotation.presenters.skips import LastSkip, ways_back
from annotation.selectors.adjudication import Decided
from annotation.selectors.rating.annotator_page import Pair


def context(
    project: Project,
    pair: Pair | None,
    *,
    left: int,
    last: Sequence[Decided],
    changing: Decided | None,
    skipped: LastSkip | None,
) -> dict[str, Any]:
    """Return the context of annotation/adjudication/adjudication.html; `last` are the decisions that can be changed."""
    return {
        "project": project,
        "pair": pair and json_of(pair),
        "left": left,
        **ways_back(last, changing, skipped, lambda decided: decided.ended_at),
        **scale_of(project.guidelines.all()[:1].get()),
        "removal_reasons": list(REMOVAL_REASONS.items()),
        "skip_reasons": list(SKIP_REASONS.items()),
        "removed_for": REMOVAL_REASONS,
        "page_keys": _page_keys(),
    }


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 – 9", _("grade")),
        ("A S D", _("reason: saves and goes on")),
        ("R", _("remove with a reason")),
        ("Z", _("go back to your last decisions, one by one, or undo the skip after them")),
        ("X", _("skip with a reason")),
        ("G", _("guideline")),
    ]
