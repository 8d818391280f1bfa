"""Write all rows and uploads to one file, with checksums, while people go on working.

The secret key is not in it: keep a copy of DATA_DIR/secret_key elsewhere. Example: manage.py backup colloquy.zip
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.actions import backups
from core.management.command import InstallationCommand, ProgressPrinter, writing_to


class Command(InstallationCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to write; an older one is replaced")

    def act(self, *, file: Path, **options: Any) -> None:
        with writing_to(file):
            manifest = backups.back_up(path=file, report=ProgressPrinter(self, "bytes"))
        size = file.stat().st_size
        self.say(
            {"file": str(file), "made_at": manifest.made_at.isoformat(), "bytes": size},
            f"Backup written to {file}: {size:,} bytes. The secret key is not in it; keep a copy of it elsewhere.",
        )
