"""Arguments that the commands of the study share."""

from django.core.management.base import CommandError

from annotation.models.people import User
from study.models import Study
from study.permissions import studies_of


def study_named(slug: str, *, by: User) -> Study:
    """A study that the person has a right to."""
    try:
        return studies_of(by).get(slug=slug)
    except Study.DoesNotExist:
        known = ", ".join(studies_of(by).values_list("slug", flat=True)[:20]) or "none yet"
        raise CommandError(f"There is no study “{slug}”. Studies: {known}.", returncode=2) from None
