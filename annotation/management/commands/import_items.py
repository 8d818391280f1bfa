"""Import questions about dialogues, to be rewritten, from a file of DREAM, or a csv, tsv, xlsx, jsonl or json file.

Columns: turns (or dialogue), question, choices (or choice_1, choice_2 …), answer [, id, source, topic], by these or
other usual names (对话, 问题, 选项, 选项A, 答案); others are given with --map. A row of jsonl may also name audio and
answer_image; with these files it comes as one .zip or .tar.gz, read as jsonl. If a row is refused, nothing is stored;
with --partial the good rows are. With --practice authors practise on the items, and no figure counts them.
Examples: manage.py import_items listening train.json --format dream --partial
          manage.py import_items listening items.xlsx --map turns=文章 answer=键 --first-number 1
"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.importing import ImportCommand
from annotation.management.layout import add_separator_option
from annotation.models import Kind


class Command(ImportCommand):
    help = __doc__
    permission = "items.import"
    kind = Kind.REWRITING
    thing = "item"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_separator_option(parser)
        parser.add_argument(
            "--first-number", type=int, choices=(0, 1), help="of the choices, where answers are numbers"
        )
        parser.add_argument(
            "--number-speakers", action="store_true", help="A and B speak in turn where a dialogue names no speaker"
        )
        parser.add_argument("--practice", action="store_true", help="what authors practise on before their work counts")

    def is_practice(self, *, practice: bool = False, **options: Any) -> bool:
        return practice
