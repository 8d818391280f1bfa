"""run_baseline as a shell runs it."""

import pytest

from study.models import Run
from tests import factories
from tests.study.instances import corpus, kitchen, row

METRICS = ("R@1", "R@2", "R@5", "MRR", "MRR@2")
KEYS = {"model", "n", "candidates", "tied", *METRICS, *(f"{name}_ci" for name in METRICS)}
TFIDF = ("run_baseline", "tfidf", "--on", "kitchen:dev", "--train", "kitchen:train")


@pytest.fixture
def material(administrator):
    return kitchen(administrator, dev=5, unknown=2)


def test_it_prints_one_object_with_the_fixed_keys(shell, material):
    printed = shell(*TFIDF, "--json")
    assert (printed.code, printed.json.keys() >= KEYS) == (0, True)
    assert (printed.json["model"], printed.json["n"], printed.json["candidates"]) == ("tfidf", 5, 4)
    assert printed.json["R@5"] is None
    low, high = printed.json["R@1_ci"]
    assert 0 <= low <= printed.json["R@1"] <= high <= 1


def test_the_same_seed_prints_the_same_and_another_another(shell, material):
    guess = ("run_baseline", "random", "--on", "kitchen:dev", "--json")
    first, again, other = (shell(*guess, "--seed", seed).json for seed in (1, 1, 2))
    assert first["checksum"] == again["checksum"] != other["checksum"]
    assert {**first, "run": 0} == {**again, "run": 0}


def test_in_words_it_says_what_one_has_to_know(shell, administrator):
    corpus(
        "leaky", row("t", "train"), row("same", candidates=["Yes.", "Yes."]), row("u", answer=None), by=administrator
    )
    printed = shell("run_baseline", "tfidf", "--on", "leaky:dev", "--train", "leaky:train")
    assert printed.code == 0
    assert "1 instance with a known answer" in printed.out
    assert "1 without one: predicted, in no figure" in printed.out
    assert "1 with the true response level with another, counted by expectation" in printed.out
    assert "2 with a context that stands in leaky:train too" in printed.out
    assert "It needs more than 5 candidates." in printed.out


def test_material_that_is_not_read_is_said(shell, material):
    printed = shell("run_baseline", "random", "--on", "kitchen:dev", "--train", "kitchen:train", "--json")
    assert printed.json["train"] is None
    assert "random does not learn: kitchen:train was not read." in printed.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("bert", "--on", "kitchen:dev"), "unknown_model"),
        (("tfidf", "--on", "kitchen:dev"), "needs_training"),
        (("tfidf", "--on", "kitchen:dev", "--train", "kitchen:dev"), "trained_on_itself"),
        (("random", "--on", "nowhere"), "no_such_source"),
    ],
)
def test_a_refusal_ends_with_1_and_says_why(shell, material, arguments, code):
    printed = shell("run_baseline", *arguments, "--json")
    assert (printed.code, printed.json["code"]) == (1, code)
    assert printed.json["error"] in printed.err
    assert not Run.objects.exists()


@pytest.mark.parametrize("arguments", [("random",), ("random", "--on", "kitchen:dev", "--seed", "x")])
def test_wrong_usage_ends_with_2(shell, material, arguments):
    assert shell("run_baseline", *arguments).code == 2


def test_it_acts_with_the_rights_of_whom_one_names(shell, material):
    factories.person("an")
    printed = shell("run_baseline", "random", "--on", "kitchen:dev", "--as", "an", "--json")
    assert (printed.code, printed.json["code"]) == (1, "not_allowed")
