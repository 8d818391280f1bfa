"""What the page of results says first: of which context, of which contrast, of how many models, under which rules."""

import csv
import io
import re
from html import unescape

import pytest
from django.urls import reverse

from study.actions.imported_answers import import_answers
from study.models import Question, Run, Study
from study.presenters.results.results import varies_less
from study.templatetags.results import points_apart
from tests.factories import no_progress
from tests.study import study_cases
from tests.study.report_cases import folder_of, frozen, rows_of
from tests.study.results_cases import (
    EXAMPLE_A,
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
def page(client, researcher):
    client.force_login(researcher)
    return lambda study, name="results", *more, **query: client.get(reverse(name, args=[study.slug, *more]), query)


def words(answer) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", answer.content.decode())))


def csv_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


# ---- the context ----


@pytest.fixture
def altered(researcher):
    """Two people have 5 of 6 right in whole context, and two others 1 of 6 without context; a model 2 and 0 of 3."""
    drawn = study_cases.question_set("films", 3, by=researcher, candidates=4)
    Question.objects.filter(question_set=drawn).update(answer=0)
    study_cases.add_conditions(drawn, "all")
    Question.objects.filter(question_set=drawn, condition="all").update(context=[])
    study = closed_study(researcher, drawn, slug="winter")
    for number, row in enumerate(["111", "11-", "1--", "---"]):
        person, condition = participant(study), ("", "all")[number // 2]
        for letter, question in zip(row, drawn.questions.filter(condition=condition).order_by("position"), strict=True):
            answer(person, question, None if letter == "-" else 1)
        person.presentations.update(condition=condition)
    run_of(drawn, "110000", by=researcher)
    return study


def test_the_page_and_its_csv_are_of_the_whole_context_and_say_so(page, altered):
    shown = page(altered)
    cell = shown.context["finding"].cell
    assert (cell["k"], cell["n"]) == (5, 6)
    assert "This is 5 of the 6 answers with the whole context." in words(shown)
    [people], [model] = (dict(shown.context["groups"])[kind] for kind in ("people", "models"))
    assert (people.n, people.figures["R@1"].value) == (6, pytest.approx(5 / 6))
    assert (model.n, model.figures["R@1"].value) == (3, pytest.approx(2 / 3))
    assert shown.context["comparisons"].others[0].row["questions"] == 3
    rows = [row for row in csv_of(page(altered, "results_csv")) if row["metric"] == "R@1" and not row["label"]]
    first = rows[0]
    assert (first["condition"], first["k"], first["n"]) == ("whole", "5", "6")
    of_all = [row for row in rows if row["condition"] == "all"]
    assert [(row["k"], row["n"]) for row in of_all] == [("1", "6")]
    assert {row["condition"] for row in rows if row["who"] == "tfidf"} == {"whole"}


def test_the_report_is_of_the_whole_context_and_says_so(altered, researcher):
    files = folder_of(frozen(altered, researcher))
    rows = {row["kind"]: row for row in rows_of(files["tables/people-and-models.csv"])}
    assert (rows["people"]["k"], rows["people"]["n"]) == ("5", "6")
    assert (rows["model"]["k"], rows["model"]["n"]) == ("2", "3")
    assert "whole context" in files["texts/methods.txt"].decode()
    assert {row["n"] for row in rows_of(files["tables/exclusion-rules.csv"])} == {"6"}
    contexts = {(row["who"], row["condition"]): row["k"] for row in rows_of(files["tables/contexts.csv"])}
    assert contexts["All people", "all"] == "1"


# ---- the contrast and the models ----


@pytest.fixture
def example(researcher):
    """Example A against a model that is as METHODS says and one that is always right."""
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    answer_all(study, [row.replace("0", "2") for row in EXAMPLE_A], group="crowd")
    answer_all(study, ["1111111111"] * 9, group="lab")
    run_of(questions, "1110101010", by=researcher)
    run_of(questions, "1111111111", model="bm25", by=researcher)
    return study


def plan(study, **analysis):
    said = {"primary_group": "crowd", "primary_against": "tfidf", "primary_metric": "R@1", "primary_corpus": ""}
    study.plan, study.plan_checksum = {"analysis": said | analysis}, "f" * 64
    study.save()


def test_the_primary_contrast_of_the_plan_is_what_the_finding_states(page, example, researcher):
    plan(example)  # "lab" has more answers, and BM25 more of them right
    shown = page(example)
    finding = shown.context["finding"]
    assert (finding.group, finding.contrast.row["model"], finding.model["model"]) == ("crowd", "tfidf", "tfidf")
    said = words(shown)
    assert "R@1 over 10 questions: crowd 72.5 %, TF-IDF 60.0 %, 12.5 points lower (" in said
    assert "); no difference is shown." in said
    assert "chosen by these results" not in said
    assert page(example, "study_models").context["finding"].contrast.row["model"] == "tfidf"
    told = folder_of(frozen(example, researcher))["texts/finding.txt"].decode()
    assert "R@1 over 10 questions: crowd 72.5 %, TF-IDF 60.0 %, 12.5 points lower (" in told


def test_a_contrast_over_some_of_the_questions_says_of_how_many(page, example, researcher):
    run_of(example.question_sets.get(), "1010......", model="random", by=researcher)
    plan(example, primary_against="random; tfidf")
    said = words(page(example))
    assert "primary contrast, R@1 over 4 of 10 questions: crowd" in said
    assert said.count("4 of 10 questions") > said.count("R@1 over 4 of 10 questions"), "the table says so, too"
    files = folder_of(frozen(example, researcher))
    assert "R@1 over 4 of 10 questions: crowd" in files["texts/finding.txt"].decode()
    [deviation] = rows_of(files["texts/deviations.csv"])
    assert {"4 of 10", "random"} == {part for part in ("4 of 10", "random", "tfidf") if part in deviation["what"]}


def test_a_primary_contrast_without_figures_is_said_to_have_none(page, example):
    plan(example, primary_against="a model to come")
    said = words(page(example))
    assert "There are no figures for the plan's primary contrast. The best of 2 models, chosen" in said
    answer(participant(example, state="answering"), example.question_sets.get().questions.first(), 1)
    assert "There are no figures for the plan's primary contrast yet." in words(page(example))


def test_a_contrast_of_groups_is_stated_too(page, example):
    plan(example, primary_against="lab", margin=5)
    finding = page(example).context["finding"]
    assert (finding.contrast.name, finding.model) == ("crowd − lab", None)
    assert "crowd 72.5 %, lab 100.0 %, 27.5 points higher (" in words(page(example))


def test_the_finding_says_how_many_models_answered_all_questions(page, researcher):
    questions = question_set(researcher, 4)
    study = closed_study(researcher, questions)
    answer_all(study, ["1111", "11--"])
    run_of(questions, "11..", model="bm25", by=researcher)
    assert "The 1 model did not answer all questions" in words(page(study))
    run_of(questions, "1000", by=researcher)
    assert "Of 2 models, 1 answered all questions: TF-IDF." in words(page(study))
    said = words(page(study, "study_models"))
    assert "not every model was asked all of them" in said
    assert "Every model saw the questions exactly as participants did." not in said


def test_seeds_of_one_model_bear_their_seed_wherever_they_are_named(page, researcher):
    questions = question_set(researcher, 4)
    study = closed_study(researcher, questions)
    answer_all(study, ["1111"] * 5)
    for seed, right in ((1, "1000"), (2, "1100")):
        Run.objects.filter(pk=run_of(questions, right, by=researcher).pk).update(seed=seed, checksum=right)
    names = ["TF-IDF (seed 2)", "TF-IDF (seed 1)"]
    assert [row.name for row in dict(page(study).context["groups"])["models"]] == names
    assert {row["name"] for row in csv_of(page(study, "results_csv")) if row["who"] == "tfidf"} == {*names}
    assert page(study, "study_questions").context["best"] == names[0]
    first = questions.questions.get(position=0)
    assert {model.name for model in page(study, "study_question", first.pk).context["models"]} == {*names}


def test_an_uploaded_list_of_ranks_shows_no_score(page, researcher):
    questions = question_set(researcher, 4)
    study = closed_study(researcher, questions)
    answer_all(study, ["1111"] * 5)
    run_of(questions, "1r00", model="uploaded", by=researcher)

    def score(position):
        question = questions.questions.get(position=position)
        [model] = page(study, "study_question", question.pk).context["models"]
        return model.letter, model.rank, model.score

    assert score(0) == ("A", 1, 0.9)
    assert score(1) == ("A", 1, None)


def test_an_imported_question_says_how_many_answered_where_no_one_knows_the_line(page, researcher, tmp_path):
    import_answers(slug="a", path=example_a_file(tmp_path), candidates=4, report=no_progress, by=researcher)
    study = Study.objects.get(slug="a")
    shown = page(study, "study_question", Question.objects.get(external_id="q0").pk)
    assert "8 answers; which lines were chosen is not known" in words(shown)
    assert "0 first choices" not in words(shown)


# ---- what is published ----


def test_people_of_another_study_are_counted_apart_from_instances_and_the_split_is_said(page, researcher):
    study = closed_study(researcher, question_set(researcher, 4, corpora=("mutual",)))
    answer_all(study, ["1111"])
    shown = {row.name: row.note for row in dict(page(study).context["groups"])["published"]}
    assert shown["Human"].startswith("3 people; 886 instances; MuTual test;")
    assert shown["RoBERTa"].startswith("886 instances; MuTual test;")
    rows = {row["name"]: row for row in csv_of(page(study, "results_csv")) if row["who"] == "published"}
    assert (rows["Human"]["people"], rows["Human"]["questions"], rows["Human"]["split"]) == ("3", "886", "test")
    assert (rows["RoBERTa"]["people"], rows["RoBERTa"]["questions"]) == ("", "886")
    told = {row["who"]: row for row in page(study, "study-results").json()["published"]}
    assert (told["Human"]["n"], told["Human"]["instances"], told["Human"]["split"]) == (3, 886, "test")


# ---- the rules ----


def test_switched_rules_are_named_at_the_top_and_in_every_file(page, example):
    address = reverse("results", args=["summer"])
    assert page(example).context["switched"] == []
    shown = page(example, chosen="1", rule=["unanswered_check", "too_few_answers", "late_answers"])
    assert [row["rule"] for row in shown.context["switched"] if not row["applied"]] == ["failed_checks"]
    assert f'<a href="{address}?corpus=movie">' in shown.content.decode()
    table = page(example, "results_csv", without="failed_checks")
    assert 'filename="summer-results-without-failed_checks.csv"' in table["Content-Disposition"]
    assert csv_of(table)[0]["rules"] == "unanswered_check too_few_answers late_answers"
    assert csv_of(page(example, "results_csv"))[0]["rules"] == ""
    drawn = page(example, "results_figure", "pdf", without="failed_checks", download="")
    assert 'filename="summer-people-models-without-failed_checks.pdf"' in drawn["Content-Disposition"]


@pytest.mark.parametrize("query", [{"without": "zz"}, {"also": "too_fast"}])
def test_an_unknown_rule_is_refused_by_the_page_and_the_files(page, example, query):
    for name, more in (("results", ()), ("results_csv", ()), ("results_figure", ("svg",))):
        refused = page(example, name, *more, **query)
        assert refused.status_code == 422
        assert next(iter(query.values())) in refused.content.decode()


@pytest.fixture
def all_right(researcher):
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    answer_all(study, ["1" * 10] * 4, group="crowd")
    run_of(questions, "1" * 10, by=researcher)
    run_of(questions, "0" * 10, model="bm25", by=researcher)
    return study


def test_where_nothing_varies_the_finding_and_the_table_say_so_in_place_of_an_interval(page, all_right):
    said = words(page(all_right))
    assert "equal (0.0 points apart) (no interval: nothing varies)" in said
    assert said.count("no interval: nothing varies") == 3, "in the finding and for each model in the table"


def test_where_nothing_varies_a_planned_contrast_is_not_tested(page, all_right, researcher):
    plan(all_right)
    assert "(no interval: nothing varies); not tested: nothing varies" in words(page(all_right))
    files = folder_of(frozen(all_right, researcher))
    assert "(no interval: nothing varies)" in files["texts/finding.txt"].decode()
    assert "no interval: nothing varies" in files["tables/differences.tex"].decode()
    assert {row["ci_low"] for row in rows_of(files["tables/differences.csv"]) if not row["against"]} == {""}


def test_a_figure_of_an_unknown_corpus_is_refused_as_one_under_an_unknown_rule(page, example):
    assert page(example, "results_figure", "svg", corpus="movie").status_code == 200
    refused = page(example, "results_figure", "svg", corpus="nonsense")
    assert (refused.status_code, "nonsense" in refused.content.decode()) == (422, True)


def test_a_design_effect_of_1_but_for_rounding_is_not_said_to_come_from_ties():
    cell = {"corpus": None, "group": None, "form": None, "condition": None, "turns": None, "type": None, "n": 3}
    for effect, less in ((0.9999999999999993, False), (0.9, True), (None, False)):
        cells = [{**cell, "metric": metric, "design_effect": effect} for metric in ("R@1", "R@2")]
        assert varies_less({"cells": cells}, None) is less


@pytest.mark.parametrize(
    ("ends", "difference", "said"),
    [
        ((0.269, 0.627), 0.445, "26.9–62.7"),
        ((-0.627, -0.269), -0.445, "26.9–62.7"),
        ((-0.15, 0.4375), 0.125, "−15.0 to +43.8"),
        ((-0.4375, 0.15), -0.125, "−15.0 to +43.8"),
    ],
)
def test_an_interval_beside_a_difference_has_signs_only_where_0_lies_in_it(ends, difference, said):
    assert said in points_apart(ends, difference)


def test_the_interval_of_the_finding_has_its_signs_as_those_of_the_table(page, example):
    plan(example)
    shown = page(example)
    low, high = shown.context["finding"].contrast.row["ci"]
    ends = f"−{-100 * low:.1f} to +{100 * high:.1f}"
    assert words(shown).count(ends) == 2
    assert f"12.5 points lower ({ends})" in words(shown)
