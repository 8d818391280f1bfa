"""Content of a report: which of its files are, and the checksum that follows from them."""

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

STYLE = "style/"
INDEX, MANIFEST = "index.html", "manifest.json"
PEOPLE = ("data/answers.csv", "data/people.csv")  # a row for each answer or person: out after a withdrawal


class ReportedFile(NamedTuple):
    """A file of a report at its path in the folder."""

    name: str
    content: bytes

    @property
    def checksum(self) -> str:
        return sha256(self.content).hexdigest()


def is_content(name: str) -> bool:
    """Return whether a file is in the checksum: the page has number and date, and the style is the product's."""
    return name not in (INDEX, MANIFEST) and not name.startswith(STYLE)


def checksum_of(checksums: Mapping[str, str]) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of lines as `sha256sum` prints them, sorted by name.

    >>> checksum_of({"tables/a.csv": "00", "index.html": "11"}) == checksum_of({"tables/a.csv": "00"})
    True
    """
    lines = [f"{checksums[name]}  {name}\n" for name in sorted(checksums) if is_content(name)]
    return sha256("".join(lines).encode()).hexdigest()
