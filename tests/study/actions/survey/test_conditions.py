"""Questions in several conditions: no person meets one twice, and it counts as one question."""

import pytest

from study.actions.survey import studies
from study.models import FormQuestion, Study
from study.selectors.results.answered import answers_given
from study.selectors.results.results import results_of
from study.selectors.survey.plans import prospect_of, question_counts
from tests.study import study_cases
from tests.study.results_cases import answer, participant

pytestmark = pytest.mark.django_db


def opened(researcher, count=6, **settings):
    drawn = study_cases.question_set("films", count, by=researcher)
    study_cases.add_conditions(drawn, "first:1", "all")
    made = studies.create(slug="winter", question_sets=[drawn], settings=settings, by=researcher)
    return studies.open_(study=made, by=researcher)


def asked_in(study, form: int) -> list[tuple[str, str]]:
    rows = FormQuestion.objects.filter(study=study, form=form).select_related("question")
    return [(row.question.name, row.question.condition) for row in rows]


@pytest.mark.parametrize(
    ("settings", "forms"), [({"assign": "all"}, 3), ({"forms": 5, "per_form": 4}, 5), ({"forms": 2, "per_form": 3}, 2)]
)
def test_no_form_asks_a_question_in_two_conditions(researcher, settings, forms):
    study = opened(researcher, **settings)
    for form in range(1, forms + 1):
        names = [name for name, _condition in asked_in(study, form)]
        assert names
        assert len(set(names)) == len(names)
    assert not asked_in(study, forms + 1)


def test_where_each_person_gets_all_questions_the_forms_have_each_in_every_condition(researcher):
    study = opened(researcher, assign="all")
    asked = [each for form in (1, 2, 3) for each in asked_in(study, form)]
    assert set(asked) == {(f"q{number}", condition) for number in range(6) for condition in ("", "first:1", "all")}
    assert len(asked) == 18


def test_the_plan_names_the_condition_and_the_prospect_counts_a_question_once(researcher):
    study = opened(researcher, assign="all")
    assert {"films/q0", "films/q0@all", "films/q0@first:1"} <= {name for form in study.plan["forms"] for name in form}
    assert prospect_of(study).questions == question_counts(Study.objects.all())[study.pk] == 6


def test_a_person_is_shown_each_question_once_and_its_condition_is_kept(researcher):
    study = opened(researcher, assign="all")
    for _person in range(4):
        shown = study_cases.counting(study_cases.begun(study))
        assert sorted(each.question.name for each in shown) == [f"q{number}" for number in range(6)]
        assert all(each.condition == each.question.condition for each in shown)
        assert {each.condition for each in shown} == {"", "first:1", "all"}


def test_conditions_count_as_one_question_in_the_figures(researcher):
    """Three people answer each of six questions in a condition of their own: six questions, not eighteen."""
    study = opened(researcher, assign="all")
    for form in (1, 2, 3):
        person = participant(study)
        for row in FormQuestion.objects.filter(study=study, form=form).select_related("question"):
            answer(person, row.question, 1 + (row.question.position + form) % 2)
    table = answers_given(study).under(()).table
    assert (len(table), len(table.questions.names), len(table.asked.names)) == (18, 6, 18)
    whole = next(cell for cell in results_of(study, draws=10)["cells"] if cell["metric"] == "R@1")
    assert (whole["n"], whole["questions"]) == (18, 6)


def test_each_condition_has_a_cell_of_its_own_and_the_whole_context_too(researcher):
    study = opened(researcher, assign="all")
    for form in (1, 2):
        person = participant(study)
        for row in FormQuestion.objects.filter(study=study, form=form).select_related("question"):
            answer(person, row.question, 1)
            person.presentations.filter(question=row.question).update(condition=row.question.condition)
    cells = results_of(study, draws=10)["cells"]
    assert {cell["condition"] for cell in cells if cell["condition"]} == {"whole", "first:1", "all"}
