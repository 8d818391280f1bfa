"""run_baseline as a shell runs it."""

import pytest

from study.models import Run
from study.selectors.runs.runs import command_of
from tests import factories
from tests.study.instances import EIGHTEEN, corpus, forum, kitchen, row

METRICS = ("R@1", "R@2", "R@5", "MRR", "MRR@2")
KEYS = {"model", "n", "candidates", "tied", *METRICS, *(f"{name}_ci" for name in METRICS)}
OF_WEIGHTS = {"bert", "roberta", "bert-mc", "roberta-mc", "gpt2", "gpt2-ft"}
NETWORKS = {"dual-rnn", "dual-lstm", "bilstm", "cnn", "smn", "dam", *OF_WEIGHTS}
UNTAUGHT = {"random", "gpt2", "chat"}
TFIDF = ("run_baseline", "tfidf", "--on", "kitchen:dev", "--train", "kitchen:train")


@pytest.fixture
def material(administrator):
    return kitchen(administrator, dev=5, unknown=2)


def test_a_trial_without_what_is_asked_about(shell, material):
    printed = shell(*TFIDF, "--leave-out-overlap", "--trial", "--json")
    assert (printed.json["is_trial"], printed.json["leaves_out_overlap"]) == (True, True)
    assert printed.json["left_out_of_training"] == 0
    assert "its figures do not appear in any table" in shell(*TFIDF, "--trial").out


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
    same = {"run": 0, "circumstances": {}}  # seconds and memory are those of each
    assert {**first, **same} == {**again, **same}


def test_in_words_it_says_what_one_has_to_know(shell, administrator):
    corpus(
        "leaky", row("t", "train"), row("same", candidates=["Yes.", "Yes."]), row("u", answer=None), by=administrator
    )
    printed = shell("run_baseline", "tfidf", "--on", "leaky:dev", "--train", "leaky:train")
    assert printed.code == 0
    assert "1 instance with a known answer" in printed.out
    assert "1 without one: predicted, left out of all figures" in printed.out
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
        (("oracle", "--on", "kitchen:dev"), "unknown_model"),
        (("tfidf", "--on", "kitchen:dev"), "needs_training"),
        (("tfidf", "--on", "kitchen:dev", "--train", "kitchen:dev"), "trained_on_itself"),
        (("random", "--on", "nowhere"), "no_such_source"),
        (("bm25", "--on", "kitchen:dev", "--train", "kitchen:train", "--set", "k1=x"), "wrong_setting"),
        (("bm25", "--on", "kitchen:dev", "--train", "kitchen:train", "--device", "cuda"), "no_such_device"),
    ],
)
def test_a_refusal_ends_with_1_and_says_why(shell, material, arguments, code):
    printed = shell("run_baseline", *arguments, "--json")
    assert (printed.code, printed.json["code"]) == (1, code)
    assert printed.json["error"] in printed.err
    assert not Run.objects.exists()


ASKED = ("random", "--on", "kitchen:dev")


@pytest.mark.parametrize(
    "arguments", [("random",), (*ASKED, "--seed", "x"), (*ASKED, "--set", "k1"), (*ASKED, "--device", "tpu")]
)
def test_wrong_usage_ends_with_2(shell, material, arguments):
    assert shell("run_baseline", *arguments).code == 2


def test_it_acts_with_the_rights_of_whom_one_names(shell, material):
    factories.person("an")
    printed = shell("run_baseline", "random", "--on", "kitchen:dev", "--as", "an", "--json")
    assert (printed.code, printed.json["code"]) == (1, "not_allowed")


def test_rated_prompts_have_figures_at_three_cuts(shell, administrator, project):
    forum(project)
    asked = ("run_baseline", "svmrank", "--on", "weibo@1:test", "--train", "weibo@1:train", "--dev", "weibo@1:dev")
    printed = shell(*asked, "--set", "c=0.5", "--label", "first", "--device", "auto", "--json")
    assert printed.code == 0
    assert printed.json.keys() >= {"model", "prompts", "cuts", "settings", "learned", "circumstances"}
    assert [*printed.json["cuts"]] == ["3", "4", "5"]
    assert printed.json["cuts"]["3"].keys() >= {"P@1", "MAP", "MRR", "prompts", "P@1_ci", "MAP_ci", "MRR_ci"}
    assert (printed.json["settings"], printed.json["dev"], printed.json["label"]) == (
        {"c": 0.5},
        "weibo@1:dev",
        "first",
    )
    words = shell(*asked).out
    assert "svmrank on weibo@1:test: 4 prompts with 8 rated responses" in words
    assert "Cut@4: 3 prompts, 1 of them with one response; 1 without a response of 4 or more" in words
    assert "No prompt has a response with this grade or more." in words


def test_dev_that_is_not_read_is_said(shell, material):
    printed = shell(*TFIDF, "--dev", "kitchen:test", "--json")
    assert (printed.json["dev"], "tfidf chooses nothing on dev: kitchen:test was not read." in printed.err) == (
        None,
        True,
    )


def test_the_models_are_listed_with_settings_needs_and_cost(shell, administrator):
    printed = shell("list_baselines", "--json")
    models = {each["key"]: each for each in printed.json["baselines"]}
    assert printed.code == 0
    assert models.keys() >= set(EIGHTEEN)
    assert models["random"]["needs"] == {"train": False, "server": False, "weights": False, "extra": None}
    assert models["chat"]["needs"] == {"train": False, "server": True, "weights": False, "extra": None}
    assert {each["name"]: each.get("length") for each in models["chat"]["settings"]}["model"] == 200
    assert models["gbdt"]["needs"]["train"]
    assert models["gbdt"]["family"] == "learning to rank"
    declared = {each["name"]: each for each in models["gbdt"]["settings"]}
    assert (declared["rate"]["default"], declared["rate"]["least"], declared["rate"]["most"]) == (0.05, 0.001, 1)
    assert (declared["trees"]["default"], declared["trees"]["without_dev"]) == (None, 100)
    assert all(each["cost"].keys() == {"training", "scoring", "megabytes"} for each in models.values())
    lines = shell("list_baselines").out.splitlines()
    assert [line.split()[0] for line in lines] == list(models)
    assert "k1=1.2 b=0.75" in next(line for line in lines if line.startswith("bm25"))


@pytest.mark.parametrize("key", EIGHTEEN)
def test_each_model_of_the_tables_is_listed_in_full(shell, administrator, key):
    [model] = [each for each in shell("list_baselines", "--json").json["baselines"] if each["key"] == key]
    assert model.keys() >= {"key", "family", "settings", "needs", "cost"}
    needs = {name: bool(model["needs"][name]) for name in ("train", "weights", "extra")}
    assert needs == {"train": key not in UNTAUGHT, "weights": key in OF_WEIGHTS, "extra": key in NETWORKS}
    assert model["family"]
    assert all(setting.keys() >= {"name", "default", "help"} for setting in model["settings"])
    assert all(cost >= 0 for cost in model["cost"].values())


def test_figures_by_turns_are_printed_where_contexts_differ_in_length(shell, administrator):
    corpus("mixed", row("a"), row("b", turns=["New."]), row("c", turns=["And?"] * 7), by=administrator)
    printed = shell("run_baseline", "random", "--on", "mixed:dev")
    for line in ("up to 2 turns: R@1 ", "3 turns: R@1 ", "6 and more turns: R@1 "):
        assert line in printed.out
    assert [part["n"] for part in Run.objects.get().metrics["by_turns"]] == [1, 1, 1]


def test_several_seeds_are_a_run_each_with_mean_and_sd(shell, material):
    printed = shell("run_baseline", "random", "--on", "kitchen:dev", "--seed", 0, 1, 2, 1, "--json")
    assert (printed.code, printed.json["seeds"], Run.objects.count()) == (0, [0, 1, 2], 3)
    values = [run["R@1"] for run in printed.json["runs"]]
    spread = printed.json["over_seeds"]["R@1"]
    assert spread["mean"] == pytest.approx(sum(values) / 3)
    assert spread["sd"] == pytest.approx((sum((value - spread["mean"]) ** 2 for value in values) / 2) ** 0.5)
    assert "over 3 seeds:\nR@1   " in shell("run_baseline", "random", "--on", "kitchen:dev", "--seed", 0, 1, 2).out


def test_a_model_is_asked_again_with_contexts_taken_away(shell, material):
    alone = shell(*TFIDF, "--json").json
    printed = shell(*TFIDF, "--ablate", "first:1", "all", "shuffle", "--json")
    assert (printed.code, printed.json["R@1"], printed.json["checksum"]) == (0, alone["R@1"], alone["checksum"])
    ablation = printed.json["ablation"]
    assert list(ablation) == ["first:1", "all", "shuffle"]
    assert all(figures["n"] == 5 for figures in ablation.values())
    assert ablation["all"]["R@1"] == 0.25  # all candidates are level: there is nothing to be alike
    assert ablation["shuffle"]["R@1"] == alone["R@1"]  # words alone count
    assert "all: R@1 0.2500" in shell(*TFIDF, "--ablate", "all").out
    assert "--ablate first:1 all shuffle" in " ".join(command_of(Run.objects.get(pk=printed.json["run"])))


def test_a_change_of_contexts_that_does_not_exist_is_refused(shell, material):
    printed = shell(*TFIDF, "--ablate", "last:2", "--json")
    assert (printed.code, printed.json["code"]) == (1, "no_such_ablation")
