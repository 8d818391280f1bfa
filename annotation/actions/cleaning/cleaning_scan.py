"""Scan all pairs of a project with its rules; pairs with findings then wait for a person's decision.

The pairs are read as a stream while people work; the findings are written at the end in one transaction.
"""

import json
from collections import Counter
from collections.abc import Iterable
from tempfile import TemporaryFile
from typing import IO, Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext_lazy as _

from annotation.actions.adjudication import disputes
from annotation.actions.cleaning.cleaning import remove, return_assignments, take_back
from annotation.actions.imports.file_rows import SLOT_FIELDS
from annotation.actions.projects.projects import must_be
from annotation.actions.queue.assignments import lock_items, lock_queue
from annotation.actions.queue.slots import move_tail, reopen_slots_of
from annotation.domain.cleaning.cleaning import CleaningVerdict, Findings, Scanner, is_covered
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import CleaningDecision, CleaningFinding, Item, Kind, Project, Queue, Slot, Step
from annotation.selectors.cleaning.cleaning import SCAN, lists_in_use, patterns_in_use, scan_job, waiting_in
from core.actions import jobs
from core.actions.events import record
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.batches import batched
from core.models import Job, User
from core.models.bulk import insert
from core.models.snapshot import consistent_read

REFUSALS = {"busy": _("The pairs are already being scanned. Wait until the scan ends, or cancel it.")}
CHUNK = 1_000
REPORTED = 500  # pairs between two progress reports


def scan(*, project: Project, report: ProgressReport, job: Job | None = None, by: User | None) -> dict[str, Any]:
    """Replace the findings of the last scan, and open a slot for every pair with findings.

    A pair that was kept is asked about again if it now has findings that the person did not see. New pairs of a removed
    prompt are removed. Returns ``pairs``, ``found``, ``waiting`` and ``by_rule``, all numbers of pairs.
    """
    must_be(project, Kind.RATING)
    with TemporaryFile("w+", encoding="utf-8") as spool:
        with consistent_read():
            pairs, by_rule = _look_through(project, spool, report)
        spool.seek(0)
        jobs.begin_storing(job)
        with transaction.atomic():
            found, late = _write(project, spool, by=by)
            record(project, became="scanned", scope=project, by=by)
    return_assignments(late, by=by)
    return {"pairs": pairs, "found": found, "waiting": waiting_in(project), "by_rule": dict(sorted(by_rule.items()))}


def _look_through(project: Project, spool: IO[str], report: ProgressReport) -> tuple[int, Counter[str]]:
    """Write a line [item, findings] for each pair with findings, in the order in which pairs are assigned."""
    scanner = Scanner(patterns_in_use(project), lists_in_use(project))
    items = project.items.work().order_by("position")
    total, by_rule, done = items.count(), Counter[str](), 0
    for done, (item, content) in enumerate(items.values_list("pk", "content").iterator(chunk_size=CHUNK), start=1):
        if findings := scanner.find(content["prompt"], content["response"]):
            by_rule.update(findings.keys())
            spool.write(json.dumps([item, findings]) + "\n")
        if done % REPORTED == 0:
            report(done, total)
    return done, by_rule


def _write(project: Project, spool: Iterable[str], *, by: User | None) -> tuple[int, list[Item]]:
    """Return the number of pairs with findings, and the items removed because their prompt had been removed earlier."""
    disputes.lock(project)
    queue = lock_queue(project, Step.CLEAN)
    CleaningFinding.objects.filter(item__project=project).delete()
    count = 0
    for lines in batched(spool, CHUNK):
        found: dict[int, Findings] = dict(json.loads(line) for line in lines)
        insert(
            CleaningFinding,
            ("item", "rule", "spans"),
            ((item, rule, json.dumps(spans)) for item, findings in found.items() for rule, spans in findings.items()),
        )
        _open_slots(queue, found, by=by)
        count += len(found)
    without = ~Exists(CleaningFinding.objects.filter(item=OuterRef("item")))
    Slot.objects.filter(without, queue=queue, free__gt=0).update(free=0)
    return count, _remove_late(project, by=by)


def _open_slots(queue: Queue, found: dict[int, Findings], *, by: User | None) -> None:
    """Open each pair to one person, unless it is held, removed, or already decided with all findings known.

    The caller holds the lock of this queue; removing, restoring and reopening slots all need it.
    """
    items = list(Item.objects.filter(pk__in=found).exclude(state=ItemState.CLEANED))
    kept = CleaningDecision.objects.in_force().filter(assignment__slot__queue=queue, assignment__slot__item__in=items)
    outdated = [
        decision
        for decision in kept.select_related("assignment__slot__queue__project")
        if not is_covered(found[decision.assignment.slot.item_id], decision.findings)
    ]
    take_back(outdated, becomes=AssignmentState.RETURNED, by=None)
    placed = set(Slot.objects.filter(queue=queue, item__in=items).values_list("item", flat=True))
    new = sorted((item.position, item.pk) for item in items if item.pk not in placed)
    insert(
        Slot,
        SLOT_FIELDS,
        ((queue.pk, item, 1, 1, 1, position) for position, (_order, item) in enumerate(new, start=queue.tail + 1)),
    )
    move_tail(queue, len(new))
    reopen_slots_of(items, [queue])


def _remove_late(project: Project, *, by: User | None) -> list[Item]:
    """Remove pairs that were imported after their prompt had been removed."""
    whole = CleaningDecision.objects.in_force().of_project(project).filter(verdict=CleaningVerdict.KNOWLEDGE)
    groups = whole.values("assignment__slot__item__group")
    late = lock_items(list(project.items.counting().filter(group__in=groups).values_list("pk", flat=True)))
    remove(late, project=project, by=by)
    for group, count in Counter(item.group for item in late).items():
        whole.filter(assignment__slot__item__group=group).update(removed=F("removed") + count)
    return late


@transaction.atomic
def ask_for_scan(*, project: Project, by: User) -> Job:
    """Request a job that scans the pairs. Raises Refused while one runs."""
    must_be(project, Kind.RATING)
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    job = scan_job(project)
    if job is not None and not job.is_over:
        raise Refused("busy", REFUSALS["busy"])
    return jobs.ask_for(kind=SCAN, arguments={}, scope=project, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    return "cleaning", [job.scope.slug]


@handles(SCAN, title=_("Scanning the pairs"), page=_page, refusals=REFUSALS)
def run_scan(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Run `scan` and return its result."""
    return scan(project=job.scope, report=report, job=job, by=job.created_by)
