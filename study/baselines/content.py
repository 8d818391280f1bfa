"""What an instance says: its context, and its candidates in whatever order; scores in another order of these."""

from collections.abc import Sequence

from core.domain.text import digest_of_normalised


def content_of(context: Sequence[str], candidates: Sequence[str]) -> str:
    """Return the SHA-256 of the texts of the turns and of the candidates, these in the order of their texts.

    Instances of a corpus, of a question set and of a study with equal turns and equal candidates have it equal,
    whatever their ids, the order of the candidates and the answer.
    """
    return digest_of_normalised(str(len(context)), *context, *sorted(candidates))


def places_of(candidates: Sequence[str]) -> list[int]:
    """Return for each candidate its place, from 0, in the order of the texts; equal ones keep their own order."""
    in_order = sorted(range(len(candidates)), key=lambda number: candidates[number])
    places = [0] * len(candidates)
    for place, number in enumerate(in_order):
        places[number] = place
    return places


def moved(scores: Sequence[float], places: Sequence[int], wanted: Sequence[int]) -> list[float]:
    """Return scores of candidates with these places in the order of candidates with the wanted ones; [] of none."""
    by_place = dict(zip(places, scores, strict=False))
    return [by_place[place] for place in wanted] if scores else []
