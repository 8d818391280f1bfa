"""Say whether the installation is well, and exit with 1 when it is not. Example: manage.py health --json"""

import sys
from typing import Any

from core.management.command import REFUSED, InstallationCommand
from core.presenters.health import in_words
from core.selectors import health

KEYS = (
    "database",
    "migrations",
    "broker",
    "worker_seconds",
    "beat_seconds",
    "trainer_seconds",
    "disk_free",
    "backup_age",
)


class Command(InstallationCommand):
    help = __doc__

    def act(self, **options: Any) -> None:
        found = health.health()
        is_well = not found.problems
        words = in_words(found.problems) or ["All is well."]
        self.say({"ok": is_well} | {key: getattr(found, key) for key in KEYS}, "\n".join(words))
        if not is_well:
            sys.exit(REFUSED)
