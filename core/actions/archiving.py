"""Put projects, studies, corpora and question sets away and take them back."""

from datetime import datetime

from django.utils import timezone

from core.actions.events import record
from core.models.archived import ArchivableModel
from core.models.people import User
from core.models.scoped import Scope


def put_away(locked: ArchivableModel, *, scope: Scope, by: User) -> None:
    """Archive a locked row; nothing happens if it is archived."""
    if locked.archived_at is None:
        _set(locked, timezone.now(), "archived", scope=scope, by=by)


def take_back(locked: ArchivableModel, *, scope: Scope, by: User) -> None:
    """Take a locked row out of the archive; nothing happens if it is not in it."""
    if locked.archived_at is not None:
        _set(locked, None, "taken back", scope=scope, by=by)


def _set(locked: ArchivableModel, when: datetime | None, became: str, *, scope: Scope, by: User) -> None:
    type(locked)._base_manager.filter(pk=locked.pk).update(archived_at=when)  # of a frozen row, too: it is no content
    locked.archived_at = when
    record(locked, became=became, scope=scope, by=by)
