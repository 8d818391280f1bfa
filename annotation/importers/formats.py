"""The formats of a corpus: one reader each, and the one that a file's content fits."""

from collections.abc import Sequence

from annotation.importers import dialogues_jsonl, irc, mutual, subtitles, twitter, ubuntu_csv
from annotation.importers.archive import Member
from annotation.importers.dialogues import Reader
from annotation.importers.reasons import RowRefused

READERS: dict[str, Reader] = {
    "mutual": mutual,
    "irc": irc,
    "twitter": twitter,
    "subtitles": subtitles,
    "ubuntu-csv": ubuntu_csv,
    "jsonl": dialogues_jsonl,
}


def guessed(files: Sequence[Member]) -> str:
    """Return the format that the content fits. Raises RowRefused, with all formats, where none or several do."""
    fitting = [name for name, reader in READERS.items() if reader.fits(files)]
    if len(fitting) != 1:
        raise RowRefused("format_unclear", formats=", ".join(READERS))
    return fitting[0]
