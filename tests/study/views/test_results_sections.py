"""Sections of the page of results: rules, what people say of themselves, conditions; studies with little to show."""

import csv
import io
import json
import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from study.actions.results import results_in_force
from study.actions.survey import exclusions, validity
from study.domain.survey.validity import Validity
from study.models import Participant, Question, Run
from study.selectors.results.comparisons import comparisons_of
from tests.study.report_cases import folder_of, frozen, rows_of
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


def csv_of(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def names_and_counts(rows):
    return {row.name: (row.cell["k"], row.cell["n"], row.cell["people"], row.cell["questions"]) for row in rows}


def test_rules_that_change_something_have_a_row_each(page, study):
    answer_all(study, ["1111", "111-"])
    assert page(study).context["rule_sections"] == []
    answer_all(study, ["-..."])
    study.settings = {"minimum_answers": 2}
    study.save()
    context = page(study).context
    [section] = context["rule_sections"]
    rows = names_and_counts(section.rows)
    assert rows["no rule"] == (7, 9, 3, 4)
    assert rows["fewer answers than 2"] == rows["as planned"] == (7, 8, 2, 4)
    assert [row.name for row in section.rows if row.is_main] == ["as planned"]
    assert "attention checks failed: at least 1" not in rows, "it changes nothing"
    assert (section.combinations["low"], section.combinations["high"]) == (7 / 9, 7 / 8)


def test_an_exclusion_by_hand_is_no_rule_of_the_plan_on_the_page_in_the_file_and_in_the_report(page, study, researcher):
    answer_all(study, ["1111", "111-"])
    answer_all(study, ["----"])
    exclusions.exclude(study=study, people=[study.participants.last()], why="A colleague.", by=researcher)
    context = page(study).context
    assert (context["by_hand"], context["is_as_planned"], context["switched"]) == (1, False, [])
    [section] = context["rule_sections"]
    rows = names_and_counts(section.rows)
    assert rows["as planned"] == rows["no rule"] == (7, 12, 3, 4)
    [main] = [row.name for row in section.rows if row.is_main]
    assert rows[main] == (7, 8, 2, 4)
    found = csv_of(page(study, "results_csv"))
    assert "excluded_by_hand" in found[0]["rules"]
    assert [row["people"] for row in found if row["rules"] == "planned" and not row["corpus"]] == ["3"]
    reported = rows_of(folder_of(frozen(study, researcher))["tables/exclusion-rules.csv"])
    assert {row["people"] for row in reported if row["rules"] == "as planned"} == {"3"}
    planned = page(study, without="excluded_by_hand").context
    assert (planned["by_hand"], planned["is_as_planned"], len(planned["switched"])) == (0, True, 1)
    assert csv_of(page(study, "results_csv", without="excluded_by_hand"))[0]["rules"] == ""


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
    for english in ("beginner", "fluent"):
        answer_all(study, ["1111"], group="crowd")
        Participant.objects.filter(pk=study.participants.latest("pk").pk).update(demographics={"english": english})
    answer_all(study, ["----"], group="lab")
    sections = {section.key: section for section in page(study).context["sections"]}
    assert names_and_counts(sections["says_english"].rows) == {
        "Beginner": (4, 4, 1, 4),
        "Fluent": (4, 4, 1, 4),
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


def with_two_runs_of_one_label(study, by):
    """Two models that call themselves alike, one level with all candidates and one with no reply that can be read."""
    for right in ("10t1", "tuuu"):
        run = run_of(study.question_sets.get(), right, by=by)
        Run.objects.filter(pk=run.pk).update(label="ours", checksum=right, seed=len({*right}))


@pytest.mark.parametrize("has_models", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_a_study_with_little_to_show_has_words_for_it_and_no_nan(page, study, researcher, case, has_models, capsys):
    CASES[case](study)
    if has_models:
        with_two_runs_of_one_label(study, researcher)
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
    json.dumps(comparisons_of(study, []), allow_nan=False)
    for command in ("results", "compare", "times"):
        call_command(command, study.slug)
        assert capsys.readouterr().out.strip()
    assert page(study, "study_times").status_code == 200


def test_where_rules_leave_no_answer_they_can_still_be_switched_off(page, study):
    all_excluded(study)
    answer = page(study, corpus="movie")
    assert answer.context["excludes_all"]
    assert b'value="too_few_answers"' in answer.content
    assert page(study, without="too_few_answers").context["results"]["answers"] == 2


def test_rules_are_not_named_where_no_question_was_answered(page, study):
    answer_all(study, ["....", "...."])
    assert not page(study).context["excludes_all"]


def test_answers_that_are_all_alike_have_no_coverage_of_wald(page, study):
    answer_all(study, ["1111", "1111"])
    assert page(study).context["finding"].coverage is None
    answer_all(study, ["11-1"])
    assert page(study).context["finding"].coverage is not None


def test_chance_is_a_range_where_questions_have_different_numbers_of_candidates(page, study):
    different_candidates(study)
    context = page(study).context
    assert context["guess"] == context["chance_ends"] == (1 / 10, 1 / 2)
    whole = next(row for row in context["results"]["candidates"] if row["corpus"] is None)
    assert (whole["candidates"], whole["fewest"], whole["most"]) == (None, 2, 10)
    assert page(study, corpus="listening").context["chance_ends"] == (1 / 4, 1 / 2)


def test_chance_of_a_cell_is_between_those_of_its_own_questions(page, study):
    """Questions 0 and 3 have four candidates, 1 has two, 2 has ten; MRR@2 of a guess is 1.5/C (hand calculation)."""
    different_candidates(study)
    cells = {(cell["corpus"], cell["metric"]): cell["chance"] for cell in results_in_force(study)["cells"]}
    assert cells[None, "R@1"] == [1 / 10, 1 / 2]
    assert cells["listening", "R@1"] == [1 / 4, 1 / 2]
    assert cells["movie", "MRR@2"] == [1.5 / 10, 1.5 / 4]
    run_page = page(study, "results_figure", "svg")
    assert run_page.status_code == 200, "a range is drawn, too"


def test_the_file_has_other_labels_every_rule_and_what_is_published(page, study):
    answer_all(study, ["1111", "111-"])
    answer_all(study, ["-..."])
    study.settings = {"minimum_answers": 2}
    study.save()
    rows = list(csv.DictReader(io.StringIO(page(study, "results_csv").content.decode("utf-8-sig"))))
    halves = {row["label_name"]: (row["k"], row["n"]) for row in rows if (row["label"], row["corpus"]) == ("half", "")}
    assert halves == {"first": ("4", "4"), "second": ("3", "4")}
    of_all = {row["rules"]: (row["k"], row["n"]) for row in rows if row["rules"] and not row["corpus"]}
    assert (of_all["none"], of_all["too_few_answers"], of_all["planned"]) == (("7", "9"), ("7", "8"), ("7", "8"))
    printed = {(row["name"], row["metric"]): (row["p"], row["source"]) for row in rows if row["who"] == "published"}
    assert printed["Crowd", "R@1"] == (".659", "Lowe et al. 2016")
    assert {row["who"] for row in rows if row["label"] or row["rules"]} == {"people"}
