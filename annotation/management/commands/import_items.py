"""Import questions about dialogues, to be rewritten, from a file of DREAM or from jsonl.

jsonl: turns (or dialogue), question, choices, answer [, id, source, topic, audio, answer_image]; with the files that
rows name it comes as one .zip or .tar.gz, read as jsonl. If a row is refused, nothing is stored; with --partial the
good rows are. With --practice authors practise on the items, and no figure counts them.
Example: manage.py import_items listening train.json --format dream --partial
"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.importing import ImportCommand
from annotation.models import Kind


class Command(ImportCommand):
    help = __doc__
    permission = "items.import"
    kind = Kind.REWRITING
    thing = "item"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--practice", action="store_true", help="what authors practise on before their work counts")

    def is_practice(self, *, practice: bool = False, **options: Any) -> bool:
        return practice
