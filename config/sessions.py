"""Sessions in the database, which tell trouble with the storage from a session that has ended."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import InterfaceError, OperationalError


class SessionStore(db.SessionStore):
    """Django's store. It takes any failure of an update for a session that was deleted, and answers 400 to a sign-in
    during which the database was away.
    """

    def save(self, must_create: bool = False) -> None:
        """Save the session. Raises UpdateError if it has ended, and the database's own error if it cannot be stored."""
        try:
            super().save(must_create)
        except UpdateError as ended:
            if isinstance(ended.__context__, OperationalError | InterfaceError):
                raise ended.__context__ from ended.__context__.__cause__
            raise
