"""Context of the page on which people name reasoning types."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.reasoning import SKIP_REASONS
from annotation.models import Assignment, Project, TypeChoice
from annotation.presenters.reasoning.reasoning_words import NAMES, TYPES
from annotation.presenters.skips import LastSkip, ways_back
from annotation.selectors.reasoning import shown_on


def context(
    project: Project,
    assignment: Assignment | None,
    *,
    left: int,
    done: int,
    last: Sequence[TypeChoice],
    changing: TypeChoice | None,
    skipped: LastSkip | None,
) -> dict[str, Any]:
    """Return the context of annotation/reasoning/types.html; `last` are the choices that can be changed."""
    return {
        "project": project,
        "shown": assignment and shown_on(assignment),
        **ways_back(last, changing, skipped, lambda choice: choice.assignment.ended_at),
        "done": done,
        "types": TYPES,
        "names": NAMES,
        "skip_reasons": list(SKIP_REASONS.items()),
        "page_keys": _page_keys(),
        "page_name": _("Reasoning types, 1 of %(left)d") % {"left": left} if left else _("Reasoning types"),
    }


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 – 6", _("choose a type: saves and goes on")),
        ("?", _("unsure: saves and goes on")),
        ("Z", _("go back to your last choices, one by one, or undo the skip after them")),
        ("X", _("skip with a reason")),
    ]
