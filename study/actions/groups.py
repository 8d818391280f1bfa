"""The groups of a study: each a link and the people who come by it. Opening the study freezes them."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.events import record
from annotation.actions.refusals import Refused
from annotation.domain.text import one_line
from annotation.models.people import User
from study.actions.studies import add_groups, locked_draft
from study.models import Study
from study.models.people import Group


@transaction.atomic
def add(*, study: Study, name: str, quota: int | None = None, by: User) -> Group:
    """One more group with a link of its own. Raises Refused for a name that is there, and once the study is open."""
    locked = locked_draft(study)
    add_groups(locked, [(name, quota)])
    group = locked.groups.get(name=one_line(name))
    record(group, became="added", project=None, by=by)
    return group


@transaction.atomic
def remove(*, group: Group, by: User) -> None:
    """Take a group and its link away. Raises Refused for the last one, and once the study is open."""
    locked = locked_draft(group.study)
    if not locked.groups.exclude(pk=group.pk).exists():
        raise Refused("last_group", _("A study has at least one group: people come by its link."))
    record(group, was="added", became="removed", project=None, by=by)
    group.delete()
