"""Records of how a run was made: versions, hardware, time and memory; and the folder of what a model learned."""

import errno
import os
import platform
import resource
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings

from core.domain.transitions import JobState
from core.models.people import User
from study.actions.runs.refusals import refusal
from study.baselines.asking import REPLIES
from study.baselines.base import Baseline
from study.models import Run

FOLDER = "runs"  # in DATA_DIR


def folder_of(run: Run) -> Path:
    """Return the folder of a stored run."""
    return Path(settings.DATA_DIR) / FOLDER / str(run.pk)


def checkpoints_of(run: Run) -> Path:
    """Return the folder in which the model, while it learns, keeps what it needs to go on after a kill."""
    return folder_of(run) / "checkpoints"


@contextmanager
def refused_without_space(folder: Path | None = None) -> Iterator[None]:
    """Turn the error of a full disk into the refusal that says so; the folder goes, to make room to store why."""
    try:
        yield
    except OSError as full:
        if full.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise refusal("no_space") from full


def unfinished_folder(person: User, server: str) -> Path:
    """Return the folder of what a server has answered to a person's commands that have not come to their end.

    Commands at the same time may share it: each reply is a line, under a digest of what was asked.
    """
    return Path(settings.DATA_DIR) / FOLDER / f"unfinished-{person.pk}-{server}"


def take_up_replies(run: Run) -> None:
    """Give a run what the same server has answered to a person's earlier run on this material that came to nothing.

    A reply belongs to equal requests alone, so settings that change no request may have changed.
    """
    folder = checkpoints_of(run)
    if (folder / REPLIES).exists():
        return
    earlier = Run.objects.filter(model=run.model, on=run.on, created_by=run.created_by, ended_at=None, pk__lt=run.pk)
    for one in earlier.filter(job__state__in=(JobState.FAILED, JobState.CANCELLED)).order_by("-pk"):
        kept = checkpoints_of(one) / REPLIES
        if one.settings.get("server") == run.settings.get("server") and kept.exists():
            folder.mkdir(parents=True, exist_ok=True)
            kept.rename(folder / REPLIES)
            return


@contextmanager
def drafted_state(run: Run, model: Baseline) -> Iterator[Path]:
    """Write what the model learned to a draft, which `keep_state` puts in its place. Raises Refused.

    So nothing large is written while the database is locked, and an attempt that is killed leaves the checkpoints.
    """
    above = folder_of(run) if run.pk else Path(settings.DATA_DIR) / FOLDER
    draft = above / ("draft" if run.pk else f"draft-{uuid4()}")
    shutil.rmtree(draft, ignore_errors=True)  # of an attempt that was killed
    try:
        with refused_without_space(draft):
            draft.mkdir(parents=True)
            model.save(draft)
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def keep_state(run: Run, draft: Path) -> str:
    """Put the draft in its place; return its name in DATA_DIR, "" where the model has nothing to keep."""
    state = folder_of(run) / "state"
    shutil.rmtree(state, ignore_errors=True)  # of an attempt that was killed before it was stored
    if not any(draft.iterdir()):
        _remove_if_empty(folder_of(run))
        return ""
    state.parent.mkdir(exist_ok=True)
    draft.rename(state)
    return state.relative_to(settings.DATA_DIR).as_posix()


def forget_checkpoints(run: Run) -> None:
    """Remove what was kept to go on, and the folder of a run that leaves nothing else."""
    shutil.rmtree(checkpoints_of(run), ignore_errors=True)
    _remove_if_empty(folder_of(run))


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def forget_all(run: Run) -> None:
    """Remove the folder of a run that came to nothing."""
    shutil.rmtree(folder_of(run), ignore_errors=True)


def circumstances_of(run: Run, model: Baseline, seconds: dict[str, float]) -> dict[str, Any]:
    """Return where and how the model ran, as JSON: see docs/data-formats.md."""
    return {
        "version": _product_version(),
        "code": _code_version(),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in model.libraries},
        "hardware": _hardware(),
        "device": model.device,
        "attempts": run.job.attempts if run.job else 1,
        "seconds": seconds,
        **model.expenses(),
        "peak_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }


@cache
def _product_version() -> str:
    read = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(read["project"]["version"])


@cache
def _code_version() -> str:
    """Return the beginning of the SHA-256 of the models' sources: equal code has it equal, with or without git."""
    sources = sorted((settings.BASE_DIR / "study" / "baselines").rglob("*.py"))
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]


@cache
def _hardware() -> dict[str, Any]:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"processor": _processor(), "cores": os.cpu_count(), "memory": pages}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor()) or platform.machine()
