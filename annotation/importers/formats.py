"""The formats of a corpus: one reader each, and the one that a file's content fits."""

from collections.abc import Sequence

from annotation.importers import dialogues_jsonl, irc, mutual, subtitles, twitter, ubuntu_csv
from annotation.importers.archive import Member
from annotation.importers.dialogues import Reader
from annotation.importers.reasons import RowRefused
from annotation.importers.specimen import TABLES
from annotation.importers.tables import lacking

READERS: dict[str, Reader] = {
    "mutual": mutual,
    "irc": irc,
    "twitter": twitter,
    "subtitles": subtitles,
    "ubuntu-csv": ubuntu_csv,
    "jsonl": dialogues_jsonl,
}


def guessed(files: Sequence[Member]) -> str:
    """Return the format that the content fits. Raises RowRefused, with all formats, where none or several do.

    A table that lacks a column of its format is refused with the columns.
    """
    fitting = [name for name, reader in READERS.items() if reader.fits(files)]
    if not fitting and (refused := next(filter(None, (lacking(files, *table) for table in TABLES.values())), None)):
        raise refused
    if len(fitting) != 1:
        raise RowRefused("format_unclear", formats=", ".join(READERS))
    return fitting[0]
