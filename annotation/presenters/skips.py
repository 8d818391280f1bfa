"""The last skip, for the pages on which a person may undo it (templates/annotation/projects/_skipped.html)."""

from typing import Any

from django.urls import reverse

from annotation.models import Project, Step
from annotation.selectors.skips import undoable_skips
from core.models import User

ADDRESSES = {
    Step.ADJUDICATE: "undo_skip_decision",
    Step.TRANSCRIBE: "undo_skip_transcript",
    Step.CHECK: "undo_skip_transcript",
    Step.WRITE: "undo_skip_rewrite",
    Step.INSPECT: "undo_skip_inspection",
    Step.TYPE: "undo_skip_type",
}


def last_skip(project: Project, step: Step, person: User) -> dict[str, Any] | None:
    """Return when the person skipped last in this step, and the address at which they undo it; None without a skip."""
    skipped = undoable_skips(project, step, person).first()
    if skipped is None:
        return None
    return {"at": skipped.ended_at, "address": reverse(ADDRESSES[step], args=[project.slug, skipped.pk])}
