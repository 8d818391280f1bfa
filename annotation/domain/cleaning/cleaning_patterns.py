"""Rules that come with the product: private details, and hints at prompts that ask for outside knowledge."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from core.domain.wording import gettext_noop


@dataclass(frozen=True)
class Pattern:
    """A built-in rule: the name that people read, and what it looks for.

    ``regex`` reads folded text; ``holds`` confirms a match. ``language`` is the one of the texts in which such a thing
    occurs, a key of ``WRITTEN``; empty: in all.
    """

    name: str
    regex: re.Pattern[str]
    holds: Callable[[str], bool] = bool
    language: str = ""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of each confirmed match."""
        return (found.span() for found in self.regex.finditer(text) if self.holds(found.group()))


_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECK_CHARACTERS = "10x98765432"


def is_identity_number(text: str) -> bool:
    """Return whether 18 characters are a citizen identification number by GB 11643-1999.

    Six digits of the address, eight of the date of birth, three of the sequence, and a check character by ISO 7064 MOD
    11-2: the one in ``10X98765432`` at the weighted sum of the digits, modulo 11.
    """
    if not re.fullmatch(r"[1-9][0-9]{16}[0-9xX]", text):
        return False
    try:
        date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    except ValueError:
        return False
    total = sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, text[:17], strict=True))
    return text[17].lower() == _CHECK_CHARACTERS[total % 11]


def _pattern(name: str, *alternatives: str, holds: Callable[[str], bool] = bool, language: str = "") -> Pattern:
    return Pattern(name, re.compile("|".join(alternatives)), holds, language)


# Every repetition is bounded and none is inside another: no text can make a search slow.
_NUMBER = r"(?<![0-9])(?:%s)(?![0-9])"
_NAMED = r"(?:号码|账号|帐号|号|是|为|加我|加|:|-|\s){0,4}"
_HAN = "[\u4e00-\u9fff]"

PRIVATE = {
    "telephone": _pattern(
        gettext_noop("Telephone number"),
        _NUMBER % r"(?:\+?86[- ]?)?1[3-9][0-9][- ]?[0-9]{4}[- ]?[0-9]{4}",
        _NUMBER % r"0[0-9]{2,3}[- ]?[2-9][0-9]{6,7}",
        _NUMBER % r"[48]00[- ]?[0-9]{3}[- ]?[0-9]{4}",
        language="zh",
    ),
    "telephone_abroad": _pattern(
        gettext_noop("Telephone number, international or American"),
        r"(?<![0-9+])\+(?!86)[1-9][0-9 ().-]{7,18}[0-9](?![0-9])",
        _NUMBER % r"(?:1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.-])[2-9][0-9]{2}[ .-][0-9]{4}",
        language="en",
    ),
    "identity": _pattern(
        gettext_noop("Identity number"),
        r"(?<![0-9])[1-9][0-9]{16}[0-9x](?![0-9a-z])",
        holds=is_identity_number,
        language="zh",
    ),
    "social_security": _pattern(
        gettext_noop("Social security number"),
        _NUMBER % "(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}",
        language="en",
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
        language="zh",
    ),
    "wechat": _pattern(
        gettext_noop("WeChat number"),
        r"(?:微信|威信|薇信|v信|(?<![a-z])(?:vx|wx|weixin|wechat))(?:id)?"
        + _NAMED
        + r"(?:[a-z][a-z0-9_-]{5,19}|1[3-9][0-9]{9})(?![a-z0-9_-])",
        language="zh",
    ),
    "address": _pattern(
        gettext_noop("Postal address"),
        _HAN + r"{1,12}(?:路|街|大道|巷|弄|胡同|小区|新村|花园)[0-9]{1,5}(?:号|弄|栋|幢|楼|单元|室)",
        r"(?<![0-9])[0-9]{1,4}(?:栋|幢|号楼|座)[0-9]{1,2}(?:单元|门)[0-9]{0,4}",
        language="zh",
    ),
    "street": _pattern(
        gettext_noop("Street address"),
        r"(?<![0-9])[0-9]{1,5}[a-z]? [a-z.]{2,20} (?:[a-z.]{2,20} )?"
        r"(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane)(?![a-z])",
        language="en",
    ),
}

_NOW = (
    "(?:今天|今日|今晚|今早|今年|明天|明早|明晚|明日|后天|昨天|昨晚|昨日|前天|现在|目前|这两天|这几天|最近|这周|本周|"
    "下周|这周末|周末|today|tonight|tomorrow|yesterday|right now|this week|this weekend)"
)
_NEAR = "[^。!?;\n]{0,12}"


HINTS = {
    "weather": _pattern(
        gettext_noop("Weather"),
        _NOW + _NEAR + "(?:天气|气温|温度|下雨|下雪|刮风|降温|雾霾|台风|多少度|几度|冷不冷|热不热|weather|rain|snow)",
        "(?:天气|气温)" + _NEAR + "(?:怎么样|怎样|如何|多少|预报)",
        "(?:what(?:'s| is)|how(?:'s| is)) the weather|weather forecast",
    ),
    "price": _pattern(
        gettext_noop("Prices"),
        "多少钱|什么价|啥价|几块钱",
        "(?:油价|房价|金价|股价|菜价|肉价|票价|汇率|股票|行情|价格)" + _NEAR + "(?:多少|怎么样|如何|几|涨|跌)",
        "how much (?:is|are|does|do)|(?:share|stock|oil|gold) price|exchange rate",
    ),
    "score": _pattern(
        gettext_noop("Scores and results"),
        "比分|几比几|开奖|中奖号码|夺冠了[吗没]|(?:赢|输)了[吗没]",
        "(?:谁|哪队|哪个队)[^。!?;\n]{0,6}(?:赢|输|夺冠|冠军|晋级|第一名)",
        "who won|what(?:'s| is| was) the score|final score",
    ),
    "date": _pattern(
        gettext_noop("Dates and times"),
        _NOW + "[^。!?;\n]{0,6}(?:几号|几月|几点|星期几|周几|礼拜几|什么日子|什么节)",
        "几点了|什么时候放假|还有几天",
        "what time is it|what day is (?:it|today)|what(?:'s| is) the (?:date|time)",
    ),
    "news": _pattern(
        gettext_noop("News"),
        "(?:最新|今天|今日|最近)[^。!?;\n]{0,6}(?:新闻|消息|头条|热搜)",
        "latest news|news today|breaking news",
    ),
}

PATTERNS = {**PRIVATE, **HINTS}
