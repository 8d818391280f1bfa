"""Names, addresses and the like in the texts of a corpus, replaced by tags; hashtags stay.

Rules find what has a form of its own. They do not know that a plain word is a person's name: a name is found after a
title (Dr. Jones) and after "my name is". A phone number begins with + or an area in brackets, has groups such as
555-123-4567, begins with a zero (01234 567890), or follows "call": two other groups of digits are more often a screen's
size, ports or a version. Four parts are an ip address where the first is 10 or more. Below 10 they are a version
(2.6.8.1), unless a word such as "ping" is before them or a port behind, all parts are equal, or they are a well-known
server of names (8.8.8.8).
"""

import re
from collections import Counter
from collections.abc import Collection
from html import unescape

from annotation.domain.corpora.ledger import ImportLedger

HTML_ENTITIES = "html_entities"  # &amp; and the like, of which the character is kept
_STREET = "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Square|Court|Way|Terrace"
_NAME = r"[A-Z][\w'’-]+"
_PLACE = r"(?:(?:https?|ftp|ssh|irc)://|www\.)\S*[\w/]|[\w-]+(?:\.[\w-]+)*\.[a-zA-Z]{2,6}/\S*[\w/]"
_UNIX_PATH = r"(?<![\w/.~<])(?:~/[\w.+-]*|\.{0,2}/[\w.+-]+(?=/))(?:/[\w.+-]*)*(?<!\.)"
_INTERNATIONAL = r"\+\d(?:[ .-]?\(?\d\)?){6,14}"
_WITH_AREA = r"\(\d{2,5}\) ?(?=(?:[ -]?\d){6,10}(?![ -]?\d))\d{2,10}(?:[ -]\d{2,5}){0,3}"
_THREE_GROUPS = r"(?:1[ .-])?\d{3}(?P<between>[ .-])\d{3}(?P=between)\d{4}"
_LEADING_ZERO = r"(?=(?:[ -]?\d){9,12}(?![ -]?\d))0[1-9]\d{1,3}(?:[ -]\d{3,8}){1,2}"
_AFTER_CALL = r"(?:(?<=[Cc]all )|(?<=[Dd]ial )|(?<=[Pp]hone )|(?<=[Tt]el\. ))\d{3}[ -]\d{4}"
_CHINESE_MOBILE = r"(?<![a-zA-Z_\d.+-])1[3-9]\d(?P<gap>[ -]?)\d{4}(?P=gap)\d{4}(?![a-zA-Z_\d:-])"
# A sequence of numbers goes on before or after: a modeline, a range of ports, a time.
_NUMBER = rf"(?<!\d[ .-])(?:{_INTERNATIONAL}|{_WITH_AREA}|{_THREE_GROUPS}|{_LEADING_ZERO}|{_AFTER_CALL})(?![ .-]?\d)"
_PART = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_FROM_TEN = rf"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]\d)(?:\.{_PART}){{3}}"
_OF_NAMES = r"8\.8\.(?:8\.8|4\.4)|4\.2\.2\.[1-6]|9\.9\.9\.(?:9|10)|1\.[01]\.[01]\.[1-3]"  # public servers of names
_ALL_EQUAL = r"(?P<part>\d)(?:\.(?P=part)){3}"
_MARKED = "|".join(rf"(?<={word})" for word in ("ping ", r"\b[Ii][Pp] ", "server ", "inet ", "addr:"))
_BELOW_TEN = rf"(?:{_MARKED})\d(?:\.{_PART}){{3}}|\d(?:\.{_PART}){{3}}(?=:\d)"
_NO_VERSION = r"(?<![\w.])(?<![a-zA-Z]-)(?<![Vv]ersion )(?<![Rr]elease )"
_IP = rf"{_NO_VERSION}(?:{_FROM_TEN}|{_OF_NAMES}|{_ALL_EQUAL}|{_BELOW_TEN})(?!\w|\.\d|[-+~](?!{_FROM_TEN}))"

# By kind, in the order in which they are looked for: the form, and what takes its place.
_FORMS = {
    "email": (r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", "[email]"),
    "url": (rf"(?<![\w.@-])(?:{_PLACE})", "[url]"),
    "path": (rf"{_UNIX_PATH}|\b[A-Z]:\\\S+", "[path]"),
    "ip": (_IP, "[ip]"),
    "address": (rf"(?<!\w)\d{{1,5}} (?:{_NAME} ){{1,3}}(?:{_STREET})\b\.?", "[address]"),
    "phone": (rf"(?<![\w.+-])(?:{_NUMBER})(?![\w:-])|{_CHINESE_MOBILE}", "[phone]"),
    "user": (r"(?<![\w@])@(?!user\b)\w+", "@user"),
    "name": (rf"\b((?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? |[Mm]y name(?: is|['’]s) ){_NAME}(?: {_NAME})?", r"\1[name]"),
}
_PATTERNS = {kind: (re.compile(form), tag) for kind, (form, tag) in _FORMS.items()}
KINDS = tuple(_FORMS)
# One of these characters is in each text that has such a place: most texts have none, and are not searched.
_NEEDED = {"email": "@", "user": "@", "url": "./", "path": "/\\"} | dict.fromkeys(
    ("ip", "address", "phone"), "0123456789"
)


def replaced(text: str, ledger: ImportLedger, *, leave: Collection[str] = ()) -> str:
    """Return the text with tags, and count each replacement by its kind; the kinds in `leave` stay as they are."""
    for kind, (pattern, tag) in _PATTERNS.items():
        if kind not in leave and _may_have(text, kind) and (first := pattern.search(text)):
            text, places = pattern.subn(tag, text)
            ledger.replace(kind, places, first.string, first.span(), first.expand(tag))
    return text


def _may_have(text: str, kind: str) -> bool:
    needed = _NEEDED.get(kind)
    return needed is None or any(character in text for character in needed)


def without_entities(text: str, changed: Counter[str]) -> str:
    """Return the text with characters in place of HTML entities."""
    if "&" not in text:
        return text
    plain = unescape(text)
    changed[HTML_ENTITIES] += plain != text
    return plain
