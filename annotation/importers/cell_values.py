"""The values of a workbook's cells as people write them: numbers, dates and texts."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # a character that XML cannot hold
LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)  # what a number format shows as it is
DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # number formats that every workbook has


def date_styles(styles: Mapping[str, Sequence[Mapping[str, str]]]) -> set[int]:
    """Return the styles of cells that show their number as a date or a time."""
    own = {int(each["numFmtId"]): each.get("formatCode", "") for each in styles["numFmt"]}
    dates = (DATES - own.keys()) | {number for number, code in own.items() if _shows_date(code)}
    return {style for style, each in enumerate(styles["cell xf"]) if int(each.get("numFmtId", 0)) in dates}


def _shows_date(code: str) -> bool:
    shown = LITERAL.sub("", code.partition(";")[0]).casefold()
    return shown != "general" and bool(set(shown) & set("ymdhs"))


def date(day_zero: datetime, days: float) -> str:
    """Return the date, the time, or both, of a number of days; Excel's calendar has a 29 February 1900."""
    if not 0 <= days < 2_958_466:  # the year 10000
        return number(repr(days))
    if 1 <= days < 60 and day_zero.year == 1899:
        days += 1
    at = day_zero + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return at.strftime("%H:%M:%S")
    return at.isoformat(" ") if at.time().isoformat() != "00:00:00" else at.date().isoformat()


def number(value: str) -> str:
    """Return a number as people write it: 4 for 4.0, and without what binary fractions add."""
    number = float(value)
    is_whole = abs(number) < 1e15 and number == int(number)
    return str(int(number)) if is_whole else f"{number:.15g}"


def unescaped(text: str) -> str:
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
