"""Bots that write, skip and inspect in turns through the same actions as people, until no work is left for them."""

from collections import Counter

from django.utils.translation import gettext_lazy as _

from annotation.actions.inspection import inspections
from annotation.actions.projects.archiving import must_give_out_work
from annotation.actions.projects.bots import bot
from annotation.actions.queue.assignments import claim
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import may_be_returned
from annotation.domain.rewriting.simulated_rewriting import SimulatedRewriters
from annotation.models import Assignment, Project, Step
from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.models import Role, User

STUDY_INSPECTORS, STUDY_PEOPLE = 2, 7  # two inspectors for five authors


def simulate_rewriting(*, project: Project, people: int, seed: int, report: ProgressReport, by: User) -> dict[str, int]:
    """Let bots write and inspect. Return {"written", "skipped", "inspected"}, without practice.

    The same items and seed give the same texts and verdicts, on any database; which texts are inspected, where not
    all are, depends on the project's secret too. Raises Refused for too few bots, and for an archived project.
    """
    must_give_out_work(project)
    wanted = project.rewriting.inspectors
    if people < wanted + 1:
        raise Refused(
            "too_few_bots",
            _("This project needs an author and %(inspectors)s inspectors: use at least as many bots.")
            % {"inspectors": wanted},
        )
    inspecting = max(wanted, round(people * STUDY_INSPECTORS / STUDY_PEOPLE))
    authors = [bot(project, number, by=by) for number in range(1, people - inspecting + 1)]
    inspectors = [
        bot(project, number, role=Role.INSPECTOR, by=by) for number in range(people - inspecting + 1, people + 1)
    ]
    rewriters = SimulatedRewriters(seed)
    done: Counter[str] = Counter()
    total = project.items.counting().count()
    while True:
        before = done.total()
        for author in authors:
            assignments = claim(project=project, step=Step.WRITE, by=author)
            done.update(filter(None, [_write(assignment, rewriters, by=author) for assignment in assignments]))
        for inspector in inspectors:
            assignments = claim(project=project, step=Step.INSPECT, by=inspector)
            done.update(_inspect(assignment, rewriters, by=inspector) for assignment in assignments)
        report(done["written"], total)
        if done.total() == before:
            return {name: done[name] for name in ("written", "skipped", "inspected")}


def _write(assignment: Assignment, rewriters: SimulatedRewriters, *, by: User) -> str:
    item, round = assignment.slot.item, assignment.slot.round
    rewrite = rewrites.open_assignment(assignment=assignment, by=by)
    if rewriters.skips(item.key, by.name, item.content["turns"]):
        rewrites.skip(rewrite=rewrite, reason="other", by=by)
        return "" if item.is_practice else "skipped"  # a skipped practice item comes again, so it is no progress
    cut, candidates = rewriters.write(item.key, by.name, round, item.content)
    rewrites.submit(rewrite=rewrite, cut=cut, candidates=candidates, revision=rewrite.revision, by=by)
    return "practised" if item.is_practice else "written"


def _inspect(assignment: Assignment, rewriters: SimulatedRewriters, *, by: User) -> str:
    item, round = assignment.slot.item, assignment.slot.round
    inspection = inspections.open_assignment(assignment=assignment, by=by)
    inspections.answer(inspection=inspection, candidate=rewriters.answer(item.key, by.name, round), by=by)
    may_return = may_be_returned(round, assignment.slot.queue.project.rewriting)
    judged = rewriters.judge(item.key, by.name, round, may_return=may_return)
    inspections.decide(inspection=inspection, **judged._asdict(), by=by)
    return "graded" if item.is_practice else "inspected"
