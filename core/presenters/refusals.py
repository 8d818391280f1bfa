"""Refusals and trouble with the storage, in the answer to a request."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest

from core.actions.refusals import Refused
from core.forms.sent import Malformed

DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}


def status_of(refused: Refused | None) -> int:
    """Return the status of an answer: 400 for what cannot be read, 409 for what an action refused, else 200."""
    if refused is None:
        return 200
    return 400 if isinstance(refused, Malformed) else 409


@contextmanager
def refusals_shown(request: HttpRequest) -> Iterator[None]:
    """Show a refusal as a message on the next page."""
    try:
        yield
    except Refused as refused:
        messages.error(request, str(refused))


def is_of_storage(error: BaseException | None) -> bool:
    """Return whether the disk is full or broken, or the database is away, locked or full. A wrong query is none."""
    if isinstance(error, OSError):
        return error.errno in DISK_ERRORS
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
