"""The instances that a release consists of."""

from typing import NotRequired, TypedDict

from annotation.domain.corpora.dialogue import Turn


class RatedPair(TypedDict):
    """One kept pair. ``grades``, ``raters`` (r1, r2, ... within the release) and ``types`` are parallel lists.

    ``grade`` is the mean of the grades, or the grade of an adjudicator, who is not one of the raters: then the pair is
    ``adjudicated``, a key that only pairs of a project with adjudication have. A type is None where its grade needs no
    reason. Where a model graded any pair of the release, all have ``models`` and ``model_grades``, parallel lists too,
    of which nothing is computed. The order of the keys is that of publication.
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
    models: NotRequired[list[str]]
    model_grades: NotRequired[list[int]]


class RewrittenInstance(TypedDict):
    """One accepted context with its four candidates, in an order drawn by the release's seed.

    ``speaker`` says the candidate with the number ``answer`` next; ``parts`` (parallel to ``candidates``) are the roles
    for which the author wrote them: 0 right, 1 and 2 from the wrong choices, 3 negated. ``conversation`` names the
    dialogue by its folded text, ``author`` is r1, r2, ... within the release. Only instances of a release in which some
    were accepted without inspection have ``inspected``. ``reasoning`` holds the types that people named, at most two,
    in the order of the types; only instances of a project with such answers have it. The order of the keys is that of
    publication.
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
    """An instance with a safe reply in place of the candidate number ``replaced``; ``parts`` still has its role."""

    replaced: int
