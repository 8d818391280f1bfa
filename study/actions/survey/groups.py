"""Groups of a study: each has a link, and the people who come by it. Opening the study freezes them."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.wording import ChoiceError
from core.models.people import User
from study.actions.survey.studies import add_groups, check_group, locked_draft
from study.domain.survey.returns import checked_address, host_of
from study.models import Study
from study.models.people import StudyGroup


@transaction.atomic
def add(
    *,
    study: Study,
    name: str,
    quota: int | None = None,
    requires_id: bool = False,
    return_url: str = "",
    by: User,
) -> StudyGroup:
    """Add a group with its own link. Raises Refused for a name in use, and once the study is open."""
    locked = locked_draft(study)
    [group] = add_groups(locked, [(name, quota)])
    record(group, became="added", scope=None, by=by)
    return change(group=group, quota=quota, requires_id=requires_id, return_url=return_url, by=by)


@transaction.atomic
def change(*, group: StudyGroup, quota: int | None, requires_id: bool, return_url: str = "", by: User) -> StudyGroup:
    """Set how many people may come (None: no limit), whether a platform has to send them, and where they go at the end.

    Raises Refused for an invalid number or address, and once the study is open.
    """
    locked = locked_draft(group.study).groups.get(pk=group.pk)
    check_group(locked.name, quota)
    if quota != locked.quota:
        was, locked.quota = locked.quota, quota
        locked.save(update_fields=["quota"])
        record(locked, was=f"quota {was}", became=f"quota {quota}", scope=None, by=by)
    if requires_id != locked.requires_id:
        locked.requires_id = requires_id
        locked.save(update_fields=["requires_id"])
        record(locked, became=f"platform id {'required' if requires_id else 'not required'}", scope=None, by=by)
    if (address := _address(return_url)) != locked.return_url:
        locked.return_url = address
        locked.save(update_fields=["return_url"])
        record(locked, became=f"people go back to {host_of(address) or 'no address'}", scope=None, by=by)
    return locked


def _address(typed: str) -> str:
    try:
        return checked_address(typed)
    except ChoiceError as wrong:
        raise Refused.by_rule("address_wrong", wrong) from wrong


@transaction.atomic
def remove(*, group: StudyGroup, by: User) -> None:
    """Remove a group and its link. Raises Refused for the last one, and once the study is open."""
    locked = locked_draft(group.study)
    if not locked.groups.exclude(pk=group.pk).exists():
        raise Refused("last_group", _("A study has at least one group: people come by its link."))
    record(group, was="added", became="removed", scope=None, by=by)
    group.delete()
