"""Runs on rated prompts, with settings that are chosen on dev; what a run keeps of how it was made."""

import errno
import json

import pytest
from django.conf import settings

from core.actions.refusals import Refused
from study.actions.runs.baselines import ask_for_run, run_asked_for, run_now
from study.baselines.base import SeesCandidates
from study.baselines.registry import BASELINES
from study.models import Run
from study.selectors.runs.runs import command_of, page_of, source_behind
from study.selectors.runs.sources import source_of
from tests.factories import no_progress
from tests.study.instances import a_release, forum, graded, kitchen

PLAN = {"on": "weibo@1:test", "train": "weibo@1:train", "seed": 0}


@pytest.fixture
def rui(researcher, project):
    forum(project)
    return researcher


def ran(by, model="bm25", **how) -> Run:
    return run_now(model=model, **{**PLAN, **how}, report=no_progress, by=by)


def refused_without_trace(*, by, **how) -> tuple[str, str]:
    """Return the refusal's code and message; nothing may be left behind."""
    with pytest.raises(Refused) as caught:
        ran(by, **how)
    assert not Run.objects.exists()
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("model", ["random", "tfidf", "bm25", "svmrank", "gbdt"])
def test_every_model_gives_the_cuts_of_rated_prompts(rui, model):
    metrics = ran(rui, model, dev="weibo@1:dev").metrics
    assert (metrics["prompts"], metrics["responses"]) == (4, 8)
    assert [metrics["cuts"][cut]["prompts"] for cut in "345"] == [3, 3, 0]
    assert [metrics["cuts"][cut]["without_positive"] for cut in "345"] == [1, 1, 4]
    assert metrics["cuts"]["3"]["single"] == 1
    if model == "bm25":
        assert metrics["cuts"]["4"]["P@1"] == 1


def test_predictions_stand_beside_the_responses_and_their_grades(rui):
    run = ran(rui)
    _page, shown = page_of(run, outcome="", number="1", source=source_behind(run, by=rui))
    best = shown[0].ranking[0]
    assert (best.text, best.grade, best.is_true) == ("the lamp is here", 4.5, None)
    assert shown[0].outcome == ""


def test_a_run_keeps_its_settings_and_what_was_chosen_on_dev(rui):
    run = ran(rui, "gbdt", dev="weibo@1:dev", settings={"rate": "0.2", "pairs_in_leaf": "1"}, label=" first\n try ")
    assert run.settings == {"trees": None, "leaves": None, "rate": 0.2, "pairs_in_leaf": 1}
    assert (run.learned["leaves"] in (7, 15, 31), run.learned["trees"] % 20) == (True, 0)
    assert (run.dev, len(run.dev_checksum), run.label) == ("weibo@1:dev", 64, "first  try")
    words = " ".join(command_of(run))
    assert "--dev weibo@1:dev --set rate=0.2 --set pairs_in_leaf=1" in words
    assert "trees" not in words


def test_a_run_tells_where_and_how_it_was_made(rui):
    made = ran(rui, "svmrank").circumstances
    assert set(made) == {
        "version",
        "code",
        "python",
        "libraries",
        "hardware",
        "device",
        "attempts",
        "seconds",
        "peak_memory",
    }
    assert made["libraries"].keys() == {"numpy", "scipy", "jieba", "scikit-learn"}
    assert (made["device"], made["hardware"]["cores"] >= 1, made["peak_memory"] > 2**20) == ("cpu", True, True)


def test_what_the_model_learned_can_be_taken_up_again(rui):
    run = ran(rui, "gbdt", settings={"pairs_in_leaf": 1})
    model = BASELINES["gbdt"](run.settings, seed=run.seed)
    model.load(settings.DATA_DIR / run.state_folder)
    stored = list(run.predictions.order_by("position").values_list("scores", flat=True))
    assert model.score(source_of(run.on, by=rui).instances()) == stored


def test_a_model_that_learns_nothing_leaves_no_folder(rui, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    run = ran(rui, "random")
    assert run.state_folder == ""
    assert not (settings.DATA_DIR / "runs" / str(run.pk)).exists()


@pytest.mark.parametrize("model", ["svmrank", "gbdt"])
def test_the_same_run_twice_has_the_same_checksum(rui, model):
    plan = {"model": model, "dev": "weibo@1:dev", "settings": {}}
    first, second = ran(rui, **plan), ran(rui, **plan)
    queued = ask_for_run(**PLAN, **plan, by=rui)
    assert run_asked_for(queued.job, no_progress)["checksum"] == first.checksum == second.checksum


def test_a_full_disk_stores_no_run(rui, monkeypatch):
    def full(self, folder):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(BASELINES["bm25"], "save", full)
    code, said = refused_without_trace(by=rui)
    assert code == "no_space"
    assert "the disk is full" in said


def test_prompts_that_are_in_the_training_too_are_named(rui, project):
    shared = [graded("a", "Is it late", "Yes.", 4, "train"), graded("b", "is it late?", "No.", 2, "test")]
    twice = [graded("c", "is it late?", "So.", 4, "test"), graded("d", "New", "Old.", 2, "test")]
    other = a_release(project, *shared, *twice, number=2)
    run = ran(rui, on=f"{other}:test", train=f"{other}:train")
    assert (run.metrics["shared_contexts"], len(run.shared_contexts)) == (1, 1)


def test_settings_are_not_chosen_on_what_is_asked_or_taught(rui):
    for dev in ("weibo@1:test", "weibo@1:train", "weibo@1"):
        assert refused_without_trace(model="gbdt", dev=dev, by=rui)[0] == "tuned_on_itself"


def test_dev_is_not_read_by_a_model_that_chooses_nothing(rui):
    assert ran(rui, "bm25", dev="weibo@1:dev").dev == ""


def test_without_dev_settings_are_as_declared(rui):
    assert ran(rui, "svmrank").learned["c"] == 1


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ({"settings": {"k1": "many"}}, "wrong_setting", "k1 must be a number from 0 to 10, not many."),
        ({"settings": {"k2": "1"}}, "wrong_setting", "Settings of this model: k1, b."),
        ({"device": "cuda"}, "no_such_device", "does not run on that device"),
    ],
)
def test_what_cannot_be_is_refused(rui, how, code, said):
    refusal = refused_without_trace(**how, by=rui)
    assert refusal[0] == code
    assert said in refusal[1]


def test_prompts_with_one_response_each_leave_no_choice(rui, project):
    release = a_release(project, graded("a", "Late?", "Yes.", 4), graded("b", "Soon?", "No.", 2), number=2)
    code, said = refused_without_trace(on=f"{release}:dev", by=rui)
    assert code == "no_choice"
    assert "every model puts the right one first" in said


def test_grades_that_are_all_the_same_teach_no_order(rui, project):
    same = [graded(f"p{number}", f"Late {number % 2}?", f"Yes {number}.", 3, "train") for number in range(4)]
    release = a_release(project, *same, number=2)
    code, said = refused_without_trace(model="gbdt", train=f"{release}:train", by=rui)
    assert code == "no_preferences"
    assert "no response is better" in said


def test_a_model_that_goes_by_the_order_of_candidates_is_asked_in_several(researcher, monkeypatch):
    kitchen(researcher, dev=8)
    by_order = type("ByOrder", (BASELINES["random"],), {"sees": SeesCandidates.ORDER})
    monkeypatch.setattr(by_order, "score", lambda self, asked: [[-place for place in range(4)] for _instance in asked])
    monkeypatch.setitem(BASELINES, "random", by_order)
    metrics = run_now(model="random", on="kitchen:dev", seed=0, report=no_progress, by=researcher).metrics
    over = metrics["over_orders"]["R@1"]
    assert metrics["R@1"] == 0.25
    assert over["lowest"] < over["mean"] < over["highest"]
    assert json.dumps(metrics)
