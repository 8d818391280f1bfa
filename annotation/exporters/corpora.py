"""The formats in which a corpus is written, each a function ``(dialogues, folder) -> number of files``."""

from collections.abc import Callable, Iterable
from pathlib import Path

from annotation.exporters import ubuntu_csv
from annotation.exporters.dialogues import write_jsonl, write_mutual
from annotation.models import Dialogue

CORPUS_EXPORTERS: dict[str, Callable[[Iterable[Dialogue], Path], int]] = {
    "mutual": write_mutual,
    "jsonl": write_jsonl,
    "ubuntu-csv": ubuntu_csv.write,
}
