"""Where the chosen lines and the true one were on the page, and which were seen: whether people prefer a place."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from study.domain.results.answer_table import Names
from study.domain.results.choices import PlaceFigure, share_where
from study.models import Answer, Study
from study.selectors.results.answered import GivenAnswers
from study.selectors.results.facts import CHUNK

BYTES = 13  # a bit for each place: questions have 100 candidates at most
PLACED = np.dtype(
    [
        *(("presentation", "i8"), ("chosen", "i4"), ("true", "i4"), ("candidates", "i4")),
        *(("is_told", "?"), ("unseen", "u1", (BYTES,))),  # whether it is known what was on the screen, and what was not
    ]
)
UNKNOWN = -1  # place of a true line that no one knows


def places_of_choices(study: Study, given: GivenAnswers) -> list[dict[str, Any]]:
    """Return, for each number of candidates, what share of first choices was at each place, and R@1 by the true one's.

    Each person sees the lines in an order drawn for them, so without a preference each place has the same share.
    `seen` counts the answers before which the line at a place was on the person's screen, among those of which that is
    known. [] where no order is known, as of imported answers.
    """
    placed = np.fromiter(_placed(study), dtype=PLACED)
    rows = given.rows[given.are_counted(given.by_default)[given.rows["person"]] & (given.rows["depth"] > 0)]
    _shared, at, of_rows = np.intersect1d(
        placed["presentation"], rows["presentation"], assume_unique=True, return_indices=True
    )
    placed, rows = placed[at], rows[of_rows]
    questions = Names.of([one.whole for one in given.questions.values()], rows["question"]).codes
    found = []
    for candidates in sorted(set(placed["candidates"].tolist())):
        own = placed["candidates"] == candidates
        chosen, true, people = placed["chosen"][own], placed["true"][own], rows["person"][own]
        told = placed[own & placed["is_told"]]
        unseen = np.unpackbits(told["unseen"], axis=1, bitorder="little").sum(axis=0, dtype=int)
        places = [
            {
                "place": place + 1,
                "chosen": _figure(share_where(chosen == place, people, questions[own])),
                "right": _right(chosen, true, place, people, questions[own]),
                "seen": {"k": len(told) - int(unseen[place]), "n": len(told)},
            }
            for place in range(candidates)
        ]
        found.append({"candidates": candidates, "answers": int(own.sum()), "places": places})
    return found


def _right(
    chosen: NDArray[Any], true: NDArray[Any], place: int, people: NDArray[Any], questions: NDArray[Any]
) -> dict[str, Any]:
    is_here = true == place
    return _figure(share_where(chosen[is_here] == place, people[is_here], questions[is_here]))


def _figure(found: PlaceFigure) -> dict[str, Any]:
    ends = found.headline.interval
    return {"k": found.k, "n": found.n, "p": found.found and found.found.mean, "headline": ends and list(ends)}


def _placed(study: Study) -> Iterator[tuple[int, int, int, int, bool, tuple[int, ...]]]:
    """Yield the places of the line chosen first, of the true one and of those that were on no screen, at each answer
    whose order is known.
    """
    answers = Answer.objects.filter(presentation__participant__study=study, first__isnull=False).order_by()
    names = ("presentation", "first", "presentation__order", "presentation__question__answer", "unseen")
    for presentation, first, order, answer, unseen in answers.values_list(*names).iterator(chunk_size=CHUNK):
        if first in order:
            true = order.index(answer) if answer in order else UNKNOWN
            bits = sum(1 << order.index(number) for number in unseen or [])
            is_told = unseen is not None
            yield presentation, order.index(first), true, len(order), is_told, tuple(bits.to_bytes(BYTES, "little"))
