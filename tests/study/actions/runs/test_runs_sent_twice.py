"""A form that starts runs and is sent more than once: the runs of the first time, unless it asks for others."""

from uuid import uuid4

import pytest

from core.domain.transitions import JobQueue
from core.models import Event, Job
from study.actions.runs import baselines
from study.actions.runs.baselines import ask_for_models, ask_for_runs
from study.models import Run
from tests.study.instances import kitchen
from tests.threads import at_once

ON = {"on": "kitchen:dev", "train": "kitchen:train"}


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=5)
    return researcher


def ask(by, key, *seeds: int, model: str = "tfidf", **plan) -> list[Run]:
    return ask_for_runs(seeds=seeds or (0, 1), key=key, model=model, **ON, **plan, by=by)


def test_a_form_sent_twice_starts_its_runs_once(rui):
    key = uuid4()
    first = ask(rui, key)
    assert [run.seed for run in first] == [0, 1]
    assert ask(rui, key) == first
    assert Run.objects.count() == Job.objects.count() == Event.objects.filter(became="asked for").count() == 2


def test_a_form_that_was_changed_since_asks_for_other_runs(rui):
    key = uuid4()
    first = ask(rui, key)
    others = [
        ask(rui, key, 1, 2),
        ask(rui, key, label="again"),
        ask(rui, key, is_trial=True),
        ask(rui, key, model="bm25", settings={"k1": 2}),
        ask(rui, key, model="bm25", settings={"k1": 1}),
    ]
    assert len({run.pk for runs in (first, *others) for run in runs}) == Run.objects.count() == 12
    assert ask(rui, key) == first


def test_only_the_same_form_of_the_same_person_is_sent_again(rui, administrator):
    key = uuid4()
    runs = [
        *ask(rui, key, 0),
        *ask(rui, uuid4(), 0),
        *ask(administrator, key, 0),
        *ask(rui, None, 0),
        *ask(rui, None, 0),
    ]
    assert len(set(runs)) == Run.objects.count() == 5


def test_a_form_that_is_sent_again_is_not_refused_for_a_queue_that_it_filled(rui, monkeypatch):
    monkeypatch.setattr(baselines, "MOST_WAITING", 2)
    key = uuid4()
    first = ask(rui, key, model="gbdt")
    assert first[0].job.queue == JobQueue.TRAINING
    assert ask(rui, key, model="gbdt") == first


def test_several_models_are_started_once(rui):
    key = uuid4()
    first = ask_for_models(models=["random", "tfidf"], key=key, **ON, by=rui)
    assert ask_for_models(models=["random", "tfidf"], key=key, **ON, by=rui) == first
    assert [run.model for run in first] == ["random", "tfidf"]
    assert Run.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_start_once(rui):
    key, found = uuid4(), list[list[Run]]()
    at_once([lambda: found.append(ask(rui, key)) for _click in range(4)])
    assert found == [found[0]] * 4
    assert Run.objects.count() == Job.objects.count() == 2
