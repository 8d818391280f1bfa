"""Prompts of a release of rated pairs: the responses to one prompt are the candidates, with their final grades."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db.models.fields.json import KT

from annotation.selectors.releases.releases import instances_of
from core.domain.text import digest
from study.baselines.base import RankingInstance
from study.baselines.words import language_of

NAME = 16  # hexadecimal digits, as in the release's TREC files


def name_of(prompt: str) -> str:
    """Return a name for a prompt that is the same in every release: its topic in the TREC files."""
    return digest(prompt)[:NAME]


def prompts_of(release: Any, split: str, ids: Collection[str] | None) -> Iterator[RankingInstance]:
    """Yield the prompts of a release or split, or those with some ids, in the order of their first pairs."""
    rows = instances_of(release) if ids is None else _named_in(release, ids)
    pairs: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for row in rows:
        if not split or row["split"] == split:
            pairs[row["prompt"]].append((row["response"], row["grade"]))
    for prompt, graded in pairs.items():
        responses, grades = zip(*graded, strict=True)
        yield RankingInstance(name_of(prompt), (prompt,), responses, grades=grades, language=language_of([prompt]))


def _named_in(release: Any, ids: Collection[str]) -> Iterable[dict[str, Any]]:
    prompts = release.instances.order_by().values_list(KT("content__prompt"), flat=True).distinct()
    named = [prompt for prompt in prompts if name_of(prompt) in ids]
    rows = release.instances.filter(content__prompt__in=named).order_by("position")
    contents: Iterable[dict[str, Any]] = rows.values_list("content", flat=True)
    return contents
