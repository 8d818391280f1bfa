"""MuTual's list of predictions: one line an instance, its id and then the candidates best first, separated by tabs.

Candidates are letters, or numbers from 1 where there are more than 26. Tied ones keep their own order: a list cannot
show ties. Where the model gave no answer the id stands alone.
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
    """Return the names of the candidates, in their own order."""
    if candidates <= len(ascii_uppercase):
        return [*ascii_uppercase[:candidates]]
    return [str(number) for number in range(1, candidates + 1)]
