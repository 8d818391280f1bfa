"""Questions from the shell."""

import pytest

from core.models import Role
from study.models import QuestionSet
from tests import factories
from tests.corpora import dialogue, stored
from tests.study import instances

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(shell, administrator):
    return stored("talk", [*map(dialogue, range(12)), dialogue(50, 2)], by=administrator)


def test_questions_are_built_and_told(shell, talk):
    printed = shell("build_questions", "evening", "--from", "talk:dev", "--count", 10, "--seed", 3, "--json")
    built = QuestionSet.objects.get()
    assert printed.code == 0
    assert printed.json == {
        "name": "evening",
        "questions": 10,
        "checksum": built.checksum,
        "left_out": {"short": 1, "not_drawn": 2},
        "seed": 3,
        "recipe": built.recipe,
    }


def test_the_same_seed_gives_the_same_checksum(shell, talk):
    def checksum(name, *options):
        return shell("build_questions", name, "--from", "talk", "--count", 5, *options, "--json").json["checksum"]

    first, again = checksum("one"), checksum("two", "--seed", 0, "--distractors", 4, "--max-turns", 6)
    assert first == again
    others = {checksum("three", "--seed", 1), checksum("four", "--distractors", 3), checksum("five", "--max-turns", 2)}
    assert len({first, *others}) == 4


def test_too_few_are_refused_with_how_many_there_are(shell, talk):
    printed = shell("build_questions", "evening", "--from", "talk", "--count", 13, "--json")
    assert (printed.code, printed.json["code"]) == (1, "too_few")
    assert "enough for 12 of the 13 questions" in printed.err


def test_a_name_that_nothing_has_is_answered_with_those_there_are(shell, talk):
    printed = shell("build_questions", "evening", "--from", "talk:valid", "--count", 5)
    assert (printed.code, "“talk:valid”" in printed.err) == (1, True)
    assert "Known: talk." in printed.err


@pytest.mark.parametrize("name", ["a b", "x" * 61])
def test_a_name_that_cannot_be_is_repeated(shell, talk, name):
    printed = shell("build_questions", name, "--from", "talk", "--count", 5)
    assert (printed.code, f"“{name}”" in printed.err) == (1, True)


@pytest.mark.parametrize("pick", ["similar", "length"])
def test_other_picks_and_conditions_are_drawn(shell, talk, pick):
    options = ["--pick", pick, "--distractors", 9, "--ablate", "first:1", "shuffle"]
    printed = shell("build_questions", "evening", "--from", "talk", "--count", 4, *options, "--json")
    assert (printed.code, printed.json["questions"]) == (0, 4)
    assert (printed.json["recipe"]["pick"], printed.json["recipe"]["conditions"]) == (
        pick,
        {"first:1": 4, "shuffle": 4},
    )
    assert {row.candidates_count for row in QuestionSet.objects.get().questions.all()} == {10}


def test_a_condition_that_is_none_is_repeated(shell, talk):
    printed = shell("build_questions", "evening", "--from", "talk", "--count", 4, "--ablate", "last:1")
    assert (printed.code, "“last:1”" in printed.err) == (1, True)


@pytest.mark.parametrize(
    "conditions, code, said",
    [
        (["all", "all"], "condition_twice", "“all” is named twice"),
        (["first:9999"], "condition_wrong", "1 to 99"),
        (["last:1", "last:1"], "condition_wrong", "“last:1”"),
    ],
)
def test_a_condition_that_is_refused_is_told_why(shell, talk, conditions, code, said):
    printed = shell("build_questions", "evening", "--from", "talk", "--count", 4, "--ablate", *conditions, "--json")
    assert (printed.code, printed.json["code"], said in printed.err) == (1, code, True)


def test_wrong_usage_is_told_apart(shell, talk):
    assert shell("build_questions", "evening", "--from", "talk").code == 2
    assert shell("build_questions", "evening", "--count", 1).code == 2
    assert shell("build_questions", "evening", "--from", "talk", "--count", "many").code == 2
    assert shell("build_questions", "evening", "--from", "talk", "--count", 1, "--pick", "best").code == 2


def test_only_those_who_may_build(shell, talk):
    factories.person("an", Role.ANNOTATOR)
    assert shell("build_questions", "evening", "--from", "talk", "--count", 1, "--as", "an").code == 1


def test_candidates_that_a_source_brings_are_said_to_be_kept(shell, administrator):
    instances.kitchen(administrator, dev=4)
    options = ["--from", "kitchen:dev", "--count", 3, "--pick", "similar", "--distractors", 4]
    assert "Own candidates kept: 3 of 3 questions" in shell("build_questions", "cooking", *options).out
    assert QuestionSet.objects.get().recipe["own_candidates"] == 3


def test_picked_candidates_are_not_said_to_be_kept(shell, talk):
    assert "Own candidates" not in shell("build_questions", "evening", "--from", "talk:dev", "--count", 3).out
