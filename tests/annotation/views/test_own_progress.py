"""A rater's own progress: their days, types, skips and flags, and nothing of anybody else."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation.actions import flags, ratings
from annotation.models import Flag, Rating, Seat
from tests import factories
from tests.annotation.actions import golden
from tests.annotation.views.rating_desk import signed_in

pytestmark = pytest.mark.every_database

PAGE = "/projects/weibo/rate/progress/"
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)


def page(by) -> str:
    answer = signed_in(by).get(PAGE)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def at(seats, *moments: datetime) -> None:
    for seat, moment in zip(seats, moments, strict=True):
        Seat.objects.filter(pk=seat.pk).update(ended_at=moment)


def test_done_is_told_by_day_with_its_pace(project, rater):
    factories.pairs(project, 4)
    seats = factories.grade_next(project, rater, 3, 3, 1, 4)
    for seat, seconds in zip(seats, (8, 10, 12, 20), strict=True):
        Rating.objects.filter(seat=seat).update(milliseconds=1000 * seconds)
    at(seats, *(BEGAN + timedelta(seconds=20 * place) for place in range(3)), BEGAN + timedelta(days=1))
    said = page(rater)
    assert '<time datetime="2026-03-03">' in said
    second, first = said.index("2026-03-03"), said.index("2026-03-02")
    assert second < first, "the newest first"
    assert '<td class="n">3</td><td class="n">10.0 s</td>' in said
    assert '<td class="n">1</td><td class="n">20.0 s</td>' in said
    assert '<td class="n nowrap">1 min</td>' in said, "40 s between the first and the last, and 8 s for the first"


def test_types_skips_and_flags_of_ones_own_stand_there(project, rater, researcher):
    pairs = factories.pairs(project, 4)
    factories.grade_next(project, rater, 3, 3, 1)
    [seat] = factories.take(project, rater)
    flags.raise_flag(seat=seat, comment="缺了半句", by=rater)
    flags.resolve(flag=Flag.objects.get(), note="以后会写进指南", by=researcher)
    ratings.skip(seat=seat, reason="cut_off", by=rater)
    said = page(rater)
    assert '<td class="n">2</td><td class="n">66.7</td>' in said
    for word in ("缺了半句", "以后会写进指南", "Cut off", pairs[3].content["prompt"]):
        assert word in said


def test_nothing_of_a_partner_stands_there(project, rater, partner):
    factories.pairs(project, 6)
    factories.grade_next(project, rater, 3)
    alone = page(rater)
    factories.grade_next(project, partner, 3, 1, 5)
    [seat] = factories.take(project, partner)
    flags.raise_flag(seat=seat, comment="my own business", by=partner)
    ratings.skip(seat=seat, reason="other", by=partner)
    assert _figures(page(rater)) == _figures(alone)


def test_gold_counts_as_any_other_pair(project, rater):
    golden.choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    golden.bring_in(project, golden.known(4, grade=1))
    factories.pairs(project, 8)
    done = golden.grade_all(project, rater, off=2)
    assert len(done) > 8
    assert f"<dd>{len(done)}</dd>" in page(rater)


def test_who_has_done_nothing_is_told_what_will_stand_there(project, rater):
    assert "Here will stand what you graded" in page(rater)


@pytest.mark.parametrize("name", ["researcher", "inspector", "expert"])
def test_it_is_for_raters_alone(name, project, request):
    assert signed_in(request.getfixturevalue(name)).get(PAGE).status_code == 403


def _figures(said: str) -> str:
    return said[said.index('<main id="main"') : said.index("</main>")]
