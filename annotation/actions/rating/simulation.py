"""Bots that rate as people do, with as many for a pair as the project requires, and one that adjudicates."""

from collections import defaultdict
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Sum
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import adjudication, disputes
from annotation.actions.adjudication.adjudication import Decision
from annotation.actions.projects.archiving import must_give_out_work
from annotation.actions.projects.bots import bot
from annotation.actions.projects.projects import must_be
from annotation.actions.qualification.simulated_gold import between, lock_working, qualified
from annotation.actions.rating import given_grades
from annotation.actions.rating.given_grades import Given
from annotation.domain.rating.guideline import Guideline
from annotation.domain.rating.simulation import SimulatedAnnotators
from annotation.models import Adjudication, Assignment, Kind, Project, Rating, Slot, Step
from annotation.models.work import BARRING
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.wording import ChoiceError
from core.models import Role, User
from core.models.bulk import gather_statistics

CHUNK = 500  # slots in one transaction, short enough for people to rate in between


def simulate_annotators(
    *, project: Project, people: int, kappa: float = 0.8, seed: int = 0, report: ProgressReport, by: User
) -> int:
    """Let bots grade every open slot they may take. Return the number of grades, without those of gold.

    They practise first if the project asks for it; with gold between the pairs, a bot that misses too much of it is
    paused. If the project adjudicates, one more bot, an inspector, decides about the pairs with too wide a gap.

    The same pairs and seed get the same grades by the same bots in any project, on any database; which gold a bot
    meets depends on the project's secret too. Raises Refused for an archived project, for fewer bots than annotators,
    and if fewer than that may rate.
    """
    must_be(project, Kind.RATING)
    must_give_out_work(project)
    if people < project.rating.raters:
        raise Refused(
            "too_few_bots",
            _("This project needs %(raters)s raters per pair: use at least as many bots.")
            % {"raters": project.rating.raters},
        )
    try:
        raters = SimulatedAnnotators(seed, project.rating.grades, kappa)
    except ChoiceError as wrong:
        raise Refused.by_rule("kappa_wrong", wrong) from wrong
    bots = qualified(project, [bot(project, number, by=by) for number in range(1, people + 1)], raters)
    if len(bots) < project.rating.raters:
        raise _too_few(len(bots), people)
    wanted = _open_slots(project, Step.RATE).aggregate(Sum("free"))["free__sum"] or 0
    given = after = 0
    while (reached := _rate(project, bots, raters, after, by)) is not None:
        after, grades = reached
        given += grades
        report(given, wanted)
    gather_statistics(Slot, Assignment, Rating)
    if project.rating.adjudicate:
        _adjudicate(project, bot(project, people + 1, role=Role.INSPECTOR, by=by), raters, by)
    return given


def _too_few(free: int, people: int) -> Refused:
    return Refused(
        "too_few_free",
        _("%(free)s of %(people)s bots may rate here: the others did not pass practice, or are paused. Use more bots.")
        % {"free": free, "people": people},
    )


def _open_slots(project: Project, step: Step) -> QuerySet[Slot]:
    return Slot.objects.filter(queue__project=project, queue__step=step, free__gt=0)


@transaction.atomic
def _rate(
    project: Project, bots: list[User], raters: SimulatedAnnotators, after: int, by: User
) -> tuple[int, int] | None:
    """Grade the next slots of the queue. Return the last one's position and the number of grades; None at the queue's
    end.
    """
    disputes.lock(project)
    cursors = lock_working(project, bots)
    ahead = _open_slots(project, Step.RATE).filter(position__gt=after).order_by("position").select_related("item")
    slots = list(ahead.select_for_update(no_key=True, of=("self",))[:CHUNK])
    if not slots:
        return None
    guideline = project.guidelines.all()[:1].get()
    working = [bot for bot in bots if bot.name in cursors]
    given = list(_grades(slots, working, raters, guideline.content))
    given_grades.store(given, project=project, guideline=guideline, by=by)
    if project.rating.gold_first:
        for one in between(given, cursors, raters, guideline.content, project):
            given_grades.store_gold(one, project=project, guideline=guideline, by=by)
    return slots[-1].position, len(given)


def _grades(slots: list[Slot], bots: list[User], raters: SimulatedAnnotators, guideline: Guideline) -> Iterator[Given]:
    barred: dict[int, set[int]] = defaultdict(set)
    assignments = Assignment.objects.filter(slot__in=slots, person__in=bots, state__in=BARRING)
    for slot_pk, person_pk in assignments.values_list("slot", "person"):
        barred[slot_pk].add(person_pk)
    for slot in slots:
        key = slot.item.key
        free = {bot.name: bot for bot in bots if bot.pk not in barred[slot.pk]}
        for name in raters.on(key, list(free))[: slot.free]:
            yield Given(slot, free[name], raters.grade(key, name), raters.reason(key, name, guideline) or "")


def _adjudicate(project: Project, inspector: User, raters: SimulatedAnnotators, by: User) -> None:
    """Let the inspector decide about every open pair that they are not barred from."""
    barred = Assignment.objects.barring(inspector).filter(slot=OuterRef("pk"))
    ahead = _open_slots(project, Step.ADJUDICATE).filter(~Exists(barred)).order_by("position")
    while _decide(project, inspector, raters, ahead, by):
        pass


@transaction.atomic
def _decide(
    project: Project, inspector: User, raters: SimulatedAnnotators, ahead: QuerySet[Slot], by: User
) -> list[Adjudication]:
    disputes.lock(project)
    guideline = project.guidelines.all()[:1].get()
    slots = list(ahead.select_related("item").select_for_update(no_key=True, of=("self", "item"))[:CHUNK])
    decisions = [Decision(*raters.decision(slot.item.key, inspector.name, guideline.content)) for slot in slots]
    return adjudication.store(slots, decisions, person=inspector, guideline=guideline, project=project, by=by)
