"""The formats of a corpus: one reader each, and the one that a file's content fits."""

from collections.abc import Sequence

from annotation.importers import (
    dialogue_tables,
    dialogues_jsonl,
    irc,
    labelled_responses,
    mutual,
    subtitles,
    turn_lists,
    twitter,
    ubuntu_csv,
)
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
    "douban": labelled_responses,
    "lccc": turn_lists,
    "jsonl": dialogues_jsonl,
    "table": dialogue_tables,
}


def guessed(files: Sequence[Member]) -> str:
    """Return the format that the content fits. Raises RowRefused, with all formats, where none or several do.

    A table with the columns of several formats is of the one that knows more of them. One that lacks a column of its
    format is refused with the columns.
    """
    fitting = [name for name, reader in READERS.items() if reader is not dialogue_tables and reader.fits(files)]
    if not fitting and dialogue_tables.fits(files):
        return "table"
    if not fitting and (refused := next(filter(None, (lacking(files, *table) for table in TABLES.values())), None)):
        raise refused
    if len(fitting) != 1:
        raise RowRefused("format_unclear", formats=", ".join(READERS))
    return fitting[0]
