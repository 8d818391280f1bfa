"""Models on any material: a score belongs to the candidate, not to its position."""

from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from study.baselines.base import Baseline, NothingToLearn, RankingInstance, Requirement
from study.baselines.evaluate import Scored, evaluate
from study.baselines.lexical import TfIdf
from study.baselines.registry import BASELINES
from study.baselines.words import words
from tests.chat_servers import LongestOption
from tests.study.baselines.tasks import PLAIN

TRAIN = [
    RankingInstance("t1", ("the salt is in the kitchen", "the salt ran out"), ("buy salt",), 0),
    RankingInstance("t2", ("a train runs late", "why"), ("the train is old", "salt"), 0),
    RankingInstance("t3", ("我们去吃饭吧", "好的")),
    RankingInstance("t4", ("is the salt old",), ("the salt is new", "late", "why not"), grades=(4.5, 1, 1)),
]
TEXTS = st.text(alphabet="salt trin饭吃,.", max_size=12)
INSTANCES = st.builds(
    RankingInstance,
    id=st.text(min_size=1, max_size=4),
    context=st.lists(TEXTS, min_size=1, max_size=3).map(tuple),
    candidates=st.lists(TEXTS, min_size=2, max_size=6).map(tuple),
)


def taught(key: str, seed: int = 0) -> Baseline:
    model = BASELINES[key](seed=seed, server=LongestOption())
    model.fit(TRAIN if Requirement.TRAIN in model.needs else [])
    return model


@pytest.mark.parametrize("key", PLAIN)
@given(instance=INSTANCES, data=st.data())
def test_the_order_of_candidates_never_changes_a_candidate_s_score(key, instance, data):
    model = taught(key)
    order = data.draw(st.permutations(range(len(instance.candidates))))
    shuffled = RankingInstance(
        instance.id, instance.context, tuple(instance.candidates[position] for position in order)
    )
    [before], [after] = model.score([instance]), model.score([shuffled])
    assert after == [before[position] for position in order]


@pytest.mark.parametrize("key", PLAIN)
@settings(max_examples=30)
@given(instances=st.lists(INSTANCES, min_size=2, max_size=4))
def test_what_was_asked_before_changes_no_score(key, instances):
    first, second = taught(key), taught(key)
    there = [score for instance in instances for score in first.score([instance])]
    assert there == second.score(instances[::-1])[::-1]


@pytest.mark.parametrize("key", PLAIN)
def test_equal_candidates_are_tied(key):
    [scores] = taught(key).score([RankingInstance("i", ("the salt",), ("salt here",) * 4, 0)])
    assert len(set(scores)) == 1


@pytest.mark.parametrize("key", BASELINES)
def test_a_model_says_what_it_is(key):
    model = BASELINES[key]()
    assert (model.key, bool(model.title), bool(model.family), bool(model.about)) == (key, True, True, True)


def test_another_seed_or_another_instance_guesses_otherwise():
    candidates = ("one", "two", "three", "four")
    first = taught("random").score([RankingInstance("i", (), candidates)])
    assert taught("random").score([RankingInstance("i", ("other words",), candidates)]) == first
    assert taught("random", seed=1).score([RankingInstance("i", (), candidates)]) != first
    assert taught("random").score([RankingInstance("j", (), candidates)]) != first


def test_guessing_is_right_as_often_as_chance():
    """4 candidates, 4,000 instances: the standard errors are .007, .008 and .004."""
    model = taught("random")
    instances = [RankingInstance(f"i{number}", (), tuple("abcd"), number % 4) for number in range(4_000)]
    figures = evaluate([Scored(model.score([each])[0], each.answer) for each in instances], seed=0)
    assert figures["R@1"] == pytest.approx(0.25, abs=0.025)
    assert figures["R@2"] == pytest.approx(0.5, abs=0.03)
    assert figures["MRR"] == pytest.approx(0.5208, abs=0.02)


def test_words_are_runs_of_letters_and_digits_and_chinese_characters_one_by_one():
    assert words("Don't PANIC, it's 42_a") == ["don", "t", "panic", "it", "s", "42", "a"]
    assert words("去吃 pizza 吧") == ["去", "吃", "pizza", "吧"]
    assert words(" … !") == []


def cosine_by_hand(context: str, candidate: str) -> float:
    """TF-IDF cosine in plain Python, from the dialogues of TRAIN."""
    dialogues = [
        "the salt is in the kitchen the salt ran out buy salt",
        "a train runs late why the train is old",
        "我 们 去 吃 饭 吧 好 的",
        "is the salt old the salt is new",
        "is the salt old late",
        "is the salt old why not",
    ]
    holders = Counter(word for text in dialogues for word in set(text.split()))

    def vector(text: str) -> dict[str, float]:
        return {w: n * log(6 / holders[w]) for w, n in Counter(words(text)).items() if w in holders}

    a, b = vector(context), vector(candidate)
    lengths = sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return sum(weight * b.get(word, 0) for word, weight in a.items()) / lengths if lengths else 0.0


@pytest.mark.parametrize(
    ("context", "candidate"),
    [
        (("where is the salt", "in the kitchen"), "the salt ran out of the kitchen"),
        (("the train", "late"), "is the salt late"),
        (("吃饭", "去"), "我们去吃火锅"),
        (("nothing known",), "salt"),
        (("the salt",), "unheard of"),
    ],
)
def test_tf_idf_is_the_cosine_that_lowe_et_al_define(context, candidate):
    [[score, _other]] = taught("tfidf").score([RankingInstance("i", context, (candidate, "x"))])
    assert score == pytest.approx(cosine_by_hand(" ".join(context), candidate), abs=1e-11)


def test_candidates_with_the_same_words_stay_tied():
    tied = ("salt kitchen", "kitchen, SALT", "salt salt kitchen kitchen", "salt kitchen unheard")
    [scores] = taught("tfidf").score([RankingInstance("i", ("the salt is in the kitchen",), tied)])
    assert len(set(scores)) == 1


def test_words_of_what_it_is_asked_about_teach_it_nothing():
    """Document frequencies come from the training material alone: a word that it lacks weighs nothing."""
    assert taught("tfidf").score([RankingInstance("i", ("pepper",), ("pepper", "salt"))]) == [[0.0, 0.0]]


@pytest.mark.parametrize("train", [[], [RankingInstance("t", ("...", "?!"))]])
def test_material_without_words_teaches_nothing(train):
    with pytest.raises(NothingToLearn):
        TfIdf().fit(train)
