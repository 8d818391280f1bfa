"""Runs of models: training, predictions and figures. Equal source, settings and seed give equal results."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import jobs
from core.actions.events import record
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.batches import batched
from core.domain.wording import likely
from core.models.bulk import insert
from core.models.jobs import Job
from core.models.people import User
from study.baselines.base import Lack, NothingToLearn, RankingInstance, Requirement
from study.baselines.evaluate import Scored, evaluate, shared_contexts
from study.baselines.registry import BASELINES
from study.models import Prediction, Run
from study.selectors.runs.sources import NoSuchSource, Source, choices_of, source_of

REFUSALS = {
    "unknown_model": _("The model is no longer there."),
    "no_such_source": _("What the model should run on or learn from is no longer there."),
    "needs_training": _("This model has to learn first. Name what it is to be trained on."),
    "trained_on_itself": _("A model is not asked about what it was trained on. Choose another split to train on."),
    "no_candidates": _("These dialogues have no candidates to choose from. Draw questions from them first."),
    "empty_source": _("Nothing stands there. Choose a corpus, a split or questions with something in them."),
    Lack.WORDS: _("What the model was to be trained on holds no words."),
    Lack.PREFERENCES: _(
        "In what the model was to be trained on no response is better than another: it needs prompts whose responses "
        "have different grades, or instances with a known answer."
    ),
}
NAMED_IDS = 100  # of the shared contexts, which the run's page lists
FIELDS = ("run", "position", "external_id", "question", "scores", "better", "tied")


@dataclass(frozen=True)
class RunPlan:
    """A run that was checked and is possible."""

    model: str
    on: Source
    train: Source | None
    seed: int

    def put_down_in(self, run: Run) -> Run:
        """Copy to the run all that is needed to repeat it; do not save it."""
        run.model, run.seed = self.model, self.seed
        run.on, run.on_checksum = self.on.name, self.on.checksum
        run.train, run.train_checksum = (self.train.name, self.train.checksum) if self.train else ("", "")
        run.question_set, run.study = self.on.question_set, self.on.study
        return run


@dataclass(frozen=True)
class Predicted:
    """The scores of each instance, in the source's order, with the key of its question if it has one."""

    instances: Sequence[RankingInstance]
    questions: Sequence[int | None]
    scores: Sequence[list[float]]
    shared: Sequence[str]  # ids of the instances whose context is in the training material

    @property
    def checksum(self) -> str:
        """SHA-256 of one line of JSON for each instance, [id, scores], in the source's order."""
        digest = sha256()
        for instance, scores in zip(self.instances, self.scores, strict=True):
            line = json.dumps([instance.id, scores], ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            digest.update(f"{line}\n".encode())
        return digest.hexdigest()


def refusal(code: str) -> Refused:
    """Build the refusal of a code of REFUSALS."""
    return Refused(code, REFUSALS[code])


def planned(*, model: str, on: str, train: str, seed: int, by: User) -> RunPlan:
    """Look up the named model and sources. Raises Refused.

    Training material is ignored for a model that needs none.
    """
    if model not in BASELINES:
        text = _("There is no model “%(name)s”. Models: %(known)s.")
        raise Refused("unknown_model", text % {"name": model, "known": ", ".join(BASELINES)})
    asked, taught = _source(on, by=by), None
    if Requirement.TRAIN in BASELINES[model].needs:
        if not train:
            raise refusal("needs_training")
        taught = _source(train, by=by)
        if taught.shares_with(asked):
            raise refusal("trained_on_itself")
    return RunPlan(model, asked, taught, seed)


@transaction.atomic
def ask_for_run(*, model: str, on: str, train: str, seed: int, by: User) -> Run:
    """Queue a run. Raises Refused when it is known to be impossible before anything is read."""
    run = planned(model=model, on=on, train=train, seed=seed, by=by).put_down_in(Run(created_by=by))
    run.job = jobs.ask_for(kind="run_baseline", arguments={}, scope=None, by=by)
    run.save()
    record(run, became="asked for", scope=None, by=by)
    return run


def run_now(*, model: str, on: str, train: str, seed: int, report: ProgressReport, by: User) -> Run:
    """Run the model in this process; the run is stored only when it is complete. Raises Refused."""
    plan = planned(model=model, on=on, train=train, seed=seed, by=by)
    return _write(plan.put_down_in(Run(created_by=by)), _predict(plan, report), by=by)


@transaction.atomic
def cancel(*, run: Run, by: User) -> None:
    """Cancel a run that has not ended. Only the record of the request remains."""
    if run.job is not None:
        jobs.cancel(job=run.job, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    return "run", [Run.objects.get(job=job).pk]


@handles("run_baseline", title=_("Running the model"), page=_page, refusals=REFUSALS)
def run_asked_for(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Do a queued run; return its key and checksum. Raises Refused when something it needs is gone."""
    run = Run.objects.select_related("created_by").get(job=job)
    if not run.ended_at:
        if run.created_by is None:
            raise refusal("no_such_source")
        plan = planned(model=run.model, on=run.on, train=run.train, seed=run.seed, by=run.created_by)
        plan.put_down_in(run)
        run = _write(run, _predict(plan, report), by=run.created_by)
    return {"run": run.pk, "checksum": run.checksum}


def _source(name: str, *, by: User) -> Source:
    try:
        return source_of(name, by=by)
    except NoSuchSource as unknown:
        text = _(
            "There is no corpus, release, question set or study “%(name)s” that you have a right to. Known: %(known)s."
        )
        known = likely(name, [choice.name for choice in choices_of(by)])
        raise Refused("no_such_source", text % {"name": name, "known": ", ".join(known) or _("none yet")}) from unknown


def _predict(plan: RunPlan, report: ProgressReport) -> Predicted:
    """Train the model and score the instances. Raises Refused.

    Progress counts the training in the model's own unit, then each instance once.
    """
    rows = list(plan.on.read(None))
    instances, questions = [instance for instance, _question in rows], [question for _instance, question in rows]
    train = plan.train.instances() if plan.train else []
    if not instances or (plan.train and not train):
        raise refusal("empty_source")
    if any(len(instance.candidates) < 2 for instance in instances):
        raise refusal("no_candidates")
    model, learned = BASELINES[plan.model](seed=plan.seed), 0

    def report_training(done: int, total: int | None = None, **_figures: Any) -> None:
        nonlocal learned
        learned = total or learned
        report(done, learned + len(instances))

    try:
        model.fit(train, report=report_training)
    except NothingToLearn as empty:
        raise refusal(empty.lack) from empty
    scores: list[list[float]] = []
    total = learned + len(instances)
    for batch in batched(instances, model.batch):
        report(learned + len(scores), total)
        scores += model.score(batch)
    shared = shared_contexts(train, instances)
    report(total, total)
    return Predicted(instances, questions, scores, shared)


@transaction.atomic
def _write(run: Run, predicted: Predicted, *, by: User) -> Run:
    """Store the run with all its predictions, once: a job whose process was started again finds them stored."""
    if run.pk:
        stored = Run.objects.select_for_update(of=("self",), no_key=True).get(pk=run.pk)
        if stored.ended_at:
            return stored
    scored = [Scored(each, one.answer) for one, each in zip(predicted.instances, predicted.scores, strict=True)]
    run.metrics = {
        "model": run.model,
        **evaluate(scored, seed=run.seed),
        "shared_contexts": len(predicted.shared),
    }
    run.settings = {"shared_contexts": list(predicted.shared[:NAMED_IDS])}
    run.checksum, run.ended_at = predicted.checksum, timezone.now()
    run.save()
    insert(
        Prediction,
        FIELDS,
        (
            (
                run.pk,
                position,
                instance.id,
                question,
                json.dumps(one.scores),
                one.ranked and one.ranked.better,
                one.ranked.tied if one.ranked else 0,
            )
            for position, (instance, question, one) in enumerate(
                zip(predicted.instances, predicted.questions, scored, strict=True)
            )
        ),
    )
    record(run, became="done", scope=None, by=by)
    return run
