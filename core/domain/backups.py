"""Manifest of a backup: when it was made, the migrations of its database, and the checksum of each file in it."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Self

FORMAT = "colloquy-backup-1"
MANIFEST, ROWS, UPLOADS = "manifest.json", "rows/", "media/"  # names in the file

Migration = tuple[str, str]  # app and name


@dataclass(frozen=True)
class Manifest:
    made_at: datetime
    migrations: frozenset[Migration]
    checksums: dict[str, str]  # SHA-256 by name

    def to_json(self) -> str:
        content = {
            "format": FORMAT,
            "made_at": self.made_at.isoformat(),
            "migrations": sorted(self.migrations),
            "checksums": self.checksums,
        }
        return json.dumps(content, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a manifest. Raises ValueError, KeyError or TypeError if it is none."""
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise ValueError(content["format"])
        migrations = frozenset((app, name) for app, name in content["migrations"])
        return cls(datetime.fromisoformat(content["made_at"]), migrations, dict(content["checksums"]))
