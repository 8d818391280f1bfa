"""Figures that are computed once for what they are made of, and stored for all processes (docs/adr/0028).

A page that finds none in force computes it and stores it, or asks for a job where that takes too long for a page.
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import jobs
from core.actions.jobs import JobPage, ProgressReport, handles
from core.models import Job, StoredFigure, User
from core.models.scoped import scope_of
from core.models.snapshot import consistent_read

JOB = "figure"  # kind of the job that computes one
REST = 10  # a long figure is not computed again for this many times as long as it took,
REST_AT_LEAST = 10  # and for so many seconds: clients of the API that come back when told to get what was computed
JOBS_READ = 20  # the newest in a scope, among which that of one figure is found

Arguments = Mapping[str, Any]
WITHOUT: Arguments = {}


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure of a project or a study, which the functions are given.

    `compute` returns JSON without texts in a language. Its arguments are the query of the figure's `page`.
    `fingerprint` is cheap and changes with every fact that moves the figure; it `is_settled` when no such fact can
    appear later under a fingerprint that is given out already. `withdrawn` counts the people who took back what
    they gave, which no figure from before may outlast.
    """

    name: str
    compute: Callable[[Any, Arguments, ProgressReport], Any]
    fingerprint: Callable[[Any], str]
    is_long: Callable[[Any], bool]
    page: Callable[[Any], tuple[str, list[Any]]]
    is_settled: Callable[[], bool] = lambda: True
    withdrawn: Callable[[Any], int] = lambda scope: 0


KINDS: dict[str, FigureKind] = {}


def register(kind: FigureKind) -> FigureKind:
    """Add a kind of figure, so that jobs can compute it."""
    KINDS[kind.name] = kind
    return kind


@dataclass(frozen=True)
class FigureLook:
    """What a look at a figure finds: its content as of a moment, or none yet, and the job that computes it.

    It `is_current` if it is of the facts as they are now. Of a `job` that came to nothing the page says so, and does
    not ask for it again by itself.
    """

    content: Any = None
    as_of: datetime | None = None
    is_current: bool = False
    job: Job | None = None
    is_asked: bool = False

    @property
    def is_there(self) -> bool:
        """True where the content is current, or so fresh that it is not computed again yet."""
        return self.content is not None and self.job is None


def look(
    kind: FigureKind, scope: Any, arguments: Arguments = WITHOUT, *, is_asked_again: bool = False, by: User
) -> FigureLook:
    """Return a figure: as it is stored, if that is in force; else compute and store it, or ask for a job that does.

    The caller passes a job that `is_asked` to the broker. A long figure that is out of date is returned beside its job.
    """
    mark = kind.fingerprint(scope)
    stored = _stored(kind, scope, arguments)
    if stored and stored.fingerprint == mark:
        return _as_look(stored, is_current=True)
    if not kind.is_long(scope):
        return _computed_now(kind, scope, arguments, jobs.silent)
    if stored and _rests(stored):
        return _as_look(stored)
    last = _last_job(kind, scope, arguments)
    is_failed = last and last.came_to_nothing and last.arguments["fingerprint"] == mark and not is_asked_again
    if last and (not last.is_over or is_failed):
        return _as_look(stored, job=last)
    wanted = {"figure": kind.name, "arguments": dict(arguments), "fingerprint": mark}
    return _as_look(stored, job=jobs.ask_for(kind=JOB, arguments=wanted, scope=scope, by=by), is_asked=True)


def computed(
    kind: FigureKind, scope: Any, arguments: Arguments = WITHOUT, report: ProgressReport = jobs.silent
) -> FigureLook:
    """Return a figure of the facts as they are now, however long that takes."""
    stored = _stored(kind, scope, arguments)
    if stored and stored.fingerprint == kind.fingerprint(scope):
        return _as_look(stored, is_current=True)
    return _computed_now(kind, scope, arguments, report)


@transaction.atomic
def forget(scope: Any) -> None:
    """Delete the figures of a scope in which a person withdraws. The lock makes those under way see the withdrawal."""
    _lock(scope)
    StoredFigure.objects.filter(**scope_of(scope)).delete()


def _page(job: Job) -> JobPage:
    return *KINDS[job.arguments["figure"]].page(job.scope), job.arguments["arguments"]


@handles(JOB, title=_("Computing the figures"), page=_page, refusals={})
def compute(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Compute a figure and store it; one that is in force already is not computed again."""
    kind = KINDS[job.arguments["figure"]]
    found = computed(kind, job.scope, job.arguments["arguments"], report)
    return {"figure": kind.name, "as_of": found.as_of and found.as_of.isoformat()}


def _computed_now(kind: FigureKind, scope: Any, arguments: Arguments, report: ProgressReport) -> FigureLook:
    """Compute a figure of one moment and store it.

    A fact that appeared meanwhile, or may still appear below the newest event, leaves it without a fingerprint: it is
    good for this look, and as the last one known.
    """
    before, is_settled = kind.fingerprint(scope), kind.is_settled()
    began, as_of = time.perf_counter(), timezone.now()
    with consistent_read():
        mark, withdrawn = kind.fingerprint(scope), kind.withdrawn(scope)
        content = kind.compute(scope, arguments, report)
    figure = StoredFigure(
        **_names(kind, scope, arguments),
        fingerprint=mark if is_settled and mark == before else "",
        content=json.dumps(content, ensure_ascii=False, separators=(",", ":")),
        as_of=as_of,
        seconds=time.perf_counter() - began,
    )
    with suppress(OperationalError):  # the database cannot be written now: the look needs nothing written
        _store(figure, kind, scope, withdrawn)
    return _as_look(figure, is_current=True)


@transaction.atomic
def _store(figure: StoredFigure, kind: FigureKind, scope: Any, withdrawn: int) -> None:
    """Store a figure in place of older ones; of two that were computed at once the first stays.

    A figure with what a person has since taken back is dropped.
    """
    _lock(scope)
    if kind.withdrawn(scope) != withdrawn:
        return
    same = {name: getattr(figure, name) for name in ("scope_kind", "scope_id", "kind", "arguments")}
    StoredFigure.objects.filter(**same, as_of__lt=figure.as_of).delete()
    StoredFigure.objects.bulk_create([figure], ignore_conflicts=True)


def _lock(scope: Any) -> None:
    type(scope)._default_manager.select_for_update(no_key=True).get(pk=scope.pk)


def _names(kind: FigureKind, scope: Any, arguments: Arguments) -> dict[str, Any]:
    """Return the columns that name a figure."""
    return {**scope_of(scope), "kind": kind.name, "arguments": json.dumps(arguments, sort_keys=True)}


def _stored(kind: FigureKind, scope: Any, arguments: Arguments) -> StoredFigure | None:
    return StoredFigure.objects.filter(**_names(kind, scope, arguments)).first()


def _rests(stored: StoredFigure) -> bool:
    return (timezone.now() - stored.as_of).total_seconds() < max(REST * stored.seconds, REST_AT_LEAST)


def _as_look(stored: StoredFigure | None, **details: Any) -> FigureLook:
    if stored is None:
        return FigureLook(**details)
    return FigureLook(json.loads(stored.content), stored.as_of, **details)


def _last_job(kind: FigureKind, scope: Any, arguments: Arguments) -> Job | None:
    """Return the newest job that computes or computed a figure."""
    newest = Job.objects.filter(kind=JOB, **scope_of(scope)).order_by("-pk")[:JOBS_READ]
    wanted = (kind.name, dict(arguments))
    return next((job for job in newest if (job.arguments["figure"], job.arguments["arguments"]) == wanted), None)
