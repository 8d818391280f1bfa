"""The board, agreement and pairs of a project, as their readers see them."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions.cleaning.cleaning_scan import scan
from annotation.actions.projects import projects
from annotation.actions.rating import ratings
from annotation.actions.releases import releases
from annotation.domain.workflow import ImportState
from annotation.models import Import, Kind, Project, Rating
from core.actions import stored_figures
from tests import factories
from tests.pages import closed_up, without_tokens

pytestmark = pytest.mark.every_database

PAGES = ("board", "board_csv", "agreement", "agreement_csv", "pairs")


def answer(name: str, project: Project, by, **query: object):
    client = Client()
    client.force_login(by)
    return client.get(reverse(name, args=[project.slug]), query)


def text(name: str, project: Project, by, **query: object) -> str:
    found = answer(name, project, by, **query)
    assert found.status_code == 200
    return " ".join(found.content.decode().split())


def rows(name: str, project: Project, by) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer(name, project, by).content.decode())))


@pytest.fixture
def graded(project, annotator, partner):
    """Five pairs by both people: three kept, one removed, and one that the second has still to grade."""
    factories.pairs(project, 5)
    factories.grade_next(project, annotator, 1, 2, 3, 5, 4)
    factories.grade_next(project, partner, 1, 2, 4, 1)
    return project


@pytest.mark.parametrize("name", PAGES)
def test_annotators_never_see_other_peoples_figures(name, graded, annotator, inspector, expert):
    assert {answer(name, graded, person).status_code for person in (annotator, inspector, expert)} == {403}


@pytest.mark.parametrize("name", PAGES)
def test_a_researcher_of_another_project_finds_nothing_here(name, graded):
    stranger = factories.person("sol", "researcher")
    assert answer(name, graded, stranger).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_these_pages_are_only_read(name, graded, researcher):
    client = Client()
    client.force_login(researcher)
    assert client.post(reverse(name, args=[graded.slug])).status_code == 405


def test_the_board_says_where_the_project_stands(graded, researcher):
    page = text("board", graded, researcher)
    assert "4 of 5 pairs rated by two people." in page
    assert "25.0&nbsp;% of rated; the original study removed 22.5 %" in page
    assert "At this week's pace" not in page, "there is none in the first day"
    stored_figures.forget(graded)  # the next line leaves no event
    Rating.objects.update(created_at=timezone.now() - timedelta(days=2))
    page = text("board", graded, researcher)
    assert "rated by two people. At this week's pace the rest takes one working day." in page
    assert re.search(r'<svg class="spark spark-days"[^>]* aria-label="Grades a day: [^"]*: 9[,"]', page)


def test_the_filled_button_is_the_next_step(graded, annotator, partner, researcher):
    def filled() -> list[str]:
        page = text("board", graded, researcher)
        return re.findall(r'button-main button-small" href="([^"]+)"', page)

    assert filled() == [reverse("quality", args=[graded.slug])], "a pair still waits for a grade"
    factories.grade_next(graded, partner, 4)
    assert filled() == [reverse("releases", args=[graded.slug])]
    releases.freeze(project=graded, seed=0, report=factories.no_progress, by=researcher)
    assert filled() == [reverse("release", args=[graded.slug, 1])]


def test_cleaning_that_waits_is_counted_in_the_rail_and_comes_first(project, annotator, partner, researcher):
    factories.stored(project, "prompt\tresponse\n他是谁？\t加我微信 abc12345\n你好\t你也好\n")
    scan(project=project, report=factories.no_progress, by=researcher)
    page = text("board", project, researcher)
    assert re.search(r'Cleaning <span class="num">1</span>', page)
    assert "Clean one pair" in page


def test_every_page_is_titled_with_its_project(graded, researcher):
    for name, title in {"board": "Board", "agreement": "Agreement", "pairs": "Pairs", "imports": "Import"}.items():
        assert f"<title>{title} · Weibo pairs · Colloquy</title>" in text(name, graded, researcher)


def test_sentences_are_joined_without_a_space_in_chinese(graded, researcher):
    Rating.objects.update(created_at=timezone.now() - timedelta(days=2))
    researcher.language = "zh-hans"
    researcher.save()
    assert "。按本周的速度" in text("board", graded, researcher)


def test_the_board_shows_agreement_with_intervals_and_warns_of_the_filter(graded, researcher):
    page = text("board", graded, researcher)
    assert "n = 4" in page
    assert "n = 3" in page
    assert '<td class="n strong">.500</td>' in page  # same grade, before: two of four
    assert "The published 80.0 % is an after-filter figure." in page


def test_cells_that_the_filter_removed_are_dashed(graded, researcher):
    page = text("board", graded, researcher)
    assert page.count("cutaway") == 1  # the grades 5 and 1
    assert "Dashed: removed by the filter (1 pair)." in page


def test_the_board_speaks_chinese(graded, researcher):
    researcher.language = "zh-hans"
    researcher.save()
    for name, words in {"board": "双人已评", "agreement": "过滤前与过滤后", "pairs": "提问与回复"}.items():
        page = text(name, graded, researcher)
        assert words in page
        assert 'html lang="zh-Hans"' in page
        assert "Agreement" not in page


def test_without_pairs_the_board_says_how_to_begin(project, researcher):
    page = text("board", project, researcher)
    assert reverse("imports", args=[project.slug]) in page
    assert "2 different people grade each pair" in page
    assert page.count("button-main") == 1
    assert "From import to kept" not in page


@pytest.mark.parametrize("name", ["board", "agreement"])
def test_without_a_pair_rated_twice_agreement_says_what_it_needs(name, project, annotator, researcher):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3)
    page = text(name, project, researcher)
    assert "Agreement needs pairs with two grades; 0 so far." in page
    assert "undefined" not in page


def test_an_undefined_figure_is_said_in_words(project, annotator, partner, researcher):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3, 3)
    factories.grade_next(project, partner, 3, 3)
    for name in ("board", "agreement"):
        page = text(name, project, researcher)
        assert "undefined" in page
        assert "All grades are the same: chance agreement is 1, so the coefficient is undefined." in page
        assert "nan" not in without_tokens(page).lower()


def test_losses_stand_with_their_reasons(graded, annotator, newcomer, researcher):
    Import.objects.create(
        project=graded, file_name="a.csv", state=ImportState.STORED, rows=9, good=5, duplicate=3, refused=1
    )
    [assignment] = factories.take(graded, newcomer)
    ratings.skip(assignment=assignment, reason="cut_off", by=newcomer)
    page = text("board", graded, researcher)
    assert "−3" in page
    assert "same prompt and response" in page
    assert "A pair was skipped once and went to another person." in page


def test_a_wide_scale_and_many_annotators_get_pages_of_their_own_width(researcher):
    project = projects.create(
        slug="wide", kind=Kind.RATING, settings={"grades": "-3..3", "raters": 3, "gap": 2}, by=researcher
    )
    factories.pairs(project, 2)
    page = text("board", project, researcher)
    assert "grades -3 to 3" in page
    assert "Rated by all 3" in page
    assert "removed, gap ≥ 3" in page
    assert "the original study removed" not in page


def test_the_agreement_page_shows_every_figure_and_every_two_annotators(graded, researcher):
    page = text("agreement", graded, researcher)
    for label in ("κ unweighted", "Light's κ", "Gwet AC2", "α nominal", "α interval"):
        assert label in page
    assert "4 pairs have two grades or more; 3 kept, 1 removed by the filter" in page
    assert "Scott&#x27;s π (1955)" in page or "Scott's π (1955)" in page
    assert "An·Bo" in closed_up(page).replace("<span>", "").replace("</span>", "")


@pytest.mark.parametrize(("pairs", "warns"), [(29, True), (30, False)])
def test_few_pairs_are_said_to_make_intervals_too_narrow(project, annotator, partner, researcher, pairs, warns):
    factories.pairs(project, pairs)
    for person in (annotator, partner):
        factories.grade_next(project, person, *[1 + number % 5 for number in range(pairs)])
    assert ("Fewer than 30 units are resampled" in text("agreement", project, researcher)) == warns


def test_the_agreement_file_holds_the_figures_of_the_page(graded, researcher):
    found = {(row["over"], row["figure"]): row for row in rows("agreement_csv", graded, researcher)}
    same = found["before", "percent"]
    assert (same["n"], float(same["value"]), same["interval"]) == ("4", 0.5, "wilson")
    assert float(same["low"]) <= 0.5 <= float(same["high"])
    assert (found["pair", "kappa"]["rater"], found["pair", "kappa"]["partner"]) == ("An", "Bo")
    assert found["after", "gap_le_1"]["value"] == "1.0"


def test_the_board_file_holds_the_funnel_and_the_people(graded, researcher):
    found = {(row["part"], row["name"], row["figure"]): row["value"] for row in rows("board_csv", graded, researcher)}
    assert found["funnel", "pairs", "pairs"] == "5"
    assert found["funnel", "removed", "pairs"] == "1"
    assert (found["person", "An", "graded"], found["person", "An", "grade 5"]) == ("5", "1")
    assert found["person", "An", "last_grade_at"].endswith("Z")


@pytest.mark.parametrize("name", ["board_csv", "agreement_csv"])
@pytest.mark.parametrize("called", ["=cmd|'/c calc'!A0", "+1", "-1", "@sum", "\tx", "\rx"])
def test_a_name_is_never_a_formula_in_a_spreadsheet(name, called, graded, annotator, researcher):
    annotator.name = called
    annotator.save()
    cells = [cell for row in rows(name, graded, researcher) for cell in row.values()]
    assert f"'{called}" in cells
    assert called not in cells


def test_a_name_is_text_on_every_page(graded, annotator, researcher):
    annotator.name = "<script>alert(1)</script>"
    annotator.save()
    for name in ("board", "agreement", "pairs"):
        assert "<script>alert" not in text(name, graded, researcher)


def test_the_board_costs_the_same_queries_with_more_pairs_and_people(graded, researcher, django_assert_num_queries):
    client = Client()
    client.force_login(researcher)
    for queries in (BOARD_QUERIES, STORED_BOARD_QUERIES):
        with django_assert_num_queries(queries):
            client.get(reverse("board", args=[graded.slug]))
    factories.pairs(graded, 30)
    for name in ("gao", "han", "jin"):
        factories.grade_next(graded, factories.person(name, project=graded), *[2] * 12)
    for queries in (BOARD_QUERIES, STORED_BOARD_QUERIES):
        with django_assert_num_queries(queries):
            client.get(reverse("board", args=[graded.slug]))


# Computed: the fingerprint is read before and in the snapshot, and PostgreSQL is asked who is writing events.
BOARD_QUERIES = 48 if connection.vendor == "postgresql" else 47
STORED_BOARD_QUERIES = 23
