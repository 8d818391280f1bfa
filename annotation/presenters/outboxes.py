"""Names of the outboxes in which a browser keeps what the server has not stored yet (static/js/core/outbox.js)."""

from annotation.models import Project, Step
from core.models import User

KEPT_AS = {Step.TYPE: "types", Step.WRITE: "flag"}  # browsers keep entries under these older names


def outbox_of(step: Step, project: Project, person: User) -> str:
    """Return the name of the person's outbox of a step in the project."""
    return f"{KEPT_AS.get(step, step.value)}/{person.pk}/{project.slug}"
