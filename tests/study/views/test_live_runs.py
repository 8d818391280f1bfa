"""A run that waits or learns on its page: where it is, how it goes, and what is around it in the queue."""

import json
from datetime import timedelta
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from core.actions import jobs
from core.domain.curves import CurvePoint
from core.domain.transitions import JobQueue
from core.models import Job, Role
from study.actions.runs.baselines import ask_for_run, run_asked_for
from study.actions.runs.records import checkpoints_of
from study.models import Run
from study.selectors.runs import sources
from tests import factories
from tests.study.instances import corpus, kitchen, row

ON = {"model": "random", "on": "kitchen:dev", "train": ""}


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=13)
    return researcher


def asked(by, *, seed: int = 0, **plan: str) -> Run:
    """Return a run that waits for the trainer."""
    run = ask_for_run(**{**ON, **plan}, seed=seed, by=by)
    Job.objects.filter(pk=run.job.pk).update(queue=JobQueue.TRAINING)
    return run


def learning(by, *told: tuple[int, float | None, float | None], done: int = 40, epochs: int = 0) -> Run:
    """Return a run whose training of 100 updates has told step, loss and score on dev, a second apart."""
    run = asked(by)
    Run.objects.filter(pk=run.pk).update(settings={"epochs": epochs} if epochs else {})
    jobs.start(job_pk=run.job.pk)
    began = timezone.now() - timedelta(seconds=len(told))
    Job.objects.filter(pk=run.job.pk).update(started_at=began)
    jobs.beat(job_pk=run.job.pk, done=done, total=113, training=100)
    points = [
        CurvePoint(step, step, loss, dev, began + timedelta(seconds=number))
        for number, (step, loss, dev) in enumerate(told)
    ]
    if points:
        jobs.plot(job_pk=run.job.pk, points=points)
    return run


CHECKS = (10, 1.2, 0.3), (20, 0.9, 0.5), (30, 0.8, None), (40, 0.7, 0.4)


def shown(own: Client, run: Run) -> str:
    return own.get(reverse("run", args=[run.pk])).content.decode()


def words(own: Client, run: Run) -> str:
    return " ".join(strip_tags(shown(own, run)).split())


def test_a_run_that_learns_shows_its_curve_and_which_check_was_best(own, rui):
    run = learning(rui, *CHECKS)
    curve = own.get(reverse("run", args=[run.pk])).context["curve"]
    assert [(check.step, check.is_best) for check in curve.checks] == [(40, False), (20, True), (10, False)]
    text = words(own, run)
    assert "The best check on dev, .500, was at step 20, 1 check ago." in text
    assert "Step 40 of 100" in text
    assert 'width="60.0%"' in shown(own, run)  # what is still to come
    assert "start end" in text, "the newest step is no mark in the middle between them"


@pytest.mark.parametrize(("done", "epoch"), [(1, 1), (25, 1), (26, 2), (99, 4)])
def test_a_training_in_epochs_says_in_which_it_is(own, rui, done, epoch):
    text = words(own, learning(rui, (1, 1.2, None), done=done, epochs=4))
    assert f"Epoch {epoch} of 4, step {done} of 100" in text
    assert "epoch 1 epoch 2 epoch 3 epoch 4" in text


def test_epochs_are_marked_on_the_bar_and_on_both_plots(own, rui):
    html = shown(own, learning(rui, *CHECKS, epochs=4))
    for place in ("25.0%", "50.0%", "75.0%"):
        assert html.count(f'class="tick" x1="{place}"') == 1
        assert html.count(f'class="epoch" x1="{place}"') == 2


def test_more_epochs_than_can_be_told_apart_are_not_marked(own, rui):
    html = shown(own, learning(rui, *CHECKS, epochs=50))
    assert "Epoch 20 of 50" in strip_tags(html)
    assert 'class="tick"' not in html
    assert 'class="epoch"' not in html


def test_after_the_training_scoring_has_a_bar_and_a_pace_of_its_own(own, rui):
    run = learning(rui, *((step, 1.0, None) for step in (20, 40, 60, 80, 100)), done=103, epochs=4)
    answer = own.get(reverse("run", args=[run.pk]))
    assert "Scoring: 3 of 13" in answer.content.decode()
    assert 'aria-valuenow="23"' in answer.content.decode()
    since = (answer.context["watch"].now - run.job.points.last().at).total_seconds()
    assert answer.context["watch"].seconds_left == pytest.approx(since / 3 * 10, abs=1)
    assert "still to come" not in answer.content.decode()


def test_what_comes_after_the_training_is_not_counted_at_its_pace(own, rui):
    run = learning(rui, *((step, 1.0, None) for step in (10, 20, 30, 40)))
    Job.objects.filter(pk=run.job.pk).update(total=1_000_000)
    assert own.get(reverse("run", args=[run.pk])).context["watch"].seconds_left <= 6, "60 updates, ten a second"
    assert "s of training left" in words(own, run)
    assert "then scoring" in words(own, run)


def test_a_training_that_was_taken_up_again_gives_no_time_before_it_has_a_pace(own, rui):
    run = learning(rui, (40, 1.0, None))
    Job.objects.filter(pk=run.job.pk).update(attempts=2, started_at=timezone.now())
    assert " left" not in words(own, run)


def test_the_handler_tells_how_much_of_its_total_is_training(rui):
    told = []

    def report(done, total=None, *, training=None, **figures):
        told.append((done, total, training))

    run_asked_for(ask_for_run(model="tfidf", on="kitchen:dev", train="kitchen:train", seed=0, by=rui).job, report)
    assert {training for _done, _total, training in told} == {3}, "of a short training only scoring is heard of"
    assert told[-1][:2] == (16, 16)


def checkpoint(run: Run, step: int) -> None:
    """Write the header of a checkpoint, as safetensors has it."""
    told = json.dumps({"identity": "x", "course": {"step": step}})
    header = json.dumps({"__metadata__": {"told": told}}).encode()
    folder = checkpoints_of(run)
    folder.mkdir(parents=True)
    (folder / "checkpoint.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)


def test_the_last_checkpoint_and_the_pace_are_beside_the_sign_of_life(own, rui, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    run = learning(rui, (10, 1.2, None), (20, 1.1, None), (30, 1.0, None))
    assert "10 steps a second" in words(own, run)
    assert "last saved" not in words(own, run)
    checkpoint(run, 1_250)
    assert "last saved at step 1,250" in words(own, run)
    Job.objects.filter(pk=run.job.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=40))
    assert "The run will continue from step 1,250." in words(own, run)


@pytest.mark.parametrize("content", [b"", b"half", (9).to_bytes(8, "little") + b"{}", b"\xff" * 40])
def test_a_checkpoint_that_cannot_be_read_is_not_mentioned(own, rui, settings, tmp_path, content):
    settings.DATA_DIR = tmp_path
    run = learning(rui, *CHECKS)
    checkpoint(run, 1)
    (checkpoints_of(run) / "checkpoint.safetensors").write_bytes(content)
    assert "last saved" not in words(own, run)


def test_a_running_run_leads_to_those_that_wait_and_counts_what_others_wait_for(own, rui):
    run = learning(rui, *CHECKS)
    mine = asked(rui, seed=7)
    hidden = asked(factories.person("mo", Role.RESEARCHER), seed=8)
    text = shown(own, run)
    assert reverse("run", args=[mine.pk]) in text
    assert reverse("run", args=[hidden.pk]) not in text
    assert "Next in the queue Random on kitchen:dev seed 7 1 other job" in words(own, run)


def test_a_waiting_run_shows_what_is_before_it(own, rui):
    first, second, third = learning(rui, *CHECKS), asked(rui, seed=1), asked(rui, seed=2)
    queue = own.get(reverse("run", args=[second.pk])).context["queue"]
    assert [(each.run, each.state) for each in queue] == [(first, "running")]
    queue = own.get(reverse("run", args=[third.pk])).context["queue"]
    assert [(each.run, each.state) for each in queue] == [(first, "running"), (second, "queued")]
    assert "Before it in the queue" in words(own, third)


def test_the_log_has_the_newest_first_and_each_check(own, rui):
    run = learning(rui, *CHECKS)
    lines = own.get(reverse("run", args=[run.pk])).context["log"]
    assert [line.text for line in lines] == [
        "step 40  loss 0.700  dev 0.400",
        "step 30  loss 0.800",
        "step 20  loss 0.900  dev 0.500  best so far",
        "step 10  loss 1.200  dev 0.300  best so far",
    ]


def test_the_log_of_a_long_training_is_no_row_of_losses_of_one_moment(own, rui):
    run = learning(rui, *((step, 1.0, None) for step in range(9_700, 10_000)))
    lines = own.get(reverse("run", args=[run.pk])).context["log"]
    steps = [int(line.text.split()[1]) for line in lines]
    assert steps[0] == 9_999
    assert all(one - other >= 80 for one, other in pairwise(steps[1:]))


def test_the_whole_log_is_a_text_with_a_line_for_each_point(own, rui):
    run = learning(rui, *CHECKS)
    lines = own.get(reverse("run_log", args=[run.pk])).content.decode().splitlines()
    assert [line.split("  ")[1] for line in lines] == ["step 10", "step 20", "step 30", "step 40"]
    stranger = Client()
    stranger.force_login(factories.person("mo", Role.RESEARCHER))
    assert stranger.get(reverse("run_log", args=[run.pk])).status_code == 404


def test_chance_and_the_published_figure_cross_the_plot_of_dev(own, rui):
    for name in ("mutual", "mutual-plus"):
        corpus(name, row("a", "dev"), row("t", "train"), by=rui)
    run = learning(rui, *CHECKS)
    Run.objects.filter(pk=run.pk).update(model="roberta-mc", dev="mutual:dev")
    html = shown(own, run)
    assert ">chance .521</text>" in html, "25/48, the mean reciprocal rank of guessing among four"
    assert ">published .825</text>" in html, "MRR of RoBERTa-MC on dev in Cui et al. 2020"
    Run.objects.filter(pk=run.pk).update(model="tfidf", dev="mutual-plus:dev")
    assert "published" not in shown(own, run), "the printed MRR is impossible"


def test_a_poll_sends_state_curve_queue_and_log(own, rui):
    run = learning(rui, (10, 1.2, 0.3), (20, 0.9, 0.5))
    asked(rui, seed=1)
    html = own.get(reverse("run", args=[run.pk]), headers={"Accept": "application/json"}).json()["html"]
    for part in ("curve", f"job-{run.job.pk}", "log", "queue"):
        assert f'id="{part}"' in html
    assert "Yes: the newest check on dev is the best so far." in html


def test_a_poll_reads_the_curve_once_and_nothing_else_of_the_page(own, rui, django_assert_max_num_queries):
    run = learning(rui, *((step, 1.2, 0.3) for step in range(1, 40)))
    asked(rui, seed=1)
    with django_assert_max_num_queries(7):  # session, person, rights, run with its job, points, queue and its runs
        own.get(reverse("run", args=[run.pk]), headers={"Accept": "application/json"})


def test_a_loss_that_does_not_fall_is_said(own, rui):
    run = learning(rui, *((step, 1.386, None) for step in range(1, 31)))
    assert "The loss is still at 1.386 after 30 steps." in shown(own, run)


def test_what_takes_seconds_does_not_wait_for_trainings(own, rui):
    ask_for_run(model="svmrank", on="kitchen:dev", train="kitchen:train", seed=0, by=rui)
    run = ask_for_run(model="random", on="kitchen:dev", seed=0, by=rui)
    assert "place 1 in the queue" in shown(own, run)
    started = (own.get(reverse("new_run"), {"model": model}).context["start"] for model in ("random", "svmrank"))
    assert [each.place for each in started] == [2, 2]


def test_the_page_reads_the_sources_of_a_person_once(own, monkeypatch):
    read = []

    def every(person):
        read.append(person)
        return sources.every_source(person)

    monkeypatch.setattr("study.forms.runs.every_source", every)
    own.get(reverse("new_run"), {"model": "svmrank", "on": "kitchen:dev"})
    assert len(read) == 1


def test_a_waiting_run_says_how_many_are_before_it(own, rui):
    first, second = (ask_for_run(model="random", on="kitchen:dev", train="", seed=seed, by=rui) for seed in (0, 1))
    assert "place 2 in the queue" in shown(own, second)
    assert "place 1 in the queue" in shown(own, first)
    assert [
        row.run for target in own.get(reverse("runs"), {"queue": ""}).context["targets"] for row in target.rows
    ] == [
        second,
        first,
    ]
