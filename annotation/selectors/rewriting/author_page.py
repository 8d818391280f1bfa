"""What an author's page shows beside the rewrite: what inspectors said of it, and how others of the project overlap."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.domain.rewriting.overlap import overlap
from annotation.domain.rewriting.rewriting import WHOLE, CandidateRole
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Project, Purpose, Rewrite
from annotation.selectors.rewriting.rewrites import inspections_before, return_before

LATEST = 200  # rewrites that a page's means are taken over: a few hundredths of a second


@dataclass(frozen=True)
class Comment:
    """What was said of one field. Nobody's name stands here."""

    round: int
    text: str


@dataclass(frozen=True)
class Means:
    """Mean share of a candidate's words that stand in its context, of right ones and of wrong ones, from 0 to 1."""

    right: float
    wrong: float

    @property
    def right_percent(self) -> int:
        return round(100 * self.right)

    @property
    def wrong_percent(self) -> int:
        return round(100 * self.wrong)


def comments_for(assignment: Assignment) -> dict[str, list[Comment]]:
    """What was said of the round before, by field: `whole` by whoever reopened it, and by inspectors `cut`, `context`
    or a candidate's number. Nothing on practice: there nothing is revised, and the rounds are other people's.
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
    """The means of the project's latest submissions; None before the first."""
    return means_of(latest_submissions(project))


def latest_submissions(project: Project) -> list[Rewrite]:
    """With their assignments and items, those of earlier rounds included, the newest first."""
    submitted = Rewrite.objects.filter(
        assignment__slot__item__project=project,
        assignment__slot__item__purpose=Purpose.WORK,
        assignment__state=AssignmentState.SUBMITTED,
    )
    return list(submitted.select_related("assignment__slot__item").order_by("-submitted_at")[:LATEST])


def means_of(rewrites: Iterable[Rewrite]) -> Means | None:
    """None where there is no word in them."""
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
