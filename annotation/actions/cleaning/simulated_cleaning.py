"""Bots that clean as people do: they follow most of what the rules suggest, and keep the rest."""

from itertools import cycle

from annotation.actions.cleaning.cleaning import decide
from annotation.actions.projects.archiving import must_give_out_work
from annotation.actions.projects.bots import bot
from annotation.actions.projects.projects import must_be
from annotation.actions.queue.assignments import claim
from annotation.domain.cleaning.cleaning import simulated_verdict
from annotation.models import Kind, Project, Step
from annotation.selectors.cleaning.cleaning import pairs_on, waiting_in
from core.actions.jobs import ProgressReport
from core.models import User


def simulate_cleaning(*, project: Project, people: int, seed: int = 0, report: ProgressReport, by: User) -> int:
    """Let bots take turns until no pair waits for a decision. Return the number of decisions.

    Raises Refused for an archived project.
    """
    must_be(project, Kind.RATING)
    must_give_out_work(project)
    waiting = waiting_in(project)
    bots = [bot(project, number, by=by) for number in range(1, people + 1)] if waiting else []
    decided = 0
    for cleaner in cycle(bots):
        assignments = claim(project=project, step=Step.CLEAN, by=cleaner)
        if not assignments:
            break
        [pair] = pairs_on(assignments)
        decide(assignment=assignments[0], verdict=simulated_verdict(seed, pair.item.key, pair.suggests), by=cleaner)
        decided += 1
        report(decided, waiting)
    return decided
