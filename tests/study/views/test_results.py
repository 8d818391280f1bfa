"""The page of results: what it says first, its table, its files, and a study without results."""

import csv
import io
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.urls import reverse

from core.domain.transitions import JobState
from core.models import Job
from study.actions.results import models_in_force
from study.domain.results.exclusions import BY_DEFAULT
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, Presentation, Run
from study.views import results
from tests.pages import on_one_line
from tests.study.results_cases import answer, answer_all, closed_study, participant, question_set, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def questions(researcher):
    return question_set(researcher, 4, corpora=("movie", "listening"))


@pytest.fixture
def study(researcher, questions):
    return closed_study(researcher, questions)


@pytest.fixture
def page(client, researcher):
    client.force_login(researcher)

    def page(study, name="results", *arguments, **query):
        return client.get(reverse(name, args=[study.slug, *arguments]), query)

    return page


def words(answer):
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", answer.content.decode())))


def test_the_page_says_first_how_often_people_are_right_and_how_far_the_best_model_is(
    page, study, questions, researcher
):
    answer_all(study, ["1111", "111-"])
    run_of(questions, "1100", by=researcher)
    said = words(page(study))
    assert "People chose the true next turn in 87.5 % of cases (" in said
    assert "people 87.5 %, TF-IDF 50.0 %, 37.5 points lower (" in said


def test_a_model_that_saw_contexts_in_training_is_said_to_have_seen_them(page, study, questions, researcher):
    answer_all(study, ["1111"])
    run = run_of(questions, "1100", by=researcher)
    assert "trained on" not in words(page(study))
    Run.objects.filter(pk=run.pk).update(metrics={"shared_contexts": 3}, checksum="another")
    run_of(questions, "1000", by=researcher)  # the results are computed again
    assert words(page(study)).count("3 contexts are also in its training data") == 2  # below its name, and on top


def test_a_model_that_is_better_than_people_is_more_points(page, study, questions, researcher):
    answer_all(study, ["1--1", "1-11"])
    run_of(questions, "1111", by=researcher)
    assert "37.5 points higher" in words(page(study))


def test_people_and_a_model_that_are_right_as_often_are_said_to_be_equal(page, study, questions, researcher):
    answer_all(study, ["1-1-", "-1-1"])
    run_of(questions, "1100", by=researcher)
    said = words(page(study))
    assert "equal (0.0 points apart)" in said
    assert "0.0 points lower" not in said


def test_the_largest_group_is_named_with_its_corpus(page, study):
    answer_all(study, ["1111", "1-1-"], group="crowd")
    answer_all(study, ["11"], group="lab")
    said = words(page(study, corpus="movie"))
    assert "On movie, people in the group “crowd” chose the true next turn in 100.0 % of cases" in said
    assert "No model has answered these questions yet." in said
    assert "People in the group “crowd” chose the true next turn in" in words(page(study))


def test_the_table_has_people_models_and_what_was_published(page, study, questions, researcher):
    answer_all(study, ["1111", "111-"], group="crowd")
    answer_all(study, ["1-11"], group="lab")
    run_of(questions, "110t", by=researcher)
    said = words(page(study, corpus="movie"))
    for part in (
        "crowd 2 people, 4 of 4 answers",
        "lab 1 person, 2 of 2 answers",
        "TF-IDF seed 0",
        "Lowe et al. 2016",
        "65.9",
    ):
        assert part in said, part
    assert "MRR cannot be" not in said


def test_runs_of_one_model_are_told_apart_by_what_they_ran_on_and_when(page, study, questions, researcher):
    answer_all(study, ["1111", "111-"])
    early, late = (run_of(questions, right, by=researcher) for right in ("1100", "1000"))
    early.ended_at, early.checksum = datetime(2026, 3, 1, 9, 30, tzinfo=UTC), "early"
    early.save()
    late.ended_at, late.on = datetime(2026, 3, 2, 14, 5, tzinfo=UTC), "study:summer"
    late.save()
    said = words(page(study))
    assert f"TF-IDF (run {early.pk}) seed 0; ran on drawn, 1 Mar 2026, 09:30" in said
    assert f"TF-IDF (run {late.pk}) seed 0; ran on study:summer, 2 Mar 2026, 14:05" in said
    late.delete()
    assert "ran on" not in words(page(study))


def test_a_published_figure_that_cannot_be_is_struck_through(page, researcher):
    study = closed_study(researcher, question_set(researcher, 4, corpora=("mutual",)))
    answer_all(study, ["1111", "111-"])
    answer = page(study)
    assert "<s>74.3</s>" in answer.content.decode()
    said = words(answer)
    assert "This MRR is impossible. With 4 candidates" in said and "it lies between 50.3–54.5 %" in said


def test_all_right_or_none_is_said_to_end_the_interval_and_one_person_to_have_no_interval(page, study):
    answer_all(study, ["1111"])
    assert "One person tells nothing about how much people differ." in words(page(study))
    answer_all(study, ["1111"])
    assert "All 8 right: the interval ends at 100 %." in words(page(study))


def test_none_right_is_said_to_begin_the_interval_at_0(page, study):
    answer_all(study, ["----", "----"])
    assert "0 of 8 right: the interval begins at 0 %." in words(page(study))


def test_why_the_interval_is_not_the_usual_one(page, study):
    answer_all(study, ["1111", "111-", "--11"])
    said = words(page(study))
    assert "The original study's interval (Wald, answers independent) would be" in said
    assert "12 answers carry the weight of" in said


def test_without_answers_the_page_says_what_will_stand_there(page, study):
    answer = page(study)
    assert "No answer counts yet." in words(answer)
    assert "<picture>" not in answer.content.decode()
    assert page(study, "results_figure", "svg").status_code == 404


def test_nothing_is_shown_while_people_are_asked(page, study):
    answer_all(study, ["1111", "111-"])
    study.state = StudyState.OPEN
    study.save()
    said = words(page(study))
    assert "No results here until the study closes." in said
    assert "87.5" not in said
    for name, *arguments in (("results_csv",), ("results_figure", "svg")):
        assert page(study, name, *arguments).status_code == 404
    assert page(study, "study-results").status_code == 404


def test_a_study_closed_while_people_answer_has_provisional_results(page, study):
    answer_all(study, ["1111", "111-"])
    assert "Provisional" not in words(page(study))
    answer_all(study, ["1...", "--.."], state=ParticipantState.ANSWERING)
    said = words(page(study))
    assert "Provisional: 2 participants are still answering." in said
    assert "were left unanswered" not in said
    assert page(study, "study-results").json()["still_answering"] == 2


def test_a_rule_that_is_switched_off_stays_so_in_every_file(page, study):
    answer_all(study, ["1111", "111-"])
    form = page(study, chosen="1")
    assert 'value="failed_checks">' in on_one_line(form.content)  # not checked
    assert re.search(r'results\.csv\?[^"]*without=failed_checks', form.content.decode())
    assert 'value="failed_checks" checked>' in on_one_line(page(study, chosen="1", rule="failed_checks").content)


def test_the_csv_has_every_cell_and_model(page, study, questions, researcher):
    answer_all(study, ["1111", "111-"])
    run_of(questions, "1100", by=researcher)
    rows = list(csv.DictReader(io.StringIO(page(study, "results_csv").content.decode())))
    first = rows[0]
    assert (first["who"], first["metric"], first["k"], first["n"], first["corpus"]) == ("people", "R@1", "7", "8", "")
    assert float(first["headline_low"]) < 0.875 < float(first["headline_high"])
    model = next(row for row in rows if row["who"] == "tfidf")
    assert (model["k"], model["n"]) == ("2", "4")


@pytest.mark.parametrize(("format", "begins"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_the_figure_in_each_format(format, begins, page, study):
    answer_all(study, ["1111", "111-"])
    shown, saved = page(study, "results_figure", format), page(study, "results_figure", format, download="")
    assert shown.content.startswith(begins)
    assert saved["Content-Disposition"] == f'attachment; filename="summer-people-models.{format}"'
    assert saved.content == shown.content


def test_every_run_of_a_model_has_its_point_in_the_figure(page, study, questions, researcher, monkeypatch):
    answer_all(study, ["1111", "111-"])
    drawn = []
    monkeypatch.setattr(results, "_drawn", lambda panels, **how: drawn.extend(panels) or b"")
    for seed, right in enumerate(("1111", "1000"), start=1):
        run = run_of(questions, right, by=researcher)
        run.checksum, run.seed = right, seed
        run.save()
    page(study, "results_figure", "svg")
    models = {
        panel.title: {row.name: row.value for row in panel.rows if not (row.is_people or row.is_published)}
        for panel in drawn
    }
    assert sorted(models) == ["listening", "movie"]
    for of_corpus in models.values():
        assert sorted(of_corpus) == ["TF-IDF (seed 1)", "TF-IDF (seed 2)"]
        assert of_corpus["TF-IDF (seed 1)"] == 1
    assert sorted(of_corpus["TF-IDF (seed 2)"] for of_corpus in models.values()) == [0, 0.5]


def test_a_derived_group_of_fewer_than_five_people_is_in_no_figure_and_the_page_says_so(page, study, monkeypatch):
    answer_all(study, ["1111"] * 5, group="crowd")
    answer_all(study, ["1111"], group="lab")
    said = ["expert"] * 5 + ["never"]
    for person, ubuntu in zip(study.participants.order_by("pk"), said, strict=True):
        person.demographics = {"ubuntu": ubuntu}
        person.save()
    study.settings = {"derived": "many=crowd:ubuntu=expert@movie; alone=lab:ubuntu=never@movie"}
    study.save()
    drawn = []
    monkeypatch.setattr(results, "_drawn", lambda panels, **how: drawn.extend(panels) or b"")
    page(study, "results_figure", "svg")
    of_people = {row.name for panel in drawn for row in panel.rows if row.is_people and not row.is_published}
    assert of_people == {"crowd", "lab", "many"}
    shown = page(study, "results", corpus="movie")
    assert shown.context["not_drawn"] == ["alone"]
    assert "alone" in [row.name for row in dict(shown.context["groups"])["people"]]  # the table has it, with its people


def test_the_figure_follows_the_theme_and_the_size(page, study):
    answer_all(study, ["1111", "111-"])
    drawn = {
        page(study, "results_figure", "svg", theme=theme, size=size).content
        for theme in ("light", "dark")
        for size in ("wide", "narrow")
    }
    assert len(drawn) == 4
    assert page(study, "results_figure", "svg", theme="pink").status_code == 404
    assert page(study, "results_figure", "gif").status_code == 404


def test_a_forced_theme_gets_its_own_figure(page, study, researcher):
    answer_all(study, ["1111", "111-"])
    assert "prefers-color-scheme: dark" in page(study).content.decode()
    researcher.theme = "dark"
    researcher.save()
    html = page(study).content.decode()
    assert "theme=dark" in html
    assert "prefers-color-scheme: dark" not in html.partition("<picture>")[2].partition("</picture>")[0]


def test_a_corpus_that_is_not_there_is_not_found(page, study):
    answer_all(study, ["1111", "111-"])
    assert page(study, corpus="nowhere").status_code == 404


def test_the_api_answers_what_the_command_prints(page, study):
    answer_all(study, ["1111", "111-"])
    wrong = page(study, "study-results", without="bogus")
    assert (wrong.status_code, wrong.json()) == (
        400,
        {"without": ["unknown: bogus. Known: " + ", ".join(BY_DEFAULT) + "."]},
    )
    answer = page(study, "study-results").json()
    assert (answer["study"], answer["cells"][0]["k"], answer["cells"][0]["n"]) == ("summer", 7, 8)


def test_a_group_cannot_bring_markup_into_the_page(page, study):
    answer_all(study, ["1111", "111-"], group="<b>$x$</b>")
    answer_all(study, ["1111"], group="lab")
    html = page(study).content.decode()
    assert "<b>$x$</b>" not in html
    assert "&lt;b&gt;$x$&lt;/b&gt;" in html
    assert page(study, "results_figure", "svg").status_code == 200


# ---- models beside people -------------------------------------------------------------------------------------------


def test_each_model_stands_beside_people_with_the_difference_over_the_same_questions(
    client, study, questions, researcher
):
    answer_all(study, ["1111", "11--"])
    good, bad = run_of(questions, "1111", by=researcher), run_of(questions, "0000", model="bm25", by=researcher)
    client.force_login(researcher)
    answer = client.get(reverse("study_models", args=[study.slug]), {"corpus": "movie"})
    rows = {each.row.run: each for each in answer.context["models"]}
    # on movie (questions 0 and 2) people are right in 1 and in .5
    assert {run.pk: rows[run.pk].difference for run in (good, bad)} == {good.pk: -0.25, bad.pk: 0.75}
    assert "+75.0" in words(answer)
    later = {each.state: each.titles for each in answer.context["later"]}
    assert "SVMRank" in later["ready"]
    assert "TF-IDF" not in later["ready"]


def test_models_beside_people_come_as_csv_and_as_latex(page, study, questions, researcher):
    answer_all(study, ["1111", "11--"])
    run_of(questions, "1110", by=researcher)
    [shown] = page(study, "study_models").context["models"]
    rows = list(csv.DictReader(io.StringIO(page(study, "study_models_csv").content.decode())))
    assert [row["kind"] for row in rows] == ["people", "model"]
    assert float(rows[1]["people_minus_model"]) == shown.difference
    assert float(rows[1]["R@1"]) == shown.row.figures["R@1"].value
    lines = page(study, "study_models_latex").content.decode().split("\n")
    [line] = [line for line in lines if line.startswith("TF-IDF")]
    assert line.split(" & ")[1] == rows[1]["n"] == "4"
    assert rows[0]["n"] == "8"
    assert line.split(" & ")[2].startswith(f"{100 * shown.row.figures['R@1'].value:.1f} (")
    assert page(study, "study_models_latex", corpus="no").status_code == 404


def test_models_that_are_ready_are_started_at_once(client, study, questions, researcher):
    client.force_login(researcher)
    client.post(reverse("run_study_models", args=[study.slug]), {"model": ["random", "random", "nothing"]})
    [run] = study.runs.all()
    assert (run.model, run.on) == ("random", study.slug)
    answer = client.post(reverse("run_study_models", args=[study.slug]), {"model": ["random", "tfidf"]}, follow=True)
    assert "This model must be trained first." in words(answer)
    assert study.runs.count() == 1  # all or none


def test_models_that_were_started_are_not_offered_again_while_they_wait(client, study, questions, researcher):
    client.force_login(researcher)
    address = reverse("study_models", args=[study.slug])
    asked = {"model": ["random"], "key": client.get(address).context["form"]["key"].value()}
    for _click in range(2):
        client.post(reverse("run_study_models", args=[study.slug]), asked)
    assert study.runs.count() == 1
    later = {each.state: each.keys for each in client.get(address).context["later"]}
    assert later["waiting"] == ["random"]
    assert "random" not in later["ready"]
    Job.objects.update(state=JobState.FAILED)
    assert "random" in client.get(address).context["later"][0].keys


def test_a_chat_server_is_not_started_with_the_others_but_by_its_own_form(client, study, researcher, settings):
    settings.CHAT_SERVERS = {"lab": "http://localhost:9/v1"}
    client.force_login(researcher)
    answer = client.get(reverse("study_models", args=[study.slug]))
    later = {each.state: each for each in answer.context["later"]}
    assert "chat" not in later["ready"].keys
    assert later["named"].keys == ["chat"]
    assert "needs the name of its model" in words(answer)
    assert f"{reverse('new_run')}?model=chat&amp;on={study.slug}" in answer.content.decode()


def test_models_stand_beside_people_only_when_the_study_is_closed(client, questions, researcher):
    running = closed_study(researcher, questions, slug="running", state=StudyState.OPEN)
    client.force_login(researcher)
    assert "people" not in client.get(reverse("study_models", args=[running.slug])).context


def test_a_figure_of_fewer_answers_than_those_beside_it_says_how_many(page, study, questions, researcher):
    answer_all(study, ["1-21", "21-1"])
    everything = participant(study)
    for question, rank in zip(questions.questions.order_by("position"), (4, 4, 1, 3), strict=True):
        answer(everything, question, rank, depth=4)
    said = words(page(study))
    assert "8 of 12 answers" not in said  # 3 + 2 of 8, 1 of 4 are right
    assert "5 of 12 answers" in said
    figures = dict(page(study).context["groups"])["people"][-1].figures
    mrr = (1 / 4 + 1 / 4 + 1 + 1 / 3) / 4
    assert (figures["MRR"].value, figures["MRR"].n) == (pytest.approx(mrr), 4)
    assert {figures[metric].n for metric in ("R@1", "R@2", "MRR@2")} == {None}
    assert f"{100 * mrr:.1f} n 4" in said
    rows = csv.DictReader(io.StringIO(page(study, "results_csv").content.decode("utf-8-sig")))
    assert {row["n"] for row in rows if row["metric"] == "MRR" and row["who"] == "people" and row["p"]} >= {"4"}


def test_models_are_counted_by_name_whatever_their_seeds(page, study, questions, researcher):
    answer_all(study, ["1111", "11--"])
    run_of(questions, "1110", model="bm25", by=researcher)
    for seed in (1, 2):
        run = run_of(questions, "1100", by=researcher)
        Run.objects.filter(pk=run.pk).update(seed=seed, checksum=f"seed {seed}")
    answer_ = page(study)
    assert answer_.context["finding"].difference["models"] == answer_.context["finding"].models == 2
    assert models_in_force(study) == 2


def test_where_ties_make_all_answers_worth_the_same_it_is_said_what_the_interval_is_of(page, study, questions):
    for _person in range(2):
        own = participant(study)
        for at, question in enumerate(questions.questions.all()):
            shown = Presentation.objects.create(participant=own, question=question, position=at, order=[], tokens=[])
            Answer.objects.create(presentation=shown, better=0, tied=1, depth=4)
    said = words(page(study))
    assert "All 8 answers are worth the same, 50.0 %, since ties count by expectation. The interval comes from" in said


@pytest.mark.parametrize("ties", [True, False])
def test_an_effective_size_above_the_number_of_answers_is_explained_by_ties(page, study, questions, ties):
    worth = [(0, 1), (0, 2), (1, 1), (0, 1)] if ties else [(0, 0), (1, 0), (0, 0), (1, 0)]
    for turn in range(3):
        own = participant(study)
        for at, question in enumerate(questions.questions.order_by("position")):
            shown = Presentation.objects.create(participant=own, question=question, position=at, order=[], tokens=[])
            better, tied = worth[(at + turn) % 4]
            Answer.objects.create(presentation=shown, better=better, tied=tied, depth=4)
    answer_ = page(study)
    [people] = dict(answer_.context["groups"])["people"]
    assert (people.n_eff > people.n) == ties
    assert ("comes from ties" in words(answer_)) == ties
