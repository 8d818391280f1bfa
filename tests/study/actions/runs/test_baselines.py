"""Running models: what is refused, what is stored, and that running twice stores once."""

import errno
import hashlib
import json
import time

import pytest

from core import tasks as tasks
from core.actions import jobs
from core.actions.refusals import Refused
from core.domain.transitions import JobQueue, JobState
from core.models import Event, Job, Role, last_times
from study.actions.runs import baselines, plans
from study.actions.runs.baselines import ask_for_run, run_now
from study.actions.runs.records import checkpoints_of, folder_of
from study.baselines.analyses import TRIAL
from study.baselines.base import Diverged, unreported
from study.baselines.lexical import TfIdf
from study.baselines.registry import BASELINES
from study.models import Prediction, Run
from study.selectors.runs.bodies import models_on
from study.selectors.runs.comparing import beside
from study.selectors.runs.estimates import RunSize, estimate_of
from study.selectors.runs.runs import command_of, state_of
from study.selectors.runs.sources import source_of
from tests import factories
from tests.factories import no_progress
from tests.study import study_cases
from tests.study.instances import RESPONSES, TALK, corpus, kitchen, row

ON = {"on": "kitchen:dev", "train": "kitchen:train", "seed": 0}


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=5, unknown=2)
    return researcher


def carried_out(run: Run) -> Job:
    """Run it as the worker does."""
    job = jobs.start(job_pk=run.job.pk)
    assert job is not None
    tasks._write_down(job, tasks.carry_out(job, no_progress), was_stopped=False)
    job.refresh_from_db()
    return job


def refused_without_trace(*, by, model: str = "tfidf", **how) -> tuple[str, str]:
    """Return the refusal's code and message; neither asking nor running may leave anything behind."""
    with pytest.raises(Refused) as caught:
        run_now(model=model, **{**ON, **how}, report=no_progress, by=by)
    assert not Run.objects.exists()
    return caught.value.code, str(caught.value)


def test_a_run_keeps_what_ran_on_what_and_every_score(rui):
    run = run_now(model="tfidf", **ON, report=no_progress, by=rui)
    assert (run.model, run.on, run.train, run.seed, run.created_by) == ("tfidf", "kitchen:dev", "kitchen:train", 0, rui)
    assert len(run.on_checksum) == len(run.train_checksum) == 64
    assert (run.metrics["model"], run.metrics["n"], run.metrics["candidates"]) == ("tfidf", 5, 4)
    predictions = list(run.predictions.order_by("position"))
    assert [each.external_id for each in predictions] == ["d0", "d1", "d2", "d3", "d4"]
    assert all(len(each.scores) == 4 for each in predictions)
    assert [event.became for event in Event.objects.filter(subject="run")] == ["done"]


def test_the_checksum_is_that_of_the_predictions(rui):
    """Compare with a second implementation: the lines as in docs/data-formats.md."""
    run = run_now(model="tfidf", **ON, report=no_progress, by=rui)
    lines = [
        json.dumps([each.external_id, each.scores], separators=(",", ":")) + "\n"
        for each in run.predictions.order_by("position")
    ]
    assert run.checksum == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_where_the_true_response_stands_is_kept_beside_the_scores(rui):
    run = run_now(model="tfidf", **ON, report=no_progress, by=rui)
    for number, each in enumerate(run.predictions.order_by("position")):
        own = each.scores[number % 4]
        assert each.better == sum(score > own for score in each.scores)
        assert each.tied == sum(score == own for score in each.scores) - 1


def test_instances_without_an_answer_are_predicted_and_stand_in_no_figure(rui):
    run = run_now(model="random", on="kitchen:test", train="", seed=0, report=no_progress, by=rui)
    assert (run.metrics["n"], run.metrics["without_answer"], run.metrics["R@1"]) == (0, 2, None)
    assert list(run.predictions.values_list("better", flat=True)) == [None, None]
    whole = run_now(model="random", on="kitchen", train="", seed=0, report=no_progress, by=rui)
    assert (whole.metrics["n"], whole.metrics["without_answer"]) == (8, 2)


def test_material_is_left_aside_where_the_model_does_not_learn(rui):
    run = run_now(model="random", **ON, report=no_progress, by=rui)
    assert (run.train, run.train_checksum) == ("", "")


def test_four_equal_candidates_are_one_chance_in_four(researcher):
    corpus("same", row("s1", candidates=["Yes."] * 4), row("s2", "train"), by=researcher)
    run = run_now(model="tfidf", on="same:dev", train="same:train", seed=0, report=no_progress, by=researcher)
    assert (run.metrics["R@1"], run.metrics["tied"]) == (0.25, 1)


def test_contexts_that_stand_in_the_training_material_are_counted_and_named(researcher):
    shouted = [turn.upper() for turn in TALK]
    corpus("leaky", row("t", "train", turns=shouted), row("d1"), row("d2", turns=["New."]), by=researcher)
    run = run_now(model="tfidf", on="leaky:dev", train="leaky:train", seed=0, report=no_progress, by=researcher)
    assert run.metrics["shared_contexts"] == 1
    assert run.shared_contexts == ["d1"]


def leaky(by) -> None:
    corpus("leaky", row("t1", "train"), row("t2", "train", turns=["Old."]), row("d1"), row("d2", turns=["New."]), by=by)


def test_training_material_that_is_asked_about_is_left_out_and_counted(researcher):
    leaky(researcher)
    how = {"model": "tfidf", "on": "leaky:dev", "train": "leaky:train", "seed": 0, "by": researcher}
    kept = run_now(**how, report=no_progress)
    assert kept.metrics["without_shared"]["n"] == 1
    run = run_now(**how, leaves_out_overlap=True, report=no_progress)
    assert (run.metrics["left_out_of_training"], run.metrics["shared_contexts"]) == (1, 0)
    assert "without_shared" not in run.metrics
    assert run.checksum != kept.checksum
    assert "--leave-out-overlap" in command_of(run)


def test_training_material_of_which_nothing_is_left_is_refused(researcher):
    corpus("same", row("t", "train"), row("d"), by=researcher)
    how = {"on": "same:dev", "train": "same:train", "leaves_out_overlap": True}
    assert refused_without_trace(**how, by=researcher)[0] == "nothing_left"


def test_a_trial_reads_a_part_and_stands_in_no_table(researcher):
    kitchen(researcher, dev=80)
    run = run_now(model="tfidf", **ON, is_trial=True, report=no_progress, by=researcher)
    assert run.is_trial
    assert run.metrics["n"] == run.predictions.count() == TRIAL
    assert not Run.objects.counting().exists()
    assert models_on(source_of("kitchen:dev", by=researcher), by=researcher) == {}
    whole = run_now(model="tfidf", **ON, report=no_progress, by=researcher)
    assert list(beside(whole, by=researcher)) == [whole]
    counts = {"kitchen:dev": 80, "kitchen:train": 3}
    assert estimate_of("tfidf", RunSize(3, 80), counts=counts).earlier == 1


def test_a_queued_trial_is_carried_out_as_one(researcher):
    kitchen(researcher, dev=80)
    run = ask_for_run(model="tfidf", **ON, is_trial=True, leaves_out_overlap=True, ablations=["all"], by=researcher)
    assert carried_out(run).state == JobState.DONE
    run.refresh_from_db()
    assert (run.is_trial, run.leaves_out_overlap, run.metrics["n"]) == (True, True, TRIAL)
    assert run.metrics["ablation"]["all"]["n"] == TRIAL


def test_dialogues_without_candidates_can_be_learned_from(researcher):
    corpus("talk", row("t", "train", candidates=None, turns=[*TALK, RESPONSES[0]]), row("d"), by=researcher)
    run = run_now(model="tfidf", on="talk:dev", train="talk:train", seed=0, report=no_progress, by=researcher)
    assert (run.metrics["n"], run.metrics["shared_contexts"]) == (1, 1)


def test_an_unknown_model_is_refused_and_the_known_ones_are_named(rui):
    code, said = refused_without_trace(model="oracle", by=rui)
    assert code == "unknown_model"
    assert "“oracle”" in said
    assert "random, tfidf" in said


def test_a_model_that_has_to_learn_needs_something_to_learn_from(rui):
    assert refused_without_trace(train="", by=rui)[0] == "needs_training"


@pytest.mark.parametrize(
    ("on", "train"),
    [("kitchen:dev", "kitchen:dev"), ("kitchen", "kitchen:train"), ("kitchen:dev", "kitchen"), ("kitchen", "kitchen")],
)
def test_a_model_is_not_asked_about_what_it_learned(rui, on, train):
    assert refused_without_trace(on=on, train=train, by=rui)[0] == "trained_on_itself"


def test_plain_dialogues_have_nothing_to_choose_from(rui):
    corpus("talk", row("t", "dev", candidates=None), by=rui)
    assert refused_without_trace(model="random", on="talk:dev", by=rui)[0] == "no_candidates"


def test_an_empty_split_is_refused_on_either_side(rui):
    corpus("devonly", row("d"), by=rui)
    assert refused_without_trace(on="devonly:test", by=rui)[0] == "empty_source"
    assert refused_without_trace(train="devonly:train", by=rui)[0] == "empty_source"


def test_material_without_words_is_refused(rui):
    corpus("dots", row("t", "train", turns=["…"], candidates=["!", "?"]), by=rui)
    assert refused_without_trace(train="dots:train", by=rui)[0] == "nothing_to_learn"


@pytest.mark.parametrize("name", ["nowhere", "kitchen:all", "kitchen@1", "", "kitchen:dev:dev"])
def test_a_name_that_nothing_has_is_refused_and_named(rui, name):
    code, said = refused_without_trace(on=name, by=rui)
    assert code == "no_such_source"
    assert f"“{name}”" in said


def test_what_a_name_may_have_meant_is_named_if_one_has_a_right_to_it(rui):
    code, said = refused_without_trace(on="kitchn:dev", by=rui)
    assert code == "no_such_source"
    assert "Known: kitchen:" in said
    stranger = factories.person("sam", Role.RESEARCHER)
    study_cases.question_set("kitchen-questions", 2, by=stranger)
    code, said = refused_without_trace(on="kitchen-question", by=rui)
    assert code == "no_such_source"
    assert "kitchen-questions" not in said
    code, said = refused_without_trace(on="kitchen-question", by=stranger)
    assert code == "no_such_source"
    assert "Known: kitchen-questions" in said


def test_a_job_runs_the_model_once(rui):
    run = ask_for_run(model="tfidf", **ON, by=rui)
    assert (state_of(run), run.metrics, run.predictions.count()) == (JobState.QUEUED, None, 0)
    job = carried_out(run)
    run.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"run": run.pk, "checksum": run.checksum})
    assert run.metrics["n"] == 5
    before = (run.ended_at, list(run.predictions.values_list("pk", "scores")))
    assert baselines.run_asked_for(job, no_progress) == job.result
    run.refresh_from_db()
    assert (run.ended_at, list(run.predictions.values_list("pk", "scores"))) == before
    assert run_now(model="tfidf", **ON, report=no_progress, by=rui).checksum == run.checksum


def test_a_second_process_that_computed_the_same_writes_nothing(rui, monkeypatch):
    """Let the first process write its rows after the second has checked that there are none."""
    run = ask_for_run(model="random", **ON, by=rui)
    predict = baselines._predict

    def overtaken(plan, report):
        monkeypatch.setattr(baselines, "_predict", predict)
        baselines.run_asked_for(run.job, report)
        return predict(plan, report)

    monkeypatch.setattr(baselines, "_predict", overtaken)
    baselines.run_asked_for(run.job, no_progress)
    assert Prediction.objects.filter(run=run).count() == 5
    assert Event.objects.filter(subject="run", became="done").count() == 1


def test_a_job_refuses_what_has_become_impossible(rui, researcher):
    run = ask_for_run(model="tfidf", **ON, by=rui)
    Run.objects.filter(pk=run.pk).update(on="gone")
    job = carried_out(run)
    run.refresh_from_db()
    assert (job.state, job.error, state_of(run)) == (JobState.FAILED, "refused:no_such_source", JobState.FAILED)
    assert (run.metrics, run.predictions.count()) == (None, 0)


def test_a_cancelled_run_is_never_started_and_keeps_nothing(rui):
    run = ask_for_run(model="tfidf", **ON, by=rui)
    baselines.cancel(run=run, by=rui)
    assert jobs.start(job_pk=run.job.pk) is None
    assert state_of(Run.objects.get(pk=run.pk)) == JobState.CANCELLED
    assert not Prediction.objects.exists()


def test_progress_goes_to_its_end(rui):
    told: list[tuple[int, int | None]] = []
    run_now(model="tfidf", **ON, report=lambda done, total=None, **figures: told.append((done, total)), by=rui)
    assert told[-1] == (8, 8)  # three dialogues to learn from, five instances to answer
    assert [done for done, _total in told] == sorted(done for done, _total in told)


def test_asking_is_refused_as_running_is(rui):
    with pytest.raises(Refused):
        ask_for_run(model="tfidf", on="kitchen:dev", train="", seed=0, by=rui)
    assert not Job.objects.exists()


def test_nothing_of_a_project_that_is_not_one_s_own_can_be_named(rui):
    project = factories.another_project("forum", by=factories.person("ada", "administrator"))
    assert project.slug == "forum"
    assert refused_without_trace(on="forum", model="random", by=rui)[0] == "no_such_source"


def test_a_network_says_what_to_install_where_its_packages_are_not_there(rui, monkeypatch):
    monkeypatch.setattr(plans, "find_spec", lambda name: None)
    code, said = refused_without_trace(model="dual-lstm", by=rui)
    assert code == "needs_packages"
    assert "bin/setup --neural" in said
    with pytest.raises(Refused, match="bin/setup --neural"):
        ask_for_run(model="dual-lstm", **ON, by=rui)
    assert run_now(model="tfidf", **ON, report=no_progress, by=rui).ended_at, "nothing else is missing"


class Troubled(TfIdf):
    """A model that learns on a GPU, and whose training ends with `trouble`."""

    devices = ("cpu", "cuda")
    trouble: Exception

    def fit(self, train, dev=(), *, report=unreported, checkpoints=None):
        raise self.trouble


@pytest.fixture
def troubled(monkeypatch):
    monkeypatch.setitem(BASELINES, "tfidf", Troubled)
    return Troubled


def test_a_loss_that_is_no_number_is_told_with_its_update(rui, troubled):
    troubled.trouble = Diverged(417)
    code, said = refused_without_trace(by=rui)
    assert code == "diverged"
    assert "At update 417" in said
    job = carried_out(ask_for_run(model="tfidf", **ON, by=rui))
    assert (job.state, job.error) == (JobState.FAILED, "refused:diverged")


def test_a_disk_that_is_full_at_a_checkpoint_is_told(rui, troubled):
    troubled.trouble = OSError(errno.ENOSPC, "No space left on device")
    code, said = refused_without_trace(by=rui)
    assert code == "no_space"
    assert "the disk is full" in said


def test_a_gpu_that_is_not_there_is_refused(rui, troubled):
    code, said = refused_without_trace(device="cuda", by=rui)
    assert code == "no_gpu"
    assert "no GPU" in said


@pytest.mark.parametrize(
    ("signs", "device", "is_refused"),
    [
        ({"trainer": 1}, "cuda", True),
        ({"trainer": 1, "gpu": 90}, "cuda", True),  # the trainer that had one is gone
        ({"trainer": 1, "gpu": 1}, "cuda", False),
        ({"trainer": 90}, "cuda", False),  # the one that comes may have one
        ({"trainer": 1}, "auto", False),
    ],
)
def test_a_gpu_that_no_trainer_has_is_refused_before_the_run_waits(
    rui, troubled, settings, tmp_path, signs, device, is_refused
):
    settings.DATA_DIR = tmp_path
    for what, seconds in signs.items():
        last_times.note(what, at=time.time() - seconds)
    if not is_refused:
        assert ask_for_run(model="tfidf", **ON, device=device, by=rui).job.state == JobState.QUEUED
        return
    with pytest.raises(Refused) as caught:
        ask_for_run(model="tfidf", **ON, device=device, by=rui)
    assert caught.value.code == "no_gpu"
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("model", "queue"), [("random", JobQueue.USUAL), ("bm25", JobQueue.USUAL), ("svmrank", JobQueue.TRAINING)]
)
def test_what_trains_for_long_waits_in_a_queue_of_its_own(rui, model, queue):
    assert ask_for_run(model=model, **ON, by=rui).job.queue == queue


def test_more_trainings_than_anyone_waits_for_are_refused(rui, monkeypatch):
    monkeypatch.setattr(baselines, "MOST_WAITING", 2)
    for _time in range(2):
        ask_for_run(model="gbdt", **ON, by=rui)
    with pytest.raises(Refused) as caught:
        ask_for_run(model="gbdt", **ON, by=rui)
    assert caught.value.code == "queue_full"
    assert ask_for_run(model="tfidf", **ON, by=rui).job.queue == JobQueue.USUAL
    assert Run.objects.count() == 3


def test_a_run_whose_process_died_after_its_end_leaves_its_state_and_no_checkpoint(rui, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    run = ask_for_run(model="gbdt", **ON, by=rui)
    job = carried_out(run)
    assert job.state == JobState.DONE, job.error
    checkpoints_of(run).mkdir(parents=True)
    assert baselines.run_asked_for(job, no_progress) == job.result
    assert [path.name for path in folder_of(run).iterdir()] == ["state"]


def test_a_cancelled_run_that_waited_to_go_on_leaves_nothing(
    rui, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.DATA_DIR = tmp_path
    run = ask_for_run(model="gbdt", **ON, by=rui)
    checkpoints_of(run).mkdir(parents=True)
    with django_capture_on_commit_callbacks(execute=True):
        baselines.cancel(run=run, by=rui)
    assert not folder_of(run).exists()
