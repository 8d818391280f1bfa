"""MuTual's list of predictions: a line an instance, its id and then the candidates best first, separated by tabs.

Candidates are letters, or numbers from 1 where there are more than 26. Those level with each other stand in their own
order: a list cannot hold ties.
"""

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from study.baselines.evaluate import best_first
from study.models import Prediction


def lines(predictions: Iterable[Prediction]) -> Iterator[bytes]:
    for prediction in predictions:
        names = names_of(len(prediction.scores))
        ranked = [names[number] for number in best_first(prediction.scores)]
        yield "\t".join([prediction.external_id, *ranked]).encode() + b"\n"


def names_of(candidates: int) -> list[str]:
    """What the candidates are called, in their own order."""
    if candidates <= len(ascii_uppercase):
        return [*ascii_uppercase[:candidates]]
    return [str(number) for number in range(1, candidates + 1)]
