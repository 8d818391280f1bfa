"""import_answers and results on the command line: JSON keys, exit codes, what is told."""

import pytest

from core.models import Role
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Presentation, Study
from tests import factories
from tests.study import study_cases
from tests.study.results_cases import answer_all, answers_file, closed_study, example_a_file, question_set, run_of

pytestmark = pytest.mark.django_db

CELL = {
    "corpus",
    "group",
    "form",
    "condition",
    "type",
    "turns",
    "metric",
    "estimator",
    "k",
    "n",
    "p",
    "people_mean",
    "people",
    "questions",
    "icc",
    "design_effect",
    "n_eff",
    "headline",
    "headline_why",
    "flag",
    "bootstrap",
    "wald",
    "starred",
    "wilson",
    "jeffreys",
    "agresti_coull",
    "clopper_pearson",
}


def test_answers_come_in_and_their_results_go_out(shell, tmp_path):
    printed = shell("import_answers", "a", example_a_file(tmp_path), "--candidates", 5, "--json")
    assert (printed.code, printed.json["stored"], printed.json["created"]) == (0, 80, True)
    cells = shell("results", "a", "--json").json["cells"]
    assert all(cell.keys() >= CELL for cell in cells)
    assert (cells[0]["metric"], cells[0]["k"], cells[0]["n"]) == ("R@1", 58, 80)
    assert cells[0]["headline"] == pytest.approx([0.529069, 0.860853], abs=5e-7)


def test_the_same_answers_again_are_told(shell, tmp_path):
    path = example_a_file(tmp_path)
    assert shell("import_answers", "a", path).out.startswith("80 answers stored in the new study a;")
    again = shell("import_answers", "a", path)
    assert (again.code, again.out) == (0, "Nothing new: all 80 rows were stored before.\n")


def test_a_guessed_number_of_candidates_is_told_as_such(shell, tmp_path):
    path = answers_file(tmp_path, "participant,question,rank", [("ann", "q1", 1), ("bo", "q1", 4)])
    assert "at least 4 candidates, the highest rank seen" in shell("import_answers", "a", path).out
    assert "at least 4 candidates, the highest rank seen" in shell("results", "a").out
    assert "1 question (4 candidates)" in shell("import_answers", "b", path, "--candidates", 4).out
    assert "at least" not in shell("results", "b").out


def test_refused_rows_are_listed_with_file_line_and_reason(shell, tmp_path):
    path = answers_file(tmp_path, "participant,question,correct", [("ann", "q1", 1), ("ann", "q2", 7)])
    printed = shell("import_answers", "a", path, "--json")
    assert printed.code == 1
    [row] = printed.json["rows_refused"]
    assert (row["file"], row["line"], row["code"]) == ("answers.csv", 3, "no_whole_number")
    assert '"7" in the column "correct" is not a whole number from 0 to 1' in printed.err
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "Nothing from “answers.csv” was stored. The file is empty."),
        ("参加者,题\n安,一\n".encode("shift_jis", "replace") * 9 + b"\x81\xff\n" * 90, "save the file as UTF-8."),
        (b"participant,question\nann,q1\n", "One of these columns is needed: rank, correct, better;"),
        (b"participant,question,correct\nann,q1,7\n", "Nothing was stored: 1 row was refused."),
        (b"participant,question,correct\nann,q1,7\nbo,q1,8\n", "Nothing was stored: 2 rows were refused."),
    ],
    ids=["empty", "no text", "no column", "a row", "two rows"],
)
def test_what_is_wrong_with_a_file_or_its_rows_is_said(shell, tmp_path, content, said):
    path = tmp_path / "answers.csv"
    path.write_bytes(content)
    printed = shell("import_answers", "a", path, "--json")
    assert printed.code == 1
    assert said in printed.json["error"]
    assert "rows were refused" not in printed.json["error"].replace("2 rows were refused", "")
    assert not Study.objects.exists()


def test_one_answer_is_told_in_the_singular(shell, tmp_path):
    path = answers_file(tmp_path, "participant,question,correct", [("ann", "q1", 1)])
    told = shell("import_answers", "a", path, "--candidates", 5).out
    assert told == (
        "1 answer stored in the new study a; 0 questions left open, 0 rows were stored before. "
        "New: 1 participant, 1 question (5 candidates).\n"
    )
    assert shell("import_answers", "a", path).out == "Nothing new: the row was stored before.\n"


@pytest.mark.parametrize("candidates", ["1", "x", "1001"])
def test_a_number_of_candidates_that_cannot_be_is_wrong_usage(shell, tmp_path, candidates):
    assert shell("import_answers", "a", example_a_file(tmp_path), "--candidates", candidates).code == 2


def test_results_in_words(shell, researcher):
    questions = question_set(researcher, 4)
    study = closed_study(researcher, questions)
    answer_all(study, ["1111", "111-"], group="crowd")
    run_of(questions, "1100", by=researcher)
    printed = shell("results", "summer")
    assert printed.code == 0
    assert "8 answers of 2 people to 4 questions" in printed.out
    assert "movie, crowd                    R@1    0.875" in printed.out
    assert "TF-IDF all                      R@1    0.500" in printed.out


def test_everyone_and_questions_without_context_have_names_of_their_own(shell, researcher):
    questions = study_cases.question_set("films", 2, by=researcher)
    study_cases.add_conditions(questions, "all")
    study = closed_study(researcher, questions)
    answer_all(study, ["11..", "..1-"])
    Presentation.objects.filter(question__condition="all").update(condition="all")
    printed = shell("results", "summer").out
    assert "Figures that name no condition are of the whole context." in printed
    names = [line[:32].strip() for line in printed.splitlines() if " R@1 " in line]
    assert len(names) == len(set(names))
    assert "condition all" in names


def test_rules_that_are_none_and_studies_that_are_not_there(shell, researcher):
    closed_study(researcher, question_set(researcher))
    assert shell("results", "summer", "--without", "mood").code == 2
    assert shell("results", "winter").code == 2
    assert shell("results", "summer", "--without", "failed_checks").out == "No answers yet.\n"


@pytest.mark.parametrize("arguments", [(), ("--by", "corpus")])
def test_answers_that_the_rules_leave_out_are_not_said_to_be_awaited(shell, researcher, arguments):
    study = closed_study(researcher, question_set(researcher, 2))
    Study.objects.filter(pk=study.pk).update(settings={"minimum_answers": 2})
    answer_all(study, ["1."])
    printed = shell("results", "summer", *arguments).out
    assert printed.startswith("The exclusion rules leave no answers.")
    assert "yet" not in printed


def test_results_of_an_open_study_are_refused(shell, researcher):
    closed_study(researcher, question_set(researcher), state=StudyState.OPEN)
    printed = shell("results", "summer", "--json")
    assert (printed.code, printed.json["code"]) == (1, "still_open")


def test_results_before_everybody_has_ended_are_said_to_be_provisional(shell, researcher):
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1111", "111-"])
    assert shell("results", "summer", "--json").err == ""
    answer_all(study, ["1..."], state=ParticipantState.ANSWERING)
    printed = shell("results", "summer", "--json")
    assert printed.json["still_answering"] == 1
    assert printed.err == "Provisional: 1 person is still answering, whose answers do not count yet.\n"
    assert "0 left open" in shell("results", "summer").out


def test_commands_act_with_the_rights_of_whom_they_act_as(shell, tmp_path, researcher):
    closed_study(researcher, question_set(researcher))
    factories.person("sue", Role.RESEARCHER)
    factories.person("an")
    assert shell("results", "summer", "--as", "sue").code == 2
    assert shell("results", "summer", "--as", "an").code == 1
    assert shell("import_answers", "a", example_a_file(tmp_path), "--as", "an").code == 1


def test_figures_are_checked(shell):
    printed = shell("check_figures", ".260", ".491", ".743", "--candidates", 4, "--json")
    assert (printed.code, printed.json["possible"]) == (0, False)
    assert (printed.json["low"], printed.json["high"]) == (pytest.approx(0.50275), pytest.approx(0.545167, abs=1e-6))
    assert "is possible" in shell("check_figures", ".713", ".892", ".836", "--candidates", 4).out
    for r2, candidates, why, said in ((".40", 4, "order", "R@2 .40 is below R@1 .50"), (".70", 2, "two", "R@2 .70")):
        found = shell("check_figures", ".50", r2, ".60", "--candidates", candidates, "--json").json
        assert found == {"possible": False, "why": why, "low": None, "high": None}
        out = shell("check_figures", ".50", r2, ".60", "--candidates", candidates).out
        assert said in out and "Rounding" in out
    coarse = shell("check_figures", ".5", ".4", ".6", "--candidates", 4).out
    assert "R@2 .4 is below R@1 .5" in coarse and "between" not in coarse
    rounded = shell("check_figures", ".1", ".5", ".5", "--candidates", 4, "--json").json
    assert rounded["possible"] and rounded["low"] <= 0.5 <= rounded["high"], "as rounding was allowed for"
    zero = shell("check_figures", "0", "0", "0", "--candidates", 4).out
    assert "it lies between 0.2500 and 0.6667, and one printed as 0 between 0.0000 and 0.5000" in zero
    for wrong in ("71.3", "x", "nan"):
        assert shell("check_figures", wrong, ".892", ".836", "--candidates", 4).code == 2


def test_a_sample_is_planned(shell):
    share = ("--p", 0.75, "--half-width", 0.05)
    assert shell("plan", *share, "--json").json == {
        "answers_independent": 289,
        "answers": 548,
        "people": 55,
        "item_half_width": None,
        "questions_needed": None,
    }
    few = (*share, "--question-sd", 0.2, "--questions", 40)
    assert shell("plan", *few, "--json").json == {
        "answers_independent": 289,
        "answers": None,
        "people": None,
        "item_half_width": pytest.approx(0.062, abs=5e-4),
        "questions_needed": 62,
    }
    assert shell("plan", *few).out.startswith(
        "± 5.0 points cannot be reached with 40 questions: questions alone leave ± 6.2"
    )
    assert "from 65 people" in shell("plan", *share, "--question-sd", 0.2, "--questions", 400).out
    assert shell("plan", *share, "--questions", 400).code == 2
    wrong = shell("plan", "--p", 5, "--half-width", 0.05)
    assert wrong.code == 2 and "share expected" in wrong.err and "half-width" not in wrong.err.casefold()
    assert "from 1 person." in shell("plan", "--p", 0.5, "--half-width", 0.5).out
    assert shell("plan", "--p", 0.5, "--half-width", 0.05, "--questions", 0).code == 2


def test_the_rule_of_the_star_is_a_setting_of_the_study(shell, researcher):
    """Six of eight answers are right: two are wrong."""
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1122", "1111"])

    def is_starred(**settings: int) -> bool:
        Study.objects.filter(pk=study.pk).update(settings=settings)
        cell = shell("results", "summer", "--json").json["cells"][0]
        assert (cell["metric"], cell["k"], cell["n"]) == ("R@1", 6, 8)
        return cell["starred"]

    assert [is_starred(), is_starred(star_below=2), is_starred(star_below=3), is_starred(star_below=0)] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_a_run_has_the_same_figures_and_intervals_in_results_and_on_its_own(shell, client, researcher, seed):
    questions = question_set(researcher, 6)
    answer_all(closed_study(researcher, questions), ["111112", "212111"])
    shell("run_baseline", "random", "--on", "drawn", "--seed", str(seed), "--as", researcher.username)
    beside = {row["metric"]: row for row in shell("results", "summer", "--json").json["models"] if not row["corpus"]}
    client.force_login(researcher)
    alone = client.get(f"/api/v1/runs/{beside['R@1']['run']}/").json()["metrics"]
    assert beside.keys() == {"R@1", "R@2", "MRR@2", "MRR"}
    for metric, row in beside.items():
        assert (row["n"], row["p"], row["ci"]) == (6, alone[metric], alone[f"{metric}_ci"])
