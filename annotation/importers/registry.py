"""What a project's kind brings in: the one place that says which reader reads its files and what an item is made of."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from annotation.domain.corpora.dialogue import conversation
from annotation.domain.releases.splitting import prompt_group
from annotation.domain.rewriting.rewriting import three_choices
from annotation.importers import items, pairs
from annotation.importers import preview as pair_preview
from annotation.importers.layout import LayoutChoice
from annotation.importers.preview import Preview
from annotation.importers.rows import BadRow, ItemRow, PairRow, Recorded
from annotation.models import Import, Kind, Project, Step
from core.domain.text import digest

Row = PairRow | ItemRow


class Made(NamedTuple):
    """What an item is made of: its group (what must stay in one split), its content, and the files it came with."""

    group: str
    content: dict[str, Any]
    recordings: Sequence[Recorded] = ()


@dataclass(frozen=True)
class ProjectImporter:
    """The reader and the item maker of a kind, and what a row is known by (its `digest`) and told by (its `words`).

    New items wait in the queue of `step`, for `required` people each.
    """

    formats: tuple[str, ...]
    columns: tuple[str, ...]  # that may be read from others of the file
    read: Callable[..., Iterator[Any]]
    preview: Callable[..., Preview]
    digest: Callable[[Any], str]
    words: Callable[[Any], str]
    make: Callable[[Any, int], Made]
    step: Step
    required: Callable[[Project], int]

    def rows(self, received: Import) -> Iterator[Row | BadRow]:
        return self.read(received.file.path, **_how(received))

    def preview_of(self, received: Import) -> Preview:
        return self.preview(received.file.path, **_how(received))


def _how(received: Import) -> dict[str, Any]:
    """How a file is read: the same way whenever it is."""
    return {"file_name": received.file_name, "format": received.format, "choice": choice_of(received)}


def choice_of(received: Import) -> LayoutChoice:
    return LayoutChoice(**received.choice)


def _pair_digest(row: PairRow) -> str:
    return digest(row.prompt, row.response)


_group = lru_cache(prompt_group)  # the responses to one prompt mostly stand together


def _pair(row: PairRow, seed: int) -> Made:
    return Made(_group(row.prompt), {"prompt": row.prompt, "response": row.response})


def _question_digest(row: ItemRow) -> str:
    """Two items are the same when they ask the same question with the same set of choices."""
    return digest(row.question, *sorted(row.choices))


def _question(row: ItemRow, seed: int) -> Made:
    """With recordings all choices stay until people have said which one is right: lots never drop that one."""
    turns, choices, answer = list(row.turns), list(row.choices), row.answer
    if answer is not None and not row.recordings:
        choices, answer = three_choices(row.choices, answer, seed, _question_digest(row))
    content = {"turns": turns, "question": row.question, "choices": choices, "answer": answer}
    return Made(conversation(turns), content, row.recordings)


PROJECT_IMPORTERS = {
    Kind.RATING: ProjectImporter(
        formats=("auto", "csv", "tsv", "jsonl"),
        columns=(*pairs.SCHEMA.required, *pairs.SCHEMA.optional),
        read=pairs.read,
        preview=pair_preview.preview,
        digest=_pair_digest,
        words=lambda row: f"{row.prompt} / {row.response}",
        make=_pair,
        step=Step.RATE,
        required=lambda project: project.rating.raters,
    ),
    Kind.REWRITING: ProjectImporter(
        formats=("auto", "dream", "jsonl"),
        columns=(),
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
