"""Findings of the rules of cleaning, in Chinese and English; they never point outside the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.cleaning.cleaning import (
    OWN_LISTS,
    CleaningVerdict,
    Scanner,
    Span,
    around_marks,
    cut_up,
    is_covered,
    own_rules,
    own_words,
    simulated_verdict,
    suggested,
)
from annotation.domain.cleaning.cleaning_patterns import HINTS, PATTERNS, is_identity_number
from annotation.domain.cleaning.cleaning_words import LONGEST_WORD, MOST_WORDS, WordLists, fold_letters, read_words
from annotation.domain.languages import BOTH, CHINESE, ENGLISH
from core.domain.wording import ChoiceError

ALL = Scanner(PATTERNS, {key: own_words(BOTH) for key in OWN_LISTS})
NOTHING = "随便聊聊。"


def found_in(text: str) -> dict[str, list[str]]:
    """Return what each rule marks in a prompt, as text."""
    return {rule: [text[start:end] for _, start, end in spans] for rule, spans in ALL.find(text, NOTHING).items()}


@pytest.mark.parametrize(
    ("text", "rule", "marked"),
    [
        ("打我电话13812345678吧", "telephone", "13812345678"),
        ("电话 138-1234-5678", "telephone", "138-1234-5678"),
        ("座机０７５５－２６０１２３４５", "telephone", "０７５５－２６０１２３４５"),
        ("座机 0755-26012345 找老王", "telephone", "0755-26012345"),
        ("客服400-123-4567", "telephone", "400-123-4567"),
        ("身份证11010519491231002X", "identity", "11010519491231002X"),
        ("发到 li.na_88@example.com.cn 就行", "email", "li.na_88@example.com.cn"),
        ("看这个http://t.cn/A6abc?x=1吧", "url", "http://t.cn/A6abc?x=1"),
        ("去www.example.com看看", "url", "www.example.com"),
        ("加QQ：12345678", "qq", "QQ：12345678"),
        ("扣扣号是 88888888", "qq", "扣扣号是 88888888"),
        ("我的微信号：lin_2024x", "wechat", "微信号：lin_2024x"),
        ("加vx abc-12345", "wechat", "vx abc-12345"),
        ("微信13812345678", "wechat", "微信13812345678"),
        ("我住中山北路１２８号", "address", "我住中山北路１２８号"),
        ("3栋2单元502", "address", "3栋2单元502"),
        ("你这个傻逼", "coarse", "傻逼"),
        ("ＦＵＣＫ off", "coarse", "ＦＵＣＫ"),
        ("今天天气怎么样？", "weather", "今天天气"),
        ("明天北京会下雨吗", "weather", "明天北京会下雨"),
        ("现在房价多少了", "price", "房价多少"),
        ("苹果手机多少钱", "price", "多少钱"),
        ("昨晚那场谁赢了", "score", "谁赢"),
        ("今天星期几", "date", "今天星期几"),
        ("现在几点", "date", "现在几点"),
        ("有什么最新消息", "news", "最新消息"),
        ("Ring me on +44 20 7946 0958.", "telephone_abroad", "+44 20 7946 0958"),
        ("Call (212) 555-0134 tonight", "telephone_abroad", "(212) 555-0134"),
        ("Call 212-555-0134 tonight", "telephone_abroad", "212-555-0134"),
        ("my SSN is 078-05-1120", "social_security", "078-05-1120"),
        ("I live at 221b Baker Street.", "street", "221b Baker Street"),
        ("What's the weather like?", "weather", "What's the weather"),
    ],
)
def test_a_rule_marks_what_it_is_for(text, rule, marked):
    found = found_in(text)
    assert found.get(rule, [None])[0] == marked


@pytest.mark.parametrize(
    "text",
    [
        "今天吃什么好呢",  # a day alone asks for nothing that one has to know
        "我喜欢下雨天",
        "他打了十三通电话",
        "20240115 那天",  # eight digits are no telephone number
        "身份证110105194912310021",  # a wrong check character
        "微信里聊吧",
        "class passed the grass",  # ass is not a word of these
        "版本 3.14.159",
        "走了很远的路",
        "qq表情包",
    ],
)
def test_ordinary_talk_is_left_alone(text):
    assert found_in(text) == {}


def test_hints_look_at_the_prompt_alone():
    assert ALL.find("聊点别的", "今天天气怎么样") == {}
    assert set(ALL.find("今天天气怎么样", "聊点别的")) == {"weather"}


def test_every_rule_that_marks_says_where():
    found = ALL.find("加我微信 lin_2024x", "电话13812345678，傻逼")
    assert found == {
        "wechat": [Span("prompt", 2, 14)],
        "telephone": [Span("response", 2, 13)],
        "coarse": [Span("response", 14, 16)],
    }


def test_a_rule_that_is_switched_off_finds_nothing():
    scanner = Scanner(set(PATTERNS) - {"telephone"}, {})
    assert scanner.find("电话13812345678", "傻逼") == {}


# ---- the identity number, GB 11643-1999 -----------------------------------------------------------------------------


def mod_11_2(body: str) -> str:
    """The check character by the recursive method of ISO 7064, pure system MOD 11-2: another way to the same."""
    product = 0
    for digit in body:
        product = (product + int(digit)) * 2 % 11
    return "0123456789X"[(12 - product) % 11]


@pytest.mark.parametrize("number", ["11010519491231002X", "440524188001010014"])
def test_the_examples_of_the_standard_hold(number):
    assert is_identity_number(number)
    assert is_identity_number(number.lower())


@given(
    address=st.from_regex(r"[1-9][0-9]{5}", fullmatch=True),
    day=st.dates(),
    sequence=st.integers(0, 999),
    wrong=st.integers(1, 10),
)
def test_one_check_character_of_eleven_holds(address, day, sequence, wrong):
    body = f"{address}{day:%Y%m%d}".rjust(14, "0") if day.year >= 1000 else f"{address}{day.year:04d}{day:%m%d}"
    body += f"{sequence:03d}"
    right = mod_11_2(body)
    assert is_identity_number(body + right)
    other = "0123456789X"[("0123456789X".index(right) + wrong) % 11]
    assert not is_identity_number(body + other)


@pytest.mark.parametrize(
    "number", ["110105194913310027", "11010519491231002", "01010519491231002X", "十一010519491231002X"]
)
def test_what_is_no_day_or_no_number_is_none(number):
    assert not is_identity_number(number)


# ---- lists of words -------------------------------------------------------------------------------------------------


def words_found(text: str, **lists: list[str]) -> set[tuple[str, str]]:
    folded = fold_letters(text)
    return {(name, text[start:end]) for name, start, end in WordLists(lists).find(folded)}


def test_of_one_list_the_longest_word_is_found_and_each_list_finds_its_own():
    assert words_found("草泥马来了", short=["草"], long=["草泥马", "草泥"]) == {("short", "草"), ("long", "草泥马")}


def test_a_latin_word_stands_alone_and_a_chinese_one_need_not():
    assert words_found("ass class ASS", a=["ass"]) == {("a", "ass"), ("a", "ASS")}
    assert words_found("这个ass真是", a=["ass"]) == {("a", "ass")}
    assert words_found("他真是个坏蛋啊", a=["坏蛋"]) == {("a", "坏蛋")}
    assert words_found("草1泥马", a=["1泥"]) == {("a", "1泥")}
    assert words_found("草11泥马", a=["1泥"]) == set()


texts = st.text(alphabet="草泥马aAss 12逼微信qQ号:13８天今气@.com路x-", max_size=40)
word_lists = st.dictionaries(st.sampled_from(["a", "b"]), st.lists(st.text("草泥马as1", min_size=1, max_size=4)))


@given(texts, word_lists)
def test_words_are_found_as_by_looking_for_each_at_every_slot(text, lists):
    """Compare with the naive search: a word of the list begins at every reported position, and no position of a
    word without Latin letters is missing.
    """
    folded = fold_letters(text)
    found = {name: set() for name in lists}
    for name, start, end in WordLists(lists).find(folded):
        assert folded[start:end] in lists[name]
        found[name] |= set(range(start, end))
    for name, words in lists.items():
        for word in words:
            for start in range(len(folded)):
                if folded.startswith(word, start) and not any(map(str.isascii, word)):
                    assert found[name] & set(range(start, start + len(word)))


@given(
    st.lists(st.text(alphabet="aS$1 *-草８é\n", max_size=12), max_size=3),
    st.lists(st.text("as$1 *草é", min_size=1, max_size=4).map(fold_letters), max_size=4),
)
def test_a_word_occurs_in_texts_where_it_is_found_in_one_of_them(texts, words):
    lists = WordLists({"a": words})
    found = any([*lists.find(fold_letters(text))] for text in texts)
    assert lists.occur_in(texts) == found


@given(texts, texts, word_lists)
def test_no_span_lies_outside_its_text_or_is_empty(prompt, response, lists):
    for rule, spans in Scanner(PATTERNS, lists).find(prompt, response).items():
        for part, start, end in spans:
            assert 0 <= start < end <= len({"prompt": prompt, "response": response}[part])
            assert not (rule in HINTS and part == "response")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_at_all_can_be_looked_at(prompt, response):
    for spans in ALL.find(prompt, response).values():
        for part, start, end in spans:
            assert 0 <= start < end <= len({"prompt": prompt, "response": response}[part])


@given(texts, texts, st.sets(st.sampled_from(sorted(PATTERNS))))
def test_a_rule_finds_the_same_whichever_others_are_in_use(prompt, response, others):
    together = Scanner(others, {}).find(prompt, response)
    alone = [Scanner({rule}, {}).find(prompt, response) for rule in others]
    assert together == {rule: spans for found in alone for rule, spans in found.items()}


@given(st.text())
def test_folding_keeps_every_letter_in_its_slot(text):
    assert len(fold_letters(text)) == len(text)


def test_folding_takes_case_and_width_away():
    assert fold_letters("ＱＱ：ＡbC１") == "qq:abc1"


def test_a_list_has_one_word_a_line_each_once_and_remarks():
    assert read_words(["# ours", "坏蛋", " ＢＡＤ  ", "", "坏蛋", "bad"]) == ["坏蛋", "bad"]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["好", "x" * (LONGEST_WORD + 1)], "Line 2 has 51 characters"),
        (["", "# nothing"], "This list has no words"),
        ([f"w{number}" for number in range(MOST_WORDS + 1)], "line 20001 is over the limit"),
    ],
)
def test_a_list_that_cannot_be_taken_names_its_line(lines, says):
    with pytest.raises(ChoiceError, match=says):
        read_words(lines)


# ---- seen and unseen, marks, bots -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "seen", "is_so"),
    [
        ({"a": [("prompt", 0, 2)]}, {"a": [["prompt", 0, 2]]}, True),
        ({}, {"a": [["prompt", 0, 2]]}, True),
        ({"a": [("prompt", 0, 2)]}, {}, False),
        ({"a": [("prompt", 0, 2), ("response", 1, 3)]}, {"a": [["prompt", 0, 2]]}, False),
        ({"b": [("prompt", 0, 2)]}, {"a": [["prompt", 0, 2]]}, False),
    ],
)
def test_what_somebody_saw_is_not_asked_again(found, seen, is_so):
    assert is_covered(found, seen) is is_so


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        ([], None),
        (["weather"], CleaningVerdict.KNOWLEDGE),
        (["weather", "telephone"], CleaningVerdict.SENSITIVE),
        (["a list of ours"], CleaningVerdict.SENSITIVE),
    ],
)
def test_rules_point_at_a_verdict(rules, verdict):
    assert suggested(rules) == verdict


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(0, 19), st.integers(1, 6))))
def test_marked_pieces_together_are_the_text(text, positions):
    spans = [(start, min(start + length, len(text))) for start, length in positions if start < len(text)]
    pieces = cut_up(text, spans)
    assert "".join(piece for piece, _ in pieces) == text
    marked = [is_marked for piece, is_marked in pieces for _ in piece]
    assert marked == [any(start <= position < end for start, end in spans) for position in range(len(text))]


def test_a_bot_decides_the_same_under_the_same_seed_and_never_removes_what_nothing_marks():
    chosen = [simulated_verdict(1, f"item-{n}", CleaningVerdict.SENSITIVE) for n in range(200)]
    assert chosen == [simulated_verdict(1, f"item-{n}", CleaningVerdict.SENSITIVE) for n in range(200)]
    assert set(chosen) == {CleaningVerdict.SENSITIVE, CleaningVerdict.KEEP}
    assert simulated_verdict(1, "item", None) == CleaningVerdict.KEEP


def test_a_project_has_the_rules_of_its_language_and_both_have_all():
    chinese, english = {*own_rules(CHINESE)}, {*own_rules(ENGLISH)}
    assert chinese | english == {*own_rules(BOTH)}
    assert chinese & english == {"coarse", "email", "url", *HINTS}
    assert own_words(BOTH) == own_words(CHINESE) + own_words(ENGLISH)
    assert all(word.isascii() for word in own_words(ENGLISH))
    assert not any(word.isascii() for word in own_words(CHINESE))


@pytest.mark.parametrize("text", ["a 10 minute drive", "1984-1985", "555-0134", "in 2024 we met", "100.000"])
def test_numbers_of_everyday_are_no_english_details(text):
    assert not found_in(text)


def test_of_a_long_text_is_shown_what_is_around_the_marks():
    pieces = [("a" * 200, False), ("X", True), ("b" * 90, False), ("Y", True), ("c" * 200, False)]
    assert around_marks(pieces) == [
        ("…" + "a" * 60, False),
        ("X", True),
        ("b" * 90, False),
        ("Y", True),
        ("c" * 60 + "…", False),
    ]
    assert around_marks([("X", True), ("b" * 121, False), ("Y", True)])[1] == ("b" * 60 + "…" + "b" * 60, False)
    assert around_marks([("a" * 500, False)]) == [("a" * 240 + "…", False)]
