"""Registry: importer and item builder for each project kind."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from annotation.domain.corpora.dialogue import conversation
from annotation.domain.releases.splitting import prompt_group
from annotation.domain.rewriting.rewriting import three_choices
from annotation.importers import items, pairs
from annotation.importers import preview as pair_preview
from annotation.importers.columns import Schema
from annotation.importers.layout import LayoutChoice
from annotation.importers.preview import Preview
from annotation.importers.rows import BadRow, ItemRow, PairRow, Recorded
from annotation.models import Import, Kind, Project, Step
from core.domain.text import digest, digest_of_normalised

Row = PairRow | ItemRow


class Made(NamedTuple):
    """The parts of a new item: its group (rows that must stay in one split), its content, and its files."""

    group: str
    content: dict[str, Any]
    recordings: Sequence[Recorded] = ()


@dataclass(frozen=True)
class ProjectImporter:
    """The reader and the item builder of a kind.

    `digest` identifies a row, `words` names it to people. New items wait in the queue of `step`, for `required` people
    each.
    """

    formats: tuple[str, ...]
    schema: Schema  # its columns may be read from columns with other names
    asks: tuple[str, ...]  # what a person may say of the layout beside its format
    asks_without_columns: tuple[str, ...]  # the same of a format without columns
    read: Callable[..., Iterator[Any]]
    preview: Callable[..., Preview]
    digest: Callable[[Any], str]
    words: Callable[[Any], str]
    make: Callable[[Any, int], Made]
    step: Step
    required: Callable[[Project], int]

    @property
    def columns(self) -> tuple[str, ...]:
        return self.schema.known

    def rows(self, received: Import) -> Iterator[Row | BadRow]:
        return self.read(received.file.path, **_how(received))

    def preview_of(self, received: Import) -> Preview:
        return self.preview(received.file.path, **_how(received))


def _how(received: Import) -> dict[str, Any]:
    """Return the arguments for the reader, so that a file is read in the same way each time."""
    scale = received.project.rating.grades if received.project.kind == Kind.RATING else None
    choice = replace(choice_of(received), scale=scale)
    return {"file_name": received.file_name, "format": received.format, "choice": choice}


def choice_of(received: Import) -> LayoutChoice:
    return LayoutChoice(**received.choice)


def _pair_digest(row: PairRow) -> str:
    return digest_of_normalised(row.prompt, row.response)


_group = lru_cache(prompt_group)  # the responses to one prompt are mostly in a row


def _pair(row: PairRow, seed: int) -> Made:
    return Made(_group(row.prompt), {"prompt": row.prompt, "response": row.response})


def _question_digest(row: ItemRow) -> str:
    """Return the digest of an item: the same question with the same set of choices is the same item."""
    return digest(row.question, *sorted(row.choices))


def _question(row: ItemRow, seed: int) -> Made:
    """Build the item; with recordings all choices stay until people have said which one is right."""
    turns, choices, answer = list(row.turns), list(row.choices), row.answer
    if answer is not None and not row.recordings:
        choices, answer = three_choices(row.choices, answer, seed, _question_digest(row))
    content = {"turns": turns, "question": row.question, "choices": choices, "answer": answer}
    return Made(conversation(turns), content, row.recordings)


PROJECT_IMPORTERS = {
    Kind.RATING: ProjectImporter(
        formats=("auto", "csv", "tsv", "xlsx", "jsonl", "json"),
        schema=pairs.SCHEMA,
        asks=("header",),
        asks_without_columns=("header",),
        read=pairs.read,
        preview=pair_preview.preview,
        digest=_pair_digest,
        words=lambda row: f"{row.prompt} / {row.response}",
        make=_pair,
        step=Step.RATE,
        required=lambda project: project.rating.raters,
    ),
    Kind.REWRITING: ProjectImporter(
        formats=("auto", "csv", "tsv", "xlsx", "jsonl", "json", "dream"),
        schema=items.SCHEMA,
        asks=("header", "separator", "first_number", "numbers_speakers"),
        asks_without_columns=("numbers_speakers",),
        read=items.read,
        preview=items.preview,
        digest=_question_digest,
        words=lambda row: row.question,
        make=_question,
        step=Step.WRITE,
        required=lambda project: 1,
    ),
}


def importer_of(project: Project) -> ProjectImporter:
    return PROJECT_IMPORTERS[Kind(project.kind)]
