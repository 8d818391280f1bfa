"""Groups of a study: each has a link, and the people who come by it. Opening the study freezes them."""

import secrets
from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.domain.wording import ChoiceError
from core.models.people import User
from study.actions.survey.locks import locked_draft
from study.actions.survey.plans import contrasts_of
from study.domain.survey.returns import checked_address, host_of
from study.models import Study
from study.models.people import StudyGroup


def add_groups(study: Study, groups: Collection[tuple[str, int | None]]) -> list[StudyGroup]:
    """Create groups with their quotas. Raises Refused for an invalid or used name, and for an invalid quota."""
    added = []
    for typed, quota in groups:
        name = one_line(typed)
        check_group(name, quota)
        if study.groups.filter(name=name).exists():
            message = _("There is a group “%(group)s” already. Each group needs its own name.")
            raise Refused("group_taken", message % {"group": name})
        added.append(StudyGroup.objects.create(study=study, name=name, token=secrets.token_urlsafe(9), quota=quota))
    return added


def check_group(name: str, quota: int | None) -> None:
    """Refuse an invalid name or quota of a group. Raises Refused."""
    if not name or len(name) > 60 or (quota is not None and not 0 < quota < 1_000_000):
        message = _(
            "“%(group)s” is not a valid group: a group needs a name of at most 60 letters, and a quota of at least 1."
        )
        raise Refused("group_wrong", message % {"group": name})


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
    """Remove a group and its link.

    Raises Refused for the last one, for one that the primary contrast names, and once the study is open.
    """
    locked = locked_draft(group.study)
    if not locked.groups.exclude(pk=group.pk).exists():
        raise Refused("last_group", _("A study has at least one group: participants join through its link."))
    contrasts = contrasts_of(locked)
    if group.name == contrasts.group or contrasts.is_against(group.name):
        message = _("The primary contrast names the group “%(group)s”. Change the analysis plan first.")
        raise Refused("group_in_contrast", message % {"group": group.name})
    record(group, was="added", became="removed", scope=None, by=by)
    group.delete()
