"""Where the chosen lines and the true one were on the page: whether people prefer a place."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from study.domain.results.answer_table import Names
from study.domain.results.choices import PlaceFigure, share_where
from study.models import Answer, Study
from study.selectors.results.answered import GivenAnswers
from study.selectors.results.facts import CHUNK

PLACED = np.dtype([("presentation", "i8"), ("chosen", "i4"), ("true", "i4"), ("candidates", "i4")])
UNKNOWN = -1  # place of a true line that no one knows


def places_of_choices(study: Study, given: GivenAnswers) -> list[dict[str, Any]]:
    """Return, for each number of candidates, what share of first choices was at each place, and R@1 by the true one's.

    Each person sees the lines in an order drawn for them, so without a preference each place has the same share. []
    where no order is known, as of imported answers.
    """
    placed = np.fromiter(_placed(study), dtype=PLACED)
    rows = given.rows[given.are_counted(given.planned)[given.rows["person"]] & (given.rows["depth"] > 0)]
    _shared, at, of_rows = np.intersect1d(
        placed["presentation"], rows["presentation"], assume_unique=True, return_indices=True
    )
    placed, rows = placed[at], rows[of_rows]
    questions = Names.of([one.whole for one in given.questions.values()], rows["question"]).codes
    found = []
    for candidates in sorted(set(placed["candidates"].tolist())):
        own = placed["candidates"] == candidates
        chosen, true, people = placed["chosen"][own], placed["true"][own], rows["person"][own]
        places = [
            {
                "place": place + 1,
                "chosen": _figure(share_where(chosen == place, people, questions[own])),
                "right": _right(chosen, true, place, people, questions[own]),
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


def _placed(study: Study) -> Iterator[tuple[int, int, int, int]]:
    """Yield the places of the line chosen first and of the true one at each answer whose order is known."""
    answers = Answer.objects.filter(presentation__participant__study=study, first__isnull=False).order_by()
    columns = answers.values_list("presentation", "first", "presentation__order", "presentation__question__answer")
    for presentation, first, order, answer in columns.iterator(chunk_size=CHUNK):
        if first in order:
            yield presentation, order.index(first), order.index(answer) if answer in order else UNKNOWN, len(order)
