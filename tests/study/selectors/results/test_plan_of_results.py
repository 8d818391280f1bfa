"""What a plan makes of the results: its rules, its derived groups, a pilot."""

import pytest

from study.actions.survey import participants, studies
from study.models import Answer, Identity, Participant, Presentation, Question, QuestionPurpose
from study.selectors.results.results import results_of
from tests.study import study_cases
from tests.study.results_cases import answer_all, closed_study, participant, question_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher):
    return closed_study(researcher, question_set(researcher, 4, corpora=("movie", "ubuntu")))


def with_settings(study, **settings):
    study.settings = settings
    study.save(update_fields=["settings"])
    return study


def rules(study, **arguments) -> dict[str, tuple[int, bool]]:
    found = results_of(study, **arguments)["rules"]
    return {rule["rule"]: (rule["people"], rule["applied"]) for rule in found}


def answered(study, positions: list[int], *, milliseconds: int = 9000) -> Participant:
    """Store a person who chose the line at each of these positions, for the study's questions in turn."""
    person = participant(study)
    questions = Question.objects.filter(question_set__studies=study).order_by("position")
    for place, (position, question) in enumerate(zip(positions, questions, strict=True)):
        order = [3, 2, 1, 0]
        shown = Presentation.objects.create(
            participant=person, question=question, position=place + 1, order=order, tokens=[]
        )
        Answer.objects.create(presentation=shown, first=order[position], better=0, depth=1, milliseconds=milliseconds)
    return person


def test_a_straight_line_is_one_of_positions_as_they_were_shown(study):
    answered(study, [2, 2, 2, 2])
    answered(study, [2, 2, 1, 2])
    assert rules(with_settings(study, straight_lines=4))["straight_lines"] == (1, True)
    assert results_of(study)["people"] == 1
    assert rules(study, without=["straight_lines"])["straight_lines"] == (1, False)
    assert results_of(study, without=["straight_lines"])["people"] == 2
    assert "straight_lines" not in rules(with_settings(study))


def test_who_is_faster_than_the_plan_wants_is_left_out(study):
    answered(study, [0, 1, 2, 3], milliseconds=1999)
    answered(study, [0, 1, 2, 3], milliseconds=2000)
    assert rules(with_settings(study, too_fast=2))["too_fast"] == (1, True)


def test_who_met_the_questions_in_an_earlier_study_is_left_out(study, researcher):
    pilot = closed_study(researcher, study.question_sets.get(), slug="pilot")
    other = closed_study(researcher, question_set(researcher, 2, name="other"), slug="winter")
    for earlier, person in ((pilot, "p1"), (other, "p2")):
        Identity.objects.create(participant=participant(earlier), study=earlier, platform="prolific", person=person)
    for person in ("p1", "p2"):
        came = answered(study, [0, 1, 2, 3])
        Identity.objects.create(participant=came, study=study, platform="prolific", person=person)
    assert rules(with_settings(study, duplicates=True))["duplicates"] == (1, True)


def test_groups_are_derived_from_an_answer_for_the_corpora_they_name_alone(study):
    answer_all(study, ["1111", "--1-", "1111"], group="crowd")
    answer_all(study, ["1111"], group="lab")
    for person, said in zip(study.participants.order_by("pk"), ["expert", "never", "expert", "expert"], strict=True):
        person.demographics = {"ubuntu": said}
        person.save()
    with_settings(study, derived="experts=crowd:ubuntu=expert@ubuntu; novices=crowd:ubuntu=never|basic@ubuntu")
    cells = {
        (cell["corpus"], cell["group"]): (cell["k"], cell["n"], cell["people"])
        for cell in results_of(study)["cells"]
        if cell["metric"] == "R@1" and cell["form"] is cell["condition"] is cell["turns"] is None
    }
    assert cells["ubuntu", "experts"] == (4, 4, 2)
    assert cells["ubuntu", "novices"] == (0, 2, 1)
    assert cells["ubuntu", "crowd"] == (4, 6, 3)  # pooled beside them
    assert ("movie", "experts") not in cells
    assert (None, "experts") not in cells


def test_answers_of_a_pilot_are_in_no_result(study):
    answer_all(study, ["1111"])
    assert results_of(study)["answers"] == 4
    found = results_of(with_settings(study, pilot=True))
    assert (found["answers"], found["people"], found["still_answering"]) == (0, 0, 0)


def check_at(person, wrong: int) -> Participant:
    """Let a person fail so many checks, pass the others and finish."""
    checks = person.presentations.filter(question__purpose=QuestionPurpose.CHECK).select_related("question")
    for number, shown in enumerate(checks.order_by("question__position")):
        first = 1 if number < wrong else 0
        study_cases.answer(shown, first, 1 - first)
    study_cases.answer(study_cases.counting(person)[0], 0, 1)
    return participants.finish(participant=person)


def test_a_person_may_fail_fewer_checks_than_the_plan_says(researcher):
    settings = {"checks": 3, "failed_checks": 2}
    study = study_cases.study("lines", by=researcher, settings=settings)
    states = [check_at(study_cases.begun(study), wrong).state for wrong in (0, 1, 2, 3)]
    assert states == ["complete", "complete", "failed_checks", "failed_checks"]
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert rules(study)["failed_checks"] == (2, True)
