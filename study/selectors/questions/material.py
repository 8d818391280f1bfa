"""Material of questions: a corpus, a release, or a split of one, as dialogues with speakers and groups."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.core.exceptions import ObjectDoesNotExist

from annotation.domain.releases.splitting import Split
from annotation.selectors.corpora import corpora
from annotation.selectors.releases import releases
from core.domain.batches import batched
from core.models.people import User
from study.domain.questions.dialogues import Fetch, SourceDialogue, SourceEntry, Turn, entry_of

CHUNK = 2_000
DIALOGUE = ("position", "external_id", "split", "conversation", "turns", "candidates", "answer", "flagged")


class NoSuchMaterial(Exception):
    """No corpus or release has this name, or the person may not use it."""


class NoDialogues(Exception):
    """The release holds rated pairs, from which no question can be made."""


@dataclass(frozen=True)
class Material:
    """Dialogues to draw from. `origin` is the whole corpus or release, `checksum` its checksum.

    `fetch` takes the positions of entries.
    """

    name: str
    origin: str
    split: str
    checksum: str
    entries: list[SourceEntry]
    fetch: Fetch


def material_of(name: str, *, by: User) -> Material:
    """Return the corpus or release NAME, or its split NAME:split. Raises NoSuchMaterial and NoDialogues."""
    for find in (_corpus, _release):
        try:
            return find(name, by)
        except ObjectDoesNotExist:
            continue
    raise NoSuchMaterial(name)


def names_of(by: User) -> list[str]:
    """Return the names that questions can be drawn from: corpora, then the newest releases of the person's projects."""
    return [*corpora.names_of(by), *releases.names_of(by)]


def _corpus(name: str, by: User) -> Material:
    corpus, split = corpora.named(name, by=by)

    def fetch(positions: Sequence[int]) -> dict[int, SourceDialogue]:
        found = (
            corpus.dialogues.filter(position__in=some).values_list(*DIALOGUE) for some in batched(positions, CHUNK)
        )
        return {row[0]: _dialogue(*row[1:]) for row in chain.from_iterable(found)}

    with closing(corpora.rows_of(corpus, DIALOGUE, split)) as rows:
        entries = [entry_of(_dialogue(*row[1:]), row[0]) for row in rows]
    return Material(name, corpus.name, split, corpus.checksum, entries, fetch)


def _dialogue(
    id: str,
    split: str,
    conversation: str,
    turns: list[Turn],
    candidates: list[str] | None,
    answer: int | None,
    flagged: bool,
) -> SourceDialogue:
    return SourceDialogue(id, split, conversation, turns, candidates, answer, flagged=flagged)


def _release(name: str, by: User) -> Material:
    own_name, colon, split = name.partition(":")
    if colon and split not in set(Split):
        raise ObjectDoesNotExist
    release = releases.named(own_name, by=by)

    def fetch(positions: Sequence[int]) -> dict[int, SourceDialogue]:
        found = (release.instances.filter(position__in=some) for some in batched(positions, CHUNK))
        rows = chain.from_iterable(each.values_list("position", "content") for each in found)
        return {position: _instance(content) for position, content in rows}

    with closing(releases.instances_of(release)) as contents:
        instances = ((position, _instance(content)) for position, content in enumerate(contents))
        entries = [entry_of(each, position) for position, each in instances if not split or each.split == split]
    full_name = f"{release}:{split}" if split else str(release)
    return Material(full_name, str(release), split, release.checksum, entries, fetch)


def _instance(content: dict[str, Any]) -> SourceDialogue:
    """Build a dialogue from an instance in the format of rewriting releases."""
    if "candidates" not in content:
        raise NoDialogues
    return SourceDialogue(
        content["id"],
        content["split"],
        content["conversation"],
        content["context"],
        content["candidates"],
        content["answer"],
        tuple(content.get("reasoning", ())),
    )
