"""Predictions of another system: stored as a run, counted where they lack something, and found wherever they serve."""

import json
from pathlib import Path

import pytest

from annotation.actions.imports.refused_rows import RowsRefused
from core.actions.refusals import Refused
from core.models import Event, Role
from study.actions.imported_answers import import_answers
from study.actions.questions.questions import build
from study.actions.runs.baselines import run_now
from study.actions.runs.uploads import import_predictions
from study.baselines.evaluate import best_first
from study.exporters import mutual_list
from study.models import Prediction, Run
from study.selectors.results.results import results_of
from study.selectors.runs.bodies import figure_of, models_on
from study.selectors.runs.sources import source_of
from tests import factories
from tests.factories import no_progress
from tests.study.instances import corpus, kitchen, row
from tests.study.results_cases import answer_all, closed_study, example_a_file, participant, question_set

pytestmark = pytest.mark.django_db
LETTERS = "ABCD"


@pytest.fixture
def rui(researcher):
    kitchen(researcher, dev=8, unknown=2)
    return researcher


def best(right: str) -> list[str]:
    """Return a line for each dev instance, its true response (of dN the number N modulo 4) first (1) or last (0)."""
    lines = []
    for number, letter in enumerate(right):
        true = LETTERS[number % 4]
        others = [each for each in LETTERS if each != true]
        if letter in "10":
            lines.append("\t".join([f"d{number}", *([true, *others] if letter == "1" else [*others, true])]))
    return lines


def sent(tmp_path: Path, *lines: str, by, name: str = "said.txt", **how):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return import_predictions(**{"on": "kitchen:dev", "label": "ours", "by": by, **how}, path=path)


def codes(refused: RowsRefused) -> list[tuple[int | None, str]]:
    return [(row.line, row.reason.code) for row in refused.rows]


# ---- one file serves the corpus, its sets and its studies -----------------------------------------------------------


@pytest.mark.every_database
def test_one_file_for_a_split_gives_the_same_figure_on_the_corpus_on_a_set_and_in_a_study(rui, tmp_path):
    run = sent(tmp_path, *best("11010011"), by=rui).run
    questions = build(name="evening", sources=["kitchen:dev"], count=8, report=no_progress, by=rui)
    asked, in_corpus = (source_of(name, by=rui).instances_named(["d1"])["d1"] for name in ("evening", "kitchen:dev"))
    assert asked.candidates != in_corpus.candidates, "the set orders them in another way"
    study = closed_study(rui, questions)
    answer_all(study, ["11112222", "1-1-1-1-"])
    figures = [run.metrics["R@1"]]
    for name in ("kitchen:dev", "evening", "summer"):
        [found] = models_on(source_of(name, by=rui), by=rui)["uploaded"]
        figures.append(figure_of(found.newest, "R@1"))
    told = [each for each in results_of(study, draws=20)["models"] if (each["metric"], each["corpus"]) == ("R@1", None)]
    assert [(each["run"], each["label"], each["n"], each["without_prediction"]) for each in told] == [
        (run.pk, "ours", 8, 0)
    ]
    assert [*figures, told[0]["p"]] == [pytest.approx(5 / 8)] * 5


@pytest.mark.every_database
def test_a_set_drawn_from_a_part_has_the_figure_of_this_part(rui, tmp_path):
    right = "11010011"
    sent(tmp_path, *best(right), by=rui)
    build(name="three", sources=["kitchen:dev"], count=3, seed=5, report=no_progress, by=rui)
    source = source_of("three", by=rui)
    expected = [int(right[int(one.id.removeprefix("d"))]) for one in source.instances()]
    [found] = models_on(source, by=rui)["uploaded"]
    assert figure_of(found.newest, "R@1") == pytest.approx(sum(expected) / 3)


def test_a_file_of_a_set_is_read_in_the_order_of_the_set_and_serves_the_corpus_s_other_sets(rui, tmp_path):
    build(name="evening", sources=["kitchen:dev"], count=8, report=no_progress, by=rui)
    asked = source_of("evening", by=rui).instances()
    lines = [json.dumps({"id": one.id, "scores": [float(n == one.answer) for n in range(4)]}) for one in asked]
    assert sent(tmp_path, *lines, on="evening", by=rui).run.metrics["R@1"] == 1
    build(name="late", sources=["kitchen:dev"], count=8, seed=9, report=no_progress, by=rui)
    [found] = models_on(source_of("late", by=rui), by=rui)["uploaded"]
    assert figure_of(found.newest, "R@1") == 1


def test_a_file_is_imported_for_a_study_too(rui, tmp_path):
    questions = build(name="evening", sources=["kitchen:dev"], count=8, report=no_progress, by=rui)
    study = closed_study(rui, questions)
    answer_all(study, ["1" * 8])
    asked = source_of("summer", by=rui).instances()
    lines = [json.dumps({"id": one.id, "scores": [float(n == one.answer) for n in range(4)]}) for one in asked]
    run = sent(tmp_path, *lines, on="summer", by=rui).run
    assert (run.study, run.metrics["R@1"]) == (study, 1)
    assert {each["p"] for each in results_of(study, draws=20)["models"] if each["metric"] == "R@1"} == {1}


def test_a_file_of_a_corpus_is_not_taken_for_its_set_which_orders_candidates_in_another_way(rui, tmp_path):
    sent(tmp_path, *best("1" * 8), by=rui)
    build(name="evening", sources=["kitchen:dev"], count=8, report=no_progress, by=rui)
    with pytest.raises(Refused) as refused:
        sent(tmp_path, *best("1" * 8), on="evening", by=rui)
    assert refused.value.code == "serves_already"
    assert Run.objects.count() == 1


def test_a_file_in_the_order_of_a_set_is_not_taken_for_the_corpus_nor_for_another_set(rui, tmp_path):
    for name, seed in (("evening", 0), ("late", 9)):
        build(name=name, sources=["kitchen:dev"], count=8, seed=seed, report=no_progress, by=rui)
    lines = [one.id + "\t" + "\t".join(LETTERS) for one in source_of("evening", by=rui).instances()]
    for on in ("kitchen:dev", "kitchen", "late"):
        for partial in (False, True):
            with pytest.raises(RowsRefused) as refused:
                sent(tmp_path, *lines, on=on, partial=partial, by=rui)
            assert (codes(refused.value), "evening" in str(refused.value)) == ([(None, "made_for_another")], True)
    assert sent(tmp_path, *lines, on="evening", by=rui).created
    assert sent(tmp_path, *lines[:1], label="one", by=rui).created, "one row has no order"
    assert sent(tmp_path, *sorted(lines), label="sorted", by=rui).created, "in the order of the corpus"


def test_the_ids_of_a_set_alone_in_whatever_order_are_its_file_unless_it_is_the_order_of_the_corpus(rui, tmp_path):
    build(name="three", sources=["kitchen:dev"], count=3, seed=5, report=no_progress, by=rui)
    ids = [one.id for one in source_of("three", by=rui).instances()]
    lines = [id + "\t" + "\t".join(LETTERS) for id in sorted(ids, reverse=True)]
    with pytest.raises(RowsRefused):
        sent(tmp_path, *lines, by=rui)
    assert sent(tmp_path, *sorted(lines), by=rui).created


def test_a_file_in_the_order_of_a_corpus_is_not_taken_for_a_set_that_has_all_its_instances(rui, tmp_path):
    build(name="evening", sources=["kitchen:dev"], count=8, report=no_progress, by=rui)
    with pytest.raises(RowsRefused) as refused:
        sent(tmp_path, *best("1" * 8), on="evening", by=rui)
    assert codes(refused.value) == [(None, "made_for_another")]


def test_rows_for_a_set_or_study_in_no_order_may_have_the_corpus_s_letters_and_are_refused(rui, tmp_path):
    closed_study(rui, build(name="evening", sources=["kitchen:dev"], count=6, report=no_progress, by=rui))
    own = [one.id for one in source_of("evening", by=rui).instances()]
    shuffled = [own[place] for place in (3, 0, 5, 1, 4, 2)]
    for ids in (shuffled, shuffled[:3], sorted(own, reverse=True)):
        for on in ("evening", "summer"):
            with pytest.raises(RowsRefused) as refused:
                sent(tmp_path, *(id + "\tA\tB\tC\tD" for id in ids), on=on, partial=True, by=rui)
            assert (codes(refused.value), "kitchen" in str(refused.value)) == ([(None, "order_unknown")], True)
    assert sent(tmp_path, *(id + "\tA\tB\tC\tD" for id in own), on="evening", by=rui).created
    shuffled = [f"d{n}\tA\tB\tC\tD" for n in (7, 2, 5, 0, 1)]
    assert sent(tmp_path, *shuffled, by=rui).created, "for the corpus any order will do"


def test_a_file_of_the_corpus_for_its_set_or_for_another_split_is_one_line_that_names_the_corpus(rui, tmp_path):
    closed_study(rui, build(name="evening", sources=["kitchen:dev"], count=6, report=no_progress, by=rui))
    for on in ("evening", "summer", "kitchen:train"):
        for partial in (False, True):
            with pytest.raises(RowsRefused) as refused:
                sent(tmp_path, *best("10101010"), "d0\tA\tB", on=on, partial=partial, by=rui)
            [of_all, *_others] = refused.value.rows
            assert (of_all.line, of_all.reason.code, of_all.reason.params["other"]) == (
                None,
                "ids_of_another",
                "kitchen:dev",
            )
            assert "instance_unknown" not in {code for _line, code in codes(refused.value)}
    with pytest.raises(RowsRefused) as refused:
        sent(tmp_path, *best("1"), "nowhere\tA\tB\tC\tD", on="evening", by=rui)
    assert "ids_of_another" not in {code for _line, code in codes(refused.value)}


def test_the_set_of_a_stranger_tells_nothing(rui, tmp_path):
    build(name="evening", sources=["kitchen:dev"], count=8, report=no_progress, by=rui)
    asked = source_of("evening", by=rui).instances()
    ann = factories.person("ann", Role.RESEARCHER)
    kitchen_of_ann = corpus("pantry", *(row(f"d{n}", answer=n % 4) for n in range(8)), by=ann)
    assert sent(
        tmp_path, *(one.id + "\t" + "\t".join(LETTERS) for one in asked), on=kitchen_of_ann.name, by=ann
    ).created


def test_the_same_file_may_be_right_for_two_corpora_that_share_ids(rui, tmp_path):
    corpus("other", *(row(f"d{n}", turns=[f"Else {n}?"], answer=n % 4) for n in range(8)), by=rui)
    first, second = (sent(tmp_path, *best("1" * 8), on=on, by=rui).run for on in ("kitchen:dev", "other:dev"))
    assert (first.on, second.on, first.metrics["R@1"], second.metrics["R@1"]) == ("kitchen:dev", "other:dev", 1, 1)


# ---- back and forth -------------------------------------------------------------------------------------------------


@pytest.mark.every_database
def test_a_list_comes_back_as_it_was(rui, tmp_path):
    lines = best("10110")
    run = sent(tmp_path, *lines, "d5", by=rui).run
    assert b"".join(mutual_list.lines(run.predictions.order_by("position"))).decode().splitlines() == [*lines, "d5"]


def test_the_list_of_a_run_gives_its_ranking_back(rui, tmp_path):
    made = run_now(model="tfidf", train="kitchen:train", on="kitchen:dev", seed=0, report=no_progress, by=rui)
    lines = b"".join(mutual_list.lines(made.predictions.order_by("position"))).decode().splitlines()
    run = sent(tmp_path, *lines, by=rui).run
    orders = [[best_first(each.scores) for each in one.predictions.order_by("position")] for one in (made, run)]
    assert orders[0] == orders[1]


# ---- what a file lacks ----------------------------------------------------------------------------------------------


def test_instances_without_a_row_are_counted_and_named_and_are_in_no_figure(rui, tmp_path):
    found = sent(tmp_path, *best("11.1.0"), by=rui)
    assert found.missing == ["d2", "d4", "d6", "d7"]
    assert (found.run.metrics["n"], found.run.metrics["R@1"]) == (4, pytest.approx(3 / 4))
    assert (found.run.metrics["missing"], found.run.metrics["missing_ids"]) == (4, found.missing)
    assert found.run.predictions.count() == 4


def test_an_id_alone_is_no_answer_which_counts_as_wrong_and_is_said(rui, tmp_path):
    run = sent(tmp_path, *best("111"), "d3", by=rui).run
    assert (run.metrics["n"], run.metrics["R@1"], run.metrics["unanswered"]) == (4, pytest.approx(3 / 4), 1)
    assert run.metrics["answered"]["R@1"] == 1


def test_a_label_of_eighty_characters_is_stored_whole(rui, tmp_path):
    assert sent(tmp_path, *best("1"), label="x" * 80, by=rui).run.label == "x" * 80


def test_a_json_array_serves_as_lines_do_and_an_id_that_is_there_twice_is_named(rui, tmp_path):
    said = [{"id": f"d{n}", "scores": [3, 2, 1, 0]} for n in (0, 1, 0)]
    found = sent(tmp_path, json.dumps(said), partial=True, by=rui)
    assert [each.external_id for each in found.run.predictions.order_by("position")] == ["d0", "d1"]
    assert [(row.line, row.reason.code, row.reason.params["first"]) for row in found.refused] == [
        (3, "predicted_twice", 1)
    ]


BAD = [
    "d0\tA\tB\tC\tD",
    "nowhere\tA\tB\tC\tD",
    "d0\tB\tA\tC\tD",
    '{"id": "d1", "scores": [1, NaN, 0, 0]}',
    '{"id": "d2", "scores": [1, Infinity, 0, 0]}',
    '{"id": "d3", "scores": [1, 2, 3]}',
    "d4\tA\tB",
]
REFUSED = [
    (2, "instance_unknown"),
    (3, "predicted_twice"),
    (4, "score_not_finite"),
    (5, "score_not_finite"),
    (6, "scores_count"),
    (7, "candidates_left_out"),
]


def test_every_row_that_cannot_be_taken_is_named_and_nothing_is_stored(rui, tmp_path):
    with pytest.raises(RowsRefused) as refused:
        sent(tmp_path, *BAD, by=rui)
    assert codes(refused.value) == REFUSED
    assert not Run.objects.exists() and not Prediction.objects.exists()


def test_the_good_rows_are_stored_where_that_is_wished(rui, tmp_path):
    found = sent(tmp_path, *BAD, *best(".....1"), partial=True, by=rui)
    assert [(row.line, row.reason.code) for row in found.refused] == REFUSED
    assert found.refused_by["score_not_finite"] == 2
    assert [each.external_id for each in found.run.predictions.order_by("position")] == ["d0", "d5"]
    assert found.run.predictions.get(external_id="d0").scores == [3, 2, 1, 0], "the first of two rows is kept"
    assert found.missing == ["d1", "d2", "d3", "d4", "d6", "d7"]


@pytest.mark.parametrize(
    ("lines", "how", "code"),
    [
        (BAD[1:2], {"partial": True}, "nothing_predicted"),
        (['[{"id": "d0"'], {"partial": True}, "file_refused"),
        (BAD[:1], {"label": " \t"}, "no_label"),
        (BAD[:1], {"label": "x" * 81}, "label_too_long"),
        (BAD[:1], {"label": "TFIDF"}, "label_of_a_model"),
        (BAD[:1], {"label": "TF-IDF"}, "label_of_a_model"),
        (BAD[:1], {"label": "Uploaded"}, "label_of_a_model"),
        (BAD[:1], {"label": "random (Run 4)"}, "label_of_a_run"),
        (BAD[:1], {"label": "people"}, "label_of_people"),
        (BAD[:1], {"label": "全体参与者"}, "label_of_people"),
        (BAD[:1], {"on": "pantry"}, "no_such_source"),
        (BAD[1:2], {"on": "kitchen:train"}, "rows_refused"),
    ],
)
def test_what_cannot_be_a_run_is_refused(rui, tmp_path, lines, how, code):
    with pytest.raises(Refused) as refused:
        sent(tmp_path, *lines, **how, by=rui)
    assert refused.value.code == code


@pytest.mark.parametrize("label", ["crowd", "Fluent"])
def test_a_group_of_one_s_own_studies_is_no_label(rui, tmp_path, label):
    study = closed_study(rui, question_set(rui))
    study.settings = {"derived": "fluent=Crowd:ubuntu=expert@movie"}
    study.save()
    participant(study, group="Crowd")
    with pytest.raises(Refused) as refused:
        sent(tmp_path, *BAD[:1], label=label, by=rui)
    assert refused.value.code == "label_of_people"


def test_dialogues_without_candidates_cannot_be_predicted(rui, tmp_path):
    corpus("talk", row("d0", candidates=None), by=rui)
    with pytest.raises(Refused) as refused:
        sent(tmp_path, BAD[0], on="talk", by=rui)
    assert refused.value.code == "no_candidates"


def test_answers_imported_without_texts_say_how_models_come_beside_them(rui, tmp_path):
    import_answers(slug="a", path=example_a_file(tmp_path), candidates=4, report=no_progress, by=rui)
    with pytest.raises(Refused) as refused:
        sent(tmp_path, "q0\tA\tB\tC\tD", on="a", by=rui)
    assert refused.value.code == "no_texts"


def test_instances_without_a_known_answer_have_predictions_and_no_figures(rui, tmp_path):
    run = sent(tmp_path, "u0\tA\tB\tC\tD", on="kitchen:test", by=rui).run
    assert (run.metrics["n"], run.metrics["without_answer"], run.metrics["missing"]) == (0, 1, 1)
    assert run.metrics["R@1"] is None


def test_questions_of_different_sizes_are_taken_and_have_no_single_number_of_candidates(rui, tmp_path):
    corpus("mixed", row("two", candidates=["Yes.", "No."]), row("four"), by=rui)
    run = sent(tmp_path, "two\tA\tB", "four\tB\tA\tC\tD", on="mixed", by=rui).run
    assert (run.metrics["candidates"], run.metrics["R@1"], run.metrics["n"]) == (None, 0.5, 2)


# ---- again, and under one label -------------------------------------------------------------------------------------


@pytest.mark.every_database
def test_the_same_file_again_adds_nothing_and_says_so(rui, tmp_path):
    first = sent(tmp_path, *best("1101"), by=rui)
    again = sent(tmp_path, *best("1101"), by=rui)
    assert (first.created, again.created, again.run) == (True, False, first.run)
    assert (Run.objects.count(), Prediction.objects.count()) == (1, 4)
    assert Event.objects.filter(subject="run", became="imported").count() == 1


def test_other_predictions_under_one_label_are_refused_or_have_another_seed(rui, tmp_path):
    first = sent(tmp_path, *best("1101"), by=rui).run
    with pytest.raises(Refused) as refused:
        sent(tmp_path, *best("1111"), by=rui)
    assert (refused.value.code, refused.value.field) == ("label_taken", "label")
    second = sent(tmp_path, *best("1111"), seed=1, by=rui).run
    [row_of_both] = models_on(source_of("kitchen:dev", by=rui), by=rui)["uploaded"]
    assert row_of_both.seeds == (first, second)


def test_models_of_two_labels_are_two_models(rui, tmp_path):
    sent(tmp_path, *best("1101"), by=rui)
    sent(tmp_path, *best("1101"), label="theirs", by=rui)
    found = models_on(source_of("kitchen:dev", by=rui), by=rui)["uploaded"]
    assert [each.label for each in found] == ["ours", "theirs"]


def test_a_person_s_upload_is_not_there_for_a_stranger(rui, tmp_path):
    sent(tmp_path, *best("1101"), by=rui)
    stranger = factories.person("stranger", Role.RESEARCHER)
    assert models_on(source_of("kitchen:dev", by=stranger), by=stranger) == {}
    assert sent(tmp_path, *best("1111"), by=stranger).created
