"""Which dialogues of a corpus are read: by split, flag and words, a bounded part at a time."""

import pytest

from annotation.domain.corpora.search import excerpt, marked, words_in
from annotation.selectors.corpora import reading
from annotation.selectors.corpora.reading import DialogueFilter, reading_page
from tests.corpora import dialogue, flag, stored

pytestmark = pytest.mark.django_db


def said(id, *texts, **details):
    return {"id": id, "split": "train", "turns": [{"speaker": "speaker", "text": text} for text in texts], **details}


@pytest.fixture
def corpus(researcher):
    stored("noise", [said("noise", "Intel 6205")], by=researcher)
    rows = [
        said("wifi", "my INTEL card drops", "lspci says 6205"),
        said("half", "my intel card is fine", split="test"),
        said("quoted", 'he said "sudo"\nC:\\new and then'),
        said("wide", "我用 ＩＰＨＯＮＥ 拍的", "Straße"),
        said("offer", "which?", candidates=["a kettle", "a lamp"], answer=0),
    ]
    return stored("talk", rows, by=researcher)


def ids(corpus, query, **wanted):
    page = reading_page(corpus, DialogueFilter(words=words_in(query), **wanted))
    return [row.external_id for row in page.rows]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("intel", ["wifi", "half"]),
        ("6205 Intel", ["wifi"]),
        ("intel kettle", []),
        ('"sudo"', ["quoted"]),
        ("c:\\NEW", ["quoted"]),
        ("nc:", []),
        ("iphone 拍", ["wide"]),
        ("STRASSE", ["wide"]),
        ("KETTLE", ["offer"]),
        ("hal", ["half"]),
        ("speaker", []),
        ("text", []),
    ],
)
def test_all_words_must_occur_in_texts_or_id_whatever_their_case(corpus, query, found):
    assert ids(corpus, query) == found


def test_a_search_may_be_within_a_split_or_the_flagged(corpus):
    flag(corpus, "half", "quoted")
    assert ids(corpus, "intel", split="test") == ["half"]
    assert ids(corpus, "intel", flagged=True) == ["half"]
    assert ids(corpus, "", flagged=True) == ["half", "quoted"]
    assert ids(corpus, "", flagged=True, split="train") == ["quoted"]


@pytest.fixture
def long(researcher, monkeypatch):
    monkeypatch.setattr(reading, "BLOCK", 5)
    monkeypatch.setattr(reading, "MOST", 20)
    rows = [said(f"d{n}", "needle" if n in (3, 4, 42, 57) else "hay") for n in range(60)]
    return stored("long", rows, by=researcher)


def test_a_search_goes_on_from_where_it_stopped_until_all_was_looked_at(long):
    wanted, after, seen = DialogueFilter(words=("needle",)), None, []
    for _part in range(3):
        page = reading_page(long, wanted, after=after)
        seen.append(([row.position for row in page.rows], page.looked_to, page.after))
        after = page.after
    assert seen == [([3, 4], 20, 19), ([], 40, 39), ([42, 57], 60, None)]
    assert reading_page(long, wanted, after=59) == reading.ReadingPage([], 60, None, 60)


def test_a_search_goes_back_too(long):
    page = reading_page(long, DialogueFilter(words=("needle",)), before=50)
    assert ([row.position for row in page.rows], page.before, page.after) == ([42], 30, 49)
    page = reading_page(long, DialogueFilter(words=("needle",)), before=10)
    assert ([row.position for row in page.rows], page.before, page.after) == ([3, 4], None, 9)


def test_a_page_of_results_ends_at_its_last(long):
    page = reading_page(long, DialogueFilter(words=("needle",)), size=1)
    assert ([row.position for row in page.rows], page.after, page.looked_to) == ([3], 3, 4)
    page = reading_page(long, DialogueFilter(words=("needle",)), after=3, size=1)
    assert ([row.position for row in page.rows], page.before) == ([4], 4)


def test_long_dialogues_bound_a_search_too(long, monkeypatch):
    monkeypatch.setattr(reading, "ENOUGH", 1)
    page = reading_page(long, DialogueFilter(words=("needle",)))
    assert ([row.position for row in page.rows], page.looked_to) == ([3, 4], 5)


def test_without_words_a_page_costs_one_query_however_long_the_corpus(long, django_assert_num_queries):
    with django_assert_num_queries(1):
        page = reading_page(long, DialogueFilter())
    assert ([row.position for row in page.rows], page.after, page.looked_to) == ([*range(20)], 19, None)


def test_a_search_asks_for_a_bounded_number_of_blocks(researcher, django_assert_max_num_queries):
    corpus = stored("much", map(dialogue, range(1_200)), by=researcher)
    with django_assert_max_num_queries(4):
        assert ids(corpus, "nowhere") == []


def test_words_are_marked_where_they_occur():
    assert marked("An Intel card, intel", ("intel",)) == [
        ("An ", False),
        ("Intel", True),
        (" card, ", False),
        ("intel", True),
    ]
    assert marked("a (b) c", ("(b)",)) == [("a ", False), ("(b)", True), (" c", False)]
    assert marked("plain", ()) == [("plain", False)]


def test_an_excerpt_is_around_the_first_word_or_the_beginning():
    text = "word " * 40 + "needle " + "word " * 40
    assert "needle" in excerpt(["hay", text], ("needle",), 60)
    assert excerpt(["hay\nhay", text], (), 60) == "hay hay"
    assert len(excerpt([text], ("needle",), 60)) <= 61


def test_a_query_has_few_words():
    assert words_in("  a B a ") == ("a", "b")
    assert len(words_in(" ".join(map(str, range(50))))) == 10
