"""What networks learn: fifty answers by heart, tasks made for them; scores that belong to a pair alone; odd input."""

from dataclasses import replace

import pytest
import torch

from study.baselines.base import RankingInstance, Requirement
from study.baselines.evaluate import best_first, evaluate_run
from study.baselines.registry import BASELINES
from study.baselines.tuning import dev_score
from tests.study.baselines import tasks
from tests.study.baselines.neural.learners import SMALL, small, taught

NETWORKS = list(SMALL)
BY_TURNS = ("smn", "dam")


def first_choices(model, instances) -> float:
    return evaluate_run(instances, model.score(instances), seed=0)["R@1"]


def test_every_network_over_words_is_tested_here():
    own = {key for key, model in BASELINES.items() if model.needs == {Requirement.TRAIN, Requirement.NEURAL}}
    assert own == set(NETWORKS)


@pytest.mark.parametrize("key", NETWORKS)
def test_a_network_learns_fifty_answers_by_heart_that_follow_from_nothing(key):
    fifty = tasks.guesses(50)
    model = taught(key, fifty, epochs=30, negatives=3, rate=0.01)
    assert first_choices(model, fifty) >= 0.98


@pytest.mark.parametrize("key", NETWORKS)
def test_a_network_learns_which_words_are_about_the_same(key):
    """Guessing is right in a quarter, and true responses share no word with their contexts."""
    model = taught(key, tasks.topics(300), tasks.topics(50, seed=1), epochs=12, patience=12, negatives=3)
    assert first_choices(model, tasks.topics(200, seed=2)) >= 0.8


@pytest.mark.parametrize("key", BY_TURNS)
def test_a_network_learns_that_the_last_turn_is_answered(key):
    """Wrong responses answer the earlier turns: one who reads the turns in any order is right in a third."""
    model = taught(key, tasks.last_turns(300), tasks.last_turns(50, seed=1), epochs=15, patience=15, negatives=2)
    asked = tasks.last_turns(200, seed=2)
    assert first_choices(model, asked) >= 0.8
    turned = [replace(each, context=each.context[::-1]) for each in asked]
    assert first_choices(model, turned) <= 0.2, "the first turn is answered now"


@pytest.mark.parametrize("key", BY_TURNS)
def test_the_order_of_turns_changes_a_score(key):
    model = taught(key, tasks.topics(30), epochs=1)
    asked = [replace(each, context=("bab", "dad", "gag")) for each in tasks.topics(10)]
    turned = [replace(each, context=("dad", "gag", "bab")) for each in asked]
    for before, after in zip(model.score(asked), model.score(turned), strict=True):
        assert all(abs(first - second) > 1e-6 for first, second in zip(before, after, strict=True))


@pytest.mark.parametrize("key", NETWORKS)
def test_equal_seed_settings_and_material_give_equal_scores(key):
    train, asked = tasks.topics(40), tasks.topics(64, seed=2)
    assert taught(key, train, epochs=2).score(asked) == taught(key, train, epochs=2).score(asked)


@pytest.mark.parametrize("key", NETWORKS)
def test_a_score_depends_on_nothing_else_in_the_batch(key):
    model = taught(key, tasks.graded(40), epochs=2)
    asked = [*tasks.graded(40, seed=2), *tasks.echoes(24)]
    at_once = model.score(asked)
    one_by_one = [score for each in asked for score in model.score([each])]
    assert [best_first(scores) for scores in one_by_one] == [best_first(scores) for scores in at_once]
    assert one_by_one == at_once
    turned = [RankingInstance(each.id, each.context, each.candidates[::-1]) for each in asked[::-1]]
    assert [scores[::-1] for scores in model.score(turned)[::-1]] == at_once


@pytest.mark.parametrize("key", NETWORKS)
def test_what_was_saved_scores_as_before(key, tmp_path):
    model, asked = taught(key, tasks.topics(40), epochs=2), tasks.topics(20, seed=2)
    model.save(tmp_path)
    again = small(key, epochs=2)
    again.load(tmp_path)
    assert again.score(asked) == model.score(asked)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".safetensors"}, "never code"


@pytest.fixture(scope="module", params=NETWORKS)
def ready(request):
    return taught(request.param, tasks.topics(30), epochs=1)


@pytest.mark.parametrize("context", [(), ("",), ("word " * 10_000,), ("a",) * 100, ("zzz qqq",)])
def test_odd_contexts_get_scores(ready, context):
    asked = RankingInstance("i", context, ("babab", "", "zzz", "…", "words " * 2_000, "babab"))
    [scores] = ready.score([asked])
    assert all(abs(score) < float("inf") for score in scores)
    assert scores[0] == scores[-1], "equal responses are tied"
    [[alone]] = ready.score([RankingInstance("i", context, ("babab",))])
    assert alone == scores[0]


def test_nothing_to_ask_is_nothing_to_answer(ready):
    assert ready.score([]) == []
    assert ready.score([RankingInstance("i", ("a",))]) == [[]]


@pytest.mark.parametrize("key", NETWORKS)
def test_odd_material_is_learned_from(key):
    train = [
        RankingInstance("a", (), ("yes", "no"), 0),
        RankingInstance("b", ("",), ("", "no"), 0),
        RankingInstance("c", ("word " * 3_000,) * 3, ("long " * 3_000, "…"), 1),
    ]
    model = taught(key, train, train, epochs=1)
    assert len(model.score(train)) == 3


@pytest.mark.parametrize("key", NETWORKS)
def test_a_network_learns_what_people_like_from_grades(key):
    """The more words of a response are of one kind, the better: guessing has a MAP of .70 or so."""
    model = taught(key, tasks.liked(200), tasks.liked(40, seed=1), epochs=15)
    asked = tasks.liked(100, seed=2)
    assert dev_score(model.score(asked), asked) >= dev_score([[0.0] * 5] * 100, asked) + 0.15


@pytest.mark.filterwarnings("ignore:TF32 acceleration")
@pytest.mark.parametrize("key", NETWORKS)
def test_a_network_learns_in_half_precision_too_as_on_a_gpu(key):
    """On a GPU the loss is computed in bfloat16; here the processor does the same, as far as it can."""
    train = tasks.topics(30)
    model = taught(key, train, epochs=1)
    model.network.float()
    [batch, *_rest] = model.batches(0)
    whole = model.loss(batch)
    with torch.backends.mkldnn.flags(enabled=torch.ops.mkldnn._is_mkldnn_bf16_supported()):  # else it has no such LSTM
        with torch.autocast("cpu", dtype=torch.bfloat16):
            half = model.loss(batch)
        half.backward()
    assert half.item() == pytest.approx(whole.item(), abs=0.02)
    assert all(each.grad.isfinite().all() for each in model.network.parameters() if each.grad is not None)
