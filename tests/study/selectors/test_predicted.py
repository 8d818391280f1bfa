"""Predictions that were made for a corpus, found for the questions of a set and of a study by what these say."""

import pytest

from study.actions.questions.questions import build
from study.actions.runs.baselines import run_now
from study.baselines.content import content_of, moved, places_of
from study.domain.results.metrics import METRICS, ranked_by_scores
from study.models import Run
from study.selectors.results.results import results_of
from study.selectors.runs.bodies import figure_of, models_on, values_of
from study.selectors.runs.predicted import predicted
from study.selectors.runs.sources import source_of
from tests import factories
from tests.factories import no_progress
from tests.study.instances import corpus, kitchen, row
from tests.study.results_cases import answer_all, closed_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=8)
    return researcher


def drawn(by, name: str = "evening", source: str = "kitchen:dev", count: int = 8):
    return build(name=name, sources=[source], count=count, report=no_progress, by=by)


def run_on(name: str, by, **how) -> Run:
    return run_now(**{"model": "tfidf", "train": "kitchen:train", "seed": 0, **how}, on=name, report=no_progress, by=by)


def figure_in(study, run: Run, metric: str = "R@1") -> float:
    rows = results_of(study, draws=20)["models"]
    [found] = [row["p"] for row in rows if (row["run"], row["metric"], row["corpus"]) == (run.pk, metric, None)]
    return found


def test_instances_say_the_same_whatever_the_order_of_their_candidates():
    said = ["Where?", "Here."]
    assert content_of(said, ["a", "b", "c"]) == content_of(said, ["c", "a", "b"])
    others = [
        (["Where? Here."], "abc"),
        (said[:1], "abc"),
        (said[::-1], "abc"),
        (said, "abd"),
        (said, "ab"),
        ([], "abc"),
    ]
    assert len({content_of(said, ["a", "b", "c"]), *(content_of(*other) for other in others)}) == 7


def test_a_turn_is_no_candidate():
    assert content_of(["a", "b"], ["c"]) != content_of(["a"], ["b", "c"])


@pytest.mark.parametrize("order", [[2, 0, 1], [0, 1, 2], [1, 2, 0]])
def test_scores_follow_their_candidates_into_another_order(order):
    texts, scores = ["so", "no", "yes"], [0.1, 0.2, 0.3]
    wanted = [texts[number] for number in order]
    assert moved(scores, places_of(texts), places_of(wanted)) == [scores[number] for number in order]


def test_each_question_of_a_set_has_the_score_that_its_text_has_in_the_corpus(rui):
    run, questions = run_on("kitchen:dev", rui), drawn(rui)
    stored = {each.external_id: each.scores for each in run.predictions.all()}
    in_corpus = {one.id: one for one in source_of("kitchen:dev", by=rui).instances()}
    asked = source_of("evening", by=rui).instances()
    assert any(one.candidates != in_corpus[one.id].candidates for one in asked)
    for one, scores in zip(asked, predicted(run, asked), strict=True):
        by_text = dict(zip(in_corpus[one.id].candidates, stored[one.id], strict=True))
        assert scores == [by_text[text] for text in one.candidates]
    assert questions.questions.count() == len(asked)


@pytest.mark.every_database
def test_a_run_on_a_split_has_the_same_figures_on_a_set_and_in_a_study_drawn_from_it(rui):
    run = run_on("kitchen:dev", rui)
    questions = drawn(rui)
    study = closed_study(rui, questions)
    answer_all(study, ["1" * 8, "12" * 4])
    [of_set] = models_on(source_of("evening", by=rui), by=rui)["tfidf"]
    [of_study] = models_on(source_of("summer", by=rui), by=rui)["tfidf"]
    for metric in ("R@1", "R@2", "MRR@2"):
        figures = [figure_of(of_set.newest, metric), figure_of(of_study.newest, metric), figure_in(study, run, metric)]
        assert figures == pytest.approx([run.metrics[metric]] * 3)
    assert (of_set.newest.pk, of_set.newest.on, of_set.newest.figures["missing"]) == (run.pk, "kitchen:dev", 0)
    assert sum(values_of(of_set.newest, "R@1").values()) == pytest.approx(8 * run.metrics["R@1"])


def test_questions_that_a_run_was_not_asked_about_are_missing_and_never_wrong(rui):
    corpus("garden", row("g1", turns=["Is it raining?"]), row("g2", turns=["Is it cold?"]), by=rui)
    run = run_on("garden", rui)
    questions = build(name="both", sources=["kitchen:dev", "garden"], count=4, report=no_progress, by=rui)
    study = closed_study(rui, questions)
    answer_all(study, ["1111", "1212"])
    [found] = models_on(source_of("both", by=rui), by=rui)["tfidf"]
    assert (found.newest.figures["n"], found.newest.figures["missing"]) == (2, 2)
    assert figure_of(found.newest, "R@1") == pytest.approx(run.metrics["R@1"])
    [told] = [each for each in results_of(study, draws=20)["models"] if each["metric"] == "R@1" and not each["corpus"]]
    assert (told["n"], told["without_prediction"]) == (2, 2)


def test_a_shorter_context_is_another_question(rui):
    run = run_on("kitchen:dev", rui)
    build(name="cut", sources=["kitchen:dev"], count=8, conditions=["first:2"], report=no_progress, by=rui)
    asked = source_of("cut", by=rui).instances()
    assert [one.condition for one, own in zip(asked, predicted(run, asked), strict=True) if own is None] == [
        "first:2"
    ] * 8


def test_what_was_run_on_the_set_itself_comes_before_what_serves_it(rui):
    elsewhere = run_on("kitchen:dev", rui)
    drawn(rui)
    here = run_on("evening", rui)
    other = run_on("kitchen:dev", rui, label="again")
    found = models_on(source_of("evening", by=rui), by=rui)["tfidf"]
    assert {each.newest.pk for each in found} == {here.pk, other.pk}
    study = closed_study(rui, drawn(rui, "late"))
    answer_all(study, ["1" * 8])
    told = {each["run"] for each in results_of(study, draws=20)["models"]}
    assert told == {elsewhere.pk, other.pk, here.pk}


def test_only_runs_of_members_serve_a_study(rui):
    stranger = factories.person("stranger", "researcher")
    run_on("kitchen:dev", stranger)
    study = closed_study(rui, drawn(rui))
    answer_all(study, ["1" * 8, "2" * 8])
    assert results_of(study, draws=20)["models"] == []
    assert models_on(source_of("evening", by=rui), by=rui) == {}


def test_of_equal_questions_each_has_the_prediction_under_its_own_id(rui):
    same = {"turns": ["Well?"], "candidates": ["Yes.", "No."]}
    corpus("twice", row("first", **same), row("second", **same), by=rui)
    run = run_on("twice", rui, model="random", train="")
    asked = source_of("twice", by=rui).instances()
    assert predicted(run, asked) == [each.scores for each in run.predictions.order_by("position")]


def test_a_corrected_answer_changes_the_figure_and_not_the_prediction(rui):
    asked = source_of("kitchen:dev", by=rui).instances()
    run = run_on("kitchen:dev", rui)
    corpus("mended", *(row(one.id, answer=(one.answer + 1) % 4, turns=[*one.context]) for one in asked), by=rui)
    drawn(rui, "mended-set", "mended")
    [found] = models_on(source_of("mended-set", by=rui), by=rui)["tfidf"]
    stored = {each.external_id: each.scores for each in run.predictions.all()}
    expected = [METRICS["R@1"](ranked_by_scores(stored[one.id], (one.answer + 1) % 4)) for one in asked]
    assert figure_of(found.newest, "R@1") == pytest.approx(sum(expected) / len(expected))
