"""The table of models while one of them runs: how far it is, in the stages that the page of its run has."""

import re
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from core.actions import jobs
from core.models import Job
from study.actions.runs.baselines import ask_for_run
from study.models import Run
from tests.study.instances import kitchen

TRAINING, ASKED = 500, 2_412  # updates, instances


@pytest.fixture
def run(researcher) -> Run:
    kitchen(researcher, dev=13)
    run = ask_for_run(model="tfidf", on="kitchen:dev", train="kitchen:train", seed=0, by=researcher)
    jobs.start(job_pk=run.job.pk)
    return run


def learns(run: Run, done: int, *, epochs: int = 0) -> None:
    Run.objects.filter(pk=run.pk).update(settings={"epochs": epochs} if epochs else {})
    jobs.beat(job_pk=run.job.pk, done=done, total=TRAINING + ASKED, training=TRAINING)


def cell(own: Client, run: Run) -> str:
    """Return the cell of the model that runs, as it is on a wide screen."""
    html = own.get(reverse("models", args=[run.on])).content.decode()
    cells = re.findall(r'<td colspan="2" class="need">(.*?)</td>', html, re.DOTALL)
    [found] = [each for each in cells if "running</span>" in each]
    return found


def words(own: Client, run: Run) -> str:
    return " ".join(strip_tags(cell(own, run)).split())


def width(own: Client, run: Run) -> float:
    [found] = re.findall(r'class="fill" width="([\d.]+)%"', cell(own, run))
    return float(found)


@pytest.mark.parametrize(("done", "epoch"), [(1, 1), (101, 2), (200, 2), (499, 5)])
def test_a_model_that_learns_says_in_which_epoch_it_is(own, run, done, epoch):
    learns(run, done, epochs=5)
    assert f"training, epoch {epoch} of 5" in words(own, run)


def test_a_training_without_epochs_says_how_far_it_is(own, run):
    learns(run, 120)
    assert "training, 120 of 500" in words(own, run)


def test_after_the_training_the_instances_that_are_scored_are_counted_by_themselves(own, run):
    learns(run, TRAINING + 1_200, epochs=5)
    assert "scoring 1,200 of 2,412" in words(own, run)


def test_a_model_that_learns_nothing_scores_from_the_beginning(own, run):
    jobs.beat(job_pk=run.job.pk, done=603, total=ASKED)
    assert "scoring 603 of 2,412" in words(own, run)
    assert width(own, run) == 25


def test_the_bar_is_nearly_full_when_training_ends_and_never_goes_back(own, run):
    widths = []
    for done in (0, 250, 499, 500, 501, 1_500, TRAINING + ASKED):
        learns(run, done, epochs=5)
        widths.append(width(own, run))
    assert all(one <= other for one, other in pairwise(widths))
    assert (widths[0], widths[1], widths[3], widths[-1]) == (0, 45, 90, 100)


def test_a_run_that_has_told_nothing_is_starting(own, run):
    assert "starting …" in words(own, run)
    assert 'class="bar"' not in cell(own, run)


def test_a_run_that_was_cancelled_is_stopping(own, run, researcher):
    learns(run, 120)
    jobs.cancel(job=Job.objects.get(pk=run.job.pk), by=researcher)
    assert "stopping …" in words(own, run)
    assert "training," not in words(own, run)


@pytest.mark.parametrize(("done", "text"), [(120, "训练：第 2 / 5 轮"), (TRAINING + 1_200, "打分：1,200 / 2,412")])
def test_the_stage_is_told_in_chinese_too(own, run, done, text):
    learns(run, done, epochs=5)
    html = own.get(reverse("models", args=[run.on]), headers={"accept-language": "zh-CN"}).content.decode()
    assert text in " ".join(strip_tags(html).split())
