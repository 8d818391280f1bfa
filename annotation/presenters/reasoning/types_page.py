"""Context of the page on which people name reasoning types."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.reasoning import SKIP_REASONS
from annotation.models import Assignment, Project, TypeChoice
from annotation.presenters.reasoning.reasoning_words import NAMES, TYPES
from annotation.presenters.skips import LastSkip, is_newer
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
    older = last[last.index(changing) + 1 :] if changing else last  # than the choice shown; the newest is first
    earlier = next(iter(older), None)
    return {
        "project": project,
        "shown": assignment and shown_on(assignment),
        "changing": changing,
        "earlier": earlier,
        "skipped": skipped,
        "z_goes_back": changing or (earlier and is_newer(earlier.assignment.ended_at, skipped)),
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
