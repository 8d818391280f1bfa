"""Frozen plan of a study: which question is in which form, and the plan's checksum."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

from core.domain.draws import uniforms
from study.domain.survey.mix import counts_in_form


class PlannedQuestion(NamedTuple):
    """A question as the draw knows it: by name, never by a database key."""

    corpus: str
    name: str


class TooFewOfCorpus(ValueError):
    """A mix takes more questions of a corpus than the study has: corpus, wanted, there."""

    def __init__(self, corpus: str, wanted: int, there: int) -> None:
        super().__init__(corpus)
        self.corpus, self.wanted, self.there = corpus, wanted, there


NO_MIX: Mapping[str, int] = MappingProxyType({})


class AskedQuestion(NamedTuple):
    """A question in one of its conditions; "" is the whole context."""

    question: PlannedQuestion
    condition: str


def deal_forms(
    questions: Sequence[PlannedQuestion], *, forms: int, per_form: int, seed: int, mix: Mapping[str, int] = NO_MIX
) -> list[list[PlannedQuestion]]:
    """Return `forms` lists of `per_form` different questions, each with an even share of the corpora (NUC, 4.4).

    With a `mix`, in percent, each form has these shares instead. Both begin with the same questions of a corpus, so
    that groups with different mixes are asked many of the same ones.

    Questions are drawn by name, in equal numbers from each corpus, and dealt from one line in which the corpora are
    spread evenly. When the line is too short for all forms it is dealt again from its beginning, so that each question
    is in as many forms as any other of its corpus, or one fewer. Raises ValueError for fewer questions than a form
    needs, and TooFewOfCorpus for fewer of a corpus than the mix takes.
    """
    if len(questions) < per_form:
        raise ValueError(f"{len(questions)} questions do not fill a form of {per_form}.")
    of_corpus: dict[str, list[PlannedQuestion]] = defaultdict(list)
    for question in sorted(questions, key=lambda each: (uniforms(seed, "forms", *each), each)):
        of_corpus[question.corpus].append(question)
    if mix:
        return _mixed_forms(of_corpus, counts_in_form(mix, sorted(of_corpus), per_form), forms)
    shares = _even_shares({corpus: len(drawn) for corpus, drawn in of_corpus.items()}, forms * per_form)
    line = _spread({corpus: drawn[: shares[corpus]] for corpus, drawn in of_corpus.items()})
    return [[line[(form * per_form + position) % len(line)] for position in range(per_form)] for form in range(forms)]


def shares_in_forms(
    sizes: Mapping[str, int], *, forms: int, per_form: int, mix: Mapping[str, int] = NO_MIX
) -> dict[str, float]:
    """Return the share of each corpus, of so many questions, in the forms that `deal_forms` deals: from 0 to 1.

    Raises ValueError for a mix that does not fit the corpora.

    >>> shares_in_forms({"movie": 40, "ubuntu": 40}, forms=2, per_form=10, mix={"ubuntu": 70})
    {'movie': 0.3, 'ubuntu': 0.7}
    """
    counts = counts_in_form(mix, sorted(sizes), per_form) if mix else _even_shares(sizes, forms * per_form)
    return {corpus: counts[corpus] / max(1, sum(counts.values())) for corpus in sorted(sizes)}


def _mixed_forms(
    of_corpus: Mapping[str, Sequence[PlannedQuestion]], counts: Mapping[str, int], forms: int
) -> list[list[PlannedQuestion]]:
    """Deal so many of each corpus to each form, from one line a corpus that begins again when it ends."""
    for corpus, count in counts.items():
        if count > len(of_corpus[corpus]):
            raise TooFewOfCorpus(corpus, count, len(of_corpus[corpus]))
    return [
        [
            of_corpus[corpus][(form * count + place) % len(of_corpus[corpus])]
            for corpus, count in counts.items()
            for place in range(count)
        ]
        for form in range(forms)
    ]


def in_conditions(
    forms: Sequence[Sequence[PlannedQuestion]], conditions: Mapping[PlannedQuestion, Sequence[str]]
) -> list[list[AskedQuestion]]:
    """Return the forms with each question in one condition, so that no person meets a question in two.

    A question that is in several forms is in its next condition in each. The questions of a corpus begin with different
    conditions in turn: so a form has each condition of each corpus about equally often (a Latin square, Cochran and Cox
    1957, chapter 4).
    """
    begins: dict[PlannedQuestion, int] = {}
    of_corpus: Counter[str] = Counter()
    times: Counter[PlannedQuestion] = Counter()
    dealt = []
    for form in forms:
        asked = []
        for question in form:
            if question not in begins:
                begins[question] = of_corpus[question.corpus]
                of_corpus[question.corpus] += 1
            own = conditions[question]
            asked.append(AskedQuestion(question, own[(begins[question] + times[question]) % len(own)]))
            times[question] += 1
        dealt.append(asked)
    return dealt


def _even_shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Return how many to take of each corpus: equal numbers, and more of the others where one has fewer.

    The smallest are filled first.
    """
    shares: dict[str, int] = {}
    for left, corpus in zip(range(len(sizes), 0, -1), sorted(sizes, key=lambda each: (sizes[each], each)), strict=True):
        shares[corpus] = min(sizes[corpus], (wanted - sum(shares.values())) // left)
    return shares


def _spread(of_corpus: Mapping[str, Sequence[PlannedQuestion]]) -> list[PlannedQuestion]:
    """Return one line in which every stretch has each corpus in proportion to its size."""
    positioned = [
        ((position + 0.5) / len(drawn), question)
        for drawn in of_corpus.values()
        for position, question in enumerate(drawn)
    ]
    return [question for _slot, question in sorted(positioned)]


def as_bytes(plan: Mapping[str, Any]) -> bytes:
    """Return the plan as JSON with sorted keys, in UTF-8: the bytes of its public file and of its checksum."""
    return json.dumps(plan, ensure_ascii=False, sort_keys=True).encode()


def checksum(plan: Mapping[str, Any]) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of the plan's bytes, as `sha256sum` prints it."""
    return sha256(as_bytes(plan)).hexdigest()
