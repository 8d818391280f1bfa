"""What is fixed when a study is opened: which question stands in which form, and the checksum of it all."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from core.domain.draws import uniforms


class PlannedQuestion(NamedTuple):
    """A question as the draw knows it: by name, never by a number of the database."""

    corpus: str
    name: str


def deal_forms(
    questions: Sequence[PlannedQuestion], *, forms: int, per_form: int, seed: int
) -> list[list[PlannedQuestion]]:
    """`forms` lists of `per_form` different questions, each with an even share of the corpora (NUC, 4.4).

    Questions are drawn by their names, as many of each corpus as make an even share, and dealt from one line in which
    the corpora are spread evenly. Where it is too short for all forms it is dealt again from its beginning, so that
    each question stands in as many forms as any other, or one fewer. ValueError for fewer than a form's worth.
    """
    if len(questions) < per_form:
        raise ValueError(f"{len(questions)} questions do not fill a form of {per_form}.")
    of_corpus: dict[str, list[PlannedQuestion]] = defaultdict(list)
    for question in sorted(questions, key=lambda each: (uniforms(seed, "forms", *each), each)):
        of_corpus[question.corpus].append(question)
    shares = _even_shares({corpus: len(drawn) for corpus, drawn in of_corpus.items()}, forms * per_form)
    line = _spread({corpus: drawn[: shares[corpus]] for corpus, drawn in of_corpus.items()})
    return [[line[(form * per_form + position) % len(line)] for position in range(per_form)] for form in range(forms)]


def _even_shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """How many to take of each: the same of all, and where one has fewer, more of the others. The smallest go first."""
    shares: dict[str, int] = {}
    for left, corpus in zip(range(len(sizes), 0, -1), sorted(sizes, key=lambda each: (sizes[each], each)), strict=True):
        shares[corpus] = min(sizes[corpus], (wanted - sum(shares.values())) // left)
    return shares


def _spread(of_corpus: Mapping[str, Sequence[PlannedQuestion]]) -> list[PlannedQuestion]:
    """One line in which every stretch holds each corpus in proportion to its size."""
    positioned = [
        ((position + 0.5) / len(drawn), question)
        for drawn in of_corpus.values()
        for position, question in enumerate(drawn)
    ]
    return [question for _slot, question in sorted(positioned)]


def checksum(plan: Mapping[str, Any]) -> str:
    """SHA-256 (64 hexadecimal digits) of the plan as JSON with sorted keys."""
    return sha256(json.dumps(plan, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
