"""Groups of a study: each has a link, and the people who come by it. Opening the study freezes them."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey.studies import add_groups, check_group, locked_draft
from study.models import Study
from study.models.people import StudyGroup


@transaction.atomic
def add(*, study: Study, name: str, quota: int | None = None, by: User) -> StudyGroup:
    """Add a group with its own link. Raises Refused for a name in use, and once the study is open."""
    locked = locked_draft(study)
    [group] = add_groups(locked, [(name, quota)])
    record(group, became="added", scope=None, by=by)
    return group


@transaction.atomic
def change_quota(*, group: StudyGroup, quota: int | None, by: User) -> StudyGroup:
    """Set how many people may come, None for no limit.

    Raises Refused for an invalid number, and once the study is open.
    """
    locked = locked_draft(group.study).groups.get(pk=group.pk)
    check_group(locked.name, quota)
    if quota != locked.quota:
        was, locked.quota = locked.quota, quota
        locked.save(update_fields=["quota"])
        record(locked, was=f"quota {was}", became=f"quota {quota}", scope=None, by=by)
    return locked


@transaction.atomic
def remove(*, group: StudyGroup, by: User) -> None:
    """Remove a group and its link. Raises Refused for the last one, and once the study is open."""
    locked = locked_draft(group.study)
    if not locked.groups.exclude(pk=group.pk).exists():
        raise Refused("last_group", _("A study has at least one group: people come by its link."))
    record(group, was="added", became="removed", scope=None, by=by)
    group.delete()
