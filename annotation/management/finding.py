"""Find the project or release that a command names, among those its user may see."""

from django.core.management.base import CommandError

from annotation.models import Project, Release
from annotation.permissions import projects_of
from annotation.selectors.releases import releases
from core.management.command import unknown
from core.models import User


def project(slug: str, *, permission: str, by: User) -> Project:
    """Return a project in which the person has the permission, or raise CommandError."""
    own = projects_of(by, permission)
    try:
        return own.get(slug=slug)
    except Project.DoesNotExist:
        known = list(own.values_list("slug", flat=True))
        if not known and not by.is_administrator:
            text = f"{by.username} belongs to no project: create_project makes one, or somebody adds them to theirs."
            raise CommandError(text, returncode=2) from None
        raise unknown("project", slug, known, made_by="create_project") from None


def release(name: str, *, by: User) -> Release:
    """Return a release that the person may see, or raise CommandError."""
    try:
        return releases.named(name, by=by)
    except Release.DoesNotExist:
        raise unknown("release", name, releases.names_of(by), made_by="freeze_release") from None
