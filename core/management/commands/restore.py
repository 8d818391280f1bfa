"""Restore a backup into a new installation: an empty DATA_DIR and, for PostgreSQL, an empty database.

A damaged file, and one of a newer version, are refused. Example: DATA_DIR=/srv/new manage.py restore colloquy.zip
"""

from pathlib import Path
from typing import Any

from django.core.checks import Tags, run_checks
from django.core.management.base import CommandParser
from django.db import DEFAULT_DB_ALIAS

from core.actions import restoring
from core.management.command import InstallationCommand, ProgressPrinter, readable_file


class Command(InstallationCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=readable_file, metavar="FILE")

    def act(self, *, file: Path, **options: Any) -> None:
        manifest = restoring.restore(path=file, report=ProgressPrinter(self, "bytes"))
        for warning in run_checks(tags=[Tags.database], databases=[DEFAULT_DB_ALIAS]):
            self.stderr.write(str(warning))
        self.say(
            {"file": str(file), "made_at": manifest.made_at.isoformat()},
            f"Restored as of {manifest.made_at:%Y-%m-%d %H:%M} UTC. All sign in again.",
        )
