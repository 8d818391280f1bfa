import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.text import digest, fold, is_spaced_chinese, join_chinese, join_spaced_chinese, normalise, one_line

any_text = st.text(st.characters())  # lone surrogates and controls included
chinese = st.text("我也要去健身懒半年了，。！？ｖ々〇", min_size=2)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("e\u0301te\u0301", "été"),
        ("\u212b", "Å"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("a\0b\x07c\x7fd\x9fe", "abcde"),
        ("a\tb", "a\tb"),
        ("half \ud83d a pair", "half  a pair"),
        ("user\u202ecod.exe\u202c", "usercod.exe"),
        ("\u2066a\u2069 \u200fb", "a \u200fb"),
        ("\ufeff谢谢", "谢谢"),
        ("\u3000\u00a0 谢谢 \n", "谢谢"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        (" \0 \u202e ", ""),
        ("\u200b\n\u2060\u200d", ""),
        ("\u200bwort\u200b", "\u200bwort\u200b"),
    ],
)
def test_a_text_is_stored_in_one_form(written, stored):
    assert normalise(written) == stored


@given(any_text)
def test_a_normalised_text_stays_as_it_is_and_can_be_stored_and_shown(text):
    stored = normalise(text)
    assert normalise(stored) == stored
    assert unicodedata.is_normalized("NFC", stored)
    assert stored.encode().decode() == stored
    assert not {unicodedata.category(c) for c in stored if c not in "\n\t"} & {"Cc", "Cs"}


def test_a_digest_is_the_sha_256_of_parts_that_each_end_in_nul():
    assert digest("在吗", "在") == hashlib.sha256("在吗\0在\0".encode()).hexdigest()


@pytest.mark.parametrize(
    ("one", "other"),
    [(("ab", "c"), ("a", "bc")), (("ab",), ("a", "b")), (("a", ""), ("a",)), (("",), ()), (("a", "b"), ("b", "a"))],
)
def test_digests_tell_where_one_part_ends(one, other):
    assert digest(*one) != digest(*other)


@given(any_text, any_text)
def test_digests_are_those_of_the_stored_texts(prompt, response):
    assert digest(prompt, response) == digest(normalise(prompt), normalise(response))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello, World!", "hello world"),
        ("ＡＢＣ１２", "abc12"),
        ("你 好。", "你好！"),
        ("STRASSE", "straße"),
        ("“好”——的…", "好的"),
        ("ｶﾞ", "ガ"),
    ],
)
def test_case_width_punctuation_and_space_are_folded_away(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("1+1", "11"), ("好😂", "好😭"), ("……", "？？"), ("", "!"), ("五", "5")])
def test_what_carries_meaning_is_not_folded_away(one, other):
    assert fold(one) != fold(other)


@given(any_text)
def test_folding_does_not_see_case_or_space(text):
    assert fold(f" {text}\n") == fold(text)
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("我 也 要 去 健 身", "我也要去健身"),
        ("今 天 天 气 不 错 ， 对 吧 ？", "今天天气不错，对吧？"),
        ("1 3 年 的 a p p 好 用", "13年的app好用"),
        ("我 用 iPhone 拍 的", "我用 iPhone 拍的"),
        ("我 用 iPhone 14 Pro 拍 的", "我用 iPhone 14 Pro 拍的"),
        ("我 觉得 今天 天气 不错", "我觉得今天天气不错"),
        ("没有 钱 ， boss 不 给 ！", "没有钱，boss 不给！"),
        ("西安 , 我 来 了", "西安,我来了"),
    ],
)
def test_spaced_chinese_is_joined_and_latin_words_keep_a_space(written, stored):
    assert join_spaced_chinese(written) == stored


@pytest.mark.parametrize(
    "text",
    [
        "我要去健身 你去不去",
        "今天天气不错 我们出去玩吧 好不好",
        "你好 在吗 吃了吗",
        "我用 iPhone 拍的",
        "see you at ten , then",
        "A B C",
        "안녕 하세요 여러분",
        "饿 了",
        "",
    ],
)
def test_a_deliberate_space_stays(text):
    assert join_spaced_chinese(text) == text


@given(chinese)
def test_joining_gives_back_what_was_spaced_out(text):
    assert join_chinese(" ".join(text)) == text


@given(st.lists(st.text("我也要去健身懒半年", min_size=1, max_size=3), min_size=1))
def test_joining_takes_no_character_but_spaces(words):
    assert join_chinese(" ".join(words)) == "".join(words)


@given(any_text)
def test_joining_changes_spaces_only(text):
    assert join_chinese(text).replace(" ", "") == text.replace(" ", "")


def test_many_texts_together_tell_what_a_short_one_cannot():
    assert not is_spaced_chinese("饿 了")
    assert is_spaced_chinese("饿 了\n好 的\nok\n不 会")


def test_a_name_is_one_line_that_turns_no_sentence_around():
    assert one_line(" Weibo\u202e pairs\n2\t3\u2028\x00 ") == "Weibo pairs 2 3"
