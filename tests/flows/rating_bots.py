"""Bots that rate at once from several processes: the other side of test_many_claim_at_once.

python -m tests.flows.rating_bots prepare 600       make a project with so many pairs
python -m tests.flows.rating_bots rate 8 16 LOG     people 8 to 15 rate, each in a thread, until they find nothing
python -m tests.flows.rating_bots finish 0 16 LOG   all leases end, then they rate without being disturbed
python -m tests.flows.rating_bots report            print all slots, assignments and grades as JSON
"""

import json
import random
import sys
import threading
import traceback
from datetime import timedelta
from typing import Any
from uuid import uuid4

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.queue import assignments, voiding  # noqa: E402
from annotation.actions.rating import ratings  # noqa: E402
from annotation.models import Assignment, Project, Rating, Slot, Step  # noqa: E402
from core.actions.refusals import Refused  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402
from tests.flows.log import Log  # noqa: E402

PEOPLE = 24
# How often, as shares of the pairs: a bot claims the next pairs together with a grade, as the page does; skips one;
# sends its grade twice; all leases end during the work; three seconds of a person's last work are voided.
ALONG, SKIP, REPEAT, EXPIRE, VOID = 0.8, 0.03, 0.05, 0.01, 0.01


def prepare(pairs: str) -> None:
    researcher = factories.person("rui", Role.RESEARCHER)
    project = projects.create(slug="hammer", kind="rating", by=researcher)
    for number in range(PEOPLE):
        factories.person(f"p{number}", project=project)
    factories.pairs(project, int(pairs))


def rate(first: str, end: str, log: str, *, calm: bool = False) -> None:
    words = Log(log)
    bots = [threading.Thread(target=rate_all, args=(n, words, calm)) for n in range(int(first), int(end))]
    for bot in bots:
        bot.start()
    for bot in bots:
        bot.join()


def finish(first: str, end: str, log: str) -> None:
    assignments.expire_assignments(now=timezone.now() + timedelta(days=1))
    rate(first, end, log, calm=True)


def rate_all(number: int, log: Log, calm: bool) -> None:
    try:
        project = Project.objects.select_related("created_by").get(slug="hammer")
        person = User.objects.get(username=f"p{number % PEOPLE}")
        dice = random.Random(number)
        while claimed := assignments.claim(project=project, step=Step.RATE, count=dice.randint(1, 3), by=person):
            for assignment in claimed:
                act(assignment, log, dice, skip=0 if calm else SKIP, by=person)
            if not calm:
                disturb(project, dice)
    except Exception:
        log.say("error", repr(traceback.format_exc()))
    finally:
        connection.close()


def act(assignment: Assignment, log: Log, dice: random.Random, *, skip: float, by: User) -> None:
    key, grade = uuid4(), dice.choice(list(factories.REASONS))
    try:
        if dice.random() < skip:
            ratings.skip(assignment=assignment, reason="other", by=by)
            return
        for _time in range(1 + (dice.random() < REPEAT)):
            log.say("sent", key)
            how = {"assignment": assignment, "grade": grade, "reason": factories.REASONS[grade], "key": key, "by": by}
            if dice.random() < ALONG:
                ratings.submit_and_claim(most=dice.randint(1, 3), **how)
            else:
                ratings.submit(**how)
            log.say("acknowledged", key, grade)
    except Refused as refused:
        log.say("refused", key, refused.code)


def disturb(project: Project, dice: random.Random) -> None:
    if dice.random() < EXPIRE:
        assignments.expire_assignments(now=timezone.now() + timedelta(days=1))
    if dice.random() < VOID:
        person = User.objects.get(username=f"p{dice.randrange(PEOPLE)}")
        since = timezone.now() - timedelta(seconds=3)
        voiding.void_work(project=project, person=person, since=since, why="too quick", by=project.created_by)


def report() -> None:
    print(json.dumps(found(), default=str))


def found() -> dict[str, list[dict[str, Any]]]:
    """Return all slots, assignments and grades."""
    return {
        "slots": list(Slot.objects.values("id", "required", "free", "item__state")),
        "assignments": list(Assignment.objects.values("id", "slot", "slot_number", "person", "state")),
        "grades": list(Rating.objects.values("assignment", "submission_key", "grade")),
    }


if __name__ == "__main__":
    commands = {"prepare": prepare, "rate": rate, "finish": finish, "report": report}
    commands[sys.argv[1]](*sys.argv[2:])
