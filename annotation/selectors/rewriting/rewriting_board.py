"""The board of a rewriting project: from the rows of its files to the accepted items, and each person's work."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.domain.quality.pace import working_days_left
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import AWAITING_TRANSCRIPTION, AssignmentState, ImportState, ItemState
from annotation.models import Assignment, Inspection, InstanceReturn, Project, Purpose, Rewrite, Step
from annotation.selectors.inspection.inspections import not_inspected
from annotation.selectors.inspection.inspector_work import VERDICT_COUNTS, median_seconds
from annotation.selectors.projects.progress import last_days, start_of
from annotation.selectors.rating.grades import labels_of
from annotation.selectors.rewriting.author_page import Means, latest_submissions, means_of
from annotation.selectors.transcription import TranscriberFigures, skips_in, transcribers_of
from core.models import Role, User
from core.selectors.tallies import by_key


@dataclass(frozen=True)
class ItemFunnel:
    """Numbers of items, and of rows that did not become one."""

    imported: int
    duplicate: int
    refused: int
    items: int
    recorded: int  # a machine's transcript, waiting for correction
    corrected: int  # waiting for the check by a second person
    untouched: int  # not assigned yet
    begun: int  # held by their first author
    submitted: int  # at least once: the sum of all that follow
    waiting: int  # waiting for a verdict
    returned: int  # returned to their authors
    discarded: int
    accepted: int
    not_inspected: int  # those of the accepted ones


@dataclass(frozen=True)
class RejectionReasons:
    """Numbers of verdicts of one kind by what they doubted. A verdict may doubt both."""

    verdicts: int
    key: int
    unique: int


@dataclass(frozen=True)
class AuthorFigures:
    """The figures of one author.

    `seconds` is the median time at work on a text, where measured; `means` are over the person's texts among the
    project's latest.
    """

    person: User
    label: str
    written: int = 0
    waiting: int = 0
    returned_before: int = 0  # each return counts
    returned_items: int = 0  # items with at least one returned text
    accepted: int = 0
    discarded: int = 0
    skipped: int = 0
    met: int = 0  # items that they wrote or skipped
    seconds: float | None = None
    means: Means | None = None
    last_at: datetime | None = None

    @property
    def decided(self) -> int:
        return self.accepted + self.discarded


@dataclass(frozen=True)
class InspectorFigures:
    """The figures of one inspector."""

    person: User
    label: str
    judged: int = 0
    right: int = 0
    accepted: int = 0
    returned_before: int = 0
    discarded: int = 0
    skipped: int = 0
    seconds: float | None = None
    last_at: datetime | None = None


@dataclass(frozen=True)
class RewritingBoard:
    """The board of one project, as of one moment."""

    funnel: ItemFunnel
    returned_before: RejectionReasons
    discards: RejectionReasons
    skips: list[tuple[str, int]]  # by authors, by reason, the most frequent first
    transcription_skips: list[tuple[str, int]]  # by transcribers and checkers
    transcribers: list[TranscriberFigures]
    authors: list[AuthorFigures]
    inspectors: list[InspectorFigures]
    judged: int
    right: int  # right blind answers
    means: Means | None
    days_left: int | None  # working days until the rest is written; None where none is left or there is no pace yet
    as_of: datetime


def rewriting_board_of(project: Project) -> RewritingBoard:
    decided = _decided(project)
    skips = _assignments(project, Step.WRITE).filter(state=AssignmentState.SKIPPED).values_list("reason")
    inspectors = _inspectors(project, decided)
    latest, funnel = latest_submissions(project), funnel_of(project)
    return RewritingBoard(
        funnel=funnel,
        returned_before=_rejection_reasons(decided, InspectionVerdict.RETURN),
        discards=_rejection_reasons(decided, InspectionVerdict.DISCARD),
        skips=Counter(dict(skips.annotate(n=Count("pk")))).most_common(),
        transcription_skips=skips_in(project),
        transcribers=transcribers_of(project),
        authors=_authors(project, latest),
        inspectors=inspectors,
        judged=sum(each.judged for each in inspectors),
        right=sum(each.right for each in inspectors),
        means=means_of(latest),
        days_left=working_days_left(funnel.items - funnel.submitted, _written_by_day(project)),
        as_of=timezone.now(),
    )


def funnel_of(project: Project) -> ItemFunnel:
    states: Counter[str] = Counter(dict(project.items.counting().values_list("state").annotate(Count("pk"))))
    of_work = project.imports.filter(state=ImportState.STORED, purpose=Purpose.WORK)
    files = of_work.aggregate(duplicate=Sum("duplicate"), refused=Sum("refused"))
    duplicate, refused, items = files["duplicate"] or 0, files["refused"] or 0, states.total()
    transcribed = items - sum(states[state] for state in AWAITING_TRANSCRIPTION)
    begun = _assignments(project, Step.WRITE).filter(state=AssignmentState.HELD, slot__round=1).count()
    return ItemFunnel(
        imported=items + duplicate + refused,
        duplicate=duplicate,
        refused=refused,
        items=items,
        recorded=states[ItemState.RECORDED],
        corrected=states[ItemState.CORRECTED],
        untouched=states[ItemState.OPEN] - begun,
        begun=begun,
        submitted=transcribed - states[ItemState.OPEN],
        waiting=states[ItemState.WRITTEN],
        returned=states[ItemState.RETURNED],
        discarded=states[ItemState.REMOVED],
        accepted=states[ItemState.KEPT],
        not_inspected=not_inspected(project),
    )


def _written_by_day(project: Project) -> list[int]:
    """Return the numbers of items first submitted on each of the last days, today the last of them."""
    days = last_days()
    submitted = _assignments(project, Step.WRITE).filter(
        state=AssignmentState.SUBMITTED, slot__round=1, person__is_active=True, ended_at__gte=start_of(days[0])
    )
    by_day = submitted.annotate(day=TruncDate("ended_at", tzinfo=timezone.get_default_timezone()))
    counts = dict(by_day.order_by().values_list("day").annotate(Count("pk")))
    return [counts.get(day, 0) for day in days]


def _assignments(project: Project, step: Step) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        slot__queue__project=project, slot__queue__step=step, slot__item__purpose=Purpose.WORK
    )


def _decided(project: Project) -> QuerySet[Inspection]:
    return Inspection.objects.filter(
        assignment__slot__queue__project=project,
        assignment__slot__item__purpose=Purpose.WORK,
        assignment__state=AssignmentState.SUBMITTED,
        decided_at__isnull=False,
    )


def _rejection_reasons(decided: QuerySet[Inspection], verdict: InspectionVerdict) -> RejectionReasons:
    return RejectionReasons(
        **decided.filter(verdict=verdict).aggregate(
            verdicts=Count("pk"),
            key=Count("pk", filter=Q(is_correct=False)),
            unique=Count("pk", filter=Q(is_unique=False)),
        )
    )


def _authors(project: Project, latest: Sequence[Rewrite]) -> list[AuthorFigures]:
    """Return all who write or wrote here, those who wrote most first."""
    submitted, skipped = Q(state=AssignmentState.SUBMITTED), Q(state=AssignmentState.SKIPPED)
    returns = _decided(project).filter(verdict=InspectionVerdict.RETURN, rewrite__assignment=OuterRef("pk"))
    returned_later = InstanceReturn.objects.filter(rewrite__assignment=OuterRef("pk"))
    was_returned = submitted & Q(was_returned=True)

    def items(which: Q) -> Count:
        return Count("slot__item", distinct=True, filter=which)

    assignments = _assignments(project, Step.WRITE).annotate(was_returned=Exists(returns) | Exists(returned_later))
    tallies = by_key(
        assignments.values("person").annotate(
            written=items(submitted),
            waiting=items(submitted & Q(slot__item__state=ItemState.WRITTEN)),
            accepted=items(submitted & Q(slot__item__state=ItemState.KEPT)),
            discarded=items(submitted & Q(slot__item__state=ItemState.REMOVED)),
            returned_before=Count("pk", filter=was_returned),
            returned_items=items(was_returned),
            skipped=items(skipped),
            met=items(submitted | skipped),
            last_at=Max("ended_at", filter=submitted),
        ),
        "person",
    )
    paces, texts = _paces(project), defaultdict(list)
    for rewrite in latest:
        texts[rewrite.assignment.person_id].append(rewrite)
    people = [
        AuthorFigures(
            person, label, **tallies.get(person.pk, {}), seconds=paces.get(person.pk), means=means_of(texts[person.pk])
        )
        for label, person in _members(project, Role.ANNOTATOR, tallies)
    ]
    return sorted(people, key=lambda each: -each.written)


def _paces(project: Project) -> dict[int, float]:
    """Return the median seconds at work on a text, by key of its author."""
    own: dict[int, list[float]] = defaultdict(list)
    timed = _assignments(project, Step.WRITE).filter(state=AssignmentState.SUBMITTED, rewrite__seconds__gt=0)
    for person, seconds in timed.values_list("person", "rewrite__seconds"):
        own[person].append(seconds)
    return {person: statistics.median(each) for person, each in own.items()}


def _inspectors(project: Project, decided: QuerySet[Inspection]) -> list[InspectorFigures]:
    """Return all who inspect or inspected here, those who judged most first."""
    rows = decided.values("assignment__person").annotate(**VERDICT_COUNTS, last_at=Max("decided_at"))
    tallies = by_key(rows, "assignment__person")
    skipped = _assignments(project, Step.INSPECT).filter(state=AssignmentState.SKIPPED).values_list("person")
    skips = dict(skipped.annotate(n=Count("pk")))
    people = [
        InspectorFigures(
            person,
            label,
            skipped=skips.get(person.pk, 0),
            seconds=median_seconds(decided.filter(assignment__person=person)),
            **tallies.get(person.pk, {}),
        )
        for label, person in _members(project, Role.INSPECTOR, tallies)
    ]
    return sorted(people, key=lambda each: -each.judged)


def _members(project: Project, role: Role, worked: Iterable[int]) -> list[tuple[str, User]]:
    """Return the members with this role, and all who worked on it, each with a unique name."""
    return labels_of(
        list(
            User.objects.filter(
                Q(memberships__role=role, memberships__project=project) | Q(pk__in=list(worked))
            ).distinct()
        )
    )
