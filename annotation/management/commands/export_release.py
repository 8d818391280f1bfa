"""Write a frozen release to a folder. Example: manage.py export_release forum@1 --format jsonl --out release-1"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.exporters import EXPORTERS
from annotation.management import finding
from annotation.models import Kind
from annotation.selectors.releases import releases
from core.management.command import ColloquyCommand, folder, writing_to
from core.models import User

SHOWN = 10  # files printed as text; --json has all


class Command(ColloquyCommand):
    help = __doc__
    permission = "release.read"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="RELEASE", help="SLUG@NUMBER, or SLUG for the newest")
        parser.add_argument("--format", required=True, choices=sorted(EXPORTERS))
        parser.add_argument("--variant", help="plus: the release as MuTual-plus, if it was frozen with it")
        parser.add_argument("--out", required=True, type=folder, metavar="FOLDER")

    def act(self, *, by: User, release: str, format: str, variant: str | None, out: Path, **options: Any) -> None:
        found = finding.release(release, by=by)
        if format not in releases.formats_of(found.project):
            known = ", ".join(releases.formats_of(found.project))
            self.refuse(f"A release of a {found.project.kind} project is written as {known}.", code="format_wrong")
        if variant is not None and variant not in found.variants:
            makes = " freeze_release --plus makes one." if found.project.kind == Kind.REWRITING else ""
            known = f" It has {', '.join(found.variants)}." if found.variants else makes
            self.refuse(f"Release {found} has no variant “{variant}”.{known}", code="no_variant")
        left_out = releases.left_out(found, format=format)
        with writing_to(out):
            files = releases.write(found, format=format, variant=variant or "", folder=out)
        checksum = found.variants[variant]["checksum"] if variant else found.checksum
        shown = [str(path) for path in files]
        self.say(
            {
                "release": str(found),
                "variant": variant,
                "checksum": checksum,
                "files": shown,
                "left_out": dict(left_out),
            },
            f"Release {found}{f', variant {variant},' * bool(variant)} written: {', '.join(shown[:SHOWN])}"
            + (f" and {len(shown) - SHOWN:,} more files" if len(shown) > SHOWN else "")
            + "".join(f"; {count:,} left out: {why}" for why, count in left_out.items()),
        )
