"""Runs that begin with pre-trained weights: folders are offered by name and checked before anything is queued."""

import os
from functools import partial

import pytest

from core.actions.refusals import Refused
from core.models import Job
from study.actions.runs import plans
from study.actions.runs.baselines import ask_for_run, run_now
from study.models import Run
from study.selectors.runs.runs import command_of
from study.selectors.runs.weights import weights_folder, weights_names
from tests.factories import no_progress
from tests.study.baselines.test_weights import written
from tests.study.instances import corpus, kitchen, row

ON = {"model": "bert-mc", "on": "kitchen:dev", "train": "kitchen:train", "seed": 0}


@pytest.fixture
def rui(researcher, settings, tmp_path, monkeypatch):
    """Return a researcher with instances and two folders of weights, on a machine that has what networks need."""
    settings.WEIGHTS_DIR = tmp_path / "weights"
    written(tmp_path / "weights" / "bert-tiny")
    (tmp_path / "weights" / "empty").mkdir()
    monkeypatch.setattr(plans, "find_spec", lambda name: name)
    kitchen(researcher, dev=5)
    return researcher


def refused(act, **how) -> tuple[str, str]:
    """Return code and sentence of the refusal, which is told of the field; nothing is left behind."""
    with pytest.raises(Refused) as caught:
        act(**ON | how)
    assert not (Run.objects.exists() or Job.objects.exists())
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize(
    ("weights", "code", "said"),
    [
        ("", "needs_weights", "Name their folder"),
        ("bert", "no_weights", "There are no weights “bert” in WEIGHTS_DIR. Known: bert-tiny"),
        ("empty", "weights_incomplete", "config.json is not in the folder of weights “empty”."),
    ],
)
def test_weights_that_will_not_do_are_refused_before_anything_is_queued(rui, weights, code, said):
    found = refused(ask_for_run, weights=weights, by=rui)
    assert found[0] == code
    assert said in found[1]


@pytest.mark.parametrize("act", [ask_for_run, partial(run_now, report=no_progress)])
def test_weights_that_are_no_numbers_are_refused_before_anything_is_queued_or_taught(rui, settings, act):
    with (settings.WEIGHTS_DIR / "bert-tiny" / "model.safetensors").open("r+b") as file:
        file.seek(-16, os.SEEK_END)
        file.write(b"\xff" * 8)
    assert refused(act, weights="bert-tiny", by=rui)[0] == "weights_no_numbers"


def test_weights_of_another_model_are_refused_by_name(rui):
    code, said = refused(ask_for_run, model="roberta", weights="bert-tiny", by=rui)
    assert (code, said) == (
        "foreign_weights",
        "This is BERT; RoBERTa needs RoBERTa. Name a folder with weights of RoBERTa.",
    )


@pytest.mark.parametrize(
    "name", ["../weights/bert-tiny", ".", "..", "/", "bert-tiny/", "./bert-tiny", ".hidden", "link"]
)
def test_no_name_leads_out_of_the_place_of_weights(rui, settings, name, tmp_path):
    written(settings.WEIGHTS_DIR / ".hidden")
    (settings.WEIGHTS_DIR / "link").symlink_to(written(tmp_path / "elsewhere"))
    assert weights_names() == ["bert-tiny", "empty"]
    assert weights_folder(name) is None
    assert refused(ask_for_run, weights=name, by=rui)[0] == "no_weights"


def test_a_path_from_a_page_is_no_name(rui, settings):
    assert refused(ask_for_run, weights=str(settings.WEIGHTS_DIR / "bert-tiny"), by=rui)[0] == "no_weights"


def test_without_a_place_of_weights_none_are_offered(rui, settings, tmp_path):
    settings.WEIGHTS_DIR = tmp_path / "nowhere"
    assert weights_names() == []
    assert "Known: none yet" in refused(ask_for_run, weights="bert-tiny", by=rui)[1]


def test_the_name_is_kept_with_the_run_and_its_command(rui):
    run = ask_for_run(**ON, weights="bert-tiny", by=rui)
    assert Run.objects.get().weights == "bert-tiny"
    words = command_of(run)
    assert words[words.index("--weights") + 1] == "bert-tiny"
    plain = ask_for_run(**ON | {"model": "tfidf"}, weights="bert-tiny", by=rui)
    assert (plain.weights, "--weights" in command_of(plain)) == ("", False)


def test_more_candidates_than_were_trained_on_are_refused_where_all_are_looked_at_at_once(rui, settings):
    corpus("small", row("t", "train", candidates=["Yes.", "No."]), by=rui)
    how = {"train": "small:train", "weights": settings.WEIGHTS_DIR / "bert-tiny", "report": no_progress, "by": rui}
    assert refused(run_now, **how)[0] == "more_candidates"
