"""What should not reach raters (5-grade study, 2.2): rules that point a person to it, and what the person may decide.

A rule is a list of words, a pattern of private details, or a hint at a prompt that only particular outside knowledge
answers. It finds spans; what becomes of a pair is a person's verdict alone.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from annotation.domain.dirty_words import DIRTY_WORDS
from annotation.domain.draws import uniforms
from annotation.domain.text import normalise
from annotation.domain.wording import ChoiceError, gettext_noop

MOST_WORDS = 20_000  # of one list
LONGEST_WORD = 50  # characters


class Verdict(StrEnum):
    KEEP = "keep"
    SENSITIVE = "sensitive"  # removes the pair
    KNOWLEDGE = "knowledge"  # removes the prompt with all its responses


class Part(StrEnum):
    PROMPT = "prompt"
    RESPONSE = "response"


class Span(NamedTuple):
    """The characters ``start`` up to, not including, ``end`` of one of a pair's two texts."""

    part: str
    start: int
    end: int


Findings = dict[str, list[Span]]  # by rule


@dataclass(frozen=True)
class Pattern:
    """A rule of our own: what a person reads as its name, the verdict it suggests, and what it looks for.

    ``regex`` reads folded text; ``holds`` confirms what it found.
    """

    name: str
    suggests: Verdict
    regex: re.Pattern[str]
    holds: Callable[[str], bool] = bool

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        return (found.span() for found in self.regex.finditer(text) if self.holds(found.group()))


_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECK_CHARACTERS = "10x98765432"


def is_identity_number(text: str) -> bool:
    """Whether 18 characters are a citizen identification number by GB 11643-1999.

    Six digits of the address, eight of the date of birth, three of the sequence, and a check character by ISO 7064
    MOD 11-2: the place of the weighted sum of the digits, modulo 11, in ``10X98765432``.
    """
    if not re.fullmatch(r"[1-9][0-9]{16}[0-9xX]", text):
        return False
    try:
        date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    except ValueError:
        return False
    total = sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, text[:17], strict=True))
    return text[17].lower() == _CHECK_CHARACTERS[total % 11]


def _pattern(name: str, *alternatives: str, suggests: Verdict = Verdict.SENSITIVE,
             holds: Callable[[str], bool] = bool) -> Pattern:  # fmt: skip
    return Pattern(name, suggests, re.compile("|".join(alternatives)), holds)


# Every repetition is bounded and none stands inside another: no text can make a search slow.
_NUMBER = r"(?<![0-9])(?:%s)(?![0-9])"
_NAMED = r"(?:号码|账号|帐号|号|是|为|加我|加|:|-|\s){0,4}"
_HAN = "[\u4e00-\u9fff]"

PRIVATE = {
    "telephone": _pattern(
        gettext_noop("Telephone number"),
        _NUMBER % r"(?:\+?86[- ]?)?1[3-9][0-9][- ]?[0-9]{4}[- ]?[0-9]{4}",
        _NUMBER % r"0[0-9]{2,3}[- ]?[2-9][0-9]{6,7}",
        _NUMBER % r"[48]00[- ]?[0-9]{3}[- ]?[0-9]{4}",
    ),
    "identity": _pattern(
        gettext_noop("Identity number"), r"(?<![0-9])[1-9][0-9]{16}[0-9x](?![0-9a-z])", holds=is_identity_number
    ),
    "email": _pattern(
        gettext_noop("E-mail address"),
        r"(?<![a-z0-9._%+-])[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![a-z0-9])",
    ),
    "url": _pattern(
        gettext_noop("Web address"),
        r"https?://[a-z0-9._~:/?#@!$&'()*+,;=%\[\]-]{1,2000}",
        r"(?<![a-z0-9.@_-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|cn|net|org|edu|gov|info|cc|tv|me|io|top|xyz)(?![a-z0-9@-])"
        r"(?:/[a-z0-9._~/?#&=%+-]{0,2000})?",
    ),
    "qq": _pattern(
        gettext_noop("QQ number"),
        r"(?:(?<![a-z])q{1,2}|扣扣|企鹅)" + _NAMED + r"[1-9][0-9]{4,10}(?![0-9])",
        r"(?:(?<![a-z])qq群|q群|群号)" + _NAMED + r"[1-9][0-9]{4,10}(?![0-9])",
    ),
    "wechat": _pattern(
        gettext_noop("WeChat number"),
        r"(?:微信|威信|薇信|v信|(?<![a-z])(?:vx|wx|weixin|wechat))(?:id)?" + _NAMED
        + r"(?:[a-z][a-z0-9_-]{5,19}|1[3-9][0-9]{9})(?![a-z0-9_-])",
    ),
    "address": _pattern(
        gettext_noop("Postal address"),
        _HAN + r"{1,12}(?:路|街|大道|巷|弄|胡同|小区|新村|花园)[0-9]{1,5}(?:号|弄|栋|幢|楼|单元|室)",
        r"(?<![0-9])[0-9]{1,4}(?:栋|幢|号楼|座)[0-9]{1,2}(?:单元|门)[0-9]{0,4}",
    ),
}  # fmt: skip

_NOW = (
    "(?:今天|今日|今晚|今早|今年|明天|明早|明晚|明日|后天|昨天|昨晚|昨日|前天|现在|目前|这两天|这几天|最近|这周|本周|"
    "下周|这周末|周末|today|tonight|tomorrow|yesterday|right now|this week|this weekend)"
)
_NEAR = "[^。!?;\n]{0,12}"


def _hint(name: str, *alternatives: str) -> Pattern:
    return _pattern(name, *alternatives, suggests=Verdict.KNOWLEDGE)


HINTS = {
    "weather": _hint(
        gettext_noop("Weather"),
        _NOW + _NEAR + "(?:天气|气温|温度|下雨|下雪|刮风|降温|雾霾|台风|多少度|几度|冷不冷|热不热|weather|rain|snow)",
        "(?:天气|气温)" + _NEAR + "(?:怎么样|怎样|如何|多少|预报)",
        "(?:what(?:'s| is)|how(?:'s| is)) the weather|weather forecast",
    ),
    "price": _hint(
        gettext_noop("Prices"),
        "多少钱|什么价|啥价|几块钱",
        "(?:油价|房价|金价|股价|菜价|肉价|票价|汇率|股票|行情|价格)" + _NEAR + "(?:多少|怎么样|如何|几|涨|跌)",
        "how much (?:is|are|does|do)|(?:share|stock|oil|gold) price|exchange rate",
    ),
    "score": _hint(
        gettext_noop("Scores and results"),
        "比分|几比几|开奖|中奖号码|夺冠了[吗没]|(?:赢|输)了[吗没]",
        "(?:谁|哪队|哪个队)[^。!?;\n]{0,6}(?:赢|输|夺冠|冠军|晋级|第一名)",
        "who won|what(?:'s| is| was) the score|final score",
    ),
    "date": _hint(
        gettext_noop("Dates and times"),
        _NOW + "[^。!?;\n]{0,6}(?:几号|几月|几点|星期几|周几|礼拜几|什么日子|什么节)",
        "几点了|什么时候放假|还有几天",
        "what time is it|what day is (?:it|today)|what(?:'s| is) the (?:date|time)",
    ),
    "news": _hint(
        gettext_noop("News"),
        "(?:最新|今天|今日|最近)[^。!?;\n]{0,6}(?:新闻|消息|头条|热搜)",
        "latest news|news today|breaking news",
    ),
}  # fmt: skip

PATTERNS = {**PRIVATE, **HINTS}
OWN_WORDS = "coarse"
OWN_LISTS: dict[str, tuple[str, tuple[str, ...]]] = {
    OWN_WORDS: (gettext_noop("Coarse words, our own list"), DIRTY_WORDS)
}
OWN_RULES = (OWN_WORDS, *PATTERNS)


class _Folding(dict[int, int]):
    """A table for ``str.translate`` that folds case and width letter by letter, filled as letters are met."""

    def __missing__(self, codepoint: int) -> int:
        folded = unicodedata.normalize("NFKC", chr(codepoint)).casefold()
        self[codepoint] = ord(folded) if len(folded) == 1 else codepoint
        return self[codepoint]


_FOLDING = _Folding()


def fold_letters(text: str) -> str:
    """The text without differences of case and width, each letter in its place: as long as the text itself."""
    return text.translate(_FOLDING)


def read_words(lines: Iterable[str]) -> list[str]:
    """The words of a list, one a line, folded, each once, in order of the file; a line that begins with # is a remark.

    ChoiceError names the line that cannot be taken.
    """
    words: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        word = fold_letters(normalise(line))
        if not word or word.startswith("#"):
            continue
        if len(word) > LONGEST_WORD:
            raise ChoiceError(
                gettext_noop(
                    "Line %(line)d has %(length)d characters; a word has at most %(most)d. Write one word a line."
                ),
                line=number, length=len(word), most=LONGEST_WORD,
            )  # fmt: skip
        words[word] = None
        if len(words) > MOST_WORDS:
            raise ChoiceError(
                gettext_noop("A list has at most %(most)d words; line %(line)d is one more. Split it into two lists."),
                line=number, most=MOST_WORDS,
            )  # fmt: skip
    if not words:
        raise ChoiceError(gettext_noop("No word stands in this list. Write one word a line."))
    return list(words)


class WordLists:
    """The words of many lists, found by one pass over a text, however many they are.

    At each letter the text is looked up once for every length that words beginning with this letter have.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._lists_of: dict[str, list[str]] = defaultdict(list)
        lengths: dict[str, set[int]] = defaultdict(set)
        for name, words in lists.items():
            for word in set(words):
                self._lists_of[word].append(name)
                lengths[word[0]].add(len(word))
        self._lengths = {letter: sorted(known, reverse=True) for letter, known in lengths.items()}

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """(list, start, end) of every word in a folded text; of one list the longest, and none across another.

        A word that begins or ends with a letter or digit of a script that is written with spaces stands alone there:
        *ass* is not found in *class*.
        """
        ends: dict[str, int] = defaultdict(int)
        for start, letter in enumerate(text):
            for length in self._lengths.get(letter, ()):
                end = start + length
                for name in self._lists_of.get(text[start:end], ()):
                    if end <= len(text) and start >= ends[name] and _stands_alone(text, start, end):
                        ends[name] = end
                        yield name, start, end


def _stands_alone(text: str, start: int, end: int) -> bool:
    is_begun = start > 0 and _is_spaced(text[start]) and _is_spaced(text[start - 1])
    goes_on = end < len(text) and _is_spaced(text[end - 1]) and _is_spaced(text[end])
    return not is_begun and not goes_on


def _is_spaced(letter: str) -> bool:
    """Whether it is a letter or digit of a script written with spaces: all that stand before the CJK blocks."""
    return letter < "\u2e80" and letter.isalnum()


class Scanner:
    """The rules of a project that are in use, ready to look at many pairs."""

    def __init__(self, patterns: Collection[str], lists: Mapping[str, Iterable[str]]) -> None:
        self._private = [(key, PRIVATE[key]) for key in PRIVATE if key in patterns]
        self._hints = [(key, HINTS[key]) for key in HINTS if key in patterns]
        self._words = WordLists(lists)

    def find(self, prompt: str, response: str) -> Findings:
        """What the rules find in a pair; hints look at the prompt alone."""
        found: dict[str, list[Span]] = defaultdict(list)
        for part, text in ((Part.PROMPT, fold_letters(prompt)), (Part.RESPONSE, fold_letters(response))):
            for name, start, end in self._words.find(text):
                found[name].append(Span(part.value, start, end))
            patterns = self._private if _LATIN_OR_DIGIT.search(text) else []
            for key, pattern in patterns + (self._hints if part is Part.PROMPT else []):
                found[key] += (Span(part.value, *ends) for ends in pattern.spans(text))
        return {rule: spans for rule, spans in found.items() if spans}


_LATIN_OR_DIGIT = re.compile("[a-z0-9]")  # no private detail is without one


def is_covered(found: Mapping[str, Sequence[Sequence[object]]], seen: Mapping[str, Sequence[Sequence[object]]]) -> bool:
    """Whether somebody who saw ``seen`` in a pair saw all of ``found`` in it: then there is nothing to ask again."""
    return all({*map(tuple, spans)} <= {*map(tuple, seen.get(rule, ()))} for rule, spans in found.items())


def cut_up(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is marked; put together again they are the text."""
    marked = sorted(spans)
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in marked:
        if end <= at:
            continue
        start = max(start, at)
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    pieces.append((text[at:], False))
    return [(piece, is_marked) for piece, is_marked in pieces if piece]


FOLLOWED = {Verdict.SENSITIVE: 0.7, Verdict.KNOWLEDGE: 0.5}  # how often a bot does what the rules point at


def simulated_verdict(seed: int, item: str, suggested: Verdict | None) -> Verdict:
    """What a bot decides about an item: the same for the same seed, whichever bot it is."""
    if suggested is None:
        return Verdict.KEEP
    [chance] = uniforms(seed, "clean", item)[:1]
    return suggested if chance < FOLLOWED[suggested] else Verdict.KEEP
