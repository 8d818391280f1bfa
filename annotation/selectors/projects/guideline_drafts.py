"""What a person has written of the next version of a guideline."""

from annotation.models import GuidelineDraft, Project
from core.models import User


def own_draft(project: Project, person: User) -> GuidelineDraft | None:
    return GuidelineDraft.objects.filter(project=project, person=person).first()
