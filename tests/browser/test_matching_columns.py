"""Columns of a table of dialogues, and of items, matched by a person who sees at once what comes of it."""

import pytest
from django.core.files.base import ContentFile
from playwright.sync_api import expect

from annotation.actions.corpora import reviews
from annotation.actions.imports import import_jobs
from annotation.models import Corpus
from core import tasks
from tests import factories
from tests.browser.conftest import PHONE
from tests.rewriting import rewriting_project

NO_SIDEWAYS_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
LINES = "组,人,话,心情\n1,甲,在吗,好\n1,乙,在的，怎么了,好\n1,甲,想借本书,好\n2,甲,走吗,坏\n2,乙,不走,坏\n"
ITEMS = (
    "文,问,甲项,乙项,丙项,键\n甲：几点开门？|乙：四点。,何时开门,两点,四点,从不,B\n"
    "甲：走吗|乙：不,谁走,甲,乙,没有人,3\n"
)


@pytest.fixture
def review(transactional_db, researcher):
    """A review of a table whose columns are not known by their names."""
    job = reviews.receive(name="chats", file=ContentFile(LINES, name="chats.csv"), format="", by=researcher)
    tasks.do_here(job.pk)
    return job


def match(page, **columns):
    for label, column in columns.items():
        page.get_by_label(label.replace("_", " "), exact=True).select_option(column)


def test_a_table_of_other_names_becomes_a_corpus(review, open_page, researcher, assert_accessible, monkeypatch):
    page = open_page(f"/corpora/reviews/{review.pk}/", by=researcher)
    page.get_by_label("Licence").fill("CC0")
    page.get_by_label("Table with columns of any names").check()
    match(page, id_of_the_dialogue="组", text_of_one_turn="话", speaker="人")
    first = page.get_by_role("region", name="First dialogues, table")
    expect(first.get_by_text("想借本书")).to_be_visible()
    expect(page.get_by_label("Licence")).to_have_value("CC0")
    expect(page.get_by_text("Only shown so far.")).to_be_visible()
    page.get_by_label("Leave out").check()
    expect(page.get_by_label("Leave out")).to_be_checked()
    assert_accessible(page)
    page.get_by_role("button", name="Count again").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    tasks.do_here(review.pk + 1)
    page.get_by_role("button", name="Import 2 dialogues").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    tasks.do_here(review.pk + 2)
    expect(page.get_by_role("heading", name="chats")).to_be_visible()
    assert [len(each.turns) for each in Corpus.objects.get().dialogues.order_by("position")] == [3, 2]


def test_the_page_fits_a_phone(review, open_page, researcher):
    page = open_page(f"/corpora/reviews/{review.pk}/?format=table", by=researcher, **PHONE)
    expect(page.get_by_text("Match columns")).to_be_visible()
    assert page.evaluate(NO_SIDEWAYS_SCROLL)


def test_items_of_other_names_are_matched_and_the_answers_counted_as_a_person_says(
    transactional_db, open_page, researcher, assert_accessible
):
    project = rewriting_project(researcher)
    received = factories.received(project, ITEMS, "items.csv")
    assert import_jobs.ask_for_check(received=received, by=researcher) is None
    page = open_page(f"/projects/listening/import/{received.pk}/", by=researcher)
    match(
        page, whole_dialogue="文", question="问", choice_1="甲项", choice_2="乙项", choice_3="丙项", right_answer="键"
    )
    page.get_by_label("Number of the first choice").select_option("1")
    expect(page.get_by_role("region", name="First rows, table").get_by_text("没有人")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Read again").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
