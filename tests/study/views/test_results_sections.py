"""Sections of the page of results: rules, what people say of themselves, conditions; studies with little to show."""

import csv
import io
import json
import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from study.actions.results import results_in_force
from study.actions.survey import validity
from study.domain.survey.validity import Validity
from study.models import Participant, Question
from tests.study.results_cases import answer, answer_all, closed_study, participant, question_set, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher):
    return closed_study(researcher, question_set(researcher, 4, corpora=("movie", "listening")))


@pytest.fixture
def page(client, researcher):
    client.force_login(researcher)

    def page(study, name="results", *arguments, **query):
        return client.get(reverse(name, args=[study.slug, *arguments]), query)

    return page


def names_and_counts(rows):
    return {row.name: (row.cell["k"], row.cell["n"], row.cell["people"], row.cell["questions"]) for row in rows}


def test_rules_that_change_something_have_a_row_each(page, study):
    answer_all(study, ["1111", "111-"])
    assert page(study).context["rule_rows"] == []
    answer_all(study, ["-..."])
    study.settings = {"minimum_answers": 2}
    study.save()
    context = page(study).context
    rows = names_and_counts(context["rule_rows"])
    assert rows["no rule"] == (7, 9, 3, 4)
    assert rows["fewer answers than 2"] == rows["as planned"] == (7, 8, 2, 4)
    assert [row.name for row in context["rule_rows"] if row.is_main] == ["as planned"]
    assert "attention checks failed: at least 1" not in rows, "it changes nothing"
    assert (context["combinations"]["low"], context["combinations"]["high"]) == (7 / 9, 7 / 8)


def test_the_switch_of_a_rule_made_afterwards_is_in_the_address(page, study, researcher):
    answer_all(study, ["-111", "-11-"])
    marked = study.question_sets.get().questions.get(position=0)
    validity.decide(study=study, question=marked, decision=Validity.PERHAPS_VALID, why="Both fit.", by=researcher)
    on = page(study, chosen="1", rule=["failed_checks", "perhaps_valid"])
    assert on.context["results"]["answers"] == 6
    assert "also=perhaps_valid" in on.context["query"]
    assert page(study, chosen="1", rule=["failed_checks"]).context["results"]["answers"] == 8
    assert page(study, also="perhaps_valid").context["results"]["answers"] == 6
    assert page(study, "study-results", also="perhaps_valid").json()["answers"] == 6
    assert page(study, "study-results", also="too_fast").status_code == 400
    table = page(study, "results_csv", also="perhaps_valid").content.decode("utf-8-sig")
    assert next(csv.DictReader(io.StringIO(table)))["n"] == "6"


def test_what_people_say_is_named_in_words_and_of_the_largest_group(page, study):
    for ubuntu in ("never", "expert"):
        answer_all(study, ["1111"], group="crowd")
        Participant.objects.filter(pk=study.participants.latest("pk").pk).update(demographics={"ubuntu": ubuntu})
    answer_all(study, ["----"], group="lab")
    sections = {section.key: section for section in page(study).context["sections"]}
    assert names_and_counts(sections["says_ubuntu"].rows) == {
        "Never used it": (4, 4, 1, 4),
        "Expert": (4, 4, 1, 4),
    }
    assert names_and_counts(sections["half"].rows) == {"first half": (4, 4, 2, 2), "second half": (4, 4, 2, 2)}
    assert "position" not in sections, "four questions are one class of places"


def test_conditions_are_one_figure_with_the_models(page, study, researcher):
    questions = study.question_sets.get()
    for number in (2, 3):
        Question.objects.filter(question_set=questions, position=number).update(
            external_id=f"q{number - 2}@all", whole_id=f"q{number - 2}", condition="all", context=[]
        )
    run_of(questions, "1101", by=researcher)
    for row, condition in (("11", ""), ("1-", ""), ("1-", "all")):
        person = participant(study)
        asked = questions.questions.filter(condition=condition).order_by("position")
        for letter, question in zip(row, asked, strict=True):
            answer(person, question, None if letter == "-" else 1)
        person.presentations.update(condition=condition)
    table = page(study).context["contexts"]
    assert table.titles == ["whole context", "no context"]
    assert [(row.kind, [(cell["k"], cell["n"]) for cell in row.cells]) for row in table.rows] == [
        ("people", [(3, 4), (1, 2)]),
        ("model", [(2, 2), (1, 2)]),
    ]
    drawn = page(study, "results_figure", "svg", of="contexts")
    assert drawn.status_code == 200
    assert drawn.content != page(study, "results_figure", "svg").content


def test_without_conditions_there_is_no_figure_of_them(page, study):
    answer_all(study, ["1111"])
    assert page(study).context["contexts"] is None
    assert page(study, "results_figure", "svg", of="contexts").status_code == 404


# ---- studies with little or nothing to show ----


def nobody_saw_one(study):
    answer_all(study, ["111", "11-"])


def empty_group(study):
    answer_all(study, ["1111", "11--"], group="crowd")
    participant(study, group="lab")


def unequal_forms(study):
    answer_all(study, ["1", "1111", "-1"])
    for form, person in enumerate(study.participants.order_by("pk"), start=1):
        study.participants.filter(pk=person.pk).update(form=form)


def different_candidates(study):
    Question.objects.filter(position=1).update(candidates=["yes", "no"], candidates_count=2)
    Question.objects.filter(position=2).update(candidates=[str(n) for n in range(10)], candidates_count=10)
    answer_all(study, ["1111", "12-1"])


def all_excluded(study):
    study.settings = {"minimum_answers": 4}
    study.save()
    answer_all(study, ["1...", "-..."])


CASES = {
    "no answers": lambda study: None,
    "one person": lambda study: answer_all(study, ["11-1"]),
    "one question": lambda study: answer_all(study, ["1", "-", "1"]),
    "one answer": lambda study: answer_all(study, ["1"]),
    "all right": lambda study: answer_all(study, ["1111", "1111"]),
    "all wrong": lambda study: answer_all(study, ["----", "----"]),
    "nobody saw a question": nobody_saw_one,
    "an empty group": empty_group,
    "unequal forms": unequal_forms,
    "different numbers of candidates": different_candidates,
    "everybody excluded": all_excluded,
    "all left open": lambda study: answer_all(study, ["....", "...."]),
}


@pytest.mark.parametrize("case", CASES)
def test_a_study_with_little_to_show_has_words_for_it_and_no_nan(page, study, case, capsys):
    CASES[case](study)
    found = results_in_force(study)
    json.dumps(found, allow_nan=False)
    for row in (
        *found["cells"],
        *found["looks"],
        *(row for one in found["every_rule"]["sets"] for row in one["cells"]),
    ):
        assert row["headline"] or row["headline_why"], row
        assert (row["p"] is None) == (row["n"] == 0)
    for corpus in ("", "movie"):
        answer = page(study, **({"corpus": corpus} if corpus else {}))
        assert answer.status_code == 200
        assert not re.search(r"\bnan\b", answer.content.decode(), re.IGNORECASE)
    for name in ("results_csv", "study-results", "study_questions"):
        assert page(study, name).status_code == 200
    assert page(study, "results_figure", "svg").status_code in (200, 404)
    call_command("results", study.slug)
    assert capsys.readouterr().out.strip()


def test_where_rules_leave_no_answer_they_can_still_be_switched_off(page, study):
    all_excluded(study)
    answer = page(study, corpus="movie")
    assert answer.context["excludes_all"]
    assert b'value="too_few_answers"' in answer.content
    assert page(study, without="too_few_answers").context["results"]["answers"] == 2


def test_chance_is_a_range_where_questions_have_different_numbers_of_candidates(page, study):
    different_candidates(study)
    context = page(study).context
    assert (context["chance"], context["chance_ends"]) == (None, (1 / 10, 1 / 2))
    whole = next(row for row in context["results"]["candidates"] if row["corpus"] is None)
    assert (whole["candidates"], whole["fewest"], whole["most"]) == (None, 2, 10)
    assert page(study, corpus="listening").context["chance_ends"] == (1 / 4, 1 / 2)
