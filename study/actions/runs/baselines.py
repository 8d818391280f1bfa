"""Runs of models: training, predictions and figures. Equal source, settings and seed give equal results."""

import json
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actions import jobs, names
from core.actions.events import record
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.transitions import JobQueue
from core.models.jobs import Job
from core.models.people import User
from core.selectors.jobs import jobs_waiting
from study.actions.runs import predictions
from study.actions.runs.plans import MOST_WAITING, RunPlan, planned, queue_of
from study.actions.runs.records import (
    checkpoints_of,
    circumstances_of,
    drafted_state,
    forget_all,
    forget_checkpoints,
    keep_state,
    refused_without_space,
    take_up_replies,
    unfinished_folder,
)
from study.actions.runs.refusals import REFUSALS, refusal
from study.actions.runs.scoring import Instances, over_orders, scores_of, times_asked, with_changed_contexts
from study.baselines.analyses import figures_by_condition, figures_by_part, figures_without, in_whole_contexts
from study.baselines.base import (
    Baseline,
    Diverged,
    LearningProgress,
    NothingToLearn,
    RankingInstance,
    Requirement,
)
from study.baselines.evaluate import evaluate_run, shared_contexts
from study.baselines.pretrained.weights import checksum
from study.baselines.registry import BASELINES
from study.models import Run
from study.selectors.runs.devices import has_gpu_to_train_on

NAMED_IDS = 100  # of the shared contexts, which the run's page lists
ASKED_FOR = (
    *("model", "on", "train", "dev", "settings", "weights", "device", "seed", "label", "ablations"),
    *("leaves_out_overlap", "is_trial"),
)


@dataclass(frozen=True)
class Predicted:
    """The scores of each instance, in the source's order.

    Figures are over the questions in their whole context, and those in each condition apart.
    `figures` are the model's own, those over drawn orders of the candidates where it depends on their order, and those
    with changed contexts, where asked for. `seconds` are those of training and of scoring.
    """

    model: Baseline
    instances: Sequence[RankingInstance]
    scores: Sequence[list[float]]
    shared: Sequence[str]  # ids of the instances whose context is in the training material
    figures: dict[str, Any]
    seconds: dict[str, float]
    weights: str  # checksum of the weights that it began with, "" where it began without


@transaction.atomic
def ask_for_run(*, key: UUID | None = None, by: User, **plan: Any) -> Run:
    """Queue a run; `plan` is what `planned` takes. Raises Refused when it is known to be impossible."""
    made = planned(**plan, by=by)
    if made.device == "cuda" and not has_gpu_to_train_on():
        raise refusal("no_gpu")
    queue = queue_of(made.model)
    if queue == JobQueue.TRAINING and jobs_waiting(JobQueue.TRAINING).count() >= MOST_WAITING:
        raise refusal("queue_full")
    run = made.put_down_in(Run(created_by=by, submission_key=key))
    names.keep(run.sources)
    run.job = jobs.ask_for(kind="run_baseline", arguments={}, scope=None, queue=queue, by=by)
    run.save()
    record(run, became="asked for", scope=None, by=by)
    return run


def ask_for_runs(*, seeds: Sequence[int], key: UUID | None = None, by: User, **plan: Any) -> list[Run]:
    """Queue a run for each seed, or none; with a form's key, once. Raises Refused."""
    if plan.get("weights"):
        with suppress(Refused):
            planned(**plan, seed=0, by=by)  # reads the weights, before the database is locked
    return _ask_once([{**plan, "seed": seed} for seed in seeds], key, by=by)


def ask_for_models(*, models: Sequence[str], key: UUID | None = None, by: User, **plan: Any) -> list[Run]:
    """Queue a run of each model with equal material, all or none; with a form's key, once. Raises Refused."""
    return _ask_once([{**plan, "model": model, "seed": 0} for model in models], key, by=by)


@transaction.atomic
def _ask_once(plans: Sequence[dict[str, Any]], key: UUID | None, *, by: User) -> list[Run]:
    """Queue a run of each plan. A form that was sent before, with the same wishes, gets the runs of that time.

    The wishes are part of what is stored: a form that was changed since keeps its key, and asks for other runs.
    """
    if key is None:
        return [ask_for_run(**plan, by=by) for plan in plans]
    list(User.objects.select_for_update(no_key=True).filter(pk=by.pk))  # two clicks, one start
    key = uuid5(key, json.dumps(plans, sort_keys=True))
    before = Run.objects.filter(created_by=by, submission_key=key).select_related("job").order_by("pk")
    return list(before) or [ask_for_run(**plan, key=key, by=by) for plan in plans]


def run_now(*, report: ProgressReport, by: User, **plan: Any) -> Run:
    """Run the model in this process; the run is stored only when it is complete. Raises Refused.

    What a server has answered by then is kept for the next time.
    """
    made = planned(**plan, by=by)
    if Requirement.SERVER not in made.model.needs:
        return _write(made.put_down_in(Run(created_by=by)), _predict(made, report), by=by)
    unfinished = unfinished_folder(by, str(made.settings["server"]))
    run = _write(made.put_down_in(Run(created_by=by)), _predict(replace(made, checkpoints=unfinished), report), by=by)
    shutil.rmtree(unfinished, ignore_errors=True)
    return run


@transaction.atomic
def cancel(*, run: Run, by: User) -> None:
    """Cancel a run that has not ended. Only the record of the request remains."""
    if run.job is not None:
        jobs.cancel(job=run.job, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    return "run", [Run.objects.get(job=job).pk]


def _forget(job: Job) -> None:
    """Remove what a run that came to nothing has left, but for the replies of a server, which were paid for."""
    run = Run.objects.get(job=job)
    if run.model in BASELINES and Requirement.SERVER not in BASELINES[run.model].needs:
        forget_all(run)


@handles("run_baseline", title=_("Running the model"), page=_page, refusals=REFUSALS, abandon=_forget)
def run_asked_for(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Do a queued run; return its key and checksum. Raises Refused when something it needs is gone.

    An attempt that was killed left its checkpoints, from which the training goes on.
    """
    run = Run.objects.select_related("created_by").get(job=job)
    if not run.ended_at:
        if run.created_by is None:
            raise refusal("no_such_source")
        plan = planned(**{name: getattr(run, name) for name in ASKED_FOR}, by=run.created_by)
        plan.put_down_in(run)
        if Requirement.SERVER in plan.model.needs:
            take_up_replies(run)
        run = _write(run, _predict(replace(plan, checkpoints=checkpoints_of(run)), report), by=run.created_by)
    forget_checkpoints(run)
    return {"run": run.pk, "checksum": run.checksum}


def _predict(plan: RunPlan, report: ProgressReport) -> Predicted:
    """Train the model and score the instances. Raises Refused.

    Progress counts the training in the model's own unit, then each time that an instance is scored.
    """
    instances = plan.asked()
    train, dev, left_out = plan.lessons(instances)
    plan.must_be_possible(instances, train, dev)
    model, learned, began = plan.made(), 0, time.monotonic()
    whole = [instance for instance in instances if not instance.condition]
    scorings = len(instances) + len(whole) * (times_asked(plan) - 1)
    weights = checksum(model.weights, model.architecture) if model.weights and model.architecture else ""

    def report_training(
        done: int,
        total: int | None = None,
        *,
        step: int | None = None,
        loss: float | None = None,
        dev: float | None = None,
    ) -> None:
        nonlocal learned
        learned = total or learned
        report(done, learned + scorings, training=learned, step=step, loss=loss, dev=dev)

    def report_scoring(done: int) -> None:
        report(done, total, training=learned)

    _teach(model, train, dev, report_training, plan.checkpoints)
    trained, total = time.monotonic(), learned + scorings
    scores = scores_of(model, instances, lambda done: report_scoring(learned + done))
    seconds = {"training": round(trained - began, 3), "scoring": round(time.monotonic() - trained, 3)}
    figures, asked = dict(model.figures(instances)), learned + len(instances)  # of what it was asked first
    figures |= over_orders(model, whole, lambda done: report_scoring(asked + done))
    before = total - len(plan.ablations) * len(whole)
    figures |= with_changed_contexts(
        model, plan, *in_whole_contexts(instances, scores), lambda done: report_scoring(before + done)
    )
    if plan.leaves_out_overlap:
        figures["left_out_of_training"] = left_out
    report_scoring(total)
    shared = shared_contexts(train, whole)
    return Predicted(model, instances, scores, shared, figures, seconds, weights)


def _teach(
    model: Baseline, train: Instances, dev: Instances, report: LearningProgress, checkpoints: Path | None
) -> None:
    """Train the model. Raises Refused."""
    try:
        with refused_without_space(None if Requirement.SERVER in model.needs else checkpoints):
            if checkpoints:
                checkpoints.mkdir(parents=True, exist_ok=True)
            model.fit(train, dev, report=report, checkpoints=checkpoints)
    except NothingToLearn as empty:
        raise refusal(empty.lack) from empty
    except Diverged as lost:
        text = _(
            "At update %(step)s the loss was no longer a number. Start the run again with a smaller learning rate."
        )
        raise Refused("diverged", text % {"step": lost.step}) from lost


def _write(run: Run, predicted: Predicted, *, by: User) -> Run:
    """Store the run with all its predictions, and what the model learned. Raises Refused."""
    with drafted_state(run, predicted.model) as draft:
        _put_down(run, predicted)
        return _store(run, predicted, draft, by=by)


def _put_down(run: Run, predicted: Predicted) -> None:
    """Give the run its figures and how they were made. Intervals take seconds: the database is not locked yet."""
    whole = in_whole_contexts(predicted.instances, predicted.scores)
    run.metrics = {
        "model": run.model,
        **evaluate_run(*whole, seed=run.seed),
        **figures_by_part(*whole, seed=run.seed),
        **figures_by_condition(predicted.instances, predicted.scores, seed=run.seed),
        **predicted.figures,
        **figures_without(predicted.shared, *whole, seed=run.seed),
        "shared_contexts": len(predicted.shared),
    }
    run.shared_contexts = list(predicted.shared[:NAMED_IDS])
    run.learned = predicted.model.learned
    run.circumstances = circumstances_of(run, predicted.model, predicted.seconds)
    run.checksum = predictions.checksum(predicted.instances, predicted.scores)
    run.weights_checksum, run.ended_at = predicted.weights, timezone.now()


@transaction.atomic
def _store(run: Run, predicted: Predicted, draft: Path, *, by: User) -> Run:
    """Store it once: a job whose process was started again finds it stored."""
    if run.pk:
        stored = Run.objects.select_for_update(of=("self",), no_key=True).get(pk=run.pk)
        if stored.ended_at:
            return stored
    names.keep(run.sources)
    run.save()
    run.state_folder = keep_state(run, draft)
    run.save(update_fields=["state_folder"])
    predictions.store(run, predicted.instances, predicted.scores)
    record(run, became="done", scope=None, by=by)
    return run
