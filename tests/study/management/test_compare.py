"""compare on the command line: worked values, families, seeds, and what the set can tell."""

import pytest

from core.domain.statistics import benjamini_hochberg, holm
from study.baselines.catalogue import UPLOADED
from study.domain.survey.phases import StudyState
from study.models import Exclusion, Participant, Run, Study
from tests.study.results_cases import EXAMPLE_A, answer_all, closed_study, question_set, run_of

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]

KEYS = {"corpus", "model", "difference", "ci", "p", "test", "p_adjusted", "family", "smallest", "estimator"}


@pytest.fixture
def example(researcher) -> Study:
    """Example A, and runs of two models on its questions."""
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    answer_all(study, [row.replace("0", "2") for row in EXAMPLE_A], group="crowd")
    run_of(questions, "1110101010", by=researcher)
    run_of(questions, "1111111110", model="bm25", by=researcher)
    return study


def rows_of(shell, *arguments) -> list[dict]:
    printed = shell("compare", *arguments, "--json")
    assert printed.code == 0, printed.err
    return printed.json["rows"]


def another_seed(questions, right: str, seed: int, by) -> Run:
    run = run_of(questions, right, by=by)
    Run.objects.filter(pk=run.pk).update(seed=seed, checksum=f"seed {seed}")
    return run


def test_example_a_against_a_model(shell, example):
    [row] = rows_of(shell, "summer", "--model", "tfidf")
    assert row.keys() >= KEYS
    assert (row["model"], row["corpus"], row["group"], row["against"]) == ("tfidf", None, None, None)
    assert (row["difference"], row["p"]) == (pytest.approx(0.125), pytest.approx(0.41015625))
    assert (row["test"], row["estimator"]) == ("sign-flip", "paired over questions")
    assert (row["questions"], row["people"]) == (10, 8)
    assert row["ci"][0] < 0.125 < row["ci"][1]
    assert row["smallest"] > 0.125
    shown = shell("results", "summer", "--json").json["differences"][0]
    best = rows_of(shell, "summer", "--model", shown["model"])[0]
    assert (best["difference"], best["ci"]) == (shown["difference"], shown["ci"])


def test_one_person_against_a_model_has_mcnemar_newcombe_and_tango(shell, researcher):
    questions = question_set(researcher, 40)
    answer_all(closed_study(researcher, questions), ["1" * 29 + "2" * 11])
    run_of(questions, "1" * 20 + "0" * 9 + "1" * 3 + "0" * 8, by=researcher)
    [row] = rows_of(shell, "summer", "--model", "tfidf")
    assert (row["test"], row["difference"], row["p"]) == ("mcnemar", pytest.approx(0.15), pytest.approx(0.14599609375))
    table = row["mcnemar"]
    assert [table[cell] for cell in ("both", "first", "second", "neither")] == [20, 9, 3, 8]
    assert table["mid_p"] == pytest.approx(0.09228515625)
    assert table["newcombe"] == row["ci"] == pytest.approx([-0.02135, 0.30889], abs=5e-6)
    assert table["tango"] == pytest.approx([-0.02199, 0.32087], abs=5e-6)


def test_models_are_compared_with_each_other_on_the_same_questions(shell, example):
    rows = rows_of(shell, "summer", "--model", "tfidf", "bm25")
    assert [(row["model"], row["against"]) for row in rows] == [("tfidf", None), ("bm25", None), ("tfidf", "bm25")]
    between = rows[-1]
    assert (between["difference"], between["test"]) == (pytest.approx(0.6 - 0.9), "mcnemar")
    assert [between["mcnemar"][cell] for cell in ("both", "first", "second", "neither")] == [6, 0, 3, 1]
    assert (between["smallest"], between["smallest_why"]) == (None, "too_few")  # they differ on three questions


def test_two_groups_of_people(shell, researcher):
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    rights = [("lab", [6] * 2 + [5] * 8), ("crowd", [6] * 39 + [5] * 96)]
    for group, each in rights:
        answer_all(study, ["1" * right + "2" * (10 - right) for right in each], group=group)
    [row] = rows_of(shell, "summer")
    assert (row["group"], row["against"], row["model"]) == ("crowd", "lab", None)
    assert row["newcombe"] == pytest.approx([-0.090125, 0.109286], abs=5e-7)
    assert row["test"] == "two-way t"


def test_without_a_plan_every_p_is_exploratory(shell, example):
    rows = rows_of(shell, "summer")
    assert {row["family"] for row in rows} == {"exploratory"}
    assert [row["p_adjusted"] for row in rows] == pytest.approx(benjamini_hochberg([row["p"] for row in rows]))
    assert {row["margin"] for row in rows} == {None}
    said = shell("compare", "summer").out
    assert "every p is exploratory" in said
    assert said.count("; exploratory") == len(rows)
    told = [row for row in rows if row["smallest"] is not None]
    assert said.count("The smallest difference that this set can tell") == len(told) == 2
    assert said.count("This set can tell no difference") == 1


def test_primary_contrast_margin_and_family_come_from_the_frozen_plan(shell, example, researcher):
    run_of(example.question_sets.get(), "0000000001", model="random", by=researcher)
    analysis = {"primary_group": "crowd", "primary_against": "BM25; tfidf", "primary_metric": "R@2"}
    Study.objects.filter(pk=example.pk).update(
        plan={"analysis": {**analysis, "primary_corpus": "", "margin": "20", "text": ""}}, plan_checksum="f" * 64
    )
    printed = shell("compare", "summer", "--json").json
    assert (printed["metric"], printed["plan"]["checksum"], printed["plan"]["margin"]) == ("R@2", "f" * 64, 0.2)
    rows = printed["rows"]
    of = {(row["model"], row["against"]): row for row in rows}
    assert of["bm25", None]["family"] == "primary"
    assert of["tfidf", None]["family"] == "confirmatory"
    confirmatory = [of["bm25", None], of["tfidf", None]]
    assert [row["p_adjusted"] for row in confirmatory] == pytest.approx(holm([row["p"] for row in confirmatory]))
    others = [row for row in rows if row not in confirmatory]
    assert {row["family"] for row in others} == {"exploratory"}
    assert [row["p_adjusted"] for row in others] == pytest.approx(benjamini_hochberg([row["p"] for row in others]))
    assert all(row["similar"] == (row["equivalence_p"] < 0.05) for row in rows if row["similar"] is not None)
    assert {row["margin"] for row in rows} == {0.2}


def freeze_plan(study: Study, against: str, **analysis) -> None:
    said = {"primary_group": "crowd", "primary_against": against, "primary_metric": "R@1", "primary_corpus": ""}
    Study.objects.filter(pk=study.pk).update(plan={"analysis": said | analysis}, plan_checksum="f" * 64)


def of_people(rows: list[dict]) -> list[tuple]:
    return [(row["model"] or row["against"], row["family"]) for row in rows if not (row["model"] and row["against"])]


def test_choosing_models_changes_no_p(shell, example, researcher):
    run_of(example.question_sets.get(), "0000000001", model="random", by=researcher)
    freeze_plan(example, "bm25; tfidf")
    every = {(row["model"], row["against"]): row for row in rows_of(shell, "summer")}
    assert every["bm25", None]["p_adjusted"] == pytest.approx(2 * every["bm25", None]["p"])
    for names in (["bm25"], ["random", "bm25"]):
        rows = rows_of(shell, "summer", "--model", *names)
        assert rows[0]["model"] == names[0]
        assert {row["model"] for row in rows} == {*names}
        assert [row["p_adjusted"] for row in rows if not row["against"]] == [
            every[row["model"], None]["p_adjusted"] for row in rows if not row["against"]
        ]


def test_what_was_planned_and_not_carried_out_stays_in_the_family(shell, example):
    freeze_plan(example, "SuperNet; bm25; lab; supernet")
    printed = shell("compare", "summer", "--json").json
    assert [(row["against"], row["family"]) for row in printed["not_carried_out"]] == [
        ("SuperNet", "primary"),
        ("lab", "confirmatory"),
    ]
    [bm25] = [row for row in printed["rows"] if row["family"] != "exploratory"]
    assert (bm25["planned"], bm25["p_adjusted"]) == ("bm25", pytest.approx(min(1, 3 * bm25["p"])))
    said = shell("compare", "summer", "--model", "tfidf").out
    assert said.count("Planned, not carried out") == 2
    Run.objects.all().delete()
    assert "crowd minus SuperNet" in shell("compare", "summer").out


def test_a_contrast_says_over_how_many_of_the_questions_it_is(shell, example, researcher):
    run_of(example.question_sets.get(), "1010......", model="random", by=researcher)
    freeze_plan(example, "random")
    rows = rows_of(shell, "summer")
    counts = {(row["model"], row["against"]): (row["questions"], row["questions_asked"]) for row in rows}
    assert (counts["random", None], counts["tfidf", None]) == ((4, 10), (10, 10))
    assert {between for pair, between in counts.items() if "random" in pair and None not in pair} == {(4, 10)}
    said = shell("compare", "summer", "--model", "random", "tfidf").out
    assert (said.count("paired over questions, 4 of 10 questions\n"), said.count(", 10 questions\n")) == (2, 1)


def test_a_later_upload_or_seed_is_not_what_the_plan_named(shell, example, researcher):
    questions = example.question_sets.get()
    upload = run_of(questions, "0000000000", model=UPLOADED, by=researcher)
    Run.objects.filter(pk=upload.pk).update(label="TFIDF")
    another_seed(questions, "0000000001", 9, researcher)
    freeze_plan(example, "tfidf; uploaded")
    rows = rows_of(shell, "summer")
    [planned] = [row for row in rows if row["family"] != "exploratory"]
    assert [each["seed"] for each in planned["seeds"]] == [0]
    assert (planned["difference"], planned["first_of"]) == (pytest.approx(0.125), 2)
    assert planned["p_adjusted"] == pytest.approx(min(1, 2 * planned["p"]))
    of_all = next(row for row in rows if row["seeds"] and len(row["seeds"]) == 2)
    assert (of_all["family"], of_all["first_of"]) == ("exploratory", None)
    assert "the first of 2 of this model to finish" in shell("compare", "summer").out


def test_an_upload_with_the_name_of_a_run_hides_none_and_is_not_what_the_plan_named(shell, example, researcher):
    questions = example.question_sets.get()
    first = Run.objects.get(model="tfidf")
    other = run_of(questions, "0000000001", by=researcher)
    Run.objects.filter(pk=other.pk).update(train="movie:train", checksum="of other training")
    uploads = [run_of(questions, right, model=UPLOADED, by=researcher) for right in ("1000000000", "1100000000")]
    for upload, label in zip(
        uploads, (f"TFIDF (run {first.pk})", f"tfidf (run {first.pk}) (run {first.pk})"), strict=True
    ):
        Run.objects.filter(pk=upload.pk).update(label=label, checksum=label)
    freeze_plan(example, "tfidf")
    printed = shell("compare", "summer", "--json").json["rows"]
    of_runs = {row["seeds"][0]["run"]: row["model"] for row in printed if row["seeds"] and not row["first_of"]}
    assert of_runs.keys() == {*Run.objects.values_list("pk", flat=True)}
    assert len({name.casefold() for name in of_runs.values()}) == 5
    [planned] = [row for row in printed if row["family"] != "exploratory"]
    assert [each["run"] for each in planned["seeds"]] == [first.pk]


def test_a_model_that_is_called_as_people_are_has_a_name_of_its_own(shell, example):
    answer_all(example, ["1121", "1211"], group="lab")
    Run.objects.filter(model="bm25").update(label="Crowd")
    Run.objects.filter(model="tfidf").update(label="people")
    rows = rows_of(shell, "summer")
    assert {row["model"].casefold() for row in rows if row["model"]}.isdisjoint({"crowd", "lab", "people"})


@pytest.mark.parametrize("name", ["TF-IDF", "tf-idf", "TFIDF"])
def test_a_model_is_named_as_a_plan_names_it(shell, example, name):
    assert {row["model"] for row in rows_of(shell, "summer", "--model", name)} == {"tfidf"}


def test_running_the_planned_model_again_changes_nothing(shell, example, researcher):
    questions = example.question_sets.get()
    another_seed(questions, "0000000001", 9, researcher)
    run_of(questions, "1110101010", by=researcher)  # as the first
    Run.objects.filter(pk=run_of(questions, "1111111111", by=researcher).pk).update(checksum="not as the first")
    freeze_plan(example, "TF-IDF")
    [planned] = [row for row in rows_of(shell, "summer") if row["family"] != "exploratory"]
    assert (planned["difference"], planned["first_of"]) == (pytest.approx(0.125), 3)


def test_a_model_that_is_called_as_a_group_is_not_what_the_plan_named(shell, example):
    answer_all(example, ["1121", "1211"], group="lab")
    Run.objects.filter(model="bm25").update(label="Lab")
    freeze_plan(example, "lab")
    assert [one for one in of_people(rows_of(shell, "summer")) if one[1] != "exploratory"] == [("lab", "primary")]


def test_a_group_of_one_corpus_that_people_s_words_make_is_compared(shell, example):
    answer_all(example, ["1121", "1211"], group="lab")
    few = example.participants.filter(group__name="crowd").order_by("pk").values_list("pk", flat=True)[:5]
    Participant.objects.filter(pk__in=[*few]).update(demographics={"age": "21-30"})
    Study.objects.filter(pk=example.pk).update(settings={"derived": "young=crowd:age=21-30@movie"})
    freeze_plan(example, "tfidf", primary_group="young")
    rows = rows_of(shell, "summer", "--model", "tfidf")
    pairs = {(row["group"], row["against"]) for row in rows if not row["model"]}
    assert pairs == {("young", "lab"), ("crowd", "lab")}, "some of the crowd are young"
    assert [row["group"] for row in rows if row["family"] == "primary"] == ["young"]


def test_a_difference_that_rounds_to_0_has_no_minus(shell, researcher):
    questions = question_set(researcher, 4)
    answer_all(closed_study(researcher, questions), ["2211", "2221", "2222"])  # thirds do not add up to 0 exactly
    run_of(questions, "0001", by=researcher)
    assert "-0.000" not in shell("compare", "summer").out


def test_people_whom_a_rule_leaves_out_are_in_no_comparison(shell, researcher):
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    answer_all(study, [row.replace("0", "2") for row in EXAMPLE_A])
    answer_all(study, ["." * 10])  # fewer answers than one
    answer_all(study, ["2" * 10])
    Exclusion.objects.create(participant=study.participants.last(), why="asleep", created_by=researcher)
    run_of(questions, "1110101010", by=researcher)
    [row] = rows_of(shell, "summer")
    assert (row["difference"], row["people"]) == (pytest.approx(0.125), 8)


def test_the_plan_of_a_draft_is_no_plan(shell, example):
    Study.objects.filter(pk=example.pk).update(settings={"primary_group": "crowd", "primary_against": "tfidf"})
    assert {row["family"] for row in rows_of(shell, "summer")} == {"exploratory"}


def test_two_seeds_of_a_model_are_one_model_with_a_spread(shell, researcher):
    questions = question_set(researcher, 10)
    answer_all(closed_study(researcher, questions), [row.replace("0", "2") for row in EXAMPLE_A])
    runs = [another_seed(questions, right, seed, researcher) for seed, right in ((7, "1110101010"), (8, "1111101010"))]
    [row] = rows_of(shell, "summer", "--model", "tfidf")
    assert [(each["seed"], each["run"], each["figure"]) for each in row["seeds"]] == [
        (7, runs[0].pk, pytest.approx(0.6)),
        (8, runs[1].pk, pytest.approx(0.7)),
    ]
    spread = row["spread"]
    assert (spread["mean"], spread["lowest"], spread["highest"]) == pytest.approx((0.65, 0.6, 0.7))
    assert spread["sd"] == pytest.approx(0.1 / 2**0.5)
    assert (row["second"], row["difference"]) == (pytest.approx(0.65), pytest.approx(0.725 - 0.65))
    assert "2 seeds: mean 0.650, standard deviation 0.071, 0.600 to 0.700" in shell("compare", "summer").out


def test_runs_of_two_labels_are_two_models(shell, example):
    Run.objects.filter(model="bm25").update(model="tfidf", label="tuned")
    assert [row["model"] for row in rows_of(shell, "summer", "--model", "tuned")] == ["tuned"]
    rows = rows_of(shell, "summer", "--model", "tfidf", "--model", "tuned")
    assert sum(row["against"] is None for row in rows) >= 2


def test_each_corpus_where_there_are_several(shell, researcher):
    questions = question_set(researcher, 10, corpora=["movie", "ubuntu"])
    answer_all(closed_study(researcher, questions), [row.replace("0", "2") for row in EXAMPLE_A])
    run_of(questions, "1110101010", by=researcher)
    rows = {row["corpus"]: row for row in rows_of(shell, "summer")}
    assert [*rows] == [None, "movie", "ubuntu"]
    right = {"movie": [6, 7, 7, 7, 5], "ubuntu": [7, 4, 5, 4, 6]}
    for corpus, model in (("movie", 5), ("ubuntu", 1)):
        assert rows[corpus]["difference"] == pytest.approx((sum(right[corpus]) / 8 - model) / 5)


def test_what_cannot_be_compared_is_said(shell, researcher, example):
    printed = shell("compare", "summer", "--model", "robert")
    assert printed.code == 2
    assert "tfidf" in printed.err
    closed_study(researcher, question_set(researcher, name="others"), slug="winter")
    assert shell("compare", "winter").out.startswith("Nothing to compare")
    assert rows_of(shell, "winter") == []
    Study.objects.filter(slug="winter").update(state=StudyState.OPEN)
    printed = shell("compare", "winter", "--json")
    assert (printed.code, printed.json["code"]) == (1, "still_open")


def test_groups_of_one_person_are_not_said_not_to_vary(shell, researcher):
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1121"], group="crowd")
    answer_all(study, ["1112"], group="lab")
    [row] = rows_of(shell, "summer")
    assert (row["p"], row["verdict"]) == (None, "unknown")
    assert "or a group is one person" in shell("compare", "summer").out


def test_the_same_comparison_is_the_same_to_the_last_digit(shell, example):
    assert shell("compare", "summer", "--json").out == shell("compare", "summer", "--json").out


def test_a_p_of_few_people_is_called_theirs(shell, researcher):
    questions = question_set(researcher, 20, name="many")
    study = closed_study(researcher, questions, slug="experts")
    answer_all(study, ["12" * 10, "1" * 20, "1" * 15 + "2" * 5])
    run_of(questions, "01" * 10, by=researcher)
    [row] = rows_of(shell, study.slug)
    [line] = [line for line in shell("compare", study.slug).out.splitlines() if "3 people alone" in line]
    assert line.endswith(f"two-way p = {row['two_way_p']:.3f}".replace("0.", "."))


def test_what_one_question_shows_is_no_difference_and_one_question(shell, researcher):
    questions = question_set(researcher, 1)
    answer_all(closed_study(researcher, questions), ["1", "1", "2"])
    run_of(questions, "0", by=researcher)
    [row] = rows_of(shell, "summer")
    assert (row["p"], row["smallest"], row["smallest_why"]) == (1, None, "too_few")
    assert "1 question\n" in shell("compare", "summer").out


def test_a_p_that_is_almost_0_is_below_a_thousandth(shell, researcher):
    questions = question_set(researcher, 40)
    answer_all(closed_study(researcher, questions), ["1" * 40, "1" * 39 + "2"])
    run_of(questions, "0" * 40, by=researcher)
    said = shell("compare", "summer").out
    assert "p < .001" in said
    assert "0.0000" not in said


def test_an_upload_that_is_called_as_a_model_is_told_apart_from_it(shell, researcher, example):
    questions = example.question_sets.get()
    upload = run_of(questions, "0111111111", model=UPLOADED, by=researcher)
    Run.objects.filter(pk=upload.pk).update(label="tfidf")
    own = Run.objects.get(model="tfidf")
    names = {f"tfidf (run {own.pk})", f"tfidf (run {upload.pk})"}
    rows = rows_of(shell, "summer", "--model", "tfidf")
    assert {row["model"] for row in rows if not row["against"]} == names
    [between] = [row for row in rows if row["against"]]
    assert {between["model"], between["against"]} == names
    [alone] = rows_of(shell, "summer", "--model", f"tfidf (run {upload.pk})")
    assert alone["difference"] == pytest.approx(0.725 - 0.9)
    assert len(rows_of(shell, "summer", "--model", "tfidf", f"TFIDF (run {upload.pk})")) == len(rows)
    assert {row["model"] for row in rows_of(shell, "summer")} >= {*names, "bm25"}


def test_a_corpus_and_a_group_that_are_all_there_is_have_the_intervals_of_all(shell, researcher):
    questions = question_set(researcher, 10)
    answer_all(closed_study(researcher, questions), [row.replace("0", "2") for row in EXAMPLE_A], group="crowd")
    run_of(questions, "1110101010", by=researcher)
    results = shell("results", "summer", "--json").json
    [compared] = rows_of(shell, "summer")
    assert {(row["corpus"], row["group"]) for row in results["differences"]} == {
        (corpus, group) for corpus in (None, "movie") for group in (None, "crowd")
    }
    assert {tuple(row["ci"]) for row in results["differences"]} == {tuple(compared["ci"])}
    of_all = [cell for cell in results["cells"] if cell["metric"] == "R@1" and cell["n"] == 80]
    assert len(of_all) > 1
    assert len({tuple(cell["bootstrap"]) for cell in of_all}) == 1


@pytest.mark.parametrize("people", [2, 3, 5, 7])
def test_where_no_answer_differs_from_another_nothing_is_tested(shell, researcher, people):
    questions = question_set(researcher, 10)
    answer_all(closed_study(researcher, questions), ["1" * 10] * people)
    run_of(questions, "0" * 10, by=researcher)
    run_of(questions, "1" * 10, model="bm25", by=researcher)
    apart, equal = (rows_of(shell, "summer", "--model", model)[0] for model in ("tfidf", "bm25"))
    for row in (apart, equal):
        assert (row["ci"], row["two_way_p"], row["smallest_why"]) == (None, None, "no_variance")
    assert (apart["difference"], apart["p"], apart["verdict"]) == (1, 2 / 2**10, "different")
    assert (equal["difference"], equal["p"], equal["verdict"]) == (0, None, "unknown")
    said = shell("compare", "summer", "--model", "bm25").out
    assert "no interval: nothing varies" in said
    assert "What this set can tell is unknown: nothing varies in it." in said


def test_without_answers_the_command_says_that_there_are_none(shell, researcher):
    questions = question_set(researcher, 10)
    study = closed_study(researcher, questions)
    run_of(questions, "0" * 10, by=researcher)
    assert "no answers of this study count" in shell("compare", "summer").out
    answer_all(study, ["1" * 10])
    Run.objects.all().delete()
    assert "no model predicted the study's questions" in shell("compare", "summer").out
