"""The export of a study: pandas reads it and finds the figures of the results, and no one is named in it."""

import json
from io import StringIO
from pathlib import Path

import pandas
import pytest
from django.core.management import call_command

from study.actions.imported_answers import import_answers
from study.actions.survey import exclusions, participants, studies
from study.domain.survey.platforms import Visitor
from study.models import Answer, LateAnswer, Participant, Study
from study.selectors.results.export import small_cells_of, tables_of
from study.selectors.results.results import results_of
from tests import factories
from tests.study import study_cases
from tests.study.results_cases import answer_all, answers_file, closed_study, question_set

CELLS = ("corpus", "group", "form", "condition")
PLATFORM_ID = "5f3a0c77d1e2b4a69988aabb"


@pytest.fixture
def lines(researcher) -> Study:
    """A closed study of two groups, two corpora, and two conditions: people who count and people who do not."""
    drawn = study_cases.question_set("drawn", 12, by=researcher, corpora=("movie", "ubuntu"))
    study_cases.add_conditions(drawn, "first:1")
    made = studies.create(
        slug="lines",
        question_sets=[drawn],
        settings={"forms": 2, "per_form": 6, "minimum_answers": 2},
        groups=[("crowd", None), ("=lab", None)],
        by=researcher,
    )
    study = studies.open_(study=made, reason="Written for tests.", by=researcher)
    for number in range(7):
        _answer_all(study, "=lab" if number > 4 else "crowd", number)
    excluded = _answer_all(study, "crowd", 2)
    exclusions.exclude(study=study, people=[excluded], why="Took part twice.", by=researcher)
    failed = _answer_all(study, "crowd", 1)
    check = Answer.objects.get(presentation=study_cases.check_of(failed))
    Answer.objects.filter(pk=check.pk).update(first=(check.first + 1) % 5, second=None)
    participants.withdraw(participant=_answer_all(study, "crowd", 0))
    late = _answer_all(study, "crowd", 3)
    answer = Answer.objects.filter(presentation__in=study_cases.counting(late)).first()
    facts = ("first", "second", "better", "tied", "depth", "milliseconds")
    LateAnswer.objects.create(presentation=answer.presentation, **{name: getattr(answer, name) for name in facts})
    answer.delete()
    return studies.close(study=study, why="Written for tests.", by=researcher)


def _answer_all(study: Study, group: str, number: int) -> Participant:
    """Let a person answer all their questions, about two in three of them rightly, and the check."""
    visitor = Visitor("prolific", f"{PLATFORM_ID}{study.participants.count()}", {"SESSION_ID": f"s{PLATFORM_ID}"})
    person, _secret = participants.join(group=study.groups.get(name=group), visitor=visitor)
    participants.describe(participant=person, demographics={"age": "31-40", "gender": "female" if number else "male"})
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    for shown in study_cases.counting(person):
        right = shown.question.answer
        first = right if (shown.position + number) % 3 else (right + 1) % 5
        study_cases.answer(shown, first, (first + 2) % 5, milliseconds=1_000)
    check = study_cases.check_of(person)
    study_cases.answer(check, check.question.answer)
    return participants.finish(participant=person)


def exported(study: Study, folder: Path, format: str = "csv") -> dict[str, pandas.DataFrame]:
    call_command("export_study", study.slug, "--out", str(folder), "--format", format, "--as", "rui", "--json")
    read = pandas.read_csv if format == "csv" else pandas.read_parquet
    return {path.stem: read(path) for path in folder.iterdir()}


@pytest.mark.every_database
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_pandas_finds_the_same_share_in_each_cell_as_the_results(lines, tmp_path, format, capsys):
    tables = exported(lines, tmp_path, format)
    answers = tables["answers"].merge(tables["people"], on="person", suffixes=("", "_of_person"))
    answers = answers.merge(tables["questions"], on="question", suffixes=("", "_of_question"))
    counted = answers[answers["counted"] & ~answers["late"]]
    counted = counted.assign(group=counted["group"].str.removeprefix("'"), form=counted["form"].astype(str))
    capsys.readouterr()
    call_command("results", lines.slug, "--as", "rui", "--json")
    cells = [cell for cell in json.loads(capsys.readouterr().out)["cells"] if cell["metric"] == "R@1"]
    compared = 0
    for cell in cells:
        if cell["turns"]:
            continue
        chosen = counted
        for name in CELLS:
            wanted = cell[name] or ("whole" if name == "condition" else None)
            chosen = chosen[chosen[name] == wanted] if wanted else chosen
        assert (len(chosen), chosen["correct"].sum()) == (cell["n"], cell["k"])
        compared += 1
    assert compared == 1 + 4 * 2 + 4  # all; each corpus, group, form and condition; each corpus of each group


def test_imported_answers_are_exported_with_the_same_share(researcher, tmp_path):
    study = closed_study(researcher, question_set(researcher, 8))
    answer_all(study, ["11121-1.", "1-111211"], group="crowd")
    tables = exported(study, tmp_path)
    [cell] = [
        cell
        for cell in results_of(study, draws=10)["cells"]
        if cell["metric"] == "R@1" and not any(cell[name] for name in (*CELLS, "turns"))
    ]
    assert (len(tables["answers"]), tables["answers"]["correct"].mean()) == (cell["n"], pytest.approx(cell["p"]))


def test_what_each_answer_is_worth_stands_beside_it_with_ties_by_expectation(researcher, tmp_path):
    """The first is METHODS' example of ties: three candidates are level, and one is above them."""
    header = "participant,question,better,tied"
    rows = [("ann", "q1", 1, 2), ("ann", "q2", 0, 0), ("ann", "q3", 4, 0)]
    path = answers_file(tmp_path, header, rows)
    import_answers(slug="ranked", path=path, candidates=5, report=factories.no_progress, by=researcher)
    answers = exported(Study.objects.get(slug="ranked"), tmp_path / "out")["answers"].set_index("question")
    assert answers["correct"].tolist() == [0, 1, 0]
    assert answers["reciprocal_rank"].tolist() == pytest.approx([0.361111, 1, 0.2], abs=1e-6)
    assert answers["reciprocal_rank_at_2"].tolist() == pytest.approx([1 / 6, 1, 0])


def test_two_choices_tell_the_mrr_at_2_alone_and_one_choice_tells_neither(lines, tmp_path):
    one = Answer.objects.filter(presentation__in=study_cases.counting(lines.participants.earliest("pk"))).first()
    Answer.objects.filter(pk=one.pk).update(second=None, depth=1, ranking=[one.first])
    tables = exported(lines, tmp_path)
    answers = tables["answers"]
    assert answers["reciprocal_rank"].isna().all()
    assert answers["reciprocal_rank_at_2"].isna().sum() == 1
    [cell] = [
        cell
        for cell in results_of(lines, draws=10)["cells"]
        if cell["metric"] == "MRR@2" and not any(cell[name] for name in (*CELLS, "turns"))
    ]
    people = tables["people"]
    counted = answers[answers["person"].isin(people[people["counted"]]["person"]) & ~answers["late"]]
    counted = counted[counted["condition"] == "whole"]
    assert counted["reciprocal_rank_at_2"].mean() == pytest.approx(cell["p"])
    told = tables["codebook"].set_index(["file", "column"])["meaning"]
    assert told["answers", "correct"].startswith("R@1")
    assert told["answers", "reciprocal_rank"].startswith("MRR of")
    assert told["answers", "reciprocal_rank_at_2"].startswith("MRR@2 of")


def test_nothing_in_the_files_names_a_person_or_a_time_of_day(lines, tmp_path):
    exported(lines, tmp_path)
    written = "".join(path.read_text() for path in tmp_path.iterdir())
    assert PLATFORM_ID not in written
    for person in lines.participants.all():
        assert not any(key.digest in written for key in person.keys.all())
        assert f"{person.joined_at:%H:%M}" not in written
    assert lines.secret not in written
    gone = lines.participants.get(state="withdrawn")
    assert str(gone.public_id) not in written


def test_a_group_that_looks_like_a_formula_is_no_formula(lines, tmp_path):
    exported(lines, tmp_path)
    assert "'=lab" in (tmp_path / "people.csv").read_text()
    assert '"=lab' not in (tmp_path / "people.csv").read_text()


def test_the_codebook_explains_every_column(lines, tmp_path):
    tables = exported(lines, tmp_path)
    told = {(row.file, row.column): row.meaning for row in tables["codebook"].itertuples()}
    columns = {(name, column) for name, table in tables.items() if name != "codebook" for column in table.columns}
    assert set(told) == columns
    assert all(told.values())
    assert told["answers", "milliseconds"] == Answer._meta.get_field("milliseconds").help_text


def test_each_person_is_told_with_the_rules_that_leave_them_out(lines, tmp_path):
    people = exported(lines, tmp_path)["people"]
    assert len(people) == 10
    assert people["counted"].sum() == 8
    assert (people["excluded_by_hand"].sum(), people["failed_checks"].sum()) == (1, 1)
    assert people["excluded_why"].dropna().tolist() == ["Took part twice."]
    assert set(people["says_age"]) == {"31-40"}
    assert people["person"].is_monotonic_increasing


def test_an_open_study_is_not_exported(researcher, tmp_path, capsys):
    study_cases.finished(study_cases.study("lines", by=researcher))
    with pytest.raises(SystemExit) as ended:
        call_command("export_study", "lines", "--out", str(tmp_path / "out"), "--as", "rui", "--json")
    assert (ended.value.code, json.loads(capsys.readouterr().out)["code"]) == (1, "still_open")
    assert not (tmp_path / "out").exists()


def test_few_people_with_one_combination_of_answers_are_warned_of(lines, tmp_path, capsys):
    small = small_cells_of(lines)
    assert (small.people, small.combinations) == (1, 1)  # the other who says male withdrew
    errors = StringIO()
    call_command("export_study", "lines", "--out", str(tmp_path), "--as", "rui", "--json", stderr=errors)
    assert json.loads(capsys.readouterr().out)["small_cells"] == {"people": 1, "combinations": 1}
    assert "may be recognised" in errors.getvalue().replace("\n", " ")


def test_every_table_streams_its_rows(lines):
    assert [table.name for table in tables_of(lines)] == ["answers", "people", "questions", "codebook"]
