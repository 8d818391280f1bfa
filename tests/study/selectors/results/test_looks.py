"""R@1 by labels that no hypothesis was fixed for, and people beside models in each condition."""

import pytest

from core.domain.statistics import wilson
from study.actions.imported_answers import import_answers
from study.domain.results.exclusions import RuleSwitches
from study.models import Presentation, Question, Study
from study.selectors.results.comparisons import comparisons_of
from study.selectors.results.crossings import crossing_of
from study.selectors.results.results import results_of
from tests import factories
from tests.study import study_cases
from tests.study.results_cases import (
    answer,
    answer_all,
    closed_study,
    example_a_file,
    participant,
    question_set,
    run_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher):
    return closed_study(researcher, question_set(researcher, 4, corpora=("movie", "ubuntu")))


def look(found, label, name, corpus=None, group=None):
    wanted = {"label": label, "name": name, "corpus": corpus, "group": group}
    [row] = [row for row in found["looks"] if wanted.items() <= row.items()]
    return row


def said(study, **answers: str) -> None:
    """Let the newest person say this of themselves."""
    study.participants.filter(pk=study.participants.latest("pk").pk).update(demographics=answers)


def test_what_people_say_of_themselves_has_a_row_for_each_answer_in_the_order_of_the_question(study):
    for row, ubuntu in (("1111", "expert"), ("11--", "never"), ("1-11", "expert"), ("----", "")):
        answer_all(study, [row], group="crowd")
        said(study, ubuntu=ubuntu, age="21-30")
    found = results_of(study, draws=10)
    names = [row["name"] for row in found["looks"] if row["label"] == "says_ubuntu" and not row["corpus"]]
    assert names == ["never", "expert", "never", "expert"]
    expert = look(found, "says_ubuntu", "expert", corpus="ubuntu", group="crowd")
    assert (expert["k"], expert["n"], expert["people"], expert["questions"]) == (3, 4, 2, 2)
    assert expert["estimator"] == "pooled k/n"
    assert look(found, "says_age", "21-30")["n"] == 16


def test_halves_and_places_follow_the_order_in_which_a_person_was_asked(study):
    answer_all(study, ["11--", "1-.-"])
    person = study.participants.latest("pk")
    for place, shown in enumerate(person.presentations.order_by("-position")):
        Presentation.objects.filter(pk=shown.pk).update(position=20 + place)  # the other way round
    found = results_of(study, draws=10)
    assert (look(found, "half", "first")["k"], look(found, "half", "first")["n"]) == (2, 3)
    assert (look(found, "half", "second")["k"], look(found, "half", "second")["n"]) == (1, 4)
    assert look(found, "position", "1-5")["n"] == 7


def test_answers_from_elsewhere_have_no_order(tmp_path, researcher):
    import_answers(slug="a", path=example_a_file(tmp_path), report=factories.no_progress, by=researcher)
    assert results_of(Study.objects.get(slug="a"), draws=10)["looks"] == []


def test_types_of_reasoning_have_cells_and_a_question_of_two_types_is_in_both(study):
    answer_all(study, ["11-1", "1--1"])
    Question.objects.filter(position=0).update(reasoning=["algebraic", "other"])
    Question.objects.filter(position=1).update(reasoning=["other"])
    found = results_of(study, draws=10)
    cells = {
        cell["type"]: (cell["k"], cell["n"]) for cell in found["cells"] if cell["type"] and cell["metric"] == "R@1"
    }
    assert cells == {"algebraic": (2, 2), "other": (3, 4)}
    whole = next(cell for cell in found["cells"] if cell["metric"] == "R@1")
    assert (whole["type"], whole["n"]) == (None, 8)
    assert look(found, "type", "other", corpus="ubuntu")["n"] == 2


@pytest.fixture
def altered(researcher):
    """Six people, of whom two each answer the three questions whole, without the first turn, and without any."""
    drawn = study_cases.question_set("films", 3, by=researcher, candidates=4)
    Question.objects.filter(question_set=drawn).update(answer=0)
    study_cases.add_conditions(drawn, "first:1", "all")
    Question.objects.filter(question_set=drawn, condition="all").update(context=[])  # a model is found by its texts
    study = closed_study(researcher, drawn, slug="winter")
    for number, row in enumerate(["111", "11-", "11-", "1--", "---", "1--"]):
        person, condition = participant(study), ("", "first:1", "all")[number // 2]
        for letter, question in zip(row, drawn.questions.filter(condition=condition).order_by("position"), strict=True):
            answer(person, question, None if letter == "-" else 1)
        person.presentations.update(condition=condition)
    return study


def test_models_are_beside_people_in_each_condition(altered, researcher):
    run = run_of(altered.question_sets.get(), "11010000.", by=researcher)
    found = results_of(altered, draws=10)
    people = {row["name"]: (row["k"], row["n"]) for row in found["looks"] if row["label"] == "condition"}
    assert people == {"whole": (5, 6), "first:1": (3, 6), "all": (1, 6)}
    models = {row["condition"]: (row["run"], row["k"], row["n"]) for row in found["models_in_conditions"]}
    assert models == {"whole": (run.pk, 2, 3), "first:1": (run.pk, 1, 3), "all": (run.pk, 0, 2)}
    whole = next(row for row in found["models_in_conditions"] if row["condition"] == "whole")
    assert whole["ci"] == pytest.approx(wilson(2, 3))


def test_figures_that_name_no_condition_are_of_the_whole_context(altered, researcher):
    """People are right 5 times of 6 in the whole context and 9 times of 18 in all; the model in 2 of 3, and 3 of 8."""
    run_of(altered.question_sets.get(), "11010000.", by=researcher)
    found = results_of(altered, draws=10)
    assert found["condition"] == "whole"
    cells = {cell["condition"]: (cell["k"], cell["n"]) for cell in found["cells"] if cell["metric"] == "R@1"}
    everyone = next(cell for cell in found["cells"] if cell["metric"] == "R@1")
    assert (everyone["condition"], everyone["k"], everyone["n"]) == (None, 5, 6)
    assert (cells["whole"], cells["all"]) == ((5, 6), (1, 6))
    [model] = [row for row in found["models"] if row["metric"] == "R@1" and row["corpus"] is None]
    assert (model["k"], model["n"], model["without_prediction"]) == (2, 3, 0)
    [difference] = [row for row in found["differences"] if row["corpus"] is None]
    assert (difference["questions"], difference["people"]) == (3, 2)
    under_rules = [cell["n"] for one in found["every_rule"]["sets"] for cell in one["cells"] if not cell["corpus"]]
    assert set(under_rules) == {6}
    assert {row["n"] for row in found["looks"] if row["label"] == "half" and not row["corpus"]} == {2, 4}
    [compared] = [row for row in comparisons_of(altered, [], draws=10)["rows"] if row["model"]]
    assert compared["questions"] == 3
    assert (compared["first"], compared["second"]) == (pytest.approx(5 / 6), pytest.approx(2 / 3))
    crossed = [cell for cell in crossing_of(altered, RuleSwitches(), ["corpus"]) if cell["metric"] == "R@1"]
    assert (sum(cell["k"] for cell in crossed), sum(cell["n"] for cell in crossed)) == (5, 6)


def test_where_all_questions_are_whole_there_is_no_condition(study, researcher):
    run_of(study.question_sets.get(), "1100", by=researcher)
    answer_all(study, ["1111"])
    found = results_of(study, draws=10)
    assert found["models_in_conditions"] == []
    assert not [row for row in found["looks"] if row["label"] == "condition"]
