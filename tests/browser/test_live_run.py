"""The page of a run that learns: readable on a desk and on a phone, in both languages, and it follows the server."""

import json
from datetime import timedelta
from math import exp

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from core.actions import jobs
from core.domain.curves import CurvePoint
from core.domain.transitions import JobQueue
from core.models import Job, Role, User
from study.actions.runs.baselines import ask_for_run
from study.actions.runs.records import checkpoints_of
from study.models import Run
from tests import factories
from tests.browser.conftest import PHONE
from tests.study.instances import corpus, row

DONE, STEPS, ASKED, RATE = 1_164, 2_127, 886, 0.79
CHECKS = {200: 0.6, 400: 0.7, 600: 0.745, 800: 0.78, 1_000: 0.8}
OF_NETWORK = {"epochs": 3, "batch": 10, "rate": 4e-6, "length": 256}


def waiting(seed: int, by: User) -> Run:
    run = ask_for_run(model="random", on="mutual:test", train="", seed=seed, by=by)
    Job.objects.filter(pk=run.job.pk).update(queue=JobQueue.TRAINING)
    learns = {"model": "roberta-mc", "train": "mutual:train", "dev": "mutual:dev", "settings": OF_NETWORK}
    Run.objects.filter(pk=run.pk).update(**learns)
    return run


@pytest.fixture
def run(transactional_db, researcher, settings, tmp_path) -> Run:
    """Return a run in its second epoch of three; two others of the same person and one of another wait behind it."""
    settings.DATA_DIR = tmp_path
    corpus("mutual", *(row(split, split) for split in ("dev", "test", "train")), by=researcher)
    run, *_behind = (waiting(seed, researcher) for seed in range(3))
    waiting(3, factories.person("mo", Role.RESEARCHER))
    jobs.start(job_pk=run.job.pk)
    jobs.beat(job_pk=run.job.pk, done=DONE, total=STEPS + 11 * ASKED, training=STEPS)
    began = timezone.now() - timedelta(seconds=DONE / RATE)
    Job.objects.filter(pk=run.job.pk).update(started_at=began, created_at=began)
    steps = sorted({*range(13, DONE, 13), DONE, *CHECKS})
    points = [
        CurvePoint(
            step,
            step,
            0.6 + 0.8 * exp(-step / 350) + 0.05 * (step % 7 - 3) / 3,
            CHECKS.get(step),
            began + timedelta(seconds=step / RATE),
        )
        for step in steps
    ]
    jobs.plot(job_pk=run.job.pk, points=points)
    told = json.dumps({"identity": "x", "course": {"step": 1_000}})
    header = json.dumps({"__metadata__": {"told": told}}).encode()
    checkpoints_of(run).mkdir(parents=True)
    (checkpoints_of(run) / "checkpoint.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    return run


@pytest.mark.parametrize(
    "device",
    [{}, {"locale": "zh-CN"}, {**PHONE, "locale": "zh-CN"}],
    ids=["wide", "wide in Chinese", "phone in Chinese"],
)
def test_a_run_that_learns_can_be_read(run, researcher, open_page, assert_accessible, device):
    page = open_page(f"/runs/{run.pk}/", by=researcher, **device)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.locator(".run-line")).to_contain_text("1,164")
    expect(page.locator(".run-queue a")).to_have_count(2)
    expect(page.locator(".curve-tall .line-label")).to_have_count(2)


def test_an_open_page_follows_the_training_into_scoring(run, researcher, open_page):
    page = open_page(f"/runs/{run.pk}/", by=researcher)
    expect(page.locator(".bar .tick")).to_have_count(2)
    jobs.beat(job_pk=run.job.pk, done=STEPS + 300)
    expect(page.locator(".run-line")).to_contain_text("Scoring: 300 of 9,746")
    expect(page.locator(".bar .tick")).to_have_count(0)


def test_a_run_that_waits_leads_to_what_is_before_it(run, researcher, open_page, assert_accessible):
    [second] = Run.objects.filter(seed=2)
    page = open_page(f"/runs/{second.pk}/", by=researcher, **PHONE)
    assert_accessible(page)
    page.locator(".run-queue a").first.click()
    expect(page.locator(".run-line")).to_contain_text("Epoch 2 of 3")
