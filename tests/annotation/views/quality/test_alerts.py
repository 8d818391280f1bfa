"""Alerts about raters, on the board and on the researcher's home."""

import re

import pytest
from django.urls import reverse

from annotation.models import Rating
from tests import factories

pytestmark = pytest.mark.every_database

FAST = "An takes 0.4 s a pair"


@pytest.fixture
def hasty(project, annotator, partner):
    """Twenty pairs by An in 0.4 s each, and nineteen by Bo as fast: one too few to tell."""
    factories.pairs(project, 20)
    factories.grade_next(project, annotator, *[1, 2, 3, 4] * 5)
    factories.grade_next(project, partner, *[1, 2, 3, 4] * 4, 1, 2, 3)
    Rating.objects.update(milliseconds=400)
    return project


def text(client, address: str) -> str:
    return " ".join(re.sub("</?bdi[^>]*>", "", client.get(address).content.decode()).split())


def test_a_rater_who_is_too_fast_needs_the_researcher_on_board_and_home(client, hasty, researcher):
    client.force_login(researcher)
    assert FAST not in text(client, "/"), "not known before a board was computed"
    board = text(client, reverse("board", args=[hasty.slug]))
    home = text(client, "/")
    for page in (board, home):
        assert FAST in page
        assert "Bo takes" not in page
        assert reverse("quality", args=[hasty.slug]) in page


def test_raters_see_no_alert(client, hasty, annotator, researcher):
    client.force_login(researcher)
    client.get(reverse("board", args=[hasty.slug]))
    client.force_login(annotator)
    assert "s a pair" not in text(client, "/")


def test_who_cannot_sign_in_any_more_raises_nothing(client, hasty, annotator, researcher):
    annotator.is_active = False
    annotator.save()
    client.force_login(researcher)
    assert FAST not in text(client, reverse("board", args=[hasty.slug]))


def test_a_rater_far_below_the_others_is_named(client, project, annotator, partner, newcomer, researcher):
    project.settings |= {"raters": 3}
    project.save()
    factories.pairs(project, 40)
    alike = [1, 2, 4, 5] * 10
    factories.grade_next(project, annotator, *alike)
    factories.grade_next(project, partner, *alike)
    factories.grade_next(project, newcomer, *[5, 4, 2, 1] * 10)
    client.force_login(researcher)
    page = text(client, reverse("board", args=[project.slug]))
    assert "Chen agrees with the others at κ −1.00" in page
    assert "among themselves the others reach κ 1.00" in page
    assert "An agrees with" not in page
