"""The page that starts a run: models by family with what each lacks, settings beside their defaults, the estimate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.forms import BoundField
from django.utils.translation import gettext

from core.models.people import User
from core.selectors.jobs import next_place
from study.actions.runs.plans import queue_of
from study.baselines.analyses import TRIAL
from study.baselines.catalogue import UPLOADED, families_with
from study.baselines.registry import BASELINES
from study.baselines.settings import Setting
from study.domain.results.published import Published, published_on
from study.forms.runs import RunForm
from study.presenters.runs.words import title_of
from study.selectors.runs.estimates import (
    CAN_START,
    DEFAULT_CANDIDATES,
    Missing,
    RunEstimate,
    RunSize,
    estimate_of,
    machine_memory,
    missing_for,
)
from study.selectors.runs.overlaps import TrainingOverlap, overlap_of
from study.selectors.runs.sources import NoSuchSource, source_of


@dataclass(frozen=True)
class ModelChip:
    key: str
    title: str
    missing: Missing | None
    is_chosen: bool

    @property
    def can_be_chosen(self) -> bool:
        return self.missing in CAN_START


@dataclass(frozen=True)
class ChipLine:
    title: str
    chips: list[ModelChip]


@dataclass(frozen=True)
class SettingLine:
    """A setting with its field; `default` as it is typed, "" where it is chosen on dev."""

    name: str
    help: str
    field: BoundField
    default: str
    limits: str
    is_changed: bool
    is_chosen_on_dev: bool


@dataclass(frozen=True)
class StartPage:
    lines: list[ChipLine]
    title: str
    about: str
    published: Published | None
    settings: list[SettingLine]
    seeds: int
    estimate: RunEstimate | None
    place: int  # in the queue, 0: starts at once
    overlap: TrainingOverlap | None
    train: str  # what the empty choice stands for
    dev: str
    machine: float  # MB of memory

    @property
    def trial(self) -> int:
        """Instances of each material that a trial reads."""
        return TRIAL

    @property
    def has_extra_missing(self) -> bool:
        return any(chip.missing == Missing.EXTRA for line in self.lines for chip in line.chips)

    @property
    def changed(self) -> list[SettingLine]:
        return [line for line in self.settings if line.is_changed]

    @property
    def total(self) -> float:
        return self.seeds * self.estimate.seconds if self.estimate else 0

    @property
    def least(self) -> float:
        return self.seeds * self.estimate.least if self.estimate else 0

    @property
    def most(self) -> float:
        return self.seeds * self.estimate.most if self.estimate else 0

    @property
    def memory_share(self) -> float:
        return self.estimate.megabytes / self.machine if self.estimate else 0


def start_page(form: RunForm, person: User) -> StartPage:
    """Return what the page shows of a form as it is filled in, complete or not."""
    typed = _typed(form)
    key, on, train = typed["model"], typed["on"], typed["train"]
    counts = {source.name: source.count for source in form.sources}
    size = RunSize(counts.get(train, 0), counts.get(on, 0) * (1 + len(typed["ablations"])), _candidates(on, person))
    asked = {name: typed[name] for name in ("settings", "weights", "device")}
    estimate = estimate_of(key, size, counts=counts, **asked) if key in BASELINES and size.asked else None
    published = next((row for row in published_on(on) if row.model == key), None)
    return StartPage(
        list(_lines(key)),
        title_of(key),
        gettext(BASELINES[key].about) if key in BASELINES else "",
        published,
        list(_settings(form)),
        len(typed["seeds"]),
        estimate,
        next_place(queue_of(BASELINES[key])) if key in BASELINES else 0,
        _overlap(train, on, counts, person) if form.learns else None,
        train,
        typed["dev"],
        machine_memory() / 2**20,
    )


def _typed(form: RunForm) -> dict[str, Any]:
    """Return what was typed, or is typed beforehand, with the material that empty choices stand for."""
    filled, start = form, dict[str, Any]()
    if not form.is_bound:
        start = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
        filled = RunForm(start, person=form.person, sources=form.sources)
    filled.is_valid()
    cleaned = {name: filled.cleaned_data.get(name) or start.get(name) or "" for name in ("model", "on", "train", "dev")}
    return {
        **cleaned,
        "seeds": filled.cleaned_data.get("seeds") or [0],
        "settings": filled.cleaned_data["settings"],
        "weights": filled.cleaned_data.get("weights") or "",
        "device": filled.cleaned_data.get("device") or "auto",
        "ablations": filled.cleaned_data.get("ablations") or start.get("ablations") or [],
    }


def _lines(chosen: str) -> Iterator[ChipLine]:
    for family in families_with(BASELINES):
        keys = [key for key in family.models if key != UPLOADED]
        chips = [ModelChip(key, title_of(key), missing_for(key), key == chosen) for key in keys]
        yield ChipLine(gettext(family.short), chips)


def _settings(form: RunForm) -> Iterator[SettingLine]:
    for setting in form.declared:
        field = form[f"set_{setting.name}"]
        default = str(field.field.initial or "")
        limits = "" if setting.options or isinstance(setting.default, bool) else _limits(setting)
        is_changed = str(field.value() or "") not in ("", default)
        yield SettingLine(
            setting.name, gettext(setting.help), field, default, limits, is_changed, setting.is_chosen_on_dev
        )


def _limits(setting: Setting) -> str:
    """Return the limits of a number in digits, never as a power of ten."""
    return " – ".join(np.format_float_positional(end, trim="-") for end in (setting.least, setting.most))


def _candidates(on: str, person: User) -> int:
    """Return how many candidates to expect of what is counted of a source: of rated prompts each response is."""
    try:
        return 1 if source_of(on, by=person).is_rated else DEFAULT_CANDIDATES
    except NoSuchSource:
        return DEFAULT_CANDIDATES


def _overlap(train: str, on: str, counts: Mapping[str, int], person: User) -> TrainingOverlap | None:
    if not (train and on):
        return None
    try:
        taught, asked = source_of(train, by=person), source_of(on, by=person)
    except NoSuchSource:
        return None
    return overlap_of(taught, asked, size=counts.get(train, 0) + counts.get(on, 0))
