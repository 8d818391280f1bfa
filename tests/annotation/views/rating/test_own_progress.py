"""An annotator's own progress: their days, types, skips and flags, and nothing of any other person."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation.actions import flags
from annotation.actions.rating import ratings
from annotation.models import Assignment, Flag, Rating
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.annotation.views.rating.rating_page import signed_in
from tests.pages import closed_up

pytestmark = pytest.mark.every_database

PAGE = "/projects/weibo/rate/progress/"
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)


def page(by) -> str:
    answer = signed_in(by).get(PAGE)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def at(assignments, *moments: datetime) -> None:
    for assignment, moment in zip(assignments, moments, strict=True):
        Assignment.objects.filter(pk=assignment.pk).update(ended_at=moment)


def test_done_is_told_by_day_with_its_pace(project, annotator):
    factories.pairs(project, 4)
    assignments = factories.grade_next(project, annotator, 3, 3, 1, 4)
    for assignment, seconds in zip(assignments, (8, 10, 12, 20), strict=True):
        Rating.objects.filter(assignment=assignment).update(milliseconds=1000 * seconds)
    at(assignments, *(BEGAN + timedelta(seconds=20 * number) for number in range(3)), BEGAN + timedelta(days=1))
    said = page(annotator)
    assert '<time datetime="2026-03-03">' in said
    second, first = said.index("2026-03-03"), said.index("2026-03-02")
    assert second < first, "the newest first"
    assert '<td class="n">3</td><td class="n">10.0 s</td>' in closed_up(said)
    assert '<td class="n">1</td><td class="n">20.0 s</td>' in closed_up(said)
    assert '<td class="n nowrap">1 min</td>' in closed_up(said), (
        "40 s between the first and the last, and 8 s for the first"
    )


def test_types_skips_and_flags_of_ones_own_stand_there(project, annotator, researcher):
    pairs = factories.pairs(project, 4)
    factories.grade_next(project, annotator, 3, 3, 1)
    [assignment] = factories.take(project, annotator)
    flags.raise_flag(assignment=assignment, comment="缺了半句", by=annotator)
    flags.resolve(flag=Flag.objects.get(), note="以后会写进指南", by=researcher)
    ratings.skip(assignment=assignment, reason="cut_off", by=annotator)
    said = page(annotator)
    assert '<td class="n">2</td><td class="n">66.7</td>' in closed_up(said)
    for word in ("缺了半句", "以后会写进指南", "Cut off", pairs[3].content["prompt"]):
        assert word in said


def test_nothing_of_a_partner_stands_there(project, annotator, partner):
    factories.pairs(project, 6)
    factories.grade_next(project, annotator, 3)
    alone = page(annotator)
    factories.grade_next(project, partner, 3, 1, 5)
    [assignment] = factories.take(project, partner)
    flags.raise_flag(assignment=assignment, comment="my own business", by=partner)
    ratings.skip(assignment=assignment, reason="other", by=partner)
    assert _figures(page(annotator)) == _figures(alone)


def test_gold_counts_as_any_other_pair(project, annotator):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    gold_pairs.import_rows(project, gold_pairs.known(4, grade=1))
    factories.pairs(project, 8)
    done = gold_pairs.grade_all(project, annotator, off=2)
    assert len(done) > 8
    assert f"<dd>{len(done)}</dd>" in page(annotator)


def test_who_has_done_nothing_is_told_what_will_stand_there(project, annotator):
    assert "What you graded will appear here" in page(annotator)


@pytest.mark.parametrize("name", ["researcher", "inspector", "expert"])
def test_it_is_for_annotators_alone(name, project, request):
    assert signed_in(request.getfixturevalue(name)).get(PAGE).status_code == 403


def _figures(said: str) -> str:
    return said[said.index('<main id="main"') : said.index("</main>")]
