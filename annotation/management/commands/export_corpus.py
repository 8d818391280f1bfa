"""Write a corpus to a folder. Example: manage.py export_corpus mutual --format mutual --out mutual-again"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.exporters.corpora import CORPUS_EXPORTERS
from annotation.exporters.dialogues import NoInstance
from annotation.models import Corpus
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora
from core.management.command import ColloquyCommand, counted, folder, unknown, writing_to
from core.models import User

CANNOT_HOLD = {
    "mutual": "MuTual's format holds instances; dialogue {} has no candidates.",
    "ubuntu-csv": "The Ubuntu csv needs responses; dialogue {} has no answer, one turn, or a turn of marks alone.",
}


@contextmanager
def _nothing_left(folder: Path) -> Iterator[None]:
    """Where the block fails, take away what it wrote into the folder, which was empty or did not exist."""
    existed = folder.exists()
    try:
        yield
    except BaseException:
        if folder.is_dir():
            for path in folder.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            if not existed:
                folder.rmdir()
        raise


class Command(ColloquyCommand):
    help = __doc__
    permission = "corpus.read"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--format", required=True, choices=[*CORPUS_EXPORTERS])
        parser.add_argument("--out", required=True, type=folder, metavar="FOLDER")

    def act(self, *, by: User, name: str, format: str, out: Path, **options: Any) -> None:
        try:
            corpus = corpora_of(by).get(name=name)
        except Corpus.DoesNotExist:
            known = list(corpora_of(by).values_list("name", flat=True))
            raise unknown("corpus", name, known, made_by="import_corpus") from None
        try:
            with writing_to(out):
                if out.is_dir() and any(out.iterdir()):
                    self.refuse(
                        f"There are files in {out}; name an empty folder, or a new one.", code="folder_not_empty"
                    )
                with _nothing_left(out):
                    files = corpora.write(corpus, format=format, folder=out)
        except NoInstance as dialogue:
            formats = [other for other in corpora.formats_of(corpus) if other != format]
            works = f" It can be written as {' and '.join(formats)}."
            self.refuse(CANNOT_HOLD[format].format(dialogue) + works, code="no_instance", formats=formats)
        self.say(
            {
                "corpus": name,
                "checksum": corpus.checksum,
                "dialogues": corpus.dialogues_count,
                "files": files,
                "folder": str(out),
            },
            f"Corpus {name} written to {out}: "
            f"{counted(corpus.dialogues_count, 'dialogue')} in {counted(files, 'file')}",
        )
