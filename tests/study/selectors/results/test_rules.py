"""Results under every rule: each alone, in all combinations, and without questions that are marked afterwards."""

from itertools import combinations

import pytest

from study.actions.results import results_in_force
from study.actions.survey import exclusions, validity
from study.domain.results.exclusions import RuleSwitches
from study.domain.survey.validity import Validity
from study.models import Answer, LateAnswer
from study.selectors.results.results import results_of
from tests.study.results_cases import answer_all, closed_study, question_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher):
    made = closed_study(researcher, question_set(researcher, 4, corpora=("movie", "ubuntu")))
    made.settings = {"minimum_answers": 2, "too_fast": 3}
    made.save()
    return made


@pytest.fixture
def ruled(study, researcher):
    """Three people who count, one with too few answers, one too fast, one excluded by hand and one late answer."""
    answer_all(study, ["1111", "1-1-", "-11-"], group="crowd")
    answer_all(study, ["-...", "-1--", "---1"], group="lab")
    first, *_others, fast, colleague = study.participants.order_by("pk")
    Answer.objects.filter(presentation__participant=fast).update(milliseconds=900)
    exclusions.exclude(study=study, people=[colleague], why="A colleague.", by=researcher)
    LateAnswer.objects.create(presentation=first.presentations.get(position=3), better=None, depth=2)
    return study


def mark(study, position: int, decision: Validity, by) -> None:
    question = study.question_sets.get().questions.get(position=position)
    validity.decide(study=study, question=question, decision=decision, why="Both lines fit.", by=by)


def cell(cells, corpus=None, group=None):
    [found] = [one for one in cells if (one["corpus"], one["group"]) == (corpus, group)]
    return found


def rule_of(results, name):
    return next((rule for rule in results["rules"] if rule["rule"] == name), None)


def means_of_all_combinations(study, corpus, group, also=()):
    """R@1 under every combination of the rules that leave anything out, each computed as results of its own."""
    names = [rule["rule"] for rule in results_of(study, draws=10)["rules"] if rule["people"]]
    for size in range(len(names) + 1):
        for on in combinations(names, size):
            found = results_of(study, without=set(names) - set(on), also=set(on) & set(also), draws=10)
            wanted = {"corpus": corpus, "group": group, "metric": "R@1", "form": None, "turns": None, "type": None}
            yield next((one["p"] for one in found["cells"] if wanted.items() <= one.items()), None)


@pytest.mark.parametrize(("corpus", "group"), [(None, None), ("movie", None), (None, "lab"), ("ubuntu", "crowd")])
def test_the_range_is_that_of_all_combinations_each_computed_by_itself(ruled, researcher, corpus, group):
    mark(ruled, 0, Validity.PERHAPS_VALID, researcher)
    found = results_of(ruled, draws=10)["every_rule"]["combinations"]
    [row] = [row for row in found if (row["corpus"], row["group"]) == (corpus, group)]
    shares = [p for p in means_of_all_combinations(ruled, corpus, group, also=["perhaps_valid"]) if p is not None]
    assert (row["low"], row["high"]) == pytest.approx((min(shares), max(shares)))
    assert row["combinations"] == 2**5, "five rules leave something out, and others are in no combination"


def test_each_rule_alone_is_what_the_results_without_all_others_say(ruled):
    found = results_of(ruled, draws=10)
    rules = [rule["rule"] for rule in found["rules"]]
    sets = {tuple(one["rules"]): one for one in found["every_rule"]["sets"] if one["kind"] == "rule"}
    assert sorted(sets) == sorted((rule,) for rule in rules)
    for rule in rules:
        alone = results_of(ruled, without=set(rules) - {rule}, draws=10)
        whole = next(one for one in alone["cells"] if one["metric"] == "R@1")
        row = cell(sets[rule,]["cells"])
        assert {key: row[key] for key in ("k", "n", "p", "people", "questions", "headline", "estimator")} == {
            key: whole[key] for key in ("k", "n", "p", "people", "questions", "headline", "estimator")
        }


def test_rules_by_default_are_the_results_and_no_rule_is_all_that_was_answered(ruled):
    found = results_of(ruled, draws=10)
    none, default, everything = (
        cell(next(one for one in found["every_rule"]["sets"] if one["kind"] == kind)["cells"])
        for kind in ("none", "default", "all")
    )
    assert (default["k"], default["n"]) == (found["cells"][0]["k"], found["cells"][0]["n"])
    assert none["people"] == 6
    assert default == everything


def test_a_person_excluded_by_hand_is_left_out_by_no_rule_of_the_plan(ruled):
    sets = {one["kind"]: one for one in results_of(ruled, draws=10)["every_rule"]["sets"]}
    assert {*sets["default"]["rules"]} - {*sets["planned"]["rules"]} == {"excluded_by_hand"}
    without = results_of(ruled, without=["excluded_by_hand"], draws=10)["cells"][0]
    assert cell(sets["planned"]["cells"])["n"] == without["n"] == cell(sets["default"]["cells"])["n"] + 4


def test_questions_marked_as_perhaps_valid_are_left_out_only_where_asked(study, researcher):
    answer_all(study, ["-111", "-11-"])
    assert rule_of(results_of(study), "perhaps_valid") is None
    mark(study, 0, Validity.PERHAPS_VALID, researcher)
    mark(study, 1, Validity.TRUE_ONLY, researcher)
    planned, without = results_in_force(study), results_in_force(study, also=["perhaps_valid"])
    rule = rule_of(planned, "perhaps_valid")
    assert (rule["applied"], rule["people"], rule["with"], rule["without"]) == (False, 2, 5 / 6, 5 / 8)
    assert (rule["questions"], rule_of(planned, "failed_checks")["questions"]) == (1, None)
    assert (planned["cells"][0]["n"], without["cells"][0]["n"], without["questions"]) == (8, 6, 3)
    assert rule_of(without, "perhaps_valid")["applied"]
    assert without["unanswered"] == 0, "a question that is left out was not left open"


def test_a_decision_is_in_the_stored_results_at_once(study, researcher):
    answer_all(study, ["-111", "-11-"])
    mark(study, 0, Validity.PERHAPS_VALID, researcher)
    assert rule_of(results_in_force(study), "perhaps_valid")
    mark(study, 0, Validity.UNDECIDED, researcher)
    assert rule_of(results_in_force(study), "perhaps_valid") is None
    assert results_in_force(study, also=["perhaps_valid"])["answers"] == 8


def test_a_rule_that_was_planned_cannot_be_asked_for_nor_another_be_switched_off():
    assert (
        RuleSwitches(also=["too_fast"], without=["perhaps_valid", "too_fast"]).applied(["too_fast", "perhaps_valid"])
        == frozenset()
    )
    assert RuleSwitches(also=["perhaps_valid"]).applied(["too_fast"]) == {"too_fast"}


def test_everybody_excluded_leaves_no_answer_and_no_figure(study):
    answer_all(study, ["1...", "-..."])
    found = results_of(study, draws=10)
    assert (found["answers"], found["people"], found["cells"][0]["p"]) == (0, 0, None)
    assert found["cells"][0]["headline_why"]
    assert rule_of(found, "too_few_answers")["without"] == 0.5
    [row] = [row for row in found["every_rule"]["combinations"] if (row["corpus"], row["group"]) == (None, None)]
    assert (row["low"], row["high"]) == (0.5, 0.5)
