"""Make a corpus of another one, with dialogues edited, left out, or cleared of their flag; the other stays as it is.

FILE has a line of JSON for each dialogue to change: its id, and the texts of all its turns ("turns"), "leave_out": true
or "clear": true.
Example: manage.py edit_corpus lamps --into lamps-edited edits.jsonl
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.corpora import edits
from annotation.permissions import corpora_of
from annotation.selectors.corpora.plans import with_words
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file, unknown
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "corpus.import"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("file", metavar="FILE", type=readable_file)
        parser.add_argument("--into", required=True, metavar="CHILD", help="name of the corpus that is made")

    def act(self, *, by: User, name: str, file: Path, into: str, **options: Any) -> None:
        corpora = corpora_of(by)
        parent = corpora.filter(name=name).first()
        if parent is None:
            raise unknown("corpus", name, list(corpora.values_list("name", flat=True)), made_by="import_corpus")
        report = ProgressPrinter(self, "dialogues")
        made = edits.make_of_file(parent=parent, name=into, path=file, report=report, by=by)
        left = with_words(made.changes.all(), edits.words_of_corpus(parent))
        self.say(
            {
                "corpus": made.name,
                "parent": parent.name,
                "checksum": made.checksum,
                "dialogues": made.dialogues_count,
                "with_word": left,
                "ledger": made.ledger,
            },
            f"Corpus {made} made of {parent}: {counted(made.dialogues_count, 'dialogue')}, checksum {made.checksum}"
            + (f". {len(left):,} edited, with a word of the word lists still: {', '.join(left)}" if left else ""),
        )
