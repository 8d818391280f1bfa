"""What a run would take on this machine, and what a model still needs before it can run here."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from math import sqrt

from django.conf import settings

from study.baselines.analyses import TRIAL
from study.baselines.base import Baseline, Requirement
from study.baselines.catalogue import UPLOADED
from study.baselines.registry import BASELINES
from study.baselines.settings import Value, completed
from study.models import Run

CANDIDATES = 10_000  # for which a model declares its cost
DEFAULT_CANDIDATES = 4  # of an instance, where nothing tells
DOUBTFUL = 2.0  # a cost that was declared on another machine may be so many times lower or higher here
EARLIER = 5  # newest runs of a model that an estimate is made from
LOOKED_AT = 100  # newest runs among which those are looked for
EPOCHS = "epochs"  # the setting by which a training takes longer
LEAST_SPREAD = 0.1


class Missing(StrEnum):
    """What keeps a model from running here."""

    MODEL = "model"  # this version does not have it
    FILE = "file"  # it ran elsewhere, and a file of what it predicted is sent
    EXTRA = "extra"  # the packages of requirements-neural.txt
    WEIGHTS = "weights"  # a folder has to be named
    SERVER = "server"  # an address has to be given


CAN_START = (None, Missing.WEIGHTS, Missing.SERVER)  # the form asks for what is missing


@dataclass(frozen=True)
class RunEstimate:
    """Seconds with their range, and memory in MB; `earlier` runs that it was made from, 0: the declared cost.

    `is_of_trials` where no run but trials has ended.
    """

    seconds: float
    least: float
    most: float
    megabytes: int
    earlier: int
    is_of_trials: bool = False


@dataclass(frozen=True)
class RunSize:
    """Numbers of instances to learn from and to be asked about, and candidates of one of them (0: they differ).

    Of rated prompts the responses are counted, with one candidate each.
    """

    train: int
    asked: int
    candidates: int = DEFAULT_CANDIDATES


def missing_for(key: str) -> Missing | None:
    """Return what keeps a model of the catalogue from running here; or what the form asks for."""
    if key not in BASELINES:
        return Missing.FILE if key == UPLOADED else Missing.MODEL
    needs = BASELINES[key].needs
    if Requirement.NEURAL in needs and find_spec("torch") is None:
        return Missing.EXTRA
    if Requirement.SERVER in needs and not settings.CHAT_SERVERS:
        return Missing.SERVER
    return Missing.WEIGHTS if Requirement.WEIGHTS in needs else None


def estimate_of(
    key: str,
    size: RunSize,
    *,
    counts: Mapping[str, int],
    settings: Mapping[str, object] | None = None,
    weights: str = "",
    device: str = "auto",
) -> RunEstimate | None:
    """Estimate one seed of a model: from its newest runs here with such settings, or from its declared cost.

    `counts` tells how many instances each source has. Runs with other weights or on another device tell nothing.
    None before the first run of a model that asks a server: the declared cost leaves out what the server takes.
    """
    model = BASELINES[key]
    chosen = completed(model.declares, settings or {})
    runs = Run.objects.filter(model=key, weights=weights, device=device, ended_at__isnull=False)
    newest = list(runs.exclude(circumstances={}).order_by("is_trial", "-pk")[:LOOKED_AT])
    like = [run for run in newest if _is_like(run, model, chosen)]
    whole = [run for run in like if not run.is_trial]
    made = [made for run in (whole or like)[:EARLIER] if (made := _scaled(run, size, counts)) is not None]
    if made:
        seconds = [seconds for seconds, _bytes in made]
        middle = sorted(seconds)[len(seconds) // 2]
        spread = max(LEAST_SPREAD, _deviation(seconds) / middle if middle else 0)
        least, most = min(*seconds, middle * (1 - spread)), max(*seconds, middle * (1 + spread))
        return RunEstimate(
            middle, least, most, round(max(peak for _s, peak in made) / 2**20), len(made), is_of_trials=not whole
        )
    return None if Requirement.SERVER in model.needs else _declared(model, chosen, size)


def _is_like(run: Run, model: type[Baseline], chosen: Mapping[str, Value]) -> bool:
    """Return whether a run had these settings; texts, such as the name of a server, cost nothing."""
    return all(run.settings.get(each.name) == chosen[each.name] for each in model.declares if not each.is_text)


def _scaled(run: Run, size: RunSize, counts: Mapping[str, int]) -> tuple[float, int] | None:
    """Return the seconds that the run would have taken with this material, and its peak of memory."""
    found = run.circumstances
    metrics = run.figures
    asked = metrics.get("n", 0) + metrics.get("without_answer", 0) or metrics.get("responses", 0)
    taught = min(counts.get(run.train, 0), TRIAL) if run.is_trial else counts.get(run.train, 0)
    if not asked or (run.train and not taught):
        return None
    training = found["seconds"]["training"] * (size.train / taught if taught else 0)
    return training + found["seconds"]["scoring"] * size.asked / asked, found["peak_memory"]


def _declared(model: type[Baseline], chosen: Mapping[str, Value], size: RunSize) -> RunEstimate:
    """Estimate from the declared cost, which is that of the default settings: more epochs take longer."""
    [usual] = [each.default for each in model.declares if each.name == EPOCHS] or [None]
    passes = float(chosen[EPOCHS] or 0) / float(usual) if usual else 1.0
    candidates = size.candidates or DEFAULT_CANDIDATES
    taught = size.train * candidates * passes if Requirement.TRAIN in model.needs else 0
    parts = (model.cost.training * taught, model.cost.scoring * size.asked * candidates)
    seconds = sum(parts) / CANDIDATES
    return RunEstimate(seconds, seconds / DOUBTFUL, seconds * DOUBTFUL, model.cost.megabytes, 0)


def _deviation(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))


def machine_memory() -> int:
    """Return the bytes of memory of this machine."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
