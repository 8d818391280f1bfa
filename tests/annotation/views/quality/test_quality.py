"""The quality board: what it says of each annotator, who may read it, and what it never tells."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from annotation.actions.queue import voiding
from annotation.actions.rating import imported_ratings
from annotation.models import Assignment, Rating
from annotation.selectors.quality.quality import quality_report
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.annotation.views.rating.rating_page import signed_in

pytestmark = pytest.mark.every_database

PAGE, TABLE = "/projects/weibo/quality/", "/projects/weibo/quality.csv"
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def graded(project, annotator, partner):
    """Thirty pairs by both: the first grades 5 at first and 1 in the end, a pair every 20 s; the second always 3."""
    factories.pairs(project, 30)
    factories.grade_next(project, annotator, *[5] * 10, *[3] * 10, *[1] * 10)
    factories.grade_next(project, partner, *[3] * 30)
    for person, pace in ((annotator, 20), (partner, 400)):
        for number, assignment in enumerate(Assignment.objects.filter(person=person).order_by("pk")):
            Assignment.objects.filter(pk=assignment.pk).update(ended_at=BEGAN + timedelta(seconds=pace * number))
            Rating.objects.filter(assignment=assignment).update(milliseconds=10_000)
    return project


def page(by) -> str:
    answer = signed_in(by).get(PAGE)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def table(by) -> dict[tuple[str, str, str, str], str]:
    rows = csv.DictReader(io.StringIO(signed_in(by).get(TABLE).content.decode()))
    return {(row["person"], row["partner"], row["figure"], row["of"]): row["value"] for row in rows}


def test_pace_is_of_the_time_at_work(graded, researcher):
    found = table(researcher)
    # 29 gaps of 20 s and the first pair's own 10 s; after every gap of 400 s each pair's own 10 s.
    assert float(found["An", "", "hours", ""]) == pytest.approx((29 * 20 + 10) / 3600)
    assert float(found["An", "", "pairs_an_hour", ""]) == pytest.approx(30 / ((29 * 20 + 10) / 3600))
    assert float(found["Bo", "", "pairs_an_hour", ""]) == pytest.approx(360)
    assert found["An", "", "median_seconds", ""] == "10.0"


def test_drift_is_said_in_words_and_figures(graded, researcher):
    found, said = table(researcher), page(researcher)
    assert "stricter: +2.00 early, −2.00 late" in said
    assert "milder: −2.00 early, +2.00 late" in said
    assert found["An", "", "drift", "trend"] == "stricter"
    assert float(found["An", "", "drift", "difference"]) == -4


def test_grades_that_no_one_else_gave_tell_no_drift(project, annotator, partner, researcher):
    factories.pairs(project, 33)
    factories.grade_next(project, annotator, *[4, 4, 3] * 11)
    assert "too few grades yet" in page(researcher)


def test_the_order_of_an_imported_file_tells_no_drift(project, researcher, tmp_path):
    rows = [
        f"q{number},{rater},{grade}" for number in range(60) for rater, grade in (("x", 1 + number // 15), ("y", 3))
    ]
    path = tmp_path / "grades.csv"
    path.write_text("\n".join(["item,rater,grade", *rows]))
    imported_ratings.import_ratings(project=project, path=path, report=factories.no_progress, by=researcher)
    assert [person["drift"] for person in quality_report(project)["people"] if person["graded"]] == [None, None]


def test_grades_types_and_partners_stand_there(graded, researcher):
    found = table(researcher)
    assert [found["An", "", "grades", grade] for grade in "12345"] == ["10", "0", "10", "0", "10"]
    assert found["An", "", "types", factories.REASONS[1]] == "10"
    assert found["An", "Bo", "n", ""] == "30"
    assert float(found["An", "Bo", "percent", ""]) == pytest.approx(1 / 3)
    assert "33.3&nbsp;%" in page(researcher)


def test_planted_pairs_move_no_figure_but_the_time(graded, annotator, partner, researcher):
    before = table(researcher)
    for purpose in ("practice", "pilot"):
        factories.plant(graded, purpose, annotator, partner)
    after = table(researcher)
    of_time = {"hours", "pairs_an_hour"}
    names = {"An", "Bo"}
    kept = {key: value for key, value in after.items() if key[0] in names and key[2] not in of_time}
    assert kept == {key: value for key, value in before.items() if key[2] not in of_time}


def test_voided_grades_leave_the_figures(graded, annotator, researcher):
    voiding.void_work(project=graded, person=annotator, since=BEGAN, why="clicked through", by=researcher)
    found = table(researcher)
    assert (found["An", "", "graded", ""], found["An", "", "voided", ""]) == ("0", "30")
    assert float(found["An", "", "hours", ""]) > 0, "it was worked all the same"


def test_the_page_leads_to_voiding(graded, annotator, researcher, inspector):
    for reader in (researcher, inspector):
        link = reverse("void_work", args=["weibo", annotator.pk])
        assert link in page(reader)
        assert signed_in(reader).get(link).status_code == 200


def test_inspectors_read_it_and_annotators_do_not(graded, annotator, expert, inspector):
    assert "κ quadratic" in page(inspector)
    for person in (annotator, expert):
        for path in (PAGE, TABLE):
            assert signed_in(person).get(path).status_code == 403


def test_no_pair_and_no_text_stands_there(graded, inspector):
    said = page(inspector) + signed_in(inspector).get(TABLE).content.decode()
    for item in graded.items.all():
        assert item.content["prompt"] not in said
        assert item.digest[:16] not in said


def test_without_gold_there_is_no_column_for_it(graded, researcher):
    assert "Gold:" not in page(researcher)
    assert not any(figure == "gold" for _person, _partner, figure, _of in table(researcher))


def test_gold_is_told_as_how_many_were_graded_near_enough(project, annotator, researcher):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 8)
    gold_pairs.grade_all(project, annotator, off=3)
    missed = Rating.objects.filter(assignment__slot_number=None).count()
    assert missed > 0
    found = table(researcher)
    assert (found["An", "", "gold", "n"], found["An", "", "gold", "missed"]) == (str(missed), str(missed))
    assert found["An", "", "graded", ""] == "8", "gold counts nowhere"
    assert f"0 / {missed}" in page(researcher)


def test_without_annotators_it_says_who_will_stand_there(project, researcher, inspector):
    assert "Add people" in page(researcher)
    assert "Add people" not in page(inspector)
