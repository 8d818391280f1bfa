"""Import a corpus from a file, a folder, a .zip or a .tar.gz.

Without --format the content tells the format. A table (csv, tsv, xlsx, jsonl or a JSON array) may have columns of any
names: dialogue_id, text [, speaker, turn, split], an utterance a row, or turns [, dialogue_id, split], a dialogue a
row; usual names are known (对话, 说话人, 内容, 轮次), others are given with --map.

The times of a log are of --zone, and --seed draws its test set. An archive with both variants of MuTual makes NAME and
NAME-plus. If a row is refused, nothing is stored; with --partial the good rows are. What is left out by rule is counted
in the ledger. A dialogue with a word of our list of coarse words, or of --flag-words, is flagged: no question is drawn
from it.
Examples: manage.py import_corpus mutual mutual.tar.gz
          manage.py import_corpus chats chats.xlsx --format table --map dialogue_id=组 text=话 speaker=人
"""

import os
from argparse import ArgumentTypeError
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.management.base import CommandParser

from annotation.actions.cleaning.cleaning_rules import words_of
from annotation.actions.corpora import corpora
from annotation.actions.corpora.contents import CorpusContents, NotImported
from annotation.actions.corpora.corpora import RECIPE
from annotation.actions.corpora.corpus_jobs import stored
from annotation.actions.imports.refused_rows import refused_line
from annotation.domain.corpora.replacements import KINDS
from annotation.importers.dialogue_columns import ANY
from annotation.importers.dialogues import Recipe
from annotation.importers.formats import READERS
from annotation.importers.layout import GUESS
from annotation.management.layout import add_layout_options, add_separator_option, layout_choice
from annotation.selectors.corpora.corpora import splits_of
from core.actions.refusals import RefusedLine
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file, seed
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "corpus.import"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("path", metavar="PATH", type=_readable)
        parser.add_argument("--format", default="", choices=[*READERS])
        parser.add_argument(
            "--zone", default=RECIPE.zone, type=_zone, help="of a log, such as Europe/London (default UTC)"
        )
        parser.add_argument("--seed", default=RECIPE.seed, type=seed, help="of the test set of a log (default 0)")
        parser.add_argument(
            "--leave", nargs="*", choices=KINDS, default=[], help="kinds of names and addresses to keep"
        )
        parser.add_argument(
            "--flag-words",
            nargs="*",
            type=readable_file,
            default=[],
            metavar="FILE",
            help="lists of words, one a line: dialogues with one are flagged",
        )
        add_layout_options(parser, ANY.known)
        add_separator_option(parser)
        parser.add_argument(
            "--keep-columns", action="store_true", help="of a table that are none of ours, as facts of its dialogues"
        )
        parser.add_argument("--source", default="", metavar="TEXT", help="where the material comes from")
        parser.add_argument("--licence", default="", metavar="TEXT", help="under which it may be used")
        parser.add_argument("--partial", action="store_true", help="store the good rows when others are refused")

    def act(self, *, by: User, name: str, path: Path, format: str, partial: bool, **options: Any) -> None:
        report = ProgressPrinter(self, "records")
        layout = replace(layout_choice(**options), keeps_others=options["keep_columns"])
        choice = asdict(layout) if layout != GUESS else {}
        recipe = Recipe(options["zone"], options["seed"], options["leave"], choice)
        try:
            imported = corpora.import_corpus(
                name=name,
                path=path,
                format=format,
                recipe=recipe,
                lists={path.name: _words(path) for path in options["flag_words"]},
                source=options["source"],
                licence=options["licence"],
                partial=partial,
                report=report,
                by=by,
            )
        except NotImported as refused:
            rows = _lines(refused.found)
            self.list_refused(rows)
            counts = {"good": refused.found.good, "refused": refused.found.refused}
            self.refuse(str(refused), code=refused.code, **counts, stored=0, rows_refused=rows)
            return
        found, rows = imported.found, _lines(imported.found)
        self.list_refused(rows)
        splits = splits_of(imported.corpus)
        self.say(
            {
                **stored(imported),
                "dialogues": imported.corpus.dialogues_count,
                "flagged": found.flagged,
                "splits": splits,
                "refused": found.refused,
                "rows_refused": rows,
            },
            f"Corpus {imported.corpus} stored: {counted(imported.corpus.dialogues_count, 'dialogue')}"
            + (f", and {imported.variant}: {imported.variant.dialogues_count:,}" if imported.variant else "")
            + f"; {found.refused:,} refused. {_sum(imported.corpus.ledger)}. {found.flagged:,} flagged. "
            f"Checksum {imported.corpus.checksum}",
        )


def _sum(ledger: dict[str, Any]) -> str:
    """Return the sum of the ledger in a sentence."""
    dropped = sum(ledger["dropped"].values())
    return f"{ledger['read']:,} read = {ledger['kept']:,} kept + {ledger['joined']:,} joined + {dropped:,} dropped"


def _words(path: Path) -> list[str]:
    with path.open("rb") as file:
        return words_of(file)


def _lines(found: CorpusContents) -> list[RefusedLine]:
    return list(map(refused_line, found.bad))


def _readable(text: str) -> Path:
    path = Path(text)
    if not path.exists() or not os.access(path, os.R_OK):
        raise ArgumentTypeError(f"there is no file or folder {text} that can be read")
    return path


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ArgumentTypeError(f"there is no time zone {name}; one is called Europe/London") from None
