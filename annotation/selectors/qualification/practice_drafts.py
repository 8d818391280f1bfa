"""Practice of authors: practice items, submitted drafts, their grades, and each author's status."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.qualification import qualification
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Attempt, Inspection, PracticeDraft, Project, Step
from annotation.models.work import BARRING
from annotation.selectors.qualification.qualification import (
    QualifiedAnnotator,
    annotator_of,
    annotators_of,
    at,
    items_to_practise,
)
from core.models import User


@dataclass(frozen=True)
class Practice:
    """An author's status. The window covers the last graded drafts of the current attempt.

    `number` is that of the current attempt, or of the next one, among those that count.
    """

    project: Project
    annotator: QualifiedAnnotator
    number: int
    of: int  # drafts in an attempt
    submitted: int
    waiting: int  # for an inspector
    window: int
    graded: int  # in the window
    accepted: int

    @property
    def left(self) -> int:
        """Number of drafts that may still be submitted; 0 once practice is over."""
        return self.of - self.submitted if self.annotator.may_practise else 0

    @property
    def needed(self) -> int:
        """Number of drafts in the window that must be accepted."""
        return -(-self.project.rewriting.practice_threshold * self.window // 100)


@dataclass(frozen=True)
class AttemptTally:
    """An attempt with its numbers of drafts."""

    attempt: Attempt
    drafts: int
    graded: int
    accepted: int


@dataclass(frozen=True)
class AuthorAttempts:
    """A person with their attempts, the oldest first."""

    annotator: QualifiedAnnotator
    tallies: list[AttemptTally]

    @property
    def last(self) -> AttemptTally | None:
        return self.tallies[-1] if self.tallies else None


@dataclass(frozen=True)
class GradedDraft:
    """A draft as shown to its author, with the inspector's comments by field, but without a name."""

    draft: PracticeDraft
    comments: dict[str, str] = field(default_factory=dict)


def practice_of(project: Project, person: User) -> Practice:
    """Return the status of the person's practice in a rewriting project."""
    annotator = annotator_of(project, person)
    settings, attempt = project.rewriting, open_attempt(annotator)
    drafts = list(attempt.drafts.counting()) if attempt else []
    accepted = verdicts_of(drafts)
    of = attempt.pairs if attempt else settings.practice
    window, graded, good = qualification.window(accepted, of, settings)
    return Practice(
        project,
        annotator,
        number=min(annotator.used + (attempt is None), settings.practice_attempts),
        of=of,
        submitted=len(drafts),
        waiting=len(drafts) - len(accepted),
        window=window,
        graded=graded,
        accepted=good,
    )


def open_attempt(annotator: QualifiedAnnotator) -> Attempt | None:
    return annotator.attempts[-1] if annotator.status == QualificationStatus.UNDER_WAY else None


def verdicts_of(drafts: Sequence[PracticeDraft]) -> list[bool]:
    """Return whether each graded draft was accepted, in order."""
    return [draft.is_accepted for draft in drafts if draft.is_accepted is not None]


def graded_drafts(project: Project, person: User, *, most: int, waiting: bool = True) -> list[GradedDraft]:
    """Return the person's last submitted drafts, the newest first, with or without those `waiting` for a grade."""
    own = PracticeDraft.objects.counting().filter(attempt__project=project, attempt__person=person)
    own = own if waiting else own.filter(is_accepted__isnull=False)
    newest = own.select_related("attempt", "rewrite__assignment__slot__item").order_by("-attempt__number", "-position")
    drafts = list(newest[:most])
    said = Inspection.objects.filter(
        rewrite__in=[draft.rewrite_id for draft in drafts],
        assignment__state=AssignmentState.SUBMITTED,
        decided_at__isnull=False,
    )
    comments = dict(said.values_list("rewrite", "comments"))
    return [GradedDraft(draft, comments.get(draft.rewrite_id, {})) for draft in drafts]


def drafts_of(attempts: Sequence[Attempt]) -> dict[int, list[PracticeDraft]]:
    """Return the submitted drafts by key of the attempt."""
    found: dict[int, list[PracticeDraft]] = defaultdict(list)
    for draft in PracticeDraft.objects.counting().filter(attempt__in=attempts):
        found[draft.attempt_id].append(draft)
    return found


def met_by(person: User, project: Project) -> Counter[str]:
    """Return how often the person was given each practice item of the project, by digest.

    An item whose assignment expired does not count: the person is given it again.
    """
    keys = dict(items_to_practise(project).values_list("pk", "digest"))
    assignments = Assignment.objects.filter(
        person=person, slot__item__in=keys, slot__queue__step=Step.WRITE, state__in=BARRING
    )
    met = Counter(dict.fromkeys(keys.values(), 0))
    met.update(keys[item] for item in assignments.values_list("slot__item", flat=True))
    return met


def authors_of(project: Project) -> list[AuthorAttempts]:
    """Return all who write or practised in a rewriting project."""
    annotators = annotators_of(project)
    drafts = drafts_of([attempt for annotator in annotators for attempt in annotator.attempts])
    return [
        AuthorAttempts(annotator, [_tally(attempt, drafts[attempt.pk]) for attempt in annotator.attempts])
        for annotator in annotators
    ]


def _tally(attempt: Attempt, drafts: Sequence[PracticeDraft]) -> AttemptTally:
    accepted = verdicts_of(drafts)
    return AttemptTally(attempt, len(drafts), len(accepted), sum(accepted))


def practice_report(project: Project) -> dict[str, Any]:
    """Return the object that `qualification --json` prints for a rewriting project.

    ``practice`` drafts of an attempt, ``window``, ``threshold`` (percent), practice ``items``, ``authors`` [{user,
    name, status, attempts [{number, state, drafts, graded, accepted, begun_at, ended_at}]}].
    """
    settings = project.rewriting
    return {
        "practice": settings.practice,
        "window": settings.practice_window,
        "threshold": settings.practice_threshold,
        "items": items_to_practise(project).count(),
        "authors": [
            {
                "user": each.annotator.person.username,
                "name": str(each.annotator.person),
                "status": each.annotator.status,
                "attempts": [_reported(tally) for tally in each.tallies],
            }
            for each in authors_of(project)
        ],
    }


def _reported(tally: AttemptTally) -> dict[str, Any]:
    attempt = tally.attempt
    return {
        "number": attempt.number,
        "state": attempt.state,
        "drafts": tally.drafts,
        "graded": tally.graded,
        "accepted": tally.accepted,
        "begun_at": at(attempt.begun_at),
        "ended_at": at(attempt.ended_at),
    }
