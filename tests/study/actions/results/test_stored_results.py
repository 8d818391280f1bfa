"""Stored results of a study: they say what would be computed, in every language, and go when a person withdraws."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone, translation

from core.actions import stored_figures
from core.models import StoredFigure
from study.actions.imported_answers import import_answers
from study.actions.results import RESULTS, TIMES, results_in_force
from study.actions.runs.baselines import run_now
from study.actions.survey import exclusions, participants, studies, validity
from study.domain.survey.validity import Validity
from study.models import Participant, Study
from study.selectors.results.results import in_words, results_of
from study.selectors.results.times import times_of
from tests import factories
from tests.study import study_cases
from tests.study.results_cases import answers_file, example_a_file


@pytest.fixture
def study(researcher) -> Study:
    """A closed study: two people have finished, a third and a fourth are still answering."""
    made = study_cases.study("lines", by=researcher, settings={"minutes": 40, "minimum_answers": 1})
    for _person in range(2):
        study_cases.finished(made)
    for _person in range(2):
        study_cases.answer(study_cases.counting(study_cases.begun(made))[0], 1, 2)
    return studies.close(study=made, why="Written for tests.", by=researcher)


def under_way(study: Study) -> Participant:
    return study.participants.still_answering().earliest("pk")


def out_of_time(study: Study) -> Participant:
    """Let the time of the first who is answering end twelve minutes ago."""
    person = under_way(study)
    Participant.objects.filter(pk=person.pk).update(
        deadline_at=timezone.now() - timedelta(minutes=12), began_at_uptime=None
    )
    return Participant.objects.get(pk=person.pk)


def answer_late(study: Study, first: int | None = 0) -> Participant:
    person = study.participants.filter(state="timed_out").first() or out_of_time(study)
    participants.close_overdue()
    study_cases.answer(study_cases.counting(person)[1], first, None if first is None else first + 1, seconds_left=4)
    return person


def answer_late_again(study: Study) -> None:
    answer_late(study, 0)
    results_in_force(study)
    answer_late(study, 1)


def take_a_late_answer_back(study: Study) -> None:
    answer_late(study)
    results_in_force(study)
    answer_late(study, None)


def fail_the_check(study: Study) -> None:
    person = under_way(study)
    check = study_cases.check_of(person)
    study_cases.answer(check, (check.question.answer + 1) % 5, None)
    participants.finish(participant=person)


def exclude(study: Study) -> None:
    person = study.participants.filter(state="complete").earliest("pk")
    exclusions.exclude(study=study, people=[person], why="Took part twice.", by=study.created_by)


def take_one_of_two_exclusions_back(study: Study) -> None:
    people = list(study.participants.filter(state="complete").order_by("pk")[:2])
    exclusions.exclude(study=study, people=people, why="Took part twice.", by=study.created_by)
    results_in_force(study)
    exclusions.take_back(study=study, people=people[1:], why="It was another one.", by=study.created_by)


ACTS = {
    "a person finishes": lambda study: participants.finish(participant=under_way(study)),
    "a person fails the check": fail_the_check,
    "a person withdraws": lambda study: participants.withdraw(participant=study.participants.earliest("pk")),
    "one under way withdraws": lambda study: participants.withdraw(participant=under_way(study)),
    "time runs out": out_of_time,
    "time ran out and is stored": lambda study: (out_of_time(study), participants.close_overdue()),
    "a person is excluded by hand": exclude,
    "one of two exclusions is taken back": take_one_of_two_exclusions_back,
    "a late answer": answer_late,
    "a late answer is changed": answer_late_again,
    "a late answer is taken back": take_a_late_answer_back,
    "a question is marked as perhaps valid": lambda study: validity.decide(
        study=study,
        question=study.question_sets.get().questions.earliest("position"),
        decision=Validity.PERHAPS_VALID,
        why="Both lines fit.",
        by=study.created_by,
    ),
    "a run": lambda study: run_now(
        model="random", on="lines-questions", train="", seed=1, report=factories.no_progress, by=study.created_by
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_whatever_happens_what_is_stored_is_what_would_be_computed(study, act):
    before = results_in_force(study)
    stored_figures.computed(TIMES, study)
    ACTS[act](study)
    assert stored_figures.computed(TIMES, study).content == json.loads(json.dumps(times_of(study)))
    for without in ([], ["late_answers"], ["failed_checks", "too_few_answers"]):
        assert results_in_force(study, without=without) == results_of(study, without=without)
    assert results_of(study) != before


def test_more_imported_answers_are_in_the_results_at_once(tmp_path, researcher):
    import_answers(slug="a", path=example_a_file(tmp_path), report=factories.no_progress, by=researcher)
    study = Study.objects.get(slug="a")
    assert results_in_force(study)["answers"] == 80
    more = answers_file(tmp_path, "participant,question,correct", [("p99", "q0", 1), ("p99", "q1", 0)], "more.csv")
    import_answers(slug="a", path=more, report=factories.no_progress, by=researcher)
    assert results_in_force(study)["answers"] == 82
    assert results_in_force(study) == results_of(study)


def test_one_row_is_read_in_every_language(study):
    with translation.override("en"):
        english = results_in_force(study)
    with translation.override("zh-hans"):
        chinese = results_in_force(study)
    assert StoredFigure.objects.count() == 1
    assert (english["rules"][0]["title"], chinese["rules"][0]["title"]) == (
        "attention checks failed: at least 1",
        "答错至少 1 道注意力检查题",
    )
    why = {cell["headline_why"] for cell in english["cells"]} - {None}
    assert why
    assert why.isdisjoint({cell["headline_why"] for cell in chinese["cells"]})
    for text in (*why, study.title):
        assert text not in StoredFigure.objects.get().content


def texts_of_all_tables() -> dict[str, str]:
    """Return what every row of every table has as text, by table."""
    found = {}
    for table in apps.get_models(include_auto_created=True):
        found[table._meta.label] = json.dumps(list(table._base_manager.values_list()), default=str)
    return found


def test_a_withdrawal_leaves_no_figure_that_the_person_is_in(study, researcher):
    other = study_cases.study("other", by=researcher)
    results_in_force(studies.close(study=other, why="Written for tests.", by=researcher))
    for without in ([], ["late_answers"]):
        results_in_force(study, without=without)
    participants.withdraw(participant=study.participants.earliest("pk"))
    assert {row.scope for row in StoredFigure.objects.all()} == {other}


def test_no_table_names_a_person_who_withdrew_in_figures(study):
    person = study.participants.earliest("pk")
    results_in_force(study)
    said = [name for name, rows in texts_of_all_tables().items() if str(person.public_id) in rows]
    assert said == ["study.Participant"], "random names are in no figure"
    participants.withdraw(participant=person)
    assert texts_of_all_tables()["core.StoredFigure"] == "[]"


def test_figures_computed_while_a_person_withdraws_are_dropped(study, researcher, monkeypatch):
    person = study.participants.earliest("pk")
    compute = RESULTS.compute

    def meanwhile(*arguments: Any) -> Any:
        found = compute(*arguments)
        participants.withdraw(participant=person)
        return found

    monkeypatch.setitem(RESULTS.__dict__, "compute", meanwhile)
    stored_figures.look(RESULTS, study, {"without": []}, by=researcher)
    assert not StoredFigure.objects.exists()


def test_the_page_reads_what_the_command_stored(study, researcher):
    printed = results_in_force(study)
    look = stored_figures.look(RESULTS, study, {"without": []}, by=researcher)
    assert in_words(study, look.content) == printed
    assert StoredFigure.objects.count() == 1
