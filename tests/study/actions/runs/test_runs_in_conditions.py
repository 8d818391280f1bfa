"""Runs on questions that are asked in conditions too: no figure mixes them."""

import pytest

from study.actions.questions import questions
from study.actions.runs.baselines import run_now
from study.domain.results.metrics import METRICS, ranked_by_scores
from study.domain.results.paired import paired_difference
from study.presenters.runs.contexts import condition_rows
from study.presenters.runs.runs import outcomes_of
from study.selectors.runs.bodies import values_of
from study.selectors.runs.comparing import comparison
from study.selectors.runs.parts import by_length
from study.selectors.runs.sources import source_of
from tests.corpora import dialogue, stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(researcher):
    rows = [dialogue(number, turns=3 + number % 6) for number in range(40)]
    stored("talk", [*rows, *(dialogue(number, split="train") for number in range(50, 60))], by=researcher)
    return questions.build(
        name="evening",
        sources=["talk:dev"],
        count=30,
        conditions=["first:2", "all"],
        seed=3,
        report=no_progress,
        by=researcher,
    )


def ran(by, model="tfidf", **how):
    train = {"train": "talk:train"} if model == "tfidf" else {}
    return run_now(model=model, on="evening", seed=0, **train, **how, report=no_progress, by=by)


def test_the_figures_of_a_run_are_those_of_the_whole_contexts_and_each_condition_has_its_own(evening, researcher):
    asked_in = evening.recipe["conditions"]
    assert asked_in["all"] == 30 > asked_in["first:2"] > 0
    run = ran(researcher, "random")
    worth = {}
    of_id = {question.external_id: question for question in evening.questions.all()}
    for each in run.predictions.all():
        question = of_id[each.external_id]
        ranked = ranked_by_scores(each.scores, question.answer)
        worth.setdefault(question.condition, {})[question.name] = METRICS["R@1"](ranked)
    whole = worth[""]
    assert run.metrics["n"] == 30
    assert run.metrics["R@1"] == pytest.approx(sum(whole.values()) / 30)
    assert len({figures["R@1"] for figures in (run.metrics, *run.metrics["conditions"].values())}) == 3
    for condition, figures in run.metrics["conditions"].items():
        own = worth[condition]
        assert figures["n"] == len(own) == asked_in[condition]
        assert figures["R@1"] == pytest.approx(sum(own.values()) / len(own))
        expected = paired_difference([*own.values()], [whole[name] for name in own])
        assert figures["change"] == pytest.approx(expected.mean)
        assert figures["change_ci"] == expected.interval
    assert sum(row["n"] for row in run.metrics["by_turns"]) == 30
    assert [(row.n, row.value) for row in condition_rows(run)] == [
        (30, run.metrics["R@1"]),
        *((asked_in[name], run.metrics["conditions"][name]["R@1"]) for name in ("all", "first:2")),
    ]


def test_what_is_read_of_a_run_later_is_that_of_the_whole_contexts_too(evening, researcher):
    first, second = ran(researcher), ran(researcher, "random")
    source = source_of("evening", by=researcher)
    values = values_of(first, "R@1", source)
    assert len(values) == 30
    assert sum(len(part.keys) for part in by_length(values, source)) == 30
    assert outcomes_of(first)[0][2] == 30
    compared = comparison(first, second, "R@1", source)
    assert (compared.shared, len(compared.pairs)) == (30, 30)


def test_contexts_are_taken_away_from_whole_contexts_only(evening, researcher):
    run = ran(researcher, ablations=["all"])
    assert run.metrics["ablation"]["all"]["n"] == 30


def test_a_set_without_conditions_has_no_figures_of_any(researcher):
    stored("talk", [dialogue(number) for number in range(12)], by=researcher)
    questions.build(name="plain", sources=["talk"], count=8, report=no_progress, by=researcher)
    run = run_now(model="random", on="plain", seed=0, report=no_progress, by=researcher)
    assert "conditions" not in run.metrics
    assert condition_rows(run) == []
