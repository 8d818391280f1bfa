"""A report is frozen once for its data, tells no more of a person than it may, and loses what is of people."""

import json
import re
from hashlib import sha256

import pytest
from django.utils.translation import override

from core.actions.refusals import Refused
from core.models import Event, Job
from core.models.frozen import Frozen
from study.actions import reports
from study.actions.imported_answers import import_answers
from study.actions.survey import exclusions, participants, studies, validity
from study.domain.reports import PEOPLE
from study.domain.survey.phases import ParticipantState, StudyState
from study.domain.survey.validity import Validity
from study.models import Deviation, Report, ReportFile, Study
from study.selectors.results.comparisons import comparisons_of
from tests.factories import no_progress
from tests.study import experts, study_cases
from tests.study.report_cases import folder_of, frozen, reported_study, rows_of
from tests.study.results_cases import answer_all, closed_study, example_a_file, participant, question_set, run_of

WHY = "Wrote that a program answered."
RECIPE = {"count": 8, "sources": [{"name": "mutual:dev"}], "max_turns": 6, "pick": "random"}


@pytest.fixture
def study(researcher) -> Study:
    return reported_study(researcher)


def refused_by(call) -> str:
    with pytest.raises(Refused) as refused:
        call()
    return refused.value.code


def test_the_same_data_give_the_same_report_and_the_same_bytes(study, researcher):
    first = folder_of(frozen(study, researcher))
    with override("zh-hans"):  # a report is in the language of its study, not of the reader
        again = folder_of(frozen(study, researcher))
    assert again == first
    assert Report.objects.count() == 1
    assert Event.objects.filter(subject="report", became="frozen").count() == 1


def test_written_anew_the_content_is_the_same(study, researcher):
    first = frozen(study, researcher)
    ReportFile.objects.filter(report=first)._raw_delete(ReportFile.objects.db)
    Report.objects.all()._raw_delete(Report.objects.db)
    second = frozen(study, researcher)
    assert (second.pk, second.checksum) != (first.pk, "") and second.checksum == first.checksum


def test_other_data_give_the_next_number(study, researcher):
    first = frozen(study, researcher)
    exclusions.exclude(
        study=study, people=[study.participants.first()], why="Wrote that a program answered.", by=researcher
    )
    second = frozen(study, researcher)
    assert (first.number, second.number) == (1, 2)
    assert second.checksum != first.checksum


def test_the_manifest_names_every_file_with_its_checksum(study, researcher):
    report = frozen(study, researcher)
    files = folder_of(report)
    manifest = json.loads(files.pop("manifest.json"))
    assert {file["name"]: file["sha256"] for file in manifest["files"]} == {
        name: sha256(content).hexdigest() for name, content in files.items()
    }
    lines = [f"{sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    content = [line for line in lines if "  style/" not in line and "  index.html" not in line]
    assert manifest["checksum"] == report.checksum == sha256("".join(content).encode()).hexdigest()
    assert (manifest["report"], manifest["study"], manifest["people"]) == (1, "summer", 9)


def test_a_frozen_report_refuses_changes(study, researcher):
    report = frozen(study, researcher)
    file = report.files.first()
    for change in (report.save, report.delete, file.save, file.delete, report.files.all().delete):
        with pytest.raises(Frozen):
            change()


def test_no_report_of_a_draft_or_while_people_can_join(researcher):
    draft = study_cases.study("lines", by=researcher, is_open=False)
    opened = study_cases.study("open-lines", by=researcher)
    assert refused_by(lambda: frozen(draft, researcher)) == "not_opened"
    assert refused_by(lambda: frozen(opened, researcher)) == "still_open"
    assert refused_by(lambda: reports.ask_for(study=opened, by=researcher)) == "still_open"
    assert not Report.objects.exists()


def test_no_report_of_nothing(researcher):
    assert refused_by(lambda: frozen(closed_study(researcher, question_set(researcher)), researcher)) == "no_answers"


def test_a_report_says_at_its_head_that_someone_is_still_answering(study, researcher):
    assert "Provisional" not in folder_of(frozen(study, researcher))["index.html"].decode()
    participant(study, group="crowd", state=ParticipantState.ANSWERING)
    report = frozen(study, researcher)
    assert (report.number, report.summary["still_answering"]) == (2, 1)
    assert "Provisional: 1 participant was still answering" in folder_of(report)["index.html"].decode()


def test_a_withdrawal_takes_out_the_files_of_people_and_the_report_says_so(study, researcher):
    report = frozen(study, researcher)
    before = folder_of(report)
    person = study.participants.first()
    assert str(person.public_id) in before["data/people.csv"].decode()
    participants.withdraw(participant=person)
    after = folder_of(report)
    assert before.keys() - after.keys() == set(PEOPLE)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"index.html", "manifest.json"}
    page, manifest = after["index.html"].decode(), json.loads(after["manifest.json"])
    assert 'id="taken-out"' in page and 'href="data/answers.csv"' not in page
    assert [file["name"] for file in manifest["taken_out"]] == sorted(PEOPLE)
    assert manifest["taken_out_why"] == "a person withdrew"
    assert manifest["checksum"] == report.checksum
    assert not any(file.packed for file in ReportFile.objects.filter(is_of_people=True))


def test_no_kept_file_names_a_person(study, researcher):
    files = folder_of(frozen(study, researcher))
    ids = [str(person.public_id) for person in study.participants.all()]
    assert all(one in files["data/answers.csv"].decode() for one in ids)
    kept = b"".join(content for name, content in files.items() if name not in PEOPLE)
    assert not any(one.encode() in kept for one in ids)


def test_who_withdraws_while_a_report_is_made_is_in_none(study, researcher, monkeypatch):
    [writer] = reports.WRITERS

    def slow(of_study, report):
        written = writer(of_study, report)
        study.participants.filter(pk=study.participants.first().pk).update(state=ParticipantState.WITHDRAWN)
        return written

    monkeypatch.setattr(reports, "WRITERS", [slow])
    monkeypatch.setattr(reports, "consistent_read", override_nothing)
    assert refused_by(lambda: frozen(study, researcher)) == "withdrawn"
    assert not Report.objects.exists()


class override_nothing:  # noqa: N801 - takes the place of a context manager, in which nothing may be written
    def __enter__(self) -> None: ...

    def __exit__(self, *raised: object) -> None: ...


def test_what_people_say_of_themselves_is_told_in_counts_and_not_of_few(study, researcher):
    files = folder_of(frozen(study, researcher))
    told = {(row["question"], row["answer"]): row["people"] for row in rows_of(files["tables/people.csv"])}
    assert told["Gender", "Male"] == "< 5"  # one person
    assert told["Gender", "Female"] == "–"  # eight: the only other number, from which it would follow
    assert told["Gender", "Another"] == "0"
    assert not any(row["label"].startswith("says_") for row in rows_of(files["tables/results.csv"]))
    columns = rows_of(files["data/people.csv"])[0].keys()
    assert {"person", "group", "counted"} <= columns
    assert not {name for name in columns if name.startswith("says_")} | ({"excluded_why"} & columns)
    assert {row["column"] for row in rows_of(files["data/codebook.csv"]) if row["file"] == "people"} == set(columns)


def test_deviations_about_a_person_have_no_reason_and_no_id(study, researcher):
    person = study.participants.first()
    exclusions.exclude(study=study, people=[person], why=WHY, by=researcher)
    files = folder_of(frozen(study, researcher))
    [row] = rows_of(files["texts/deviations.csv"])
    assert (row["what"], row["why"]) == ("A person excluded by hand", "")
    assert b"program answered" not in b"".join(files.values())


@pytest.mark.parametrize("what", Deviation.What.values)
def test_each_kind_of_deviation_is_told_in_its_own_words(what, study, researcher):
    Deviation.objects.create(
        study=study, what=what, subject="crowd", planned=3, now=2, now_on="2026-12-01", why=WHY, created_by=researcher
    )
    [row] = rows_of(folder_of(frozen(study, researcher))["texts/deviations.csv"])
    begins = {"quota": "Quota", "closing day": "Closing day", "closed early": "Closed", "excluded": "A person excluded"}
    assert row["what"].startswith(begins.get(what, "A person included again after exclusion by hand"))
    assert row["why"] == ("" if "A person" in row["what"] else WHY)


def test_the_reason_of_a_decision_about_a_question_is_in_the_report(study, researcher):
    question = study.question_sets.get().questions.get(position=0)
    validity.decide(study=study, question=question, decision=Validity.PERHAPS_VALID, why="Both fit.", by=researcher)
    files = folder_of(frozen(study, researcher))
    [row] = rows_of(files["texts/deviations.csv"])
    assert (row["what"], row["why"]) == ("Question “q0” decided: Perhaps valid", "Both fit.")
    assert "Both fit." in files["index.html"].decode()


def test_a_report_of_answers_from_elsewhere_claims_nothing_of_how_they_were_given(researcher, tmp_path):
    import_answers(slug="a", path=example_a_file(tmp_path), report=no_progress, by=researcher)
    files = folder_of(frozen(Study.objects.get(slug="a"), researcher))
    told = {row["item"]: row["told"] for row in rows_of(files["texts/checklist.csv"])}
    assert not any(told[item] for item in ("0.6", "0.7", "3.2", "3.2.1", "4.6", "5.3"))
    assert told["1.2"] == "10"
    assert "tables/exclusion-rules.csv" not in files
    assert "Exclusion rules" not in files["texts/methods.txt"].decode()


def test_the_methods_say_of_how_many_questions_each_model_answered(researcher):
    questions = question_set(researcher, 8, recipe={**RECIPE, "own_candidates": 8})
    study = closed_study(researcher, questions)
    answer_all(study, ["11111111", "1111----"])
    run_of(questions, "11001100", model="bm25", by=researcher)
    run_of(questions, "11......", model="random", by=researcher)
    methods = folder_of(frozen(study, researcher))["texts/methods.txt"].decode()
    assert "BM25 (8 of 8); Random (2 of 8)" in methods
    assert "at most 6 turns" not in methods


def test_rules_are_told_of_every_group_by_their_keys(study, researcher):
    rows = rows_of(folder_of(frozen(study, researcher))["tables/exclusion-rules.csv"])
    assert {row["group"] for row in rows} == {"crowd", "lab", ""}
    alone = {row["rules"]: row["keys"] for row in rows}
    assert (alone["no rule"], alone["fewer answers than 1"]) == ("", "too_few_answers")


def test_the_file_of_differences_has_what_compare_has(study, researcher):
    rows = rows_of(folder_of(frozen(study, researcher))["tables/differences.csv"])
    compared = comparisons_of(study, [])["rows"]
    for row, own in zip(rows, compared, strict=True):
        assert row["verdict"] == own["verdict"]
        for key in ("two_way_p", "p", "difference"):
            assert row[key] == ("" if own[key] is None else str(own[key]))
        for key in ("mcnemar", "majority"):
            assert row[f"{key}_both"] == ("" if own[key] is None else str(own[key]["both"]))
    of_groups = [row for row in rows if row["kind"] == "two groups"]
    assert of_groups and all(row["newcombe_low"] for row in of_groups)


def test_of_experts_the_report_has_their_agreement_and_no_row_of_one(researcher):
    people = [experts.account(name) for name in ("marta", "qing")]
    study = experts.ceiling(*people, by=researcher)
    for person, ranking in zip(people, ((0, 1, 2, 3), (3, 2, 1, 0)), strict=True):  # W of opposite rankings is 0
        client = experts.browser_of(person)
        begun = experts.begin(client, study)
        for position in range(1, 5):
            experts.rank(client, begun, position, *ranking)
        client.post(f"{experts.link_of(study)}finish/")
    studies.close(study=study, why=WHY, by=researcher)
    study.refresh_from_db()
    files = folder_of(frozen(study, researcher))
    assert "Kendall's W of 2 experts, mean over 4 questions: 0.00" in files["texts/finding.txt"].decode()
    kept = b"".join(content for name, content in files.items() if name not in PEOPLE)
    assert not any(str(person.public_id).encode() in kept for person in study.participants.all())
    assert all(row["who"] != "expert" for row in rows_of(files["tables/results.csv"]))


def test_every_item_of_the_checklist_is_told_or_marked_as_blank(study, researcher):
    files = folder_of(frozen(study, researcher))
    items = rows_of(files["texts/checklist.csv"])
    numbers = [row["item"] for row in items]
    assert len(numbers) == len(set(numbers)) and numbers == sorted(numbers, key=lambda n: [*map(int, n.split("."))])
    told = {row["item"]: row["told"] for row in items}
    assert told["1.1"].startswith("9 people count") and told["1.2"] == "8"
    assert told["1.9"] == told["2.1"] == ""  # ethics and population are for the authors
    page = files["index.html"].decode()
    assert page.count('class="blank"') == sum(not text for text in told.values())
    assert len(re.findall(r'<td class="num">\d', page)) == len(items)


def test_a_report_speaks_the_language_of_its_study(study, researcher):
    Study.objects.filter(pk=study.pk).update(language="zh-hans")
    study.refresh_from_db()
    files = folder_of(frozen(study, researcher))
    assert '<html lang="zh-Hans">' in files["index.html"].decode()
    assert "本研究" in files["index.html"].decode()
    assert "ctex" in files["tables/people-and-models.tex"].decode()


def test_a_job_that_is_asked_for_twice_is_one_and_makes_one_report(study, researcher):
    job = reports.ask_for(study=study, by=researcher)
    assert reports.ask_for(study=study, by=researcher) == job
    made = [reports.run_freeze(job, no_progress) for _time in range(2)]
    assert made[0] == made[1] == {"report": 1, "checksum": Report.objects.get().checksum}
    assert Job.objects.filter(kind=reports.KIND).count() == 1


def test_a_closed_study_that_was_played_has_texts_and_outcomes(researcher):
    study = study_cases.study("lines", by=researcher)
    study_cases.finished(study)
    Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED)
    study.refresh_from_db()
    files = folder_of(frozen(study, researcher))
    assert {"texts/consent.txt", "texts/instructions.txt"} <= files.keys()
    assert (
        rows_of(files["tables/outcomes.csv"])[0] | {"joined": "1", "complete": "1"}
        == rows_of(files["tables/outcomes.csv"])[0]
    )
    assert study.plan_checksum in files["index.html"].decode()


def test_a_second_withdrawal_leaves_a_later_report_whole(study, researcher):
    first = study.participants.first()
    participants.withdraw(participant=first)
    later = frozen(study, researcher)
    participants.withdraw(participant=first)
    assert set(PEOPLE) <= folder_of(later).keys()


def test_a_report_of_one_person_says_why_it_has_no_interval_and_claims_none(researcher):
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1121"])
    files = folder_of(frozen(study, researcher))
    page = files["index.html"].decode()
    assert "There is no interval. One person tells nothing" in page
    assert "95 % intervals over people and questions" not in page


def test_a_report_of_people_who_are_all_right_says_what_its_interval_comes_from(researcher):
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1111", "1111"])
    assert (
        "All 8 right: the interval ends at 100&nbsp;%." in folder_of(frozen(study, researcher))["index.html"].decode()
    )


def test_a_report_of_few_people_says_of_whom_p_speaks(researcher):
    questions = question_set(researcher, 8)
    study = closed_study(researcher, questions)
    answer_all(study, ["11211111", "12111121", "11111112"])
    run_of(questions, "01010101", by=researcher)
    told = b"p is for these people alone"
    page = folder_of(frozen(study, researcher))["index.html"]
    assert told in page
    assert re.search(rb"<th[^>]*>\s*two-way p\s*</th>", page)
    answer_all(study, ["11211111"])
    assert told not in folder_of(frozen(study, researcher))["index.html"]


def test_what_was_planned_and_not_carried_out_is_in_the_table_and_among_the_deviations(study, researcher):
    said = {"primary_group": "crowd", "primary_against": "SuperNet; lab", "primary_metric": "R@1", "margin": "5"}
    study.plan, study.plan_checksum = {"analysis": said}, "f" * 64
    study.save()
    files = folder_of(frozen(study, researcher))
    rows = rows_of(files["tables/differences.csv"])
    [missing] = [row for row in rows if row["kind"] == "not carried out"]
    assert (missing["group"], missing["against"], missing["difference"], missing["p"]) == ("crowd", "SuperNet", "", "")
    [planned] = [row for row in rows if row["family"] == "confirmatory"]
    assert float(planned["p_adjusted"]) == pytest.approx(min(1, 2 * float(planned["p"])))
    assert "SuperNet" in files["tables/differences.tex"].decode()
    assert ["SuperNet" in row["what"] for row in rows_of(files["texts/deviations.csv"])] == [True]


def test_a_report_whose_plan_was_not_carried_out_at_all_has_no_exploratory_row_in_its_place(study, researcher):
    said = {"primary_group": "crowd", "primary_against": "SuperNet", "primary_metric": "R@1"}
    study.plan, study.plan_checksum = {"analysis": said}, "f" * 64
    study.save()
    printed = folder_of(frozen(study, researcher))["tables/differences.tex"].decode()
    assert "SuperNet" in printed and "BM25" not in printed
