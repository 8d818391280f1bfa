"""Problems of the installation in words, each with what to do."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "database": _("The database does not answer. Check that it is running and that DATABASE_URL points to it."),
    "migrations": _("The database is from an earlier version. Restart Colloquy: bin/start brings it up to date."),
    "broker": _(
        "The broker does not answer, so no job starts. Check that it is running and that "
        "CELERY_BROKER_URL points to it."
    ),
    "worker": _(
        "The worker has not been seen for a minute: imports, releases and models are waiting. If it does not come "
        "back, read its log and start Colloquy again."
    ),
    "beat": _(
        "The scheduler (beat) has not been seen for a minute: surveys do not end, and pairs that raters left stay "
        "reserved. If it does not come back, read its log and start Colloquy again."
    ),
    "trainer": _(
        "The trainer has not been seen for a minute: models with long training are waiting. If it does not come back,"
        " read its log and start Colloquy again."
    ),
    "disk": _("The disk has less than 1 GB left. Free some space: on a full disk nothing can be saved."),
    "backup": _("There is no backup from the last seven days. Create one on the server: manage.py backup FILE"),
}


def in_words(problems: Iterable[str]) -> list[str]:
    return [str(SENTENCES[problem]) for problem in problems]
