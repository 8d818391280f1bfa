"""Archive a project, and take it back."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from core.actions import archiving
from core.actions.refusals import Refused
from core.models import User


@transaction.atomic
def archive(*, project: Project, by: User) -> None:
    """Put a project away: it is in no list and gives out no new work. Work that is held may still be submitted."""
    archiving.put_away(_locked(project), scope=project, by=by)


@transaction.atomic
def take_back(*, project: Project, by: User) -> None:
    """Take a project out of the archive: it is in the lists and gives out work again."""
    archiving.take_back(_locked(project), scope=project, by=by)


def must_give_out_work(project: Project) -> None:
    """Raise Refused if the project is archived: it gives out no new work."""
    if project.archived_at is not None:
        raise Refused("archived", no_new_work(project))


def no_new_work(project: Project) -> str:
    """Say that the project is archived and what that means for those who work in it."""
    return _("The project “%(project)s” is archived: it gives out no new work.") % {"project": project.title}


def _locked(project: Project) -> Project:
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)
