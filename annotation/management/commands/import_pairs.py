"""Import prompt-response pairs from a csv, tsv or jsonl file.

Columns: prompt, response [, id, source, topic]; a tsv without a header is prompt TAB response. Other names are given
with --map, or the number of a column if there is no header. If a row is refused, nothing is stored; with --partial the
good rows are.
Examples: manage.py import_pairs forum pairs.tsv --partial
          manage.py import_pairs forum posts.csv --map prompt=问题 response=回复 --encoding gb18030
          manage.py import_pairs forum posts.csv --no-header --map prompt=3 response=4
"""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandParser

from annotation.importers.encoding import CODECS, codec_named
from annotation.importers.layout import LayoutChoice
from annotation.importers.registry import PROJECT_IMPORTERS
from annotation.management.importing import ImportCommand
from annotation.models import Kind


class Command(ImportCommand):
    help = __doc__
    permission = "pairs.import"
    kind = Kind.RATING
    thing = "pair"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--map",
            nargs="+",
            default=[],
            type=_mapped,
            dest="columns",
            metavar="OURS=THEIRS",
            help="the file's name, or number from 1, of a column of ours; nothing after = leaves it out",
        )
        parser.add_argument("--encoding", type=_codec, help="of the file, where it is not guessed right")
        parser.add_argument(
            "--no-header",
            action="store_const",
            const=False,
            dest="header",
            help="the first row is a pair: columns have numbers, prompt=1 response=2",
        )

    def choice(
        self, *, columns: list[tuple[str, str]], encoding: str | None, header: bool | None, **_: Any
    ) -> LayoutChoice:
        return LayoutChoice(encoding=encoding or "", header=header, columns=dict(columns))


def _mapped(text: str) -> tuple[str, str]:
    ours, equals, theirs = text.partition("=")
    columns = PROJECT_IMPORTERS[Kind.RATING].columns
    if not equals or ours not in columns:
        raise ArgumentTypeError(f"{text} is not one of {', '.join(columns)}, an equals sign and a column of the file")
    return ours, theirs


def _codec(text: str) -> str:
    try:
        return codec_named(text)
    except LookupError:
        raise ArgumentTypeError(f"{text} is none of {', '.join(CODECS)}") from None
