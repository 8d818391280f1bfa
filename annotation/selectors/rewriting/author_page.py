"""The content beside a rewrite on its author's page: inspectors' comments, and the word overlap in the project."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.domain.rewriting.overlap import overlap
from annotation.domain.rewriting.rewriting import WHOLE, CandidateRole
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Project, Purpose, Rewrite
from annotation.selectors.rewriting.rewrites import inspections_before, return_before

LATEST = 200  # rewrites in the means of a page: takes a few hundredths of a second


@dataclass(frozen=True)
class Comment:
    """A comment on one field, without the name of its writer."""

    round: int
    text: str


@dataclass(frozen=True)
class Means:
    """Mean shares, from 0 to 1, of a candidate's words that its context has, for right and for wrong candidates."""

    right: float
    wrong: float

    @property
    def right_percent(self) -> int:
        return round(100 * self.right)

    @property
    def wrong_percent(self) -> int:
        return round(100 * self.wrong)


def first_to_write(claimed: Sequence[Assignment], *, wanted: str) -> Assignment:
    """Return the assignment `wanted` by its number; else one returned for revision; else the one held longest."""
    return min(
        claimed, key=lambda assignment: (str(assignment.pk) != wanted, assignment.slot.round == 1, assignment.pk)
    )


def comments_for(assignment: Assignment) -> dict[str, list[Comment]]:
    """Return the comments on the round before, by field: inspectors' fields, and `whole` for a late return.

    A late return follows an acceptance. Inspectors' fields are `cut`, `context` and the candidates' numbers. Practice
    has no comments: it is never revised, and its rounds belong to other people.
    """
    if assignment.slot.item.is_practice:
        return {}
    found: dict[str, list[Comment]] = defaultdict(list)
    if instance_return := return_before(assignment):
        found[WHOLE].append(Comment(assignment.slot.round - 1, instance_return.comment))
    for inspection in inspections_before(assignment):
        for field, text in inspection.comments.items():
            found[field].append(Comment(assignment.slot.round - 1, text))
    return dict(found)


def latest_means(project: Project) -> Means | None:
    """Return the means of the project's latest submissions; None before the first."""
    return means_of(latest_submissions(project))


def latest_submissions(project: Project) -> list[Rewrite]:
    """Return the latest submissions, also of earlier rounds, the newest first, with assignments and items."""
    submitted = Rewrite.objects.filter(
        assignment__slot__item__project=project,
        assignment__slot__item__purpose=Purpose.WORK,
        assignment__state=AssignmentState.SUBMITTED,
    )
    return list(submitted.select_related("assignment__slot__item").order_by("-submitted_at")[:LATEST])


def means_of(rewrites: Iterable[Rewrite]) -> Means | None:
    """Return the means of these rewrites; None where they have no words."""
    shares: dict[bool, list[float]] = {True: [], False: []}
    for rewrite in rewrites:
        context = [turn["text"] for turn in rewrite.assignment.slot.item.content["turns"][: rewrite.cut]]
        for part, text in enumerate(rewrite.candidates):
            share = overlap(text, context).share
            if share is not None:
                shares[part == CandidateRole.RIGHT].append(share)
    if not shares[True] or not shares[False]:
        return None
    return Means(*(sum(shares[is_right]) / len(shares[is_right]) for is_right in (True, False)))
