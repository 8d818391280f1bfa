"""Reasoning types: instances that wait for a person, the types that two people named, and their figures."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Max, prefetch_related_objects

from annotation.domain.corpora.dialogue import Turn, next_speaker
from annotation.domain.reasoning import ANSWERS, PEOPLE, PUBLISHED, UNSURE, type_shares
from annotation.domain.rewriting.rewriting import LETTERS, CandidateRole, shown_order
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Project, Purpose, Queue, Rewrite, Slot, Step, TypeChoice
from annotation.permissions import projects_as
from annotation.selectors.agreement.nominal_agreement import nominal_agreement
from annotation.selectors.inspection.open_slots import open_slots
from annotation.selectors.rewriting.rewrites import rewrites_in_force
from core.models import Role, User

FIGURES = ("percent", "kappa", "kappa_pairs_mean")


class AcceptedText(NamedTuple):
    """The text in force of an accepted instance."""

    item: int
    digest: str
    round: int


@dataclass(frozen=True)
class TypingWork:
    """A project with the number of instances whose reasoning a person is to name."""

    project: Project
    waiting: int


@dataclass(frozen=True)
class ReasoningInstance:
    """An instance whose reasoning is to be named, with the right answer, and without other people's types."""

    assignment: int
    turns: Sequence[Turn]
    speaker: str
    candidates: list[tuple[str, str, bool]]  # letter, text, whether it is right


@dataclass(frozen=True)
class ReasoningProgress:
    """Numbers of accepted instances; `asked` are those of the sample."""

    accepted: int
    asked: int
    named: int  # by two people
    begun: int  # by one


def accepted_texts(project: Project) -> list[AcceptedText]:
    texts = Assignment.objects.filter(
        slot__queue__project=project,
        slot__queue__step=Step.WRITE,
        state=AssignmentState.SUBMITTED,
        slot__item__purpose=Purpose.WORK,
        slot__item__state=ItemState.KEPT,
    )
    rounds = texts.order_by().values_list("slot__item", "slot__item__digest").annotate(Max("slot__round"))
    return [AcceptedText(*row) for row in rounds]


def typing_work(person: User, role: Role) -> list[TypingWork]:
    """Return the projects in which the person has this role and instances wait for the names of their reasoning."""
    queues = Queue.objects.filter(
        step=Step.TYPE, project__in=projects_as(person, role), project__archived_at=None
    ).select_related("project")
    work = [TypingWork(queue.project, waiting_in(queue, person)) for queue in queues.order_by("project__title", "pk")]
    return [each for each in work if each.waiting]


def waiting_in(queue: Queue, person: User) -> int:
    """Return the number of instances for the person, including the one they hold."""
    return open_slots(queue, person).count()


def named_by(project: Project, person: User) -> int:
    """Return the number of instances of the project whose reasoning the person has named."""
    return Assignment.objects.filter(
        person=person, state=AssignmentState.SUBMITTED, slot__queue__project=project, slot__queue__step=Step.TYPE
    ).count()


def shown_on(project: Project, assignments: Sequence[Assignment]) -> list[ReasoningInstance]:
    """Return the instances on assignments of the project, in the same order, without those that have no text any more.

    Each person sees the candidates in another order.
    """
    prefetch_related_objects(assignments, "slot__item", "person")
    texts = rewrites_in_force([assignment.slot.item_id for assignment in assignments])
    return [
        _shown(project, assignment, texts[assignment.slot.item_id])
        for assignment in assignments
        if assignment.slot.item_id in texts
    ]


def _shown(project: Project, assignment: Assignment, rewrite: Rewrite) -> ReasoningInstance:
    slot, turns = assignment.slot, assignment.slot.item.content["turns"]
    order = shown_order(project.seed, "type", slot.item.digest, str(slot.round), assignment.person.username)
    candidates = [
        (letter, rewrite.candidates[part], part == CandidateRole.RIGHT)
        for letter, part in zip(LETTERS, order, strict=True)
    ]
    return ReasoningInstance(assignment.pk, turns[: rewrite.cut], next_speaker(turns, rewrite.cut), candidates)


def last_named(project: Project, person: User) -> list[TypeChoice]:
    """Return the person's last choices in this project that they can still change, the newest first."""
    newest = [choice.pk for choice in TypeChoice.objects.changeable(person)]
    own = TypeChoice.objects.counting().filter(pk__in=newest, assignment__slot__queue__project=project)
    own = own.select_related("assignment__person", "assignment__slot__item", "assignment__slot__queue__project")
    return list(own.order_by("-assignment__ended_at", "-assignment"))


def progress_of(project: Project) -> ReasoningProgress | None:
    """Return the progress; None where no one was asked yet."""
    if not Queue.objects.filter(project=project, step=Step.TYPE).exists():
        return None
    rounds = {text.item: text.round for text in accepted_texts(project)}
    slots = Slot.objects.filter(queue__project=project, queue__step=Step.TYPE, item__in=list(rounds), required__gt=0)
    asked = sum(rounds[item] == number for item, number in slots.values_list("item", "round"))
    people = Counter(dict(_counting(project).values_list("assignment__slot__item").annotate(n=Count("pk"))).values())
    return ReasoningProgress(len(rounds), asked, named=people[PEOPLE], begun=people[1])


def reasoning_of(project: Project) -> dict[int, list[str]]:
    """Return the types named for each accepted instance, by key of the item, sorted so that no person can be told."""
    answers: dict[int, list[str]] = defaultdict(list)
    for item, answer in _counting(project).values_list("assignment__slot__item", "answer"):
        answers[item].append(answer)
    return {item: sorted(both, key=ANSWERS.index) for item, both in answers.items()}


def reasoning_report(project: Project) -> dict[str, Any]:
    """Return the types that two people named for each instance, JSON-ready, without people.

    Instances named by one person only are left out. ``instances`` n; ``unsure`` of their 2 n answers; ``types``
    {attitude: {share, share_ci, published}, ...}, shares of the types that were named; ``agreement`` {n, percent,
    kappa, kappa_pairs_mean, each with _ci or _why} with "unsure" as an answer of its own; ``agreement_without_unsure``
    on the instances for which both people named a type.
    """
    columns = ("assignment__slot__item", "assignment__person", "answer")
    rows: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for row in _counting(project).order_by("assignment__slot__item", "assignment").values_list(*columns):
        rows[row[0]].append(row)
    named = [both for both in rows.values() if len(both) == PEOPLE]
    shares = type_shares([[answer for _item, _person, answer in both] for both in named])
    sure = [both for both in named if all(answer != UNSURE for _item, _person, answer in both)]
    return {
        "instances": len(named),
        "unsure": sum(answer == UNSURE for both in named for _item, _person, answer in both),
        "types": {
            str(kind): {"share": share.value, "share_ci": share.interval, "published": PUBLISHED[kind]}
            for kind, share in shares.items()
        },
        "agreement": _agreement(named),
        "agreement_without_unsure": _agreement(sure),
    }


def _agreement(named: Sequence[Sequence[tuple[int, int, str]]]) -> dict[str, Any]:
    items, people, answers = zip(*(row for both in named for row in both), strict=True) if named else ((), (), ())
    return nominal_agreement(items, people, answers, ANSWERS, FIGURES)


def _counting(project: Project) -> Any:
    return TypeChoice.objects.counting().filter(assignment__slot__queue__project=project)
