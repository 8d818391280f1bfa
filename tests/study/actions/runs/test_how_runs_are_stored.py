"""Storing a run: what takes time is done before the database is locked for others."""

import pytest
from django.db import connection

from study.actions.runs import baselines
from tests.factories import no_progress
from tests.study.instances import kitchen


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slow", ["evaluate_run", "figures_by_part", "figures_without", "circumstances_of"])
def test_the_figures_of_a_run_are_computed_before_the_database_is_locked(researcher, monkeypatch, slow):
    kitchen(researcher, dev=5)
    whole, locked = getattr(baselines, slow), []

    def looks(*args: object, **named: object) -> object:
        locked.append(connection.in_atomic_block)
        return whole(*args, **named)

    monkeypatch.setattr(baselines, slow, looks)
    run = baselines.run_now(
        model="tfidf", on="kitchen:dev", train="kitchen:train", seed=0, report=no_progress, by=researcher
    )
    assert locked == [False]
    assert run.predictions.count() == 5
