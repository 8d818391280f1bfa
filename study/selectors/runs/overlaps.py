"""Instances that a model would be asked about although it was trained on their context."""

from dataclasses import dataclass

from study.baselines.evaluate import shared_contexts, without_overlap
from study.selectors.runs.sources import Source

MOST_READ = 60_000  # instances: reading more would keep a page waiting; the run itself checks in any case
KEPT = 32
NAMED = 100

_found: dict[tuple[str, ...], "TrainingOverlap"] = {}


@dataclass(frozen=True)
class TrainingOverlap:
    """How many of the asked instances have their context in the training material, and the first of their ids.

    `left_out` training instances share a context with what is asked, `remaining` do not.

    `is_known` is False where there is too much to read before the run.
    """

    count: int
    names: tuple[str, ...]
    left_out: int = 0
    remaining: int = 0
    is_known: bool = True


def overlap_of(train: Source, asked: Source, *, size: int) -> TrainingOverlap:
    """Return the overlap of two sources. Content with one checksum never changes, so each process looks once."""
    key = (train.name, train.checksum, asked.name, asked.checksum)
    if key not in _found:
        if size > MOST_READ:
            return TrainingOverlap(0, (), is_known=False)
        while len(_found) >= KEPT:
            _found.pop(next(iter(_found)))
        taught, questions = train.instances(), asked.instances()
        names, kept = shared_contexts(taught, questions), len(without_overlap(taught, questions))
        _found[key] = TrainingOverlap(len(names), tuple(names[:NAMED]), len(taught) - kept, kept)
    return _found[key]
