"""How texts are written, and the attention check after them."""

import pytest

from study.domain.survey.look import Look, language_of, look_of, written_in
from study.domain.survey.own_questions import CHECKS, attention_check

TOKENISED = ["where is the salt ?", "beside the stove , as ever .", "i do n't know ."]
ORDINARY = ["Where is the salt?", "Beside the stove, as ever.", "I don't know."]
CHAT = ["anyone know how to mount it", "try sudo mount -a, worked here", "thanks"]


@pytest.mark.parametrize(
    ("texts", "look"),
    [
        (TOKENISED, Look(is_lower=True, is_spaced=True)),
        (ORDINARY, Look()),
        (CHAT, Look(is_lower=True, is_open=True)),
        (["盐在哪儿？", "在炉子旁边。"], Look()),
        (["盐 在 哪儿 ？", "在 炉子 旁边 。"], Look(is_spaced=True)),
        ([], Look()),
    ],
)
def test_the_look_is_that_of_most_texts(texts, look):
    assert look_of(texts) == look


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("texts", [TOKENISED, ORDINARY, CHAT])
@pytest.mark.parametrize("number", range(4))
def test_the_check_is_written_in_the_look_of_its_neighbours(language, texts, number):
    look = look_of(texts)
    check = attention_check(language, 5, look, number)
    shown = [*(turn["text"] for turn in check.context), *check.candidates]
    assert len(check.candidates) == 5
    if language == "en":
        assert look_of(shown) == look
    assert [written_in(text, look) for text in shown] == shown


def test_in_the_ordinary_look_the_check_is_as_it_was_written():
    assert attention_check("en", 10, Look()) == CHECKS["en"][0]


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (TOKENISED, "en"),
        (["盐 在 哪儿 ？", "在 iPhone 旁边。"], "zh-hans"),
        (["Wo ist das Salz?"], "en"),
        ([*ORDINARY, "盐在哪儿？"], "en"),
        (["123", "?!"], None),
        ([], None),
    ],
)
def test_the_language_is_that_of_most_letters(texts, language):
    assert language_of(texts) == language
