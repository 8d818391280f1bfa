"""One part of the benchmark of claiming (benchmarks/claiming.py), on the database of DATABASE_URL.

python -m benchmarks.claiming_once cases 100000
python -m benchmarks.claiming_once together 16
"""

import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain
from multiprocessing import get_context

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.queue import assignments, voiding  # noqa: E402
from annotation.actions.rating import ratings  # noqa: E402
from annotation.actions.rating.grade_and_next import grade_and_next  # noqa: E402
from annotation.models import Assignment, Cursor, Queue, Slot, Step  # noqa: E402
from annotation.selectors.rating.own_work import start_of_today  # noqa: E402
from benchmarks import loading  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402

AHEAD = 100_000  # pairs done by the annotator who is ahead; in smaller sets nine tenths
TIMES = 50
SLICES, SECONDS = 4, 3
PROCESSES = 2  # the default of WORKERS


def cases(size: int) -> None:
    queue = begin()
    loading.load_pairs(queue, size)
    done = range(1, min(AHEAD, size * 9 // 10) + 1)
    far, voided = newcomer(queue), newcomer(queue)
    loading.load_grades(queue, far, 1, done)
    Cursor.objects.create(queue=queue, person=far, position=done[-1])
    loading.gather_statistics()
    line(queue, size, "a rater who begins", newcomer(queue))
    line(queue, size, f"a rater {len(done):,} pairs ahead", far)
    loading.load_grades(queue, voided, 2, done[TIMES:])
    loading.gather_statistics()
    void(queue, voided)
    line(queue, size, "a rater who begins, after a void", newcomer(queue))
    Cursor.objects.filter(person=far).update(position=size)
    print(f"{'':18}passing {len(done):,} reopened pairs of one's own, once: {claim_and_grade(queue, far):.0f} ms")
    Slot.objects.filter(queue=queue, position__lte=queue.tail - TIMES).update(free=0)
    loading.gather_statistics()
    line(queue, size, "the last open pairs", newcomer(queue))


def line(queue: Queue, size: int, case: str, person: User) -> None:
    """Print a row of the table: with the person's cursor, and as a reference with the cursor reset each time.

    One after the other, not in turns: the reference drives out of SQLite's cache what the next grade needs.
    """
    kept = [claim_and_grade(queue, person) for _time in range(TIMES // 2)]
    back = []
    for _time in range(TIMES // 2):
        own = Cursor.objects.get(queue=queue, person=person)
        Cursor.objects.filter(pk=own.pk).update(position=0)
        back.append(claim_and_grade(queue, person))
        Cursor.objects.filter(pk=own.pk).update(position=own.position)
    print(f"{size:>17,} {case:34}{columns(kept)}{columns(back)}", flush=True)


def columns(milliseconds: list[float]) -> str:
    p95 = statistics.quantiles(milliseconds, n=20)[-1]
    return f"{statistics.median(milliseconds):10.1f}{p95:10.1f}"


def claim_and_grade(queue: Queue, person: User) -> float:
    """Return the milliseconds of a grade that brings the next pair; without a pair to grade, of a claim."""
    held = list(Assignment.objects.filter(person=person, state="held"))
    began = time.perf_counter()
    if held:
        [assignment, *_none] = held
        _grade(queue, assignment, person)
    else:
        assignments.claim(project=queue.project, step=queue.step, by=person)
    return (time.perf_counter() - began) * 1000


def _grade(queue: Queue, assignment: Assignment, person: User) -> list[Assignment]:
    """Grade a pair and return what the person holds then."""
    since, slug = start_of_today(), queue.project.slug
    given = grade_and_next(assignment=assignment.pk, slug=slug, grade=4, most=1, since=since, by=person)
    return given.held if given else []


def void(queue: Queue, person: User) -> None:
    began = time.perf_counter()
    claimed = voiding.void_work(
        project=queue.project, person=person, since=loading.BEGAN, why="a benchmark", by=queue.project.created_by
    )
    print(f"{'':18}voiding {claimed:,} grades: {claimed / (time.perf_counter() - began):,.0f} a second")
    queue.refresh_from_db()


def begin() -> Queue:
    call_command("migrate", verbosity=0)
    researcher = factories.person("rui", Role.RESEARCHER)
    return Queue.objects.get(project=projects.create(slug="bench", kind="rating", by=researcher), step=Step.RATE)


def newcomer(queue: Queue) -> User:
    return factories.person(f"p{User.objects.count()}", project=queue.project)


def together(count: int) -> None:
    """Measure how many pairs a second annotators grade who never pause, each in a thread of one of two processes.

    The processes are like gunicorn's. As on the page, the next pair is claimed in the transaction of the grade; the
    reference uses two transactions.
    """
    queue = begin()
    loading.load_pairs(queue, 20_000)
    loading.gather_statistics()
    people = [newcomer(queue).pk for _annotator in range(count)]
    connection.close()
    times: dict[bool, list[float]] = {True: [], False: []}
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as processes:
        for _slice in range(SLICES):  # alternating, so that other load on the machine slows both
            for in_one in times:
                shares = [people[share::PROCESSES] for share in range(PROCESSES)]
                at_once = processes.map(_all_day, [queue.pk] * PROCESSES, shares, [in_one] * PROCESSES)
                times[in_one] += chain.from_iterable(at_once)
    for in_one, taken in times.items():
        pace = f"{count} raters at once: {len(taken) / SLICES / SECONDS:.0f} a second"
        how = "" if in_one else ", in two transactions"
        print(f"{'':18}{pace:34}{columns(taken)}, longest {max(taken):.0f}{how}", flush=True)


def _all_day(queue_pk: int, people: list[int], in_one: bool) -> list[float]:
    """Return the milliseconds of each grade while all annotators grade for SECONDS."""
    queue = Queue.objects.select_related("project").get(pk=queue_pk)
    raters = list(User.objects.filter(pk__in=people))
    connection.close()  # the pool has as many connections as there are annotators
    times: list[float] = []
    until = time.monotonic() + SECONDS

    def rate(person: User) -> None:
        [assignment] = assignments.claim(project=queue.project, step=queue.step, by=person)
        try:
            while time.monotonic() < until:
                began = time.perf_counter()
                assignment = _grade_and_next(queue, assignment, person, in_one=in_one)
                times.append((time.perf_counter() - began) * 1000)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(raters)) as threads:
        list(threads.map(rate, raters))  # raises an exception of any thread
    return times


def _grade_and_next(queue: Queue, assignment: Assignment, person: User, *, in_one: bool) -> Assignment:
    if in_one:
        following = _grade(queue, assignment, person)
    else:
        assignment.slot.queue = queue
        ratings.submit(assignment=assignment, grade=4, by=person)
        following = []
    [assignment] = following or assignments.claim(project=queue.project, step=queue.step, by=person)
    return assignment


if __name__ == "__main__":
    {"cases": cases, "together": together}[sys.argv[1]](int(sys.argv[2]))
