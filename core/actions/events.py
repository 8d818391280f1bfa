"""The only module that writes states and the audit log."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.domain.text import one_line
from core.domain.transitions import may_follow
from core.models import Event, User
from core.models.scoped import Scope, scope_of
from core.models.sql import insert

LONGEST_WHY = 500  # characters
FEW = 16  # lines that one person's click leads to
WHY_MISSING = _("Give a reason: it is recorded in the audit log.")


def record(subject: models.Model, *, became: str, was: str = "", why: str = "", scope: Scope, by: User | None) -> None:
    """Add a line to the audit log."""
    write([line(subject, became=became, was=was, why=why, scope=scope, by=by)])


def record_all(
    subjects: Iterable[models.Model], *, became: str, was: str = "", why: str = "", scope: Scope, by: User
) -> None:
    """Add a line to the audit log for each subject."""
    write([line(subject, became=became, was=was, why=why, scope=scope, by=by) for subject in subjects])


def write(lines: Sequence[Event]) -> None:
    """Add lines to the audit log, in their order."""
    if len(lines) <= FEW:
        insert(lines)
    else:
        Event.objects.bulk_create(lines)


def line(subject: models.Model, *, became: str, was: str = "", why: str = "", scope: Scope, by: User | None) -> Event:
    """Build a line of the audit log. Raises Refused when the reason is longer than the log can hold."""
    why = one_line(why)
    if len(why) > LONGEST_WHY:
        text = _(
            "Nothing was changed: the reason has %(length)d characters, but the limit of the "
            "audit log is %(limit)d. Shorten it."
        )
        raise Refused("why_too_long", text % {"length": len(why), "limit": LONGEST_WHY})
    return Event(
        **scope_of(scope),
        subject=str(subject._meta.model_name),
        subject_id=subject.pk,
        was=was,
        became=became,
        why=why,
        by=by,
    )


def forget_reasons(subject: models.Model) -> None:
    """Empty the reasons in the lines about a person who withdraws; that something was done, when and by whom stays."""
    Event.objects.filter(subject=subject._meta.model_name, subject_id=subject.pk).forget("why")


def must_say_why(why: str) -> None:
    """Refuse an empty reason. Raises Refused."""
    if not why.strip():
        raise Refused("why_missing", WHY_MISSING)


def move(subject: Any, becomes: StrEnum, *, scope: Scope, why: str = "", by: User | None, **facts: object) -> None:
    """Change the state of an assignment, item, job or import and record it in the audit log.

    `facts` are other fields of the row to set with it. Raises ValueError when `becomes` may not follow the present
    state: that is a mistake in the code, not of the user.
    """
    move_all([subject], becomes, scope=scope, why=why, by=by, **facts)


def move_all(
    subjects: Sequence[Any],
    becomes: StrEnum,
    *,
    scope: Scope,
    why: str = "",
    by: User | None,
    **facts: object,
) -> None:
    """Change the state of many subjects of one kind, as `move` does for one."""
    lines = [_move_of(subject, becomes, why, scope, by) for subject in subjects]
    facts["state"] = becomes
    for kind in {type(subject) for subject in subjects}:
        kind._default_manager.filter(pk__in=[subject.pk for subject in subjects]).update(**facts)
    for subject in subjects:
        for name, value in facts.items():
            setattr(subject, name, value)
    write(lines)


def moved(subject: Any, becomes: StrEnum, *, scope: Scope, by: User) -> Event:
    """Change a state as `move` does, but on the subject alone, and return the line: the caller stores both."""
    made = _move_of(subject, becomes, "", scope, by)
    subject.state = becomes
    return made


def _move_of(subject: Any, becomes: StrEnum, why: str, scope: Scope, by: User | None) -> Event:
    return line(subject, became=becomes, was=_left_for(becomes, subject), why=why, scope=scope, by=by)


def _left_for(becomes: StrEnum, subject: Any) -> str:
    was = type(becomes)(subject.state)
    if not may_follow(was, becomes):
        raise ValueError(f"{subject} may not become {becomes}")
    return was
