"""Publish a version of a guideline for raters: who is shown what is new, and who must pass practice again."""

from django.db import transaction

from annotation.actions.projects import guidelines
from annotation.actions.qualification.qualification import ask_to_pass_again
from annotation.domain.rating.guideline import Guideline
from annotation.models import Cursor, GuidelineVersion, Project, Step
from core.models import User


@transaction.atomic
def publish(
    *,
    project: Project,
    content: Guideline,
    seen: int | None,
    why: str,
    is_announced: bool,
    asks_again: bool,
    by: User,
) -> GuidelineVersion:
    """Store a new version, as guidelines.write() does. Where it `asks_again`, who had passed must pass once more."""
    version = guidelines.write(project=project, content=content, seen=seen, why=why, is_announced=is_announced, by=by)
    if asks_again:
        ask_to_pass_again(project=project, why=f"guideline {version.number}", by=by)
    return version


def read(*, project: Project, number: int, by: User) -> None:
    """Remember that the rater's page has shown the guideline up to this version; a later number is the newest one."""
    number = min(number, project.guidelines.all()[:1].get().number)
    own = Cursor.objects.filter(queue__project=project, queue__step=Step.RATE, person=by)
    own.filter(guideline_read__lt=number).update(guideline_read=number)
