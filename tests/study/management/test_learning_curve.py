"""learning_curve as a shell runs it."""

import pytest

from study.models import Run
from tests.study.instances import forum, kitchen

CURVE = ("learning_curve", "tfidf", "--on", "kitchen:dev", "--train", "kitchen:train")


@pytest.fixture
def material(administrator):
    return kitchen(administrator, dev=5)


def test_the_last_size_is_the_run_on_the_whole_and_nothing_is_stored(shell, material):
    rows = shell(*CURVE, "--json").json["rows"]
    assert [row["size"] for row in rows] == [1, 3]
    assert not Run.objects.exists()
    whole = shell("run_baseline", *CURVE[1:], "--json").json
    for name in ("R@1", "MRR", "R@1_ci", "MRR_ci", "n"):
        assert rows[-1][name] == whole[name]


def test_named_sizes_are_printed_smallest_first(shell, material):
    printed = shell(*CURVE, "--sizes", "3", "2", "2")
    assert [line.partition(":")[0] for line in printed.out.splitlines()] == ["2 instances", "3 instances"]
    assert "R@1 " in printed.out


def test_rated_prompts_have_a_curve_by_cut(shell, project):
    forum(project)
    sources = ("--on", "weibo@1:test", "--train", "weibo@1:train", "--dev", "weibo@1:dev")
    printed = shell("learning_curve", "bm25", *sources, "--sizes", "2")
    assert (printed.code, "Cut@4 MAP " in printed.out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*CURVE, "--sizes", "4"), "Sizes must be from 1 to 3"),
        ((*CURVE, "--sizes", "0"), "Sizes must be from 1 to 3"),
        (("learning_curve", "random", *CURVE[2:]), "This model needs no training"),
        ((*CURVE[:3], "kitchen:test", *CURVE[4:]), "There is nothing in it."),
    ],
)
def test_a_curve_that_cannot_be_is_refused_in_words(shell, material, arguments, said):
    printed = shell(*arguments)
    assert printed.code == 1
    assert said in printed.err
