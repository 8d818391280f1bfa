"""Comparisons on the page of results: what the plan fixed first, and what may be written."""

import re
from html import unescape

import pytest
from django.urls import reverse

from study.domain.results.families import ComparisonVerdict
from study.presenters.results.comparisons import FOR_THESE_PEOPLE, ComparisonRow
from tests.study.results_cases import EXAMPLE_A, answer_all, closed_study, question_set, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher):
    """Example A against a model that is as METHODS says and one that is always wrong."""
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    answer_all(study, [row.replace("0", "2") for row in EXAMPLE_A], group="crowd")
    run_of(questions, "1110101010", by=researcher)
    run_of(questions, "0000000000", model="bm25", by=researcher)
    return study


@pytest.fixture
def page(client, researcher, study):
    client.force_login(researcher)
    return lambda **query: client.get(reverse("results", args=[study.slug]), query)


def plan(study, **analysis):
    said = {"primary_group": "crowd", "primary_against": "tfidf", "primary_metric": "R@1", "primary_corpus": ""}
    study.plan, study.plan_checksum = {"analysis": said | analysis}, "f" * 64
    study.save()


def words(answer):
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", answer.content.decode())))


def test_without_a_plan_every_p_is_exploratory_and_nothing_is_called_similar(page):
    answer = page()
    table = answer.context["comparisons"]
    assert table.planned == []
    assert {each.row["family"] for each in table.others} == {"exploratory"}
    text = words(answer)
    assert "every p is exploratory" in text
    assert "nothing can be called similar" in text


def test_the_planned_contrast_comes_first_with_its_margin_and_what_the_set_can_tell(page, study):
    plan(study, margin=5)
    answer = page()
    table = answer.context["comparisons"]
    [primary] = table.planned
    assert (primary.is_primary, primary.row["model"], table.margin) == (True, "tfidf", 0.05)
    assert (primary.row["difference"], primary.row["p"]) == (pytest.approx(0.125), pytest.approx(0.41015625))
    assert primary.row["p_adjusted"] == primary.row["p"], "Holm over one"
    assert primary.row["verdict"] == ComparisonVerdict.NEITHER
    text = words(answer)
    assert "neither “different” nor “similar” can be written" in text
    assert f"{100 * primary.row['smallest']:.1f}" in text
    assert text.index("Planned before the first answer") < text.index("Exploratory")
    assert (table.has_few_questions, table.has_few_people) == (True, False)
    assert "With so few questions" in text and "two-way p" not in text


def test_two_runs_of_one_name_are_told_apart_by_what_they_learned_from(page, study, researcher):
    questions = study.question_sets.get()
    later = run_of(questions, "1111100000", by=researcher)
    later.train, later.checksum = "movie:train", "later"
    later.save()
    names = [each.name for each in page().context["comparisons"].others]
    assert len({*names}) == len(names) == 3
    assert any(name.endswith("(movie:train)") for name in names)


def test_what_the_plan_names_and_no_one_has_run_is_said(page, study):
    plan(study, primary_against="roberta-mc; tfidf")
    answer = page()
    assert answer.context["comparisons"].missing == ["roberta-mc"]
    assert "Planned, not carried out: roberta-mc" in words(answer)
    assert [each.row["family"] for each in answer.context["comparisons"].planned] == ["confirmatory"]
    assert "every p is exploratory" not in words(answer)


def test_of_several_runs_of_a_planned_model_the_first_is_planned_and_the_page_says_so(page, study, researcher):
    later = run_of(study.question_sets.get(), "1111111111", by=researcher)
    later.seed, later.checksum = 5, "later"
    later.save()
    plan(study)
    answer = page()
    table = answer.context["comparisons"]
    assert [each.row["first_of"] for each in table.planned] == [2]
    assert "the first of 2 runs to finish" in words(answer)
    assert [len(each.row["seeds"]) for each in table.others if each.row["model"] == "tfidf"] == [2]


@pytest.mark.parametrize(
    ("p", "is_similar", "verdict"),
    [
        (0.01, None, ComparisonVerdict.DIFFERENT),
        (0.01, False, ComparisonVerdict.DIFFERENT),
        (0.01, True, ComparisonVerdict.DIFFERENT_BUT_SIMILAR),
        (0.2, True, ComparisonVerdict.SIMILAR),
        (0.2, False, ComparisonVerdict.NEITHER),
        (0.2, None, ComparisonVerdict.NEITHER),
        (0.05, False, ComparisonVerdict.NEITHER),
        (None, None, ComparisonVerdict.UNKNOWN),
    ],
)
def test_what_may_be_written(p, is_similar, verdict):
    assert ComparisonVerdict.of(p, is_similar) == verdict


def test_without_a_margin_there_is_no_word_on_similarity():
    row = {"verdict": "neither", "margin": None}
    assert ComparisonRow(row).verdict != ComparisonRow(row | {"margin": 0.05}).verdict


def test_few_people_at_many_questions_are_told_from_people_in_general(client, researcher):
    questions = question_set(researcher, 40, name="many")
    study = closed_study(researcher, questions, slug="experts")
    answer_all(study, ["1" * 10 + "2" * 30, "12" * 20, "1" * 30 + "2" * 10])
    run_of(questions, "0" * 36 + "1111", by=researcher)
    client.force_login(researcher)
    answer = client.get(reverse("results", args=[study.slug]))
    [row] = answer.context["comparisons"].others
    assert row.row["p"] < 0.05 < row.row["two_way_p"]
    ours = FOR_THESE_PEOPLE[ComparisonVerdict.DIFFERENT]
    assert row.verdict == ours
    assert f"two-way {row.two_way_p}" in words(answer)
    assert "p is for these people alone" in words(answer)
    many = ComparisonRow(row.row | {"people": 20})
    assert many.verdict != ours and not many.is_of_these_people
    assert ComparisonRow(row.row | {"two_way_p": 0.01}).verdict == many.verdict
    both = row.row | {"verdict": ComparisonVerdict.DIFFERENT_BUT_SIMILAR}
    similar = ComparisonRow(row.row | {"verdict": ComparisonVerdict.SIMILAR}).verdict
    assert ComparisonRow(both).verdict == similar != ComparisonRow(both | {"two_way_p": 0.01}).verdict
    assert not ComparisonRow(row.row | {"people": 0}).is_of_these_people  # two models


def test_many_models_are_compared_by_a_job_and_the_other_figures_are_there(page, study, researcher):
    for model in ("random", "smn", "dam"):
        run_of(study.question_sets.get(), "1010101010", model=model, by=researcher)
    answer = page()
    assert answer.context["comparisons"] is None
    assert answer.context["watch"] is not None
    assert "72.5" in words(answer), "the share of Example A"
