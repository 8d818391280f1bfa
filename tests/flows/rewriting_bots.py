"""Bots that write and inspect at once from several processes: the other side of test_many_write_at_once.

python -m tests.flows.rewriting_bots prepare 120       make a project with so many items
python -m tests.flows.rewriting_bots work 6 12 LOG     people 6 to 11 write and inspect until they find nothing
python -m tests.flows.rewriting_bots finish 0 12 LOG   all leases end, then they work without being disturbed
python -m tests.flows.rewriting_bots report            print all slots, assignments, texts and verdicts as JSON
"""

import json
import random
import sys
import threading
import traceback
from datetime import timedelta

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.actions.inspection import inspections  # noqa: E402
from annotation.actions.queue import assignments  # noqa: E402
from annotation.actions.rewriting import rewrites  # noqa: E402
from annotation.domain.rewriting.rewriting import InspectionVerdict  # noqa: E402
from annotation.models import Assignment, Inspection, Item, Project, Rewrite, Slot, Step  # noqa: E402
from core.actions.refusals import Refused  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402
from tests.flows.log import Log  # noqa: E402
from tests.rewriting import VERDICTS, items, rewriting_project  # noqa: E402

PEOPLE = 16
# How often, as shares: a bot skips an item; sends its submission twice; all leases end during the work.
SKIP, REPEAT, EXPIRE = 0.03, 0.1, 0.02
WEIGHTS = (0.6, 0.25, 0.15)  # accept, return, discard


def prepare(count: str) -> None:
    project = rewriting_project(factories.person("rui", Role.RESEARCHER), "hammer", inspectors=2, rounds=2)
    for number in range(PEOPLE):
        factories.person(f"p{number}", project=project)
    items(project, int(count))


def work(first: str, end: str, log: str, *, calm: bool = False) -> None:
    words = Log(log)
    bots = [threading.Thread(target=work_on_all, args=(n, words, calm)) for n in range(int(first), int(end))]
    for bot in bots:
        bot.start()
    for bot in bots:
        bot.join()


def finish(first: str, end: str, log: str) -> None:
    """Work until no person finds anything in a whole round, because a return gives work to another person."""
    assignments.expire_assignments(now=timezone.now() + timedelta(days=30))
    for _round in range(6):
        work(first, end, log, calm=True)


def work_on_all(number: int, log: Log, calm: bool) -> None:
    try:
        project = Project.objects.get(slug="hammer")
        person = User.objects.get(username=f"p{number % PEOPLE}")
        dice = random.Random(number)
        while work_once(project, log, dice, by=person):
            if not calm and dice.random() < EXPIRE:
                assignments.expire_assignments(now=timezone.now() + timedelta(days=30))
    except Exception:
        log.say("error", repr(traceback.format_exc()))
    finally:
        connection.close()


def work_once(project: Project, log: Log, dice: random.Random, *, by: User) -> int:
    """Write and inspect at random what there is. Return the number of assignments."""
    steps = [(Step.WRITE, write), (Step.INSPECT, inspect)]
    dice.shuffle(steps)
    done = 0
    for step, act in steps:
        for assignment in assignments.claim(project=project, step=step, by=by):
            done += 1
            try:
                act(assignment, log, dice, by=by)
            except Refused as refused:
                log.say("refused", f"{step}-{assignment.pk}", refused.code)
                if refused.code not in {"slot_taken", "moved_on", "assignment_over", "skipped", "no_round_left"}:
                    raise
    return done


def write(assignment: Assignment, log: Log, dice: random.Random, *, by: User) -> None:
    rewrite = rewrites.open_assignment(assignment=assignment, by=by)
    if dice.random() < SKIP:
        rewrites.skip(rewrite=rewrite, reason="other", by=by)
        return
    texts = [f"{part} by {by.username} on {assignment.pk}" for part in ("Right", "One", "Two", "Three")]
    revision = rewrite.revision
    for _time in range(1 + (dice.random() < REPEAT)):
        done = rewrites.submit(rewrite=rewrite, cut=dice.choice([2]), candidates=texts, revision=revision, by=by)
        log.say("submitted", str(done.pk), texts[0])


def inspect(assignment: Assignment, log: Log, dice: random.Random, *, by: User) -> None:
    inspection = inspections.open_assignment(assignment=assignment, by=by)
    if inspection.answered_at is None:
        inspection = inspections.answer(inspection=inspection, candidate=dice.choice([0, 1, None]), by=by)
    [verdict] = dice.choices(list(InspectionVerdict), WEIGHTS)
    if verdict == InspectionVerdict.RETURN and assignment.slot.round > 2:
        verdict = InspectionVerdict.DISCARD
    done = inspections.decide(inspection=inspection, **VERDICTS[verdict], by=by)
    log.say("judged", str(done.pk), verdict)


def report() -> None:
    print(
        json.dumps(
            {
                "items": list(Item.objects.values("id", "state")),
                "slots": list(Slot.objects.values("id", "item", "round", "required", "free", "queue__step")),
                "assignments": list(Assignment.objects.values("id", "slot", "slot_number", "person", "state")),
                "rewrites": list(Rewrite.objects.values("id", "assignment", "candidates", "submitted_at")),
                "inspections": list(Inspection.objects.values("id", "assignment", "verdict")),
            },
            default=str,
        )
    )


if __name__ == "__main__":
    commands = {"prepare": prepare, "work": work, "finish": finish, "report": report}
    commands[sys.argv[1]](*sys.argv[2:])
