"""What a project's kind brings in: the one place that says which reader reads its files and what an item is made of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from annotation.domain.dialogue import conversation
from annotation.domain.rewriting import three_choices
from annotation.domain.splitting import prompt_group
from annotation.domain.text import digest
from annotation.importers import items, pairs
from annotation.importers import preview as pair_preview
from annotation.importers.preview import Preview
from annotation.importers.reading import Source
from annotation.importers.rows import BadRow, ItemRow, PairRow
from annotation.models import Kind, Project, Step

Row = PairRow | ItemRow


class Made(NamedTuple):
    """What an item is made of: its group (what must stay in one split) and its content."""

    group: str
    content: dict[str, Any]


@dataclass(frozen=True)
class Intake:
    """The reader and the item maker of a kind. New items wait in the queue of `step`, for `slots` people each."""

    formats: tuple[str, ...]
    read: Callable[..., Iterator[Any]]
    preview: Callable[..., Preview]
    digest: Callable[[Any], str]
    make: Callable[[Any, int], Made]
    step: Step
    slots: Callable[[Project], int]

    def rows(self, source: Source, file_name: str, format: str) -> Iterator[Row | BadRow]:
        return self.read(source, file_name=file_name, format=format)


def _pair_digest(row: PairRow) -> str:
    return digest(row.prompt, row.response)


_group = lru_cache(prompt_group)  # the responses to one prompt mostly stand together


def _pair(row: PairRow, seed: int) -> Made:
    return Made(_group(row.prompt), {"prompt": row.prompt, "response": row.response})


def _question_digest(row: ItemRow) -> str:
    """Two items are the same when they ask the same question with the same set of choices."""
    return digest(row.question, *sorted(row.choices))


def _question(row: ItemRow, seed: int) -> Made:
    choices, answer = three_choices(row.choices, row.answer, seed, _question_digest(row))
    turns = list(row.turns)
    return Made(conversation(turns), {"turns": turns, "question": row.question, "choices": choices, "answer": answer})


INTAKES = {
    Kind.RATING: Intake(
        formats=("auto", "csv", "tsv", "jsonl"), read=pairs.read, preview=pair_preview.preview,
        digest=_pair_digest, make=_pair, step=Step.RATE, slots=lambda project: project.rating.raters,
    ),
    Kind.REWRITING: Intake(
        formats=("auto", "dream", "jsonl"), read=items.read, preview=items.preview,
        digest=_question_digest, make=_question, step=Step.WRITE, slots=lambda project: 1,
    ),
}  # fmt: skip


def intake_of(project: Project) -> Intake:
    return INTAKES[Kind(project.kind)]
