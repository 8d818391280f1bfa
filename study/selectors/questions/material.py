"""Material of questions: a corpus, a release, or a split of one, as dialogues with speakers and groups."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.exceptions import ObjectDoesNotExist

from annotation.domain.releases.splitting import Split
from annotation.selectors.corpora import corpora
from annotation.selectors.releases import releases
from core.models.people import User
from study.domain.sampling import Fetch, SourceDialogue, SourceEntry, entry_of

KEPT = 20_000  # dialogues in memory


class NoSuchMaterial(Exception):
    """No corpus or release has this name, or the person may not use it."""


class NoDialogues(Exception):
    """The release holds rated pairs, from which no question can be made."""


@dataclass(frozen=True)
class Material:
    """Dialogues to draw from. `origin` is the whole corpus or release, `checksum` its checksum.

    `fetch` takes the index of an entry.
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

    @lru_cache(KEPT)
    def fetch(position: int) -> SourceDialogue:
        return _dialogue(corpus.dialogues.get(position=position))

    with closing(corpora.dialogues_of(corpus, split)) as dialogues:
        entries = _entries((row.position, _dialogue(row)) for row in dialogues)
    return Material(name, corpus.name, split, corpus.checksum, entries, fetch)


def _dialogue(row: Any) -> SourceDialogue:
    return SourceDialogue(row.external_id, row.split, row.digest, row.turns, row.candidates, row.answer)


def _release(name: str, by: User) -> Material:
    own_name, colon, split = name.partition(":")
    if colon and split not in set(Split):
        raise ObjectDoesNotExist
    release = releases.named(own_name, by=by)

    @lru_cache(KEPT)
    def fetch(position: int) -> SourceDialogue:
        return _instance(release.instances.get(position=position).content)

    # Closed in every case: a cursor left open in the database would end the next transaction when it is dropped.
    with closing(releases.instances_of(release)) as contents:
        rows = ((position, _instance(content)) for position, content in enumerate(contents))
        entries = _entries((position, instance) for position, instance in rows if not split or instance.split == split)
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
    )


def _entries(rows: Iterable[tuple[int, SourceDialogue]]) -> list[SourceEntry]:
    return [entry_of(dialogue, position) for position, dialogue in rows]
