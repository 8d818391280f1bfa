"""The script's word overlap is that of annotation.domain.overlap, on the same cases."""

import pytest
from django.templatetags.static import static

from annotation.domain.overlap import overlap, words_of
from tests.dialogues import CANDIDATES, TURNS

TEXTS = [
    "", "  ", "…", "It's the library room.", "It’s  THE library, room", "Straße STRASSE straße", "ΟΔΟΣ οδός ὀδός",
    "İstanbul ISPARTA ıspata", "ﬁne ﬂow", "ſhort ŉ ǰ ᾳ ẞ µ K", "a_b_c snake_case", "'quoted' words' 'n' rock'n'roll",
    "room42 4.2 42", "²³ ½ Ⅷ",
    "我们明天去图书馆吧。", "周六 book 图书馆 two!", "ひらがな カタカナ 漢字", "々〇", "한국어 낱말",
    "naïve naïve", "e-mail twenty-two", "👍🏽 good", "𠀀𠀁 rare", "word\nnext\tlast", "A.M. p.m.", "l'eau d’or",
]  # fmt: skip
CONTEXTS = [
    [text for _speaker, text in TURNS],
    ["STRASSE it's ΟΔΌΣ fine room42 图书馆 K", "İSTANBUL rock’n’roll ½ short"],
    [],
]


@pytest.fixture
def page(open_page):
    return open_page("/signin/")


def test_the_words_are_the_same(page):
    script = """async ([url, texts]) => {
        const { tokens } = await import(url);
        return texts.map((text) => tokens(text).map(({ word }) => word));
    }"""
    texts = [*TEXTS, *CANDIDATES]
    found = page.evaluate(script, [static("js/rewriting/overlap.js"), texts])
    assert [(text, len(words)) for text, words in zip(texts, found, strict=True)] == [
        (text, len(words_of(text))) for text in texts
    ]


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_overlap_is_the_same(context, page):
    script = """async ([url, texts, context]) => {
        const { overlap, wordsOf } = await import(url);
        const known = wordsOf(context);
        return texts.map((text) => { const { shared, words } = overlap(text, known); return [shared, words]; });
    }"""
    texts = [*TEXTS, *CANDIDATES]
    found = page.evaluate(script, [static("js/rewriting/overlap.js"), texts, context])
    assert list(zip(texts, map(tuple, found), strict=True)) == [(text, tuple(overlap(text, context))) for text in texts]


def test_words_that_fold_to_the_same_are_the_same_word(page):
    pairs = [["Straße", "STRASSE"], ["ΟΔΟΣ", "οδος"], ["ﬁne", "FINE"], ["it’s", "IT'S"], ["ẞ", "ss"], ["ŉ", "ŉ"]]
    script = """async ([url, pairs]) => {
        const { overlap, wordsOf } = await import(url);
        return pairs.map(([one, other]) => overlap(one, wordsOf([other])).shared);
    }"""
    assert page.evaluate(script, [static("js/rewriting/overlap.js"), pairs]) == [
        overlap(one, [other]).shared for one, other in pairs
    ]
