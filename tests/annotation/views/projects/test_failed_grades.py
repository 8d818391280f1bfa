"""Grades that count as failed: those of the study from the start, of another scale those that are marked."""

import pytest
from django.test import Client

from annotation.actions.projects import projects
from annotation.models import Kind
from tests.annotation.views.projects.test_guideline import ADDRESS, sent_by


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def test_grades_count_as_failed_as_the_guideline_says(client, project, annotator):
    """1 and 2 are those of the study; a version from before, which does not say so, has them too."""
    stored = project.guidelines.get()
    for guide in stored.content["grades"]:
        del guide["is_failed"]
    stored.save()
    shown = client.get(ADDRESS)
    assert [grade.row.grade for grade in shown.context["grades"] if grade.row.is_failed] == [1, 2]
    sent = sent_by(shown) | {"g2-failed": "on"}
    del sent["g0-failed"]
    client.post(ADDRESS, sent)
    assert [guide["grade"] for guide in project.guidelines.first().content["grades"] if guide["is_failed"]] == [2, 3]
    changes = client.get(f"{ADDRESS}?version=2").context["changes"]
    assert [[(piece.change, piece.text) for piece in each.pieces] for each in changes] == [
        [("added", "✓")],
        [("removed", "✓")],
    ]


def test_a_scale_of_ones_own_has_no_failed_grade_until_one_is_marked(client, researcher):
    projects.create(slug="quality", kind=Kind.RATING, settings={"grades": "0..3", "language": "en"}, by=researcher)
    assert not any(grade.row.is_failed for grade in client.get("/projects/quality/guideline/").context["grades"])
