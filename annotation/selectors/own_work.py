"""What a person submitted or skipped in a project, with nothing of what other people gave."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from annotation.domain.own_work import WorkState, work_state
from annotation.domain.rewriting.rewriting import WHOLE
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Flag, Inspection, InstanceReturn, Kind, Project, Purpose, Queue, Rewrite, Step
from annotation.models.items import has_key
from annotation.permissions import projects_of
from annotation.selectors.quality.hours import work_by_person
from annotation.selectors.rating.own_work import start_of_today
from annotation.selectors.rewriting.rewrites import has_later_round, was_inspected
from annotation.selectors.rewriting.rewriting_hours import StepWork, work_by_day, work_by_step
from core.domain.text import normalise
from core.models import User

DAYS = 7
DAYS_SHOWN = 30  # days with work
TOLD = (WorkState.RETURNED, WorkState.DISCARDED)  # what was said of texts in these states is shown to their author
ENDED = (AssignmentState.SUBMITTED, AssignmentState.SKIPPED, AssignmentState.VOIDED, AssignmentState.OUTDATED)
TEXTS = (
    "slot__item__content",  # and in rewriting projects:
    "slot__item__external_id",
    "rewrite__candidates",
    "transcript__turns",
    "inspection__rewrite__candidates",
    "inspection__comments",
)


@dataclass(frozen=True)
class OwnWork:
    """A person's work in a project: the assignments that match, the newest first, with their states.

    `states` counts what matches the search and the step, in any state.
    """

    found: dict[int, WorkState]
    states: Counter[WorkState]


class OwnHours(NamedTuple):
    """A person's work since a time: hours, what they submitted, and the items of it that are payable.

    Payable are the items submitted and not voided, each once. Gold is among them, so that no number tells which it is.
    """

    hours: float
    submitted: int
    payable: int


class OwnProject(NamedTuple):
    """A project with the number of pieces of work that a person submitted or skipped in it."""

    slug: str
    title: str
    kind: str
    pieces: int

    @property
    def kind_name(self) -> str:
        return str(Kind(self.kind).label)


class Held(NamedTuple):
    """A step of a project at which a person has work open."""

    project: Project
    step: Step


def own_steps(project: Project, person: User) -> list[Step]:
    """Return the steps at which the person did something in the project."""
    done = set(_ended([project], person).order_by().values_list("slot__queue__step", flat=True).distinct())
    return [step for step in Step if step in done]


def own_work(project: Project, person: User, *, search: str = "", step: str = "", state: str = "") -> OwnWork:
    """Return the person's own work; `search`, without pattern signs, is in its texts or comments, or the item's key.

    The id of a pair in its file is not searched: gold has none, and it may name the system that wrote a response.
    """
    own = _ended([project], person)
    matching = own.filter(slot__queue__step=step) if step else own
    states = _states(project, matching)
    if search:
        needle = normalise(search).casefold()
        texts = TEXTS if project.kind == Kind.REWRITING else TEXTS[:1]
        named = set(project.items.filter(has_key(needle)).values_list("pk", flat=True))
        rows = matching.values_list("pk", "slot__item", *texts).iterator()
        comments = _shown_comments(matching, states)
        wanted = {pk for pk, item, *said in rows if item in named or _occurs(needle, [*said, comments.get(pk)])}
        states = {pk: each for pk, each in states.items() if pk in wanted}
    return OwnWork(
        found={pk: each for pk, each in states.items() if state in ("", each)},
        states=Counter(states.values()),
    )


def work_by_project(person: User) -> list[OwnProject]:
    """Return the projects that the person may see in which they did something, by title.

    Their pieces of work are counted with one query, and only for a person of several projects: others see one list.
    """
    projects = projects_of(person, "work.own")
    if projects.count() < 2:
        return []
    names = (f"slot__queue__project__{name}" for name in ("slug", "title", "kind"))
    done = _ended(projects, person).order_by().values_list(*names).annotate(Count("pk"))
    return sorted((OwnProject(*row) for row in done), key=lambda each: (each.title, each.slug))


def _shown_comments(own: QuerySet[Assignment], states: dict[int, WorkState]) -> dict[int, list[str]]:
    """Return, by assignment, the comments that the person reads beside their work, and those of their flags."""
    found: dict[int, list[str]] = defaultdict(list)
    for pk, comments in comments_on(own).items():
        if states.get(pk) in TOLD:
            found[pk] += [text for _field, text in comments]
    for pk, *said in Flag.objects.filter(assignment__in=own).values_list("assignment", "comment", "note"):
        found[pk] += said
    return found


def _ended(projects: QuerySet[Project] | Sequence[Project], person: User) -> QuerySet[Assignment]:
    """Return what the person submitted or skipped, the newest first; gold is among it, as any other pair."""
    own = Assignment.objects.filter(person=person, slot__queue__project__in=projects, state__in=ENDED)
    unsubmitted = Q(rewrite__submitted_at=None, transcript__submitted_at=None, inspection__decided_at=None)
    return (
        own.filter(Q(slot__item__purpose__in=(Purpose.WORK, Purpose.GOLD)) | Q(slot__queue__step=Step.INSPECT))
        .exclude(unsubmitted & Q(type_choices=None), state=AssignmentState.OUTDATED)
        .exclude(slot__queue__step=Step.CLEAN)
        .order_by("-ended_at", "-pk")
    )


def _states(project: Project, own: QuerySet[Assignment]) -> dict[int, WorkState]:
    """Return the state of each assignment, in order. Only those of texts depend on what became of their items."""
    if project.kind == Kind.RATING:
        return {pk: work_state(state, is_text=False) for pk, state in own.values_list("pk", "state").iterator()}
    facts = own.annotate(is_returned=has_later_round(), was_inspected=was_inspected("slot__item")).values_list(
        "pk", "state", "slot__queue__step", "slot__item__state", "is_returned", "was_inspected"
    )
    return {
        pk: work_state(
            state, is_text=step == Step.WRITE, item=item, is_returned=is_returned, was_inspected=was_inspected
        )
        for pk, state, step, item, is_returned, was_inspected in facts.iterator()
    }


def _occurs(needle: str, value: Any) -> bool:
    """Return whether a value of JSON has a string with this folded text in it; names of fields are not looked at."""
    if isinstance(value, str):
        return needle in value.casefold()
    if isinstance(value, dict):
        value = value.values()
    return value is not None and not isinstance(value, int) and any(_occurs(needle, each) for each in value)


def shown_assignments(keys: Sequence[int]) -> list[Assignment]:
    """Return these assignments in their order, with what was made on them."""
    related = ("slot__item", "slot__queue__project", "rewrite", "transcript", "inspection__rewrite")
    made = ("ratings", "adjudications", "type_choices", "flags")
    found = Assignment.objects.select_related(*related).prefetch_related(*made).in_bulk(keys)
    return [found[key] for key in keys if key in found]


def comments_on(texts: QuerySet[Assignment] | Sequence[Assignment]) -> dict[int, list[tuple[str, str]]]:
    """Return fields and comments on returned or discarded texts, by assignment, without the names of their writers."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    rewrites = Rewrite.objects.filter(assignment__in=texts)
    judged = Inspection.objects.filter(rewrite__in=rewrites, assignment__state=AssignmentState.SUBMITTED)
    for key, comments in (
        judged.exclude(decided_at=None).order_by("decided_at", "pk").values_list("rewrite__assignment", "comments")
    ):
        found[key] += comments.items()
    for key, comment in InstanceReturn.objects.filter(rewrite__in=rewrites).values_list(
        "rewrite__assignment", "comment"
    ):
        found[key].append((WHOLE, comment))
    return dict(found)


def held_in_archived(person: User) -> list[Held]:
    """Return what the person holds in archived projects, which are in no list of work, by project and step."""
    held = Assignment.objects.filter(
        person=person,
        state=AssignmentState.HELD,
        slot__queue__project__memberships__person=person,
        slot__queue__project__archived_at__isnull=False,
    )
    queues = Queue.objects.filter(slots__assignments__in=held).distinct().select_related("project")
    return [Held(queue.project, Step(queue.step)) for queue in queues.order_by("project__title", "pk")]


def own_hours(project: Project, person: User) -> dict[str, OwnHours]:
    """Return the person's work of today, of the last seven days, and in all."""
    now, today = timezone.now(), start_of_today()
    since = {"today": today, "week": today - timedelta(days=DAYS - 1), "all": project.created_at}
    if project.kind == Kind.RATING:
        return {name: _rating_hours(project, person, start) for name, start in since.items()}
    hours = {}
    for name, start in since.items():
        work = work_by_step(project, since=start, until=now, person=person).values()
        submitted, payable = sum(each.done + each.voided for each in work), sum(each.items for each in work)
        hours[name] = OwnHours(sum(each.hours for each in work), submitted, payable)
    return hours


def own_days(project: Project, person: User) -> list[tuple[date, StepWork]]:
    """Return the person's work in a rewriting project on the last days with any, the newest first."""
    days = work_by_day(project, person, until=timezone.now())
    return sorted(days.items(), reverse=True)[:DAYS_SHOWN]


def _rating_hours(project: Project, person: User, since: datetime) -> OwnHours:
    work = work_by_person(project, since=since, person=person).get(person.pk)
    if work is None:
        return OwnHours(0, 0, 0)
    payable = work.counted + work.other
    return OwnHours(work.hours, payable + work.voided, payable)
