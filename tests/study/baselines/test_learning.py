"""What models learn: floors on tasks made for them, state that is kept, material that teaches nothing, odd input."""

import bm25s
import pytest

from study.baselines.base import Lack, NothingToLearn, RankingInstance, Requirement, SeesCandidates
from study.baselines.evaluate import evaluate_run
from study.baselines.features import NAMES, features_of
from study.baselines.registry import BASELINES
from study.baselines.tuning import dev_score
from study.baselines.words import WordCounts, chinese_words, language_of
from tests.chat_servers import LongestOption
from tests.study.baselines import tasks

TRAINED = [key for key in tasks.PLAIN if Requirement.TRAIN in BASELINES[key].needs]
BY_FEATURES = ("svmrank", "gbdt")


def taught(key, train, dev=(), **settings):
    model = BASELINES[key](settings, seed=3, server=LongestOption())
    model.fit(train, dev)
    return model


def first_choices(model, instances) -> float:
    return evaluate_run(instances, model.score(instances), seed=0)["R@1"]


@pytest.mark.parametrize("key", TRAINED)
def test_a_model_finds_the_response_that_repeats_the_context(key):
    """Guessing is right in a quarter."""
    model = taught(key, tasks.echoes(300), tasks.echoes(60, seed=1))
    assert first_choices(model, tasks.echoes(200, seed=2)) >= 0.9


@pytest.mark.parametrize("key", BY_FEATURES)
def test_a_model_learns_from_grades_what_people_like(key):
    asked = tasks.graded(200, seed=2)
    of_length_and_words = taught(key, tasks.graded(300), tasks.graded(60, seed=1)).score(asked)
    assert dev_score(of_length_and_words, asked) >= 0.9
    assert dev_score(of_length_and_words, asked) > dev_score(taught("tfidf", tasks.graded(300)).score(asked), asked)


@pytest.mark.parametrize("key", BY_FEATURES)
def test_a_model_overfits_fifty_instances(key):
    fifty = tasks.echoes(50)
    assert first_choices(taught(key, fifty), fifty) >= 0.98


def test_trees_learn_fifty_answers_by_heart_that_follow_from_nothing():
    fifty = tasks.guesses(50)
    model = taught("gbdt", fifty, leaves=31, pairs_in_leaf=1, trees=300, rate=0.2)
    assert first_choices(model, fifty) >= 0.98
    assert first_choices(model, tasks.guesses(200, seed=1)) < 0.4


@pytest.mark.parametrize("key", tasks.PLAIN)
def test_what_was_saved_scores_as_before(key, tmp_path):
    model, asked = taught(key, tasks.graded(40), tasks.graded(10, seed=1)), tasks.graded(20, seed=2)
    model.save(tmp_path)
    again = BASELINES[key](model.settings, seed=3, server=model.server)
    again.load(tmp_path)
    assert again.score(asked) == model.score(asked)
    assert not {path.suffix for path in tmp_path.iterdir()} - {".json", ".jsonl", ".txt", ".safetensors", ".npz"}, (
        "never code"
    )


@pytest.mark.parametrize("key", tasks.PLAIN)
def test_equal_seed_settings_and_material_give_equal_scores_in_batches_of_any_size(key):
    train, asked = tasks.graded(40), tasks.graded(64, seed=2)
    model = taught(key, train)
    at_once = model.score(asked)
    assert taught(key, train).score(asked) == at_once
    assert [score for each in asked for score in model.score([each])] == at_once


@pytest.mark.parametrize("key", tasks.PLAIN)
@pytest.mark.parametrize("context", [(), ("",), ("word " * 10_000,), ("zzz qqq",)])
def test_odd_contexts_get_scores(key, context):
    asked = RankingInstance("i", context, ("babab", "", "zzz", "…", "words " * 2_000))
    [scores] = taught(key, tasks.echoes(30)).score([asked])
    assert all(abs(score) < float("inf") for score in scores)
    [[alone]] = taught(key, tasks.echoes(30)).score([RankingInstance("i", context, ("babab",))])
    assert alone == scores[0] or BASELINES[key].sees != SeesCandidates.ITSELF


@pytest.mark.parametrize("key", BY_FEATURES)
@pytest.mark.parametrize("grades", [(3, 3), (5,)])
def test_grades_that_are_all_the_same_teach_no_order(key, grades):
    train = [RankingInstance(f"i{number}", ("who?",), ("me",) * len(grades), grades=grades) for number in range(4)]
    with pytest.raises(NothingToLearn) as caught:
        BASELINES[key]().fit(train)
    assert caught.value.lack == Lack.PREFERENCES


def test_settings_are_chosen_on_dev_or_stay_as_declared_or_as_given():
    train, dev = tasks.graded(60), tasks.graded(20, seed=1)
    chosen = taught("svmrank", train, dev)
    tried = {10.0**exponent: taught("svmrank", train, c=10.0**exponent) for exponent in range(-4, 3)}
    of_dev = {c: dev_score(model.score(dev), dev) for c, model in tried.items()}
    assert chosen.learned["dev"] == pytest.approx(max(of_dev.values()))
    assert of_dev[chosen.learned["c"]] == pytest.approx(chosen.learned["dev"])
    assert (taught("svmrank", train).learned["c"], taught("svmrank", train, dev, c=7).learned["c"]) == (1.0, 7)
    assert (taught("gbdt", train).learned["trees"], taught("gbdt", train, trees=3).learned["trees"]) == (100, 3)
    assert taught("gbdt", train, dev).learned["leaves"] in (7, 15, 31)


def test_bm25_is_that_of_another_library_on_the_texts_that_both_count():
    """bm25s scores the texts that it has counted, so the candidates are the training material here."""
    texts = ("the salt is in the kitchen", "the the the train", "a train runs late late late", "salt", "buy it")
    model = taught("bm25", [RankingInstance("t", (), texts, 0)], k1=1.7, b=0.4)
    other = bm25s.BM25(method="lucene", k1=1.7, b=0.4)
    other.index([text.split() for text in texts], show_progress=False)
    for query in ("the salt train", "late late buy", "unheard of"):
        [scores] = model.score([RankingInstance("q", tuple(query.split()), texts)])
        assert scores == pytest.approx(other.get_scores(query.split()), abs=1e-6)


def test_bm25_counts_nothing_of_what_it_is_asked_about():
    train = [RankingInstance("t", (), ("salt", "pepper and salt"), 0)]
    alone, among = (
        RankingInstance("a", ("salt",), ("salt",)),
        RankingInstance("b", ("salt",), ("salt", *["salt a"] * 9)),
    )
    model = taught("bm25", train)
    assert model.score([alone])[0][0] == model.score([among])[0][0]


def test_features_of_a_pair_by_hand():
    counts = WordCounts.of(["is the salt old", "the salt is new", "late"], "")
    [row] = features_of([RankingInstance("i", ("is it old?", "the salt?"), ("The salt, the SALT zzz!",))], counts)
    found = dict(zip(NAMES, row, strict=True))
    assert (found["words"], found["characters"], found["shared words"]) == (5, 23, 2)
    assert found["different words"] == pytest.approx(3 / 5)
    assert found["unknown words"] == pytest.approx(1 / 5)
    assert found["shared of candidate"] == pytest.approx(2 / 3)
    assert found["cosine with the last turn"] == pytest.approx(1)
    assert (found["question"], found["exclamation"], found["answers a question"]) == (0, 1, 1)


def test_chinese_texts_are_told_apart_by_jieba_where_most_of_the_training_is_chinese():
    assert chinese_words("我来到北京，清华大学！") == ("我", "来到", "北京", "清华大学")
    assert [language_of(texts) for texts in (["你好 okay"], ["hello 你"], ["123"], [])] == ["", "", "", ""]
    assert language_of(["你好吗", "ok"]) == "zh"
    train = [RankingInstance("t", ("北京大学",), ("清华大学", "大学"), grades=(5, 1), language="zh")]
    assert "清华大学" in taught("bm25", train).counts.vocabulary


def test_dev_is_scored_by_the_means_of_average_precision():
    """By hand: at Cut@3 1 and 1/2, at Cut@4 1 of one prompt, at Cut@5 none."""
    rated = [
        RankingInstance("a", ("p",), ("x", "y"), grades=(4, 1)),
        RankingInstance("b", ("q",), ("x", "y"), grades=(1, 3.5)),
    ]
    assert dev_score([[2, 1], [2, 1]], rated) == pytest.approx((0.75 + 1) / 2)
    assert dev_score([[0, 2, 1]], [RankingInstance("c", (), ("x", "y", "z"), 2)]) == 0.5
    assert dev_score([], []) == 0
