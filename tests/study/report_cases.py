"""A closed study with two groups, two corpora and two models, and the files of its report."""

import csv
from io import StringIO

from core.models import User
from study.actions import reports
from study.models import Participant, Report, Study
from study.selectors.reports.reports import files_of
from tests.factories import no_progress
from tests.study.results_cases import answer_all, closed_study, question_set, run_of

CROWD = ["1121-112", "12111-21", "-1121111", "11211121", "2-111112", "111-1211"]
LAB = ["11111112", "11211111", "1111-111"]


def reported_study(by: User) -> Study:
    """Create the study; everyone in it is of one gender but one."""
    questions = question_set(by, 8, corpora=("movie", "ubuntu"))
    study = closed_study(by, questions)
    answer_all(study, CROWD, group="crowd")
    answer_all(study, LAB, group="lab")
    run_of(questions, "11010t11", by=by)
    run_of(questions, "00110100", model="bm25", by=by)
    people = study.participants.order_by("pk")
    people.update(demographics={"gender": "female", "age": "21-30"})
    Participant.objects.filter(pk=people[0].pk).update(demographics={"gender": "male", "age": ""})
    return study


def frozen(study: Study, by: User) -> Report:
    return reports.freeze(study=study, report=no_progress, by=by)


def folder_of(report: Report) -> dict[str, bytes]:
    return {file.name: file.content for file in files_of(report)}


def rows_of(content: bytes) -> list[dict[str, str]]:
    """Read a file of comma-separated values, without the apostrophe before a text that would be a formula."""
    rows = csv.DictReader(StringIO(content.decode(), newline=""))
    return [{name: cell.removeprefix("'") for name, cell in row.items()} for row in rows]
