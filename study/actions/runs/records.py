"""Records of how a run was made: versions, hardware, time and memory; and the folder of what a model learned."""

import errno
import os
import platform
import resource
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings

from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models.people import User
from study.actions.runs.plans import refusal
from study.baselines.asking import REPLIES
from study.baselines.base import Baseline
from study.models import Run

FOLDER = "runs"  # in DATA_DIR


def folder_of(run: Run) -> Path:
    """Return the folder of a stored run: what its model learned and, while it learns, its checkpoints."""
    return Path(settings.DATA_DIR) / FOLDER / str(run.pk)


def keep_state(run: Run, model: Baseline) -> str:
    """Write what the model learned, in place of its checkpoints; return the folder's name. Raises Refused.

    The checkpoints are there until all is written: replies of a server were paid for.
    """
    folder = folder_of(run)
    written = folder.with_name(f"{folder.name}.new")
    try:
        with refused_without_space():
            shutil.rmtree(written, ignore_errors=True)
            written.mkdir(parents=True)
            model.save(written)
            is_empty = not any(written.iterdir())
            shutil.rmtree(folder, ignore_errors=True)
            if not is_empty:
                written.rename(folder)
                return f"{FOLDER}/{run.pk}"
            written.rmdir()
    except (OSError, Refused):
        shutil.rmtree(written, ignore_errors=True)
        raise
    return ""


@contextmanager
def refused_without_space() -> Iterator[None]:
    """Turn the error of a full disk into the refusal that says so."""
    try:
        yield
    except OSError as full:
        if full.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
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
    folder = folder_of(run)
    if (folder / REPLIES).exists():
        return
    earlier = Run.objects.filter(model=run.model, on=run.on, created_by=run.created_by, ended_at=None, pk__lt=run.pk)
    for one in earlier.filter(job__state__in=(JobState.FAILED, JobState.CANCELLED)).order_by("-pk"):
        if one.settings.get("server") == run.settings.get("server") and (folder_of(one) / REPLIES).exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder_of(one) / REPLIES).rename(folder / REPLIES)
            return


def circumstances_of(model: Baseline, seconds: dict[str, float]) -> dict[str, Any]:
    """Return where and how the model ran, as JSON: see docs/data-formats.md."""
    return {
        "version": _product_version(),
        "code": _code_version(),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in model.libraries},
        "hardware": _hardware(),
        "device": model.device,
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
