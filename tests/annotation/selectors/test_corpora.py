"""Corpora by name and split, and a page of their dialogues at a time."""

import pytest

from annotation.models import Corpus
from annotation.selectors.corpora.corpora import dialogues_of, named, names_of, splits_of
from annotation.selectors.corpora.corpus_pages import PAGE, figures_of, options_of, page_of, position_in
from tests.corpora import dialogue, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(researcher):
    stored("noise", [dialogue(90), dialogue(91, split="train")], by=researcher)
    rows = [dialogue(1), dialogue(2, split="train", turns=4), dialogue(3), dialogue(4, split="")]
    return stored("talk", rows, by=researcher)


def test_a_name_may_have_a_split(corpus, researcher):
    assert named("talk", by=researcher) == (corpus, "")
    assert named("talk:dev", by=researcher) == (corpus, "dev")


@pytest.mark.parametrize("name", ["discussions", "talk:", "talk:validation", "talk:dev:dev", ":dev", ""])
def test_what_is_no_name_is_not_found(name, corpus, researcher):
    with pytest.raises(Corpus.DoesNotExist):
        named(name, by=researcher)


def test_annotators_read_no_corpora(corpus, annotator):
    with pytest.raises(Corpus.DoesNotExist):
        named("talk", by=annotator)
    assert names_of(annotator) == []


def test_dialogues_come_in_their_order(corpus):
    assert [each.external_id for each in dialogues_of(corpus)] == ["d1", "d2", "d3", "d4"]
    assert [each.external_id for each in dialogues_of(corpus, "dev")] == ["d1", "d3"]
    assert list(dialogues_of(corpus, "test")) == []


def test_splits_and_names_stand_in_their_order(corpus, researcher):
    assert splits_of(corpus) == {"train": 1, "dev": 2, "": 1}
    assert names_of(researcher) == ["talk", "talk:train", "talk:dev", "noise", "noise:train", "noise:dev"]


def test_figures_are_by_split_with_a_sum(corpus):
    rows = [(row.split, row.dialogues, row.turns, row.turns_mean) for row in figures_of(corpus)]
    assert rows == [("train", 1, 4, 4), ("dev", 2, 12, 6), ("", 1, 6, 6), ("all", 4, 22, 5.5)]


def test_pages_go_on_from_a_position_in_both_directions(researcher):
    corpus = stored("long", map(dialogue, range(2 * PAGE + 1)), by=researcher)
    rows = corpus.dialogues.all()
    first = page_of(rows)
    assert ([row.position for row in first.rows], first.before, first.after) == ([*range(PAGE)], None, PAGE - 1)
    second = page_of(rows, after=first.after)
    assert (second.rows[0].position, second.before, second.after) == (PAGE, PAGE, 2 * PAGE - 1)
    last = page_of(rows, after=second.after)
    assert ([row.position for row in last.rows], last.before, last.after) == ([2 * PAGE], 2 * PAGE, None)
    assert page_of(rows, before=second.before).rows == first.rows
    assert page_of(rows, after=0).before == 1, "position 0 is a place to go on from"


@pytest.mark.parametrize("text", ["", "-1", "x", "²", "9" * 19, "1.5", "٣"])
def test_what_is_no_position_is_left_out(text):
    assert position_in({"after": text}) == {"before": None, "after": None}
    assert position_in({"after": "0"})["after"] == 0


def test_candidates_beyond_the_letters_have_numbers():
    options = options_of([f"text {n}" for n in range(28)], 27)
    assert [option.letter for option in options[24:]] == ["Y", "Z", "27", "28"]
    assert [option.is_right for option in options] == [False] * 27 + [True]
    assert options_of(None, None) == []
