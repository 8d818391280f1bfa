"""Agreement of named raters alone is that of a project which has only their grades."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from annotation.actions.projects import projects
from annotation.actions.rating import imported_ratings
from tests import factories

GRADES = {  # by rater, in the order of the pairs; 0: not graded
    "x": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 1, 5],
    "y": [1, 2, 2, 3, 3, 4, 4, 5, 5, 4, 4, 0],
    "z": [2, 1, 3, 2, 0, 5, 3, 4, 1, 5, 2, 4],
}


def imported(project, researcher, path, *raters, only=range(12)):
    rows = [
        f"q{pair},{rater},{GRADES[rater][pair]},prompt {pair // 2},response {pair}"
        for pair in only
        for rater in raters
        if GRADES[rater][pair]
    ]
    path.write_text("\n".join(["item,rater,grade,prompt,response", *rows]))
    imported_ratings.import_ratings(project=project, path=path, report=factories.no_progress, by=researcher)


@pytest.fixture
def three(project, researcher, tmp_path):
    imported(project, researcher, tmp_path / "all.csv", "x", "y", "z")
    return project


@pytest.mark.parametrize("two", list(combinations("xyz", 2)))
def test_the_figures_are_those_of_a_project_with_these_raters_alone(three, researcher, shell, tmp_path, two):
    shared = [pair for pair in range(12) if all(GRADES[rater][pair] for rater in two)]
    alone = projects.create(slug="alone", kind="rating", by=researcher)
    imported(alone, researcher, tmp_path / "two.csv", *two, only=shared)
    found = shell("agreement", "weibo", "--by", "prompt", "--json", "--raters", *two).json
    expected = shell("agreement", "alone", "--by", "prompt", "--json").json
    assert {key: found[key] for key in ("items", "before", "pairs", "matrix")} == {
        key: expected[key] for key in ("items", "before", "pairs", "matrix")
    }
    assert found["items"] == len(shared) == found["kept"] + found["removed"]


@pytest.mark.parametrize("two", list(combinations("xyz", 2)))
def test_kappa_of_two_named_raters_is_scikit_learns(three, shell, two):
    first, second = np.array([GRADES[rater] for rater in two])
    both = (first > 0) & (second > 0)
    expected = cohen_kappa_score(first[both], second[both], weights="quadratic", labels=range(1, 6))
    [pair] = shell("agreement", "weibo", "--json", "--raters", *two).json["pairs"]
    assert (pair["raters"], pair["n"]) == (list(two), both.sum())
    assert pair["kappa_quadratic"] == pytest.approx(expected)


def test_the_widest_gaps_and_confusions_are_those_of_the_named(three, shell):
    found = shell("agreement", "weibo", "--json", "--raters", "x", "y").json
    assert [(row["id"], row["grades"]) for row in found["discussions"]] == [("q10", {"x": 1, "y": 4})]
    assert [(row["grades"], row["n"]) for row in found["type_confusions"]] == [([1, 4], 1)]


def test_all_raters_named_give_the_figures_of_all(three, shell):
    everyone = shell("agreement", "weibo", "--json", "--raters", "z", "y", "x", "x").json
    assert everyone == shell("agreement", "weibo", "--json").json


def test_a_rater_may_be_named_by_the_user_name(three, shell):
    by_login = shell("agreement", "weibo", "--json", "--raters", "weibo/x", "y").json
    assert by_login == shell("agreement", "weibo", "--json", "--raters", "x", "y").json
    assert "x and y: n = 11" in shell("agreement", "weibo", "--raters", "x", "y").out


def test_an_unknown_rater_is_answered_with_those_that_resemble_it(three, shell):
    printed = shell("agreement", "weibo", "--raters", "x", "yy")
    assert (printed.code, printed.err) == (2, "There is no rater “yy”. Did you mean y?")
    printed = shell("agreement", "weibo", "--raters", "x", "ann")
    assert (printed.code, printed.err) == (2, "There is no rater “ann”. Known: x, y, z.")


def test_people_are_known_by_their_accounts(project, annotator, partner, shell):
    factories.pairs(project, 1)
    for person, name in ((annotator, "Lin Yue"), (partner, "He Man")):
        person.name = name
        person.save()
        factories.grade_next(project, person, 4)
    printed = shell("agreement", "weibo", "--raters", annotator.username, "Zhao Yi")
    known = f"{partner.username}, {annotator.username}"
    assert (printed.code, printed.err) == (2, f"There is no rater “Zhao Yi”. Known: {known}.")


@pytest.mark.parametrize("names", [["x"], ["x", "x"], ["x", "weibo/x"]])
def test_one_rater_agrees_with_no_one(three, shell, names):
    printed = shell("agreement", "weibo", "--raters", *names)
    assert (printed.code, printed.err) == (2, "--raters: name two raters or more.")
