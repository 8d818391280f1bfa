"""Write a corpus to a folder. Example: manage.py export_corpus mutual --format mutual --out mutual-again"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.exporters.dialogues import CORPUS_EXPORTERS, NoInstance
from annotation.models import Corpus
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora
from core.management.command import ColloquyCommand, counted, folder, unknown
from core.models import User

LATER = ("ubuntu-csv",)


class Command(ColloquyCommand):
    help = __doc__
    permission = "corpus.read"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--format", required=True, choices=[*CORPUS_EXPORTERS, *LATER])
        parser.add_argument("--out", required=True, type=folder, metavar="FOLDER")

    def act(self, *, by: User, name: str, format: str, out: Path, **options: Any) -> None:
        if format in LATER:
            self.refuse(f"The format {format} cannot be written yet. mutual and jsonl can.", code="format_later")
        try:
            corpus = corpora_of(by).get(name=name)
        except Corpus.DoesNotExist:
            known = list(corpora_of(by).values_list("name", flat=True))
            raise unknown("corpus", name, known, made_by="import_corpus") from None
        try:
            files = corpora.write(corpus, format=format, folder=out)
        except NoInstance as dialogue:
            self.refuse(f"MuTual's format holds instances; dialogue {dialogue} has no candidates.", code="no_instance")
        except OSError as wrong:
            raise CommandError(f"{out} cannot be written: {wrong.strerror}.", returncode=2) from wrong
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
