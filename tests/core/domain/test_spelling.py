"""Chinese in Latin letters; the syllables are those of Xiandai Hanyu Cidian."""

import pytest

from core.domain.spelling import has_latin_letters, in_latin


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("微博对话打分 2026", "wei bo dui hua da fen 2026"),
        ("听力 test", "ting li test"),
        ("银行", "yin hang"),
        ("绿色", "lv se"),
        ("Café", "Café"),
        ("", ""),
    ],
)
def test_characters_become_syllables_without_tones(text, spelled):
    assert in_latin(text) == spelled


def test_digits_are_no_letters():
    assert not has_latin_letters("微博 2026")
    assert has_latin_letters("微博 chat")
