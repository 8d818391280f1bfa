"""Runs as programs read them."""

import pytest
from django.test import Client

from study.actions.runs.baselines import ask_for_run, run_now
from tests.factories import no_progress
from tests.study.instances import kitchen


@pytest.fixture
def client(researcher) -> Client:
    kitchen(researcher, dev=5)
    client = Client()
    client.force_login(researcher)
    return client


def test_a_run_has_the_figures_that_the_command_prints(client, researcher):
    run = run_now(model="tfidf", on="kitchen:dev", train="kitchen:train", seed=3, report=no_progress, by=researcher)
    [listed] = client.get("/api/v1/runs/").json()["results"]
    assert listed == client.get(f"/api/v1/runs/{run.pk}/").json()
    assert (listed["run"], listed["model"], listed["state"], listed["seed"]) == (run.pk, "tfidf", "done", 3)
    assert (listed["on"], listed["train"], listed["checksum"]) == ("kitchen:dev", "kitchen:train", run.checksum)
    assert listed["metrics"]["R@1"] == run.metrics["R@1"]
    assert listed["metrics"]["n"] == 5


def test_a_run_in_the_queue_has_no_figures_yet(client, researcher):
    run = ask_for_run(model="random", on="kitchen:dev", train="", seed=0, by=researcher)
    answer = client.get(f"/api/v1/runs/{run.pk}/").json()
    assert (answer["state"], answer["metrics"], answer["train"]) == ("queued", None, None)


def test_predictions_come_in_pages_in_the_order_of_the_instances(client, researcher):
    run = run_now(model="random", on="kitchen:dev", train="", seed=0, report=no_progress, by=researcher)
    first = client.get(f"/api/v1/runs/{run.pk}/predictions/?page_size=3").json()
    second = client.get(first["next"]).json()
    rows = first["results"] + second["results"]
    assert [row["id"] for row in rows] == ["d0", "d1", "d2", "d3", "d4"]
    stored = run.predictions.order_by("position")
    assert [row["scores"] for row in rows] == [prediction.scores for prediction in stored]
    assert (len(first["results"]), second["next"]) == (3, None)
    assert rows[0].keys() == {"id", "scores", "better", "tied"}


def test_what_is_no_run_is_not_found(client):
    assert client.get("/api/v1/runs/x/").status_code == 404
