"""Sittings of a person who answers without a time limit: stretches of answers without a long pause."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

PAUSE = timedelta(minutes=5)  # a longer gap between two answers ends a sitting


@dataclass(frozen=True)
class Sitting:
    """A sitting from the first question seen to the last one answered, with its number of answers."""

    began_at: datetime
    ended_at: datetime
    answers: int

    @property
    def minutes(self) -> float:
        return (self.ended_at - self.began_at) / timedelta(minutes=1)


def sittings_of(given: Iterable[tuple[datetime, int | None]]) -> list[Sitting]:
    """Return the sittings in which answers were given, in order; each is the time of its last change and milliseconds.

    The first question of a sitting was read before its answer: for its milliseconds, or PAUSE where they are more.
    """
    found: list[Sitting] = []
    for at, milliseconds in sorted(given, key=lambda one: one[0]):
        if found and at - found[-1].ended_at <= PAUSE:
            found[-1] = Sitting(found[-1].began_at, at, found[-1].answers + 1)
        else:
            found.append(Sitting(at - min(PAUSE, timedelta(milliseconds=milliseconds or 0)), at, 1))
    return found
