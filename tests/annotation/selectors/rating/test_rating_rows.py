"""All grades of a project as a table: whose, which count, and what no table may hold."""

import csv
import io
import json
from datetime import UTC, datetime
from itertools import islice

import pandas
import pytest
from django.db import connection

from annotation.actions.queue import voiding
from annotation.actions.rating import ratings
from annotation.models import Project, Purpose, Rating
from annotation.selectors.rating.rating_rows import COLUMNS, rating_rows, written
from tests import factories


@pytest.fixture
def rated(project, annotator, partner) -> Project:
    """Three pairs graded by both, the first changed by one; then pairs that count nowhere."""
    factories.pairs(project, 4)
    first, *_others = factories.grade_next(project, annotator, 4, 1, 3)
    ratings.change(assignment=first, grade=5, reason="informative", by=annotator)
    factories.grade_next(project, partner, 5, 2, 3)
    for purpose in (Purpose.PRACTICE, Purpose.GOLD, Purpose.PILOT):
        factories.plant(project, purpose, annotator, partner)
    return project


def rows(project: Project, format: str = "jsonl") -> list[dict]:
    content = b"".join(written(project, format=format)).decode()
    if format == "jsonl":
        return [json.loads(line) for line in content.splitlines()]
    return list(csv.DictReader(io.StringIO(content, newline="")))


def test_every_grade_is_a_row_and_says_whether_it_counts(rated):
    found = rows(rated)
    assert len(found) == Rating.objects.count() == 3 + 1 + 3 + 3 * 2
    assert sum(row["counted"] for row in found) == Rating.objects.counting().count() == 6
    assert {row["purpose"] for row in found if row["counted"]} == {"work"}
    assert {row["purpose"] for row in found} == set(Purpose.values)


def test_a_changed_grade_stands_there_twice_and_counts_once(rated):
    changed = [row for row in rows(rated) if row["replaced_at"]]
    assert [(row["grade"], row["counted"]) for row in changed] == [(4, False)]
    again = [
        row for row in rows(rated) if row["digest"] == changed[0]["digest"] and row["rater"] == changed[0]["rater"]
    ]
    assert [(row["grade"], row["type"], row["counted"]) for row in again] == [(4, "", False), (5, "informative", True)]


def test_a_voided_grade_stays_and_does_not_count(project, annotator, partner):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 4, 3)
    [first, _second] = factories.grade_next(project, partner, 5, 3)
    voiding.void_work(project=project, person=partner, since=first.claimed_at, why="too quick", by=project.created_by)
    assert [(row["rater"], row["assignment"], row["counted"]) for row in rows(project)] == [
        ("r1", "submitted", True),
        ("r1", "submitted", True),
        ("r2", "voided", False),
        ("r2", "voided", False),
    ]


def test_people_are_numbered_by_their_user_names_and_nobody_is_named(rated, annotator, partner):
    for person, label in ((annotator, "r1"), (partner, "r2")):
        own = Rating.objects.counting().filter(assignment__person=person).values_list("grade", flat=True)
        assert sorted(row["grade"] for row in rows(rated) if row["counted"] and row["rater"] == label) == sorted(own)
        assert f'"{person.username}"' not in b"".join(written(rated, format="csv")).decode()


def test_times_are_in_utc_and_those_of_the_database(rated):
    rating = Rating.objects.counting().earliest("pk")
    Rating.objects.filter(pk=rating.pk).update(
        created_at=datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC), milliseconds=1234
    )
    [row] = [row for row in rows(rated) if row["milliseconds"] == 1234]
    assert row["graded_at"] == "2026-03-01T23:59:59Z"
    claimed = rating.assignment.claimed_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    assert (row["claimed_at"], row["replaced_at"]) == (claimed, None)


def test_each_row_has_the_words_and_the_guideline_it_was_given_under(rated):
    for row in rows(rated):
        if row["counted"]:
            rating = Rating.objects.filter(assignment__slot__item__digest__startswith=row["digest"]).first()
            content = rating.assignment.slot.item.content
            assert (row["prompt"], row["response"]) == (content["prompt"], content["response"])
            assert (row["guideline"], row["step"], row["assignment"]) == (1, "rate", "submitted")


def test_both_formats_say_the_same(rated):
    plain = [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows(rated)]
    assert rows(rated, "csv") == plain
    assert list(plain[0]) == list(COLUMNS)


def test_pandas_counts_as_the_database_does(rated):
    table = pandas.read_csv(io.BytesIO(b"".join(written(rated, format="csv"))))
    assert table["counted"].dtype == bool
    assert table["counted"].sum() == Rating.objects.counting().count()


def test_no_text_of_a_table_runs_as_a_formula(project, annotator):
    factories.stored(project, "=1+1\t@SUM(A1)\n")
    factories.grade_next(project, annotator, 4)
    [row] = rows(project, "csv")
    assert (row["prompt"], row["response"]) == ("'=1+1", "'@SUM(A1)")
    [row] = rows(project, "jsonl")
    assert (row["prompt"], row["response"]) == ("=1+1", "@SUM(A1)")


def test_another_project_s_grades_stay_out(rated, researcher, annotator, partner):
    other = factories.another_project("other", researcher)
    factories.pairs(other, 1)
    assert rows(other) == []
    assert b"".join(written(other, format="csv")).decode().startswith('"rater","item"')


@pytest.mark.django_db(transaction=True)
def test_a_reader_who_leaves_early_leaves_nothing_open(rated):
    pieces = rating_rows(rated)
    assert len(list(islice(pieces, 2))) == 2
    pieces.close()
    assert not connection.in_atomic_block
