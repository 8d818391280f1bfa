"""Freeze a release: kept items, split by prompt or conversation, in an order determined by content and seed."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.releases.collectors import RELEASE_COLLECTORS, ReleaseCollector, UnsplitInstance
from annotation.domain.releases.plus import checked_replies, with_safe_reply
from annotation.domain.releases.splitting import Split, joined, split_groups
from annotation.exporters.canonical import checksum
from annotation.models import Instance, Kind, Project, Release
from annotation.selectors.releases.releases import freezing_job, kept_and_left_out, next_number
from core.actions import jobs
from core.actions.events import record
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.batches import batched
from core.domain.transitions import JobState
from core.domain.wording import ChoiceError
from core.models import Job, User
from core.models.bulk import insert
from core.models.snapshot import consistent_read

REFUSALS = {
    "nothing_kept": _("There is nothing to freeze yet: nothing that is finished and kept has a text."),
    "busy": _("A release is already being frozen. Wait until it has finished, or cancel it."),
    "no_candidates": _("Rated pairs have no candidates: MuTual-plus is a variant of rewritten instances."),
    "number_taken": _("Nothing was frozen: another release has been frozen in the meantime. Look at it first."),
}
CHUNK = 1_000
SPLITS = list(Split)


def freeze(
    *,
    project: Project,
    seed: int,
    safe_replies: Sequence[str] = (),
    report: ProgressReport,
    job: Job | None = None,
    by: User | None,
) -> Release:
    """Freeze a release of all kept items. The same work and seed give the same checksum, on any database.

    With `safe_replies` it has the variant MuTual-plus. The content is read in one consistent snapshot while people go
    on working; only the writing blocks them. Raises Refused if nothing is kept yet, or the variant cannot be made.
    """
    if made := _made_by(job):
        return made
    replies = checked(project, safe_replies)
    with TemporaryFile() as spool:
        with consistent_read():
            kept, left_out = kept_and_left_out(project)
            collector = RELEASE_COLLECTORS[Kind(project.kind)]
            pairs = SpooledRelease.collect(spool, collector.instances(project, seed, kept, report), seed)
            if not pairs.order:
                raise refusal("nothing_kept")
            agreement, statistics = collector.agreement(project), collector.statistics(project, pairs)
            variants = {"plus": _plus(pairs, replies, seed, project, collector)} if replies else {}
            counts = _counts(left_out, pairs) | {"guidelines": collector.guidelines(project)}
            annotators = {"profile": project.annotator_profile, **collector.annotators(project)}
            if models := collector.models(project):
                counts["models"] = models
        release = Release(
            project=project,
            seed=seed,
            checksum=checksum(pairs),
            counts=counts,
            job=job,
            statistics=statistics,
            agreement=agreement,
            settings=project.settings,
            annotators=annotators,
            variants=variants,
            frozen_by=by,
        )
        jobs.begin_storing(job)
        return _write(release, pairs, report, by=by)


def _plus(
    instances: "SpooledRelease", replies: list[str], seed: int, project: Project, collector: ReleaseCollector
) -> dict[str, Any]:
    """Return the data that a release stores about its variant."""
    plus = [with_safe_reply(instance, replies, seed) for instance in instances]
    return {"checksum": checksum(plus), "safe_replies": replies, "statistics": collector.statistics(project, plus)}


def checked(project: Project, safe_replies: Sequence[str]) -> list[str]:
    """Return the safe replies as a release stores them; an empty list means no variant. Raises Refused."""
    if not safe_replies:
        return []
    if project.kind != Kind.REWRITING:
        raise refusal("no_candidates")
    try:
        return checked_replies(safe_replies)
    except ChoiceError as wrong:
        raise Refused.by_rule("safe_replies", wrong) from wrong


@transaction.atomic
def ask_for_freeze(*, project: Project, number: int, seed: int, safe_replies: Sequence[str] = (), by: User) -> Job:
    """Request a job that freezes the release with the number that the person was shown. Raises Refused."""
    replies = checked(project, safe_replies)
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    job = freezing_job(project)
    if job is not None and not job.is_over:
        raise refusal("busy")
    if number != next_number(project):
        raise refusal("number_taken")
    arguments = {"seed": seed, "safe_replies": replies}
    return jobs.ask_for(kind="freeze_release", arguments=arguments, scope=project, by=by)


def refusal(code: str) -> Refused:
    """Return the refusal of `REFUSALS` with this code."""
    return Refused(code, REFUSALS[code])


def _page(job: Job) -> tuple[str, list[Any]]:
    if job.state == JobState.DONE and job.result:
        return "release", [job.scope.slug, job.result["number"]]
    return "releases", [job.scope.slug]


@handles("freeze_release", title=_("Freezing the release"), page=_page, refusals=REFUSALS)
def run_freeze(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Freeze the release and return its name, number, checksum and counts."""
    release = freeze(project=job.scope, **job.arguments, report=report, job=job, by=job.created_by)
    return {"release": str(release), "number": release.number, "checksum": release.checksum, **release.counts}


class SpooledLine(NamedTuple):
    """Sort key of an instance in the release (split, id, digest) and its offset in the spool file."""

    split: int
    id: str
    digest: bytes
    offset: int


@dataclass(frozen=True)
class SpooledRelease:
    """Instances of a release on disk, with their order: memory stays low, and every reading gives the same."""

    spool: IO[bytes]
    order: list[SpooledLine]

    @classmethod
    def collect(cls, spool: IO[bytes], unsplit_instances: Iterator[UnsplitInstance], seed: int) -> "SpooledRelease":
        """Write the instances to the open, empty file `spool`, and draw their splits from the seed."""
        names: list[tuple[str, ...]] = []
        lines: list[SpooledLine] = []
        for unsplit in unsplit_instances:
            names.append(unsplit.groups)
            lines.append(SpooledLine(0, unsplit.content["id"], bytes.fromhex(unsplit.digest), spool.tell()))
            spool.write(json.dumps(unsplit.content).encode() + b"\n")
        groups = joined(names)
        splits = split_groups(set(groups), seed)
        times = Counter(line.id for line in lines)
        return cls(
            spool,
            sorted(
                line._replace(split=SPLITS.index(splits[group]), id=_own_id(line, times))
                for line, group in zip(lines, groups, strict=True)
            ),
        )

    def __iter__(self) -> Iterator[Any]:
        for line in self.order:
            self.spool.seek(line.offset)
            instance = json.loads(self.spool.readline().decode())
            instance["id"], instance["split"] = line.id, str(SPLITS[line.split])
            yield instance


def _own_id(line: SpooledLine, times: Counter[str]) -> str:
    """Return an id unique in the release: an id shared by several pairs, such as that of their prompt, gets
    a suffix.
    """
    return line.id if times[line.id] == 1 else f"{line.id}-{line.digest.hex()[:8]}"


def _counts(left_out: dict[str, int], pairs: SpooledRelease) -> dict[str, Any]:
    """Count the instances of the release, and those left out by reason."""
    splits = Counter(line.split for line in pairs.order)
    return {
        "instances": len(pairs.order),
        "splits": {str(split): splits[index] for index, split in enumerate(SPLITS)},
        "left_out": left_out,
    }


@transaction.atomic
def _write(release: Release, pairs: SpooledRelease, report: ProgressReport, *, by: User | None) -> Release:
    """Store the release with its instances under the next number. A job whose process starts twice stores one."""
    project = Project.objects.select_for_update(no_key=True).get(pk=release.project_id)
    if made := _made_by(release.job):
        return made
    release.number = next_number(project)
    release.save()
    total = len(pairs.order)
    for chunk in batched(enumerate(pairs), CHUNK):
        insert(
            Instance,
            ("release", "position", "split", "content"),
            ((release.pk, position, pair["split"], json.dumps(pair, ensure_ascii=False)) for position, pair in chunk),
        )
        report((total + chunk[-1][0] + 1) // 2, total)
    record(release, became="frozen", scope=project, by=by)
    return release


def _made_by(job: Job | None) -> Release | None:
    """Return the release that an earlier run of the job stored before its process died."""
    return Release.objects.filter(job=job).first() if job is not None else None
