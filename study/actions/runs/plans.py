"""Plans of runs: what is refused before anything is read, and what a run keeps so that it can be repeated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from core.domain.transitions import JobQueue
from core.domain.wording import ChoiceError, likely
from core.models.people import User
from study.actions.runs import chat_server
from study.actions.runs.labels import stored_label
from study.actions.runs.refusals import REFUSALS, refusal, without_candidates
from study.baselines.ablation import is_ablation
from study.baselines.analyses import trial_part
from study.baselines.base import Baseline, RankingInstance, Requirement, SeesCandidates
from study.baselines.evaluate import without_overlap
from study.baselines.pretrained.weights import WeightsError, checked_config
from study.baselines.registry import BASELINES
from study.baselines.settings import Value, completed
from study.models import Run
from study.selectors.runs.sources import NoSuchSource, Source, choices_of, source_of
from study.selectors.runs.weights import weights_folder, weights_names

LONG_TRAINING = 1.0  # seconds for 10,000 candidates: the largest material takes a minute or more
MOST_WAITING = 100  # trainings
AUTO = "auto"
DEVICES = (AUTO, "cpu", "cuda")


class TaughtMaterial(NamedTuple):
    """What a model learns from and chooses on; `left_out` of the training for its overlap with what is asked."""

    train: Sequence[RankingInstance]
    dev: Sequence[RankingInstance]
    left_out: int


@dataclass(frozen=True)
class RunPlan:
    """A run that was checked and is possible."""

    model: type[Baseline]
    on: Source
    train: Source | None
    dev: Source | None
    settings: Mapping[str, Value]
    device: str
    seed: int
    label: str
    ablations: tuple[str, ...] = ()
    leaves_out_overlap: bool = False
    is_trial: bool = False
    weights: Path | None = None
    weights_name: str = ""  # as it was asked for
    checkpoints: Path | None = None  # folder in which a training that is cut off leaves what it needs to go on

    @property
    def queue(self) -> JobQueue:
        return queue_of(self.model)

    def asked(self) -> Sequence[RankingInstance]:
        """Read what the model is asked about."""
        instances = self.on.instances()
        return self._part(instances) if self.is_trial else instances

    def lessons(self, asked: Sequence[RankingInstance]) -> TaughtMaterial:
        """Read the training and the dev material of a model that is asked about these. Raises Refused."""
        train, dev = (source.instances() if source else [] for source in (self.train, self.dev))
        if self.train and not train:
            raise refusal("empty_source")
        kept = without_overlap(train, asked) if self.leaves_out_overlap else train
        if train and not kept:
            raise refusal("nothing_left")
        parts = (self._part(kept), self._part(dev)) if self.is_trial else (kept, dev)
        return TaughtMaterial(*parts, len(train) - len(kept))

    def _part(self, instances: Sequence[RankingInstance]) -> list[RankingInstance]:
        return trial_part(instances, seed=self.seed)

    def put_down_in(self, run: Run) -> Run:
        """Copy to the run all that is needed to repeat it; do not save it."""
        run.model, run.label, run.settings, run.seed = self.model.key, self.label, dict(self.settings), self.seed
        run.device, run.ablations, run.weights = self.device, list(self.ablations), self.weights_name
        run.leaves_out_overlap, run.is_trial = self.leaves_out_overlap, self.is_trial
        run.on, run.on_checksum = self.on.name, self.on.checksum
        run.train, run.train_checksum = (self.train.name, self.train.checksum) if self.train else ("", "")
        run.dev, run.dev_checksum = (self.dev.name, self.dev.checksum) if self.dev else ("", "")
        run.question_set, run.study = self.on.question_set, self.on.study
        return run

    def must_be_possible(
        self, asked: Sequence[RankingInstance], train: Sequence[RankingInstance], dev: Sequence[RankingInstance]
    ) -> None:
        """Refuse material that holds nothing, or nothing to choose from. Raises Refused."""
        if not asked or (self.dev and not dev):
            raise refusal("empty_source")
        fewer = [instance for instance in asked if len(instance.candidates) < 2]
        if any(not instance.is_rated for instance in fewer):
            raise without_candidates(self.on)
        if len(fewer) == len(asked):
            raise refusal("no_choice")
        self.must_have_places(train, (*asked, *dev))

    def must_have_places(self, train: Sequence[RankingInstance], others: Sequence[RankingInstance]) -> None:
        """Refuse more candidates than in training, for a model that learns a weight for each place. Raises Refused."""
        most, asked = (max((len(each.candidates) for each in part), default=0) for part in (train, others))
        if self.train and self.model.sees == SeesCandidates.ORDER and asked > most:
            raise refusal("more_candidates")

    def made(self) -> Baseline:
        """Return the model, before it has learned. Raises Refused where this machine lacks the device."""
        best = self.model.best_device()
        device = best if self.device == AUTO else self.device
        if device not in ("cpu", best):
            raise refusal("no_gpu")
        asks = Requirement.SERVER in self.model.needs
        server = chat_server.opened(self.settings, self.checkpoints) if asks else None
        return self.model(self.settings, seed=self.seed, device=device, weights=self.weights, server=server)


def queue_of(model: type[Baseline]) -> JobQueue:
    """Return where jobs of a model wait: behind other trainings, or with what takes seconds."""
    takes_long = model.needs - {Requirement.TRAIN} or model.cost.training > LONG_TRAINING
    return JobQueue.TRAINING if takes_long else JobQueue.USUAL


def planned(
    *,
    model: str,
    on: str,
    train: str = "",
    dev: str = "",
    settings: Mapping[str, object] | None = None,
    device: str = AUTO,
    seed: int,
    label: str = "",
    ablations: Sequence[str] = (),
    leaves_out_overlap: bool = False,
    is_trial: bool = False,
    weights: str | Path = "",
    by: User,
) -> RunPlan:
    """Look up the named model and sources, and check the weights. Raises Refused.

    Training material is ignored for a model that needs none, dev for one that chooses nothing on it, and weights for
    one that begins without. `weights` is the name of a folder in WEIGHTS_DIR. Only who works on the machine itself may
    name a path.
    """
    if model not in BASELINES:
        text = _("There is no model “%(name)s”. Models: %(known)s.")
        raise Refused("unknown_model", text % {"name": model, "known": ", ".join(BASELINES)})
    kind = BASELINES[model]
    if device not in (AUTO, *kind.devices):
        raise refusal("no_such_device")
    if Requirement.NEURAL in kind.needs and find_spec("torch") is None:
        raise refusal("needs_packages")
    asked = named_source(on, by=by)
    taught = _taught(kind, train, asked, by=by)
    tuned = _tuned(kind, dev, asked, taught, by=by)
    if not all(map(is_ablation, ablations)):
        raise refusal("no_such_ablation")
    folder = _weights(kind, weights)
    return RunPlan(
        kind,
        asked,
        taught,
        tuned,
        _settings(kind, settings or {}),
        device,
        seed,
        stored_label(label, by=by),
        tuple(dict.fromkeys(ablations)),
        leaves_out_overlap and taught is not None,
        is_trial,
        folder,
        str(weights) if folder else "",
    )


def _taught(kind: type[Baseline], train: str, asked: Source, *, by: User) -> Source | None:
    if Requirement.TRAIN not in kind.needs:
        return None
    if not train:
        raise refusal("needs_training")
    taught = named_source(train, by=by)
    if taught.shares_with(asked):
        raise refusal("trained_on_itself")
    return taught


def _tuned(kind: type[Baseline], dev: str, asked: Source, taught: Source | None, *, by: User) -> Source | None:
    if not (dev and kind.uses_dev):
        return None
    tuned = named_source(dev, by=by)
    if tuned.shares_with(asked) or (taught and tuned.shares_with(taught)):
        raise refusal("tuned_on_itself")
    return tuned


def _weights(kind: type[Baseline], given: str | Path) -> Path | None:
    """Return the folder of weights, checked without loading it; None where none is needed."""
    if kind.architecture is None:
        return None
    if not given:
        raise Refused("needs_weights", REFUSALS["needs_weights"], field="weights")
    folder = given if isinstance(given, Path) else weights_folder(given)
    if folder is None:
        text = _("There are no weights “%(name)s” in WEIGHTS_DIR. Known: %(known)s.")
        known = ", ".join(likely(str(given), weights_names())) or _("none yet")
        raise Refused("no_weights", text % {"name": given, "known": known}, field="weights")
    try:
        checked_config(folder, kind.architecture, model=gettext(kind.title))
    except WeightsError as wrong:
        raise Refused(wrong.code, gettext(wrong.sentence) % wrong.params, field="weights") from wrong
    return folder


def _settings(kind: type[Baseline], given: Mapping[str, object]) -> dict[str, Value]:
    try:
        chosen = completed(kind.declares, given)
    except ChoiceError as wrong:
        raise Refused("wrong_setting", _(wrong.sentence) % wrong.params) from wrong
    if Requirement.SERVER in kind.needs:
        chosen["server"] = chat_server.server_named(chosen)
    return chosen


def named_source(name: str, *, by: User) -> Source:
    """Return the source called NAME or NAME:split. Raises Refused, with the names that are likely meant."""
    try:
        return source_of(name, by=by)
    except NoSuchSource as unknown:
        text = _(
            "There is no corpus, release, question set or study “%(name)s” that you have access to. Known: %(known)s."
        )
        known = likely(name, [choice.name for choice in choices_of(by)])
        raise Refused("no_such_source", text % {"name": name, "known": ", ".join(known) or _("none yet")}) from unknown
