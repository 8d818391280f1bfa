"""What an author's page shows beside the rewrite: what inspectors said of it, and how others of the project overlap."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.domain.overlap import overlap
from annotation.domain.rewriting import Part
from annotation.domain.workflow import SeatState
from annotation.models import Project, Purpose, Rewrite, Seat
from annotation.selectors.rewrites import inspections_before

LATEST = 200  # rewrites that a page's means are taken over: a few hundredths of a second


@dataclass(frozen=True)
class Comment:
    """What an inspector said of one field. Nobody's name stands here."""

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


def comments_for(seat: Seat) -> dict[str, list[Comment]]:
    """What the inspectors of the round before said, by field: `cut`, `context` or a candidate's number."""
    found: dict[str, list[Comment]] = defaultdict(list)
    for inspection in inspections_before(seat):
        for field, text in inspection.comments.items():
            found[field].append(Comment(seat.place.round - 1, text))
    return dict(found)


def latest_means(project: Project) -> Means | None:
    """The means of the project's latest submissions, those of earlier rounds included; None before the first."""
    submitted = Rewrite.objects.filter(
        seat__place__item__project=project, seat__place__item__purpose=Purpose.WORK, seat__state=SeatState.SUBMITTED
    )
    return means_of(submitted.select_related("seat__place__item").order_by("-submitted_at")[:LATEST])


def means_of(rewrites: Iterable[Rewrite]) -> Means | None:
    """None where there is no word in them."""
    shares: dict[bool, list[float]] = {True: [], False: []}
    for rewrite in rewrites:
        context = [turn["text"] for turn in rewrite.seat.place.item.content["turns"][: rewrite.cut]]
        for part, text in enumerate(rewrite.candidates):
            share = overlap(text, context).share
            if share is not None:
                shares[part == Part.RIGHT].append(share)
    if not shares[True] or not shares[False]:
        return None
    return Means(*(sum(shares[is_right]) / len(shares[is_right]) for is_right in (True, False)))
