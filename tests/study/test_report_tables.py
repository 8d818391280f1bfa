"""What the tables of a report have a row, a column or a word for, and how each row is found in its file."""

import re

import pytest

from core.templatetags.figures import p_value, signed_interval, signed_points
from study.actions import quoted_figures
from study.actions.survey import exclusions, participants
from study.domain.results.published import Published
from study.models import Run, Study
from study.presenters.reports.checklist import checklist_of
from study.presenters.reports.methods import methods_of
from study.presenters.reports.tables import tables_of
from study.selectors.reports.facts import facts_of
from study.selectors.results.results import results_of
from tests.factories import no_progress
from tests.study.report_cases import folder_of, frozen, reported_study, rows_of
from tests.study.results_cases import answer, answer_all, closed_study, participant, question_set, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher) -> Study:
    return reported_study(researcher)


def table(study: Study, key: str):
    return next(each for each in tables_of(facts_of(study, no_progress)) if each.key == key)


def ruled(researcher, corpora) -> Study:
    """A study with a derived group of five, one of whom answered too little."""
    study = closed_study(researcher, question_set(researcher, 8, corpora=corpora))
    study.settings = {"derived": "fluent=crowd:ubuntu=expert@ubuntu", "minimum_answers": 4}
    study.save()
    answer_all(study, ["1121-112", "12111-21", "-1121111", "11211121", "2-111112", "-1......"], group="crowd")
    study.participants.update(demographics={"ubuntu": "expert"})
    answer_all(study, ["11111112", "11211111"], group="lab")
    return study


@pytest.mark.parametrize("corpora", [("movie", "ubuntu"), ("ubuntu",)])
def test_every_rule_is_told_of_a_derived_group_too(researcher, corpora):
    study = ruled(researcher, corpora)
    rows = rows_of(folder_of(frozen(study, researcher))["tables/exclusion-rules.csv"])
    assert {row["group"] for row in rows} == {"crowd", "lab", "fluent", ""}
    own = {row["rules"]: row for row in rows if row["group"] == "fluent"}
    assert {row["corpus"] for row in own.values()} == {"ubuntu"}
    assert (own["no rule"]["people"], own["as planned"]["people"]) == ("6", "5")
    printed = dict(table(study, "exclusion-rules").groups)["fluent"]
    assert [row[1] for row in printed][:2] == ["6", "6"]
    of_combinations = results_of(study, draws=10)["every_rule"]["combinations"]
    [found] = [row for row in of_combinations if row["group"] == "fluent"]
    shares = {float(row["R@1"]) for row in own.values()}
    assert found["corpus"] == "ubuntu"
    assert (found["low"], found["high"]) == pytest.approx((min(shares), max(shares)))


def test_each_number_of_the_table_of_differences_is_found_in_the_file_by_its_keys(researcher):
    questions = question_set(researcher, 8, corpora=("movie", "ubuntu"))
    study = closed_study(researcher, questions)
    answer_all(study, ["1121-112", "12111-21", "-1121111", "11211121"], group="crowd")
    answer_all(study, ["11111112", "11211111"], group="lab")
    seeds = [run_of(questions, right, by=researcher) for right in ("11010011", "01110011")]
    Run.objects.filter(pk=seeds[1].pk).update(seed=1, checksum="other")
    run_of(questions, "00110100", model="bm25", by=researcher)
    said = {"primary_group": "crowd", "primary_against": "TF-IDF; lab", "primary_metric": "R@1", "margin": "5"}
    study.plan, study.plan_checksum = {"analysis": said}, "f" * 64
    study.save()
    rows = rows_of(folder_of(frozen(study, researcher))["tables/differences.csv"])
    keys = [tuple(row[key] for key in ("kind", "corpus", "group", "model", "against", "runs")) for row in rows]
    assert len(set(keys)) == len(keys)
    found = table(study, "differences")
    printed = [row for _title, of_group in found.groups for row in of_group]
    assert len(printed) == 2
    for name, _corpus, people, asked, difference, ends, p, adjusted, *_rest in printed:
        [row] = [row for row in rows if (row["name"], row["corpus"]) == (name, "")]
        assert (row["people"], row["questions"], row["planned"] != "") == (people, asked, True)
        low, high = float(row["ci_low"]), float(row["ci_high"])
        assert (difference, ends) == (signed_points(float(row["difference"])), signed_interval((low, high)))
        assert (p, adjusted) == (p_value(float(row["p"])), p_value(float(row["p_adjusted"])))
    of_model = [row for row in rows if (row["group"], row["corpus"], row["model"]) == ("crowd", "", "tfidf")]
    assert [(row["planned"], row["runs"], row["seeds"], row["first_of"]) for row in of_model] == [
        ("TF-IDF", str(seeds[0].pk), "1", "2"),
        ("", f"{seeds[0].pk} {seeds[1].pk}", "2", ""),
    ]


def test_what_is_compared_has_one_name_in_the_table_the_file_the_page_and_the_command(researcher):
    """A group is called as the title of a model, runs of one label and one key are there twice, and one is planned."""
    questions = question_set(researcher, 8, corpora=("movie", "ubuntu"))
    study = closed_study(researcher, questions)
    answer_all(study, ["1121-112", "12111-21", "-1121111", "11211121"], group="crowd")
    answer_all(study, ["11111112", "11211111"], group="TF-IDF")
    runs = [run_of(questions, right, by=researcher) for right in ("11010011", "01110011")]
    for model, label in (("bm25", ""), ("bm25", ""), ("uploaded", "Net"), ("uploaded", "Net")):
        runs.append(run_of(questions, "00110100", model=model, by=researcher))
        Run.objects.filter(pk=runs[-1].pk).update(label=label, on_checksum=str(len(runs)), checksum=str(len(runs)))
    Run.objects.filter(pk=runs[1].pk).update(seed=1, checksum="other")
    said = {"primary_group": "crowd", "primary_against": "TF-IDF; tfidf; BM25", "primary_metric": "R@1"}
    study.plan, study.plan_checksum = {"analysis": said}, "f" * 64
    study.save()
    rows = rows_of(folder_of(frozen(study, researcher))["tables/differences.csv"])
    named = [(row["name"], row["corpus"]) for row in rows]
    assert len({*named}) == len(named)
    marks = {
        row["model"]: row["name"].removeprefix("crowd − ") for row in rows if row["group"] == "crowd" and row["model"]
    }
    assert marks == {
        f"tfidf (run {runs[1].pk})": f"TF-IDF (run {runs[1].pk})",
        **{f"bm25 (run {run.pk})": f"BM25 (run {run.pk})" for run in runs[2:4]},
        **{f"Net (run {run.pk})": f"Net (run {run.pk})" for run in runs[4:6]},
    }
    of_models = {row["name"] for row in rows if row["kind"] == "two models"}
    assert f"BM25 (run {runs[3].pk}) − Net (run {runs[5].pk})" in of_models | {
        " − ".join(n.split(" − ")[::-1]) for n in of_models
    }
    assert "crowd − TF-IDF" in {name for name, _corpus in named}, "the group"


def test_the_primary_contrast_comes_first_under_its_title_and_a_part_of_the_questions_is_told(researcher):
    questions = question_set(researcher, 8)
    study = closed_study(researcher, questions)
    answer_all(study, ["1121-112", "12111-21", "-1121111", "11211121"], group="crowd")
    run_of(questions, "11010011", by=researcher)
    run_of(questions, "001101..", model="bm25", by=researcher)
    said = {"primary_group": "crowd", "primary_against": "BM25; TF-IDF", "primary_metric": "R@1"}
    study.plan, study.plan_checksum = {"analysis": said}, "f" * 64
    study.save()
    found = table(study, "differences")
    shown = [(title, [(row[0], row[3]) for row in rows]) for title, rows in found.groups]
    assert shown == [
        ("Primary contrast", [("All people − BM25", "6/8")]),
        ("Other planned comparisons", [("All people − TF-IDF", "8")]),
    ]
    files = folder_of(frozen(study, researcher))
    assert b"Primary contrast" in files["tables/differences.tex"]
    asked = {
        (row["name"], row["questions"], row["questions_asked"]) for row in rows_of(files["tables/differences.csv"])
    }
    assert {("All people − BM25", "6", "8"), ("All people − TF-IDF", "8", "8")} <= asked


def test_a_quoted_figure_that_cannot_be_is_printed_with_the_figures_and_the_reason(researcher):
    study = closed_study(researcher, question_set(researcher, 4, corpora=("movie", "ubuntu")))
    for row in ["11-1", "1-11"]:
        person = participant(study)
        for letter, question in zip(row, study.question_sets.get().questions.order_by("position"), strict=True):
            answer(person, question, 1 if letter == "1" else None, depth=1)
    for who, mrr in (("Possible", ""), ("Wrong", ".743")):
        quoted = Published("Li 2019", "movie", who, 4, ".260", ".491", mrr)
        quoted_figures.add(study=study, row=quoted, by=researcher)
    found = table(study, "people-and-models")
    assert {"R@1", "R@2", "MRR"} <= {*found.columns}
    rows = {row[0].split(" (")[0]: row for _title, of_corpus in found.groups for row in of_corpus}
    at = {metric: found.columns.index(metric) for metric in ("R@2", "MRR")}
    assert (rows["Possible"][at["R@2"]], rows["Wrong"][at["R@2"]], rows["Wrong"][at["MRR"]]) == ("49.1", "49.1", "74.3")
    assert "50.3–54.5 %" in found.caption  # by hand: between .50275 and .54517
    files = folder_of(frozen(study, researcher))
    assert "50.3--54.5" in files["tables/people-and-models.tex"].decode()
    [wrong] = [row for row in rows_of(files["tables/people-and-models.csv"]) if row["impossible"]]
    assert (wrong["impossible"], "50.3–54.5 %" in wrong["why_impossible"]) == ("mrr", True)


def test_the_checklist_tells_exclusion_from_withdrawal(researcher):
    study = closed_study(researcher, question_set(researcher, 8))
    study.settings = {"minimum_answers": 4}
    study.save()
    answer_all(study, ["11111111"] * 6 + ["1......."], group="crowd")
    first, second, third, *_others = study.participants.order_by("pk")
    participants.withdraw(participant=first)
    exclusions.exclude(study=study, people=[second, third], why="Colleagues.", by=researcher)
    facts = facts_of(study, no_progress)
    assert facts.left_out == (1, 2, 1, 0)  # by rules, by hand, withdrew, others
    told = next(item.told for item in checklist_of(facts) if item.number == "3.2.2")
    assert [piece.split(": ")[-1] for piece in told.split("; ")][1:] == ["1 (14.3 %)", "2 (28.6 %)", "1 (14.3 %)"]


@pytest.mark.parametrize(
    ("required", "told"),
    [
        ([True, True], "Each person can take a study only once."),
        ([True, False], "only once, except in these groups: lab. With a plain link"),
        ([False, False], "With a plain link, several people"),
    ],
)
def test_the_checklist_says_in_which_groups_a_person_takes_part_once(researcher, required, told):
    study = closed_study(researcher, question_set(researcher, 8))
    answer_all(study, ["11111111"] * 2, group="crowd")
    pairs = zip(("crowd", "lab"), required, strict=True)
    study.plan = {"groups": [{"name": name, "requires_id": each, "quota": None} for name, each in pairs]}
    study.save()
    item = next(item.told for item in checklist_of(facts_of(study, no_progress)) if item.number == "2.3")
    assert told in item and (item == told) is all(required)


def test_one_person_is_said_to_count_with_one_answer(researcher):
    study = closed_study(researcher, question_set(researcher, 8))
    answer_all(study, ["1"], group="crowd")
    methods = " ".join(methods_of(facts_of(study, no_progress)))
    assert "1 person counts, with 1 answer to 1 question." in methods
    assert "1 person joined." in methods


def test_someone_whom_a_planned_rule_leaves_out_is_not_left_out_by_hand_too(researcher):
    study = closed_study(researcher, question_set(researcher, 8))
    study.settings = {"minimum_answers": 4}
    study.save()
    answer_all(study, ["11111111"] * 3 + ["1......."], group="crowd")
    *others, few = study.participants.order_by("pk")

    def told() -> tuple[list[str], str, bool]:
        facts = facts_of(study, no_progress)
        methods = " ".join(methods_of(facts))
        by_hand = re.findall(r"(\d+ person) was excluded by hand, by no rule of the plan", methods)
        item = next(item.told for item in checklist_of(facts) if item.number == "3.2.2")
        rows = " ".join(row[0] for _title, rows in table(study, "exclusion-rules").groups for row in rows)
        return (
            by_hand,
            item.split("; ")[2].split(" (")[0],
            "without people excluded by hand" in rows,
        )

    exclusions.exclude(study=study, people=[few], why="A colleague.", by=researcher)
    assert told() == ([], "excluded by hand alone: 0", False)
    exclusions.exclude(study=study, people=[others[0]], why="A colleague.", by=researcher)
    assert told() == (["1 person"], "excluded by hand alone: 1", True)


@pytest.mark.parametrize("corpora", [("movie",), ("movie", "ubuntu")])
def test_one_comparison_has_one_interval_in_the_finding_and_in_the_table(researcher, corpora):
    questions = question_set(researcher, 8, corpora=corpora)
    study = closed_study(researcher, questions)
    study.settings = {"derived": "fluent=crowd:ubuntu=expert@movie"}
    study.save()
    answer_all(study, ["1121-112", "12111-21", "-1121111", "11211121", "2-111112"], group="crowd")
    study.participants.update(demographics={"ubuntu": "expert"})
    run_of(questions, "11010t11", by=researcher)
    facts = facts_of(study, no_progress)
    compared = [row for row in facts.compared["rows"] if row["model"] and not row["against"]]
    same = {
        (row["people"], row["questions"], round(row["difference"], 9)): {tuple(row["ci"])}
        for row in facts.found["differences"]
    }
    for row in [*facts.found["differences"], *compared]:
        same[row["people"], row["questions"], round(row["difference"], 9)].add(tuple(row["ci"]))
    assert compared and {len(ends) for ends in same.values()} == {1}
