"""Payable work: counted by hand, on the page and from the shell."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest

from annotation.actions.queue import voiding
from annotation.actions.rating import ratings
from annotation.actions.rating.imported_ratings import import_ratings
from annotation.actions.rating.simulation import simulate_annotators
from annotation.models import Assignment, Rating
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.annotation.management.shell import Shell
from tests.annotation.views.rating.rating_page import signed_in

pytestmark = pytest.mark.every_database

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
MARCH = {"since": "2026-03-01", "until": "2026-03-31"}


@pytest.fixture
def worked(project, annotator, partner, researcher):
    """An grades four pairs on 2 March, 20 s apart, and one on 1 April; skips one. Bo grades one, which is voided."""
    factories.pairs(project, 6)
    assignments = factories.grade_next(project, annotator, 3, 3, 1, 4, 5)
    [skipped] = factories.take(project, annotator)
    ratings.skip(assignment=skipped, reason="other", by=annotator)
    for number, assignment in enumerate([*assignments[:4], skipped]):
        Assignment.objects.filter(pk=assignment.pk).update(ended_at=BEGAN + timedelta(seconds=90 * number))
    Assignment.objects.filter(pk=assignments[4].pk).update(ended_at=datetime(2026, 4, 1, tzinfo=UTC))
    [own] = factories.grade_next(project, partner, 2)
    Assignment.objects.filter(pk=own.pk).update(ended_at=datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC))
    voiding.void_work(project=project, person=partner, since=BEGAN, why="clicked through", by=researcher)
    Rating.objects.update(milliseconds=36_000)
    return project


def table(by, **days: str) -> list[list[str]]:
    answer = signed_in(by).get("/projects/weibo/payable.csv", days)
    assert answer.status_code == 200
    return list(csv.reader(io.StringIO(answer.content.decode())))


def test_a_row_a_person_says_what_was_done_in_these_days(worked, researcher):
    assert table(researcher, **MARCH) == [
        ["user", "name", "since", "until", "counted", "other", "voided", "skipped", "hours"],
        # four gaps of 90 s and the first pair's own 36 s: 396 s
        ["an", "An", "2026-03-01", "2026-03-31", "4", "0", "0", "1", "0.11"],
        ["bo", "Bo", "2026-03-01", "2026-03-31", "0", "0", "1", "0", "0.01"],
    ]


def test_the_last_day_is_included_and_the_next_is_not(worked, researcher):
    april = table(researcher, since="2026-04-01", until="2026-04-01")
    assert [row[:2] + row[4:] for row in april[1:]] == [["an", "An", "1", "0", "0", "0", "0.01"]]
    assert len(table(researcher, since="2026-03-31", until="2026-03-31")) == 2


def test_nobody_is_paid_for_grades_from_elsewhere(worked, researcher, tmp_path):
    before = table(researcher, since="2000-01-01", until="2999-12-31")
    path = tmp_path / "grades.csv"
    path.write_text("item,rater,grade\nx1,anna,4\nx1,bert,5\n")
    import_ratings(project=worked, path=path, report=factories.no_progress, by=researcher)
    simulate_annotators(project=worked, people=4, report=factories.no_progress, by=researcher)
    assert table(researcher, since="2000-01-01", until="2999-12-31") == before


def test_gold_is_work_that_counts_nowhere(project, annotator, researcher):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 8)
    done = gold_pairs.grade_all(project, annotator)
    [row] = table(researcher, since="2000-01-01", until="2999-12-31")[1:]
    assert row[4:6] == ["8", str(len(done) - 8)]


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ({"until": "2026-03-31"}, "From: This field is required."),
        ({"since": "2026-03-31", "until": "2026-03-01"}, "To and including: This day is before the first one."),
        ({"since": "0001-01-01", "until": "2026-03-01"}, "From: Choose a day between the years 2000 and 2999."),
    ],
)
def test_days_that_are_none_are_said(worked, researcher, days, said):
    answer = signed_in(researcher).get("/projects/weibo/payable.csv", days, follow=True)
    assert answer.redirect_chain == [("/projects/weibo/quality/", 302)]
    assert said in answer.content.decode()


def test_the_shell_writes_the_same_table(worked, researcher, administrator, capsys, tmp_path):
    shell, out = Shell(capsys), tmp_path / "march.csv"
    printed = shell("payable", "weibo", "--since", "2026-03-01", "--until", "2026-03-31", "--out", out, "--json").json
    assert [person["counted"] for person in printed["people"]] == [4, 0]
    assert list(csv.reader(io.StringIO(out.read_text()))) == table(researcher, **MARCH)
    wrong = shell("payable", "weibo", "--since", "March", "--until", "2026-03-31", "--out", out)
    assert (wrong.code, "--since" in wrong.err) == (2, True)


def test_pay_is_the_researchers_to_see(worked, annotator, inspector, researcher):
    for person in (annotator, inspector):
        assert signed_in(person).get("/projects/weibo/payable.csv", MARCH).status_code == 403
    assert "For paying people" in signed_in(researcher).get("/projects/weibo/quality/").content.decode()
    assert "For paying people" not in signed_in(inspector).get("/projects/weibo/quality/").content.decode()
