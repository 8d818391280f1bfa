"""Material of questions: a corpus, a release, or a split of one, as dialogues with speakers and groups."""

from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import chain, islice
from sys import intern
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

    `fetch` takes the positions of entries, which are those of all `dialogues` or of a part of them, and raises
    NoSuchMaterial once they have been deleted; `flagged` is counted of all.
    """

    name: str
    origin: str
    split: str
    checksum: str
    dialogues: int
    entries: list[SourceEntry]
    fetch: Fetch
    flagged: int = 0


def material_of(name: str, *, by: User, most: int | None = None) -> Material:
    """Return the corpus or release NAME, or its split NAME:split. Raises NoSuchMaterial and NoDialogues.

    With `most`, read at most so many dialogues, from all over it.
    """
    for find in (_corpus, _release):
        try:
            return find(name, by, most)
        except ObjectDoesNotExist:
            continue
    raise NoSuchMaterial(name)


@dataclass(frozen=True)
class NamedSource:
    """A name that questions may be drawn from, with how many dialogues, instances or rated pairs it has."""

    name: str
    size: int
    holds_pairs: bool = False  # no question can be made of these


def sources_of(by: User, also: Collection[str] = ()) -> list[NamedSource]:
    """Return the corpora with their splits, the newest first, then the newest releases of the person's projects.

    `also` are names that are there too if they are known: a split of a release, or the only one of a corpus.
    """
    of_corpora = [NamedSource(name, size) for name, size in corpora.sizes_of(by).items()]
    of_releases = [
        NamedSource(str(each), releases.size_of(each), releases.holds_pairs(each)) for each in releases.all_of(by)
    ]
    usual = {source.name for source in (*of_corpora, *of_releases)}
    others = (_named(name, by) for name in also if name not in usual)
    return [*of_corpora, *of_releases, *filter(None, others)]


def _named(name: str, by: User) -> NamedSource | None:
    """Return a source by its name; None where the person knows none."""
    own_name, _colon, split = name.partition(":")
    with suppress(ObjectDoesNotExist):
        return NamedSource(name, corpora.size_of(*corpora.named(name, by=by)))
    with suppress(ObjectDoesNotExist):
        release = releases.named(own_name, by=by)
        return NamedSource(name, releases.size_of(release, split), releases.holds_pairs(release))
    return None


def names_of(by: User) -> list[str]:
    """Return the names that questions can be drawn from, as `sources_of` has them."""
    return [source.name for source in sources_of(by)]


def _corpus(name: str, by: User, most: int | None) -> Material:
    corpus, split = corpora.named(name, by=by)

    def fetch(positions: Sequence[int]) -> dict[int, SourceDialogue]:
        found = (
            corpus.dialogues.filter(position__in=some).values_list(*DIALOGUE) for some in batched(positions, CHUNK)
        )
        dialogues = {row[0]: _dialogue(*row[1:]) for row in chain.from_iterable(found)}
        if len(dialogues) < len(positions):
            raise NoSuchMaterial(name)
        return dialogues

    with closing(corpora.rows_of(corpus, DIALOGUE, split, most)) as rows:
        entries = [entry_of(_dialogue(*row[1:]), row[0]) for row in rows]
    of_split = {"split": split} if split else {}
    flagged = corpus.dialogues.filter(flagged=True, **of_split).count()
    return Material(name, corpus.name, split, corpus.checksum, corpora.size_of(corpus, split), entries, fetch, flagged)


def _dialogue(
    id: str,
    split: str,
    conversation: str,
    turns: list[Turn],
    candidates: list[str] | None,
    answer: int | None,
    flagged: bool,
) -> SourceDialogue:
    return SourceDialogue(  # rows bring copies of the name of the split
        id, intern(split), conversation, turns, candidates, answer, flagged=flagged
    )


def _release(name: str, by: User, most: int | None) -> Material:
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
        of_split = ((position, each) for position, each in instances if not split or each.split == split)
        entries = [entry_of(each, position) for position, each in islice(of_split, most)]
    full_name = f"{release}:{split}" if split else str(release)
    size = len(entries) if most is None else releases.size_of(release, split)
    return Material(full_name, str(release), split, release.checksum, size, entries, fetch)


def _instance(content: dict[str, Any]) -> SourceDialogue:
    """Build a dialogue from an instance in the format of rewriting releases."""
    if "candidates" not in content:
        raise NoDialogues
    return SourceDialogue(
        content["id"],
        intern(content["split"]),
        content["conversation"],
        content["context"],
        content["candidates"],
        content["answer"],
        tuple(content.get("reasoning", ())),
    )
