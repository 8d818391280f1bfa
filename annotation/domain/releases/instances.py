"""What a release is made of."""

from typing import NotRequired, TypedDict

from annotation.domain.corpora.dialogue import Turn


class RatedPair(TypedDict):
    """One kept pair. ``grades``, ``raters`` (r1, r2, ... within the release) and ``types`` are parallel lists.

    ``grade`` is the mean of the grades, or the grade of an adjudicator, who is none of the raters: then the pair is
    ``adjudicated``, a key that only the pairs of a project with such decisions have. A type is None where its grade
    asks for no reason. The order of the keys is the order in which they are published.
    """

    id: str
    split: str
    prompt: str
    response: str
    grade: float
    grades: list[int]
    raters: list[str]
    types: list[str | None]
    source: str
    topic: str
    adjudicated: NotRequired[bool]


class RewrittenInstance(TypedDict):
    """One accepted context with its four candidates, in an order that the release's seed drew.

    ``speaker`` says the candidate with the number ``answer`` next; ``parts`` (parallel to ``candidates``) are what the
    author made each of: 0 right, 1 and 2 from the wrong choices, 3 the twist. ``conversation`` names the dialogue by
    its folded text, ``author`` is r1, r2, ... within the release. ``inspected`` is a key that only the instances of a
    release have in which some were accepted without inspection. ``reasoning`` holds the types that people named, at
    most two, in the order of the types: a key that only the instances of a project with such answers have. The order of
    the keys is that of publication.
    """

    id: str
    split: str
    context: list[Turn]
    speaker: str
    candidates: list[str]
    answer: int
    parts: list[int]
    question: str
    conversation: str
    author: str
    source: str
    topic: str
    inspected: NotRequired[bool]
    reasoning: NotRequired[list[str]]


class PlusInstance(RewrittenInstance):
    """One in which the candidate with the number ``replaced`` gave way to a safe reply; ``parts`` says what it was."""

    replaced: int
