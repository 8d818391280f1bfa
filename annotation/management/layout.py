"""Options of commands that say how a file with columns is read, where it is not guessed right."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence

from django.core.management.base import CommandParser

from annotation.importers.encoding import CODECS, codec_named
from annotation.importers.layout import LayoutChoice


def add_layout_options(parser: CommandParser, columns: Sequence[str]) -> None:
    """Add the options of a file whose columns may be read as `columns`."""
    parser.add_argument(
        "--map",
        nargs="+",
        default=[],
        type=_mapped(columns),
        dest="columns",
        metavar="OURS=THEIRS",
        help="the file's name, or number from 1, of a column of ours; nothing after = leaves it out",
    )
    parser.add_argument("--sheet", default="", metavar="NAME", help="of a workbook, where it is not guessed right")
    parser.add_argument("--encoding", type=_codec, help="of the file, where it is not guessed right")
    parser.add_argument(
        "--no-header",
        action="store_const",
        const=False,
        dest="header",
        help=f"the first row is data: columns have numbers, {columns[0]}=1 {columns[1]}=2",
    )


def add_separator_option(parser: CommandParser) -> None:
    parser.add_argument("--separator", default="", metavar="TEXT", help="between two turns in a cell (\\n: a new line)")


def layout_choice(
    *,
    columns: Sequence[tuple[str, str]],
    sheet: str,
    encoding: str | None,
    header: bool | None,
    separator: str = "",
    first_number: int | None = None,
    number_speakers: bool = False,
    **_: object,
) -> LayoutChoice:
    """Return what the options say about the layout; the rest is guessed."""
    return LayoutChoice(
        encoding=encoding or "",
        sheet=sheet,
        header=header,
        columns=dict(columns),
        separator=separator,
        first_number=first_number,
        numbers_speakers=number_speakers,
    )


def _mapped(columns: Sequence[str]) -> Callable[[str], tuple[str, str]]:
    def mapped(text: str) -> tuple[str, str]:
        ours, equals, theirs = text.partition("=")
        if not equals or ours not in columns:
            raise ArgumentTypeError(
                f"{text} is not one of {', '.join(columns)}, an equals sign and a column of the file"
            )
        return ours, theirs

    return mapped


def _codec(text: str) -> str:
    try:
        return codec_named(text)
    except LookupError:
        raise ArgumentTypeError(f"{text} is none of {', '.join(CODECS)}") from None
