"""Practice of authors: the items for it, what somebody handed in, how it was graded, and where they stand with it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.domain import qualification
from annotation.domain.qualification import Standing
from annotation.domain.workflow import SeatState
from annotation.models import Attempt, Inspection, PracticeDraft, Project, Seat, Step, User
from annotation.models.work import BARRING
from annotation.selectors.qualification import Rater, at, items_to_practise, rater_of, raters_of


@dataclass(frozen=True)
class Practice:
    """Where an author stands. The window looks back on the last graded drafts of the attempt under way.

    `number` is that of the attempt under way, or of the next one, among those that count.
    """

    project: Project
    rater: Rater
    number: int
    of: int  # drafts of an attempt
    handed_in: int
    waiting: int  # for an inspector
    window: int
    graded: int  # in the window
    accepted: int

    @property
    def left(self) -> int:
        """How many drafts may still be handed in; none once practice is over."""
        return self.of - self.handed_in if self.rater.may_practise else 0

    @property
    def needed(self) -> int:
        """How many of the window must be accepted."""
        return -(-self.project.rewriting.practice_threshold * self.window // 100)


@dataclass(frozen=True)
class Tally:
    """An attempt in numbers of drafts."""

    attempt: Attempt
    drafts: int
    graded: int
    accepted: int


@dataclass(frozen=True)
class Author:
    """Somebody with their attempts, the oldest first."""

    rater: Rater
    tallies: list[Tally]

    @property
    def last(self) -> Tally | None:
        return self.tallies[-1] if self.tallies else None


@dataclass(frozen=True)
class Graded:
    """A draft as its author sees it, with what the inspector said of it by field. Nobody's name stands here."""

    draft: PracticeDraft
    comments: dict[str, str] = field(default_factory=dict)


def practice_of(project: Project, person: User) -> Practice:
    """Where the person stands with their practice in a rewriting project."""
    rater = rater_of(project, person)
    settings, attempt = project.rewriting, open_attempt(rater)
    drafts = list(attempt.drafts.standing()) if attempt else []
    accepted = verdicts_of(drafts)
    of = attempt.pairs if attempt else settings.practice
    window, graded, good = qualification.window(accepted, of, settings)
    return Practice(
        project, rater, number=min(rater.used + (attempt is None), settings.practice_attempts), of=of,
        handed_in=len(drafts), waiting=len(drafts) - len(accepted), window=window, graded=graded, accepted=good,
    )  # fmt: skip


def open_attempt(rater: Rater) -> Attempt | None:
    return rater.attempts[-1] if rater.standing == Standing.UNDER_WAY else None


def verdicts_of(drafts: Sequence[PracticeDraft]) -> list[bool]:
    """Of those that are graded, in their order."""
    return [draft.is_accepted for draft in drafts if draft.is_accepted is not None]


def graded_drafts(project: Project, person: User, *, most: int, waiting: bool = True) -> list[Graded]:
    """The last drafts that the person handed in, the newest first; those `waiting` for their grade too, or not."""
    own = PracticeDraft.objects.standing().filter(attempt__project=project, attempt__person=person)
    own = own if waiting else own.filter(is_accepted__isnull=False)
    newest = own.select_related("attempt", "rewrite__seat__place__item").order_by("-attempt__number", "-position")
    drafts = list(newest[:most])
    said = Inspection.objects.filter(
        rewrite__in=[draft.rewrite_id for draft in drafts], seat__state=SeatState.SUBMITTED, decided_at__isnull=False
    )
    comments = dict(said.values_list("rewrite", "comments"))
    return [Graded(draft, comments.get(draft.rewrite_id, {})) for draft in drafts]


def drafts_of(attempts: Sequence[Attempt]) -> dict[int, list[PracticeDraft]]:
    """What was handed in, by key of the attempt."""
    found: dict[int, list[PracticeDraft]] = defaultdict(list)
    for draft in PracticeDraft.objects.standing().filter(attempt__in=attempts):
        found[draft.attempt_id].append(draft)
    return found


def met_by(person: User, project: Project) -> Counter[str]:
    """How often the person was given each practice item of the project, by digest. One whose time ended is theirs
    again: it was not met yet.
    """
    keys = dict(items_to_practise(project).values_list("pk", "digest"))
    seats = Seat.objects.filter(person=person, place__item__in=keys, place__queue__step=Step.WRITE, state__in=BARRING)
    met = Counter(dict.fromkeys(keys.values(), 0))
    met.update(keys[item] for item in seats.values_list("place__item", flat=True))
    return met


def authors_of(project: Project) -> list[Author]:
    """Everybody who writes or practised in a rewriting project."""
    raters = raters_of(project)
    drafts = drafts_of([attempt for rater in raters for attempt in rater.attempts])
    return [Author(rater, [_tally(attempt, drafts[attempt.pk]) for attempt in rater.attempts]) for rater in raters]


def _tally(attempt: Attempt, drafts: Sequence[PracticeDraft]) -> Tally:
    accepted = verdicts_of(drafts)
    return Tally(attempt, len(drafts), len(accepted), sum(accepted))


def practice_report(project: Project) -> dict[str, Any]:
    """The object that `qualification --json` prints of a rewriting project.

    ``practice`` drafts of an attempt, ``window``, ``threshold`` (percent), practice ``items``, ``authors`` [{user,
    name, standing, attempts [{number, state, drafts, graded, accepted, begun_at, ended_at}]}].
    """
    settings = project.rewriting
    return {
        "practice": settings.practice, "window": settings.practice_window, "threshold": settings.practice_threshold,
        "items": items_to_practise(project).count(),
        "authors": [
            {
                "user": each.rater.person.username, "name": str(each.rater.person), "standing": each.rater.standing,
                "attempts": [_reported(tally) for tally in each.tallies],
            }
            for each in authors_of(project)
        ],
    }  # fmt: skip


def _reported(tally: Tally) -> dict[str, Any]:
    attempt = tally.attempt
    return {
        "number": attempt.number, "state": attempt.state, "drafts": tally.drafts, "graded": tally.graded,
        "accepted": tally.accepted, "begun_at": at(attempt.begun_at), "ended_at": at(attempt.ended_at),
    }  # fmt: skip
