"""Estimates on a page: numbers as papers print them; whiskers and small bars drawn by SVG attributes alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.presenters.axis import Axis

register = template.Library()

NOTHING_VARIES = 1e-9  # wide at most is an interval of what does not vary
SMALLEST_P = 0.001  # shown; a smaller one is below it
BAR, STEP, HEIGHT = 11, 13, 20  # of a small bar, in units of its drawing


@register.filter
def share(value: float | None, digits: int = 3) -> str:
    """Format a share: .489 for 0.489, 1.000 for 1, with a true minus sign; empty for None."""
    if value is None:
        return ""
    text = f"{abs(value):.{digits}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text[1:] if text.startswith("0.") else text)


@register.filter
def interval(ends: tuple[float, float] | None) -> str:
    """Format an interval: .474–.503, with spaces around the dash where there is a minus sign."""
    if ends is None:
        return ""
    low, high = (share(end) for end in ends)
    return f"{low} – {high}" if "−" in low else f"{low}–{high}"


@register.filter
def p_value(p: float | None) -> str:
    """Format a p-value with three digits; a dash where there is none.

    >>> p_value(0.0391), p_value(0.0007), p_value(None)
    ('.039', '< .001', '–')
    """
    return "–" if p is None else "< .001" if p < SMALLEST_P else share(p)


@register.filter
def p_with_sign(p: float) -> str:
    """Format a p-value as it follows the letter: = .039, < .001."""
    return p_value(p) if p < SMALLEST_P else f"= {p_value(p)}"


@register.filter
def in_percent(value: float | None, digits: int = 1) -> str:
    """Format a share as a number of per cents: 48.9 for 0.489, with a true minus sign; empty for None."""
    return "" if value is None else f"{100 * value:.{digits}f}".replace("-", "−")


@register.filter
def percent_interval(ends: tuple[float, float] | None) -> str:
    """Format an interval in per cents: 47.4–50.3, with spaces around the dash where there is a minus sign."""
    if ends is None:
        return ""
    low, high = (in_percent(end) for end in ends)
    return f"{low} – {high}" if "−" in low else f"{low}–{high}"


@register.filter
def signed_points(value: float | None, digits: int = 1) -> str:
    """Format a difference of shares in points of a hundred with its sign: a dash where there is none.

    >>> [signed_points(value) for value in (0.125, -0.15, -0.0001, None)]
    ['+12.5', '−15.0', '0.0', '–']
    """
    if value is None:
        return "–"
    text = f"{100 * value:+.{digits}f}".replace("-", "−")
    return text if float(text[1:]) else text[1:]


@register.filter
def signed_interval(ends: Sequence[float] | None) -> str:
    """Format the interval of a difference in points, −28.7 to −0.8; a dash where there is none.

    One whose ends meet is none: nothing varies.
    """
    if ends is None:
        return "–"
    if ends[1] - ends[0] < NOTHING_VARIES:
        return _("no interval: nothing varies")
    return _("%(low)s to %(high)s") % {"low": signed_points(ends[0]), "high": signed_points(ends[1])}


@register.filter
def percent(part: float, whole: float) -> str:
    """Format a share in per cent with one digit, 22.0; 0 of 0 is 0.0."""
    return f"{100 * part / whole:.1f}" if whole else "0.0"


@register.filter
def time_at_work(hours: float) -> str:
    """Format hours: in minutes below one hour, else in hours with one digit."""
    if hours < 1:
        return _("%(minutes)d min") % {"minutes": round(60 * hours)}
    return _("%(hours)s h") % {"hours": number_format(f"{hours:.1f}", decimal_pos=1)}


@register.filter
def short_time(seconds: float) -> str:
    """Format seconds: whole seconds below two minutes, else minutes with one digit."""
    if seconds < 120:
        return _("%(seconds)d s") % {"seconds": round(seconds)}
    return _("%(minutes)s min") % {"minutes": number_format(f"{seconds / 60:.1f}", decimal_pos=1)}


@register.filter
def fraction(part: float, whole: float) -> float:
    """Return part of whole from 0 to 1, for the width of a bar; 0 of 0 is 0."""
    return part / whole if whole else 0.0


@register.filter
def named(names: Mapping[str, Any], key: str) -> Any:
    """Return the name of a key, or the key itself when it has no name."""
    return names.get(key, key)


@register.simple_tag
def whisker(
    axis: Axis, value: float | None, ends: tuple[float, float] | None, after: float | None = None
) -> SafeString:
    """Draw a point with its interval on an axis, and a hollow point for the same figure after the filter."""
    rule = SafeString('<line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>')
    spans = [] if ends is None else [tuple(map(axis.percent, ends))]
    points = [("point-now", value), ("point-after", after)]
    return format_html(
        '<svg class="whisker people" aria-hidden="true">{}{}{}</svg>',
        rule,
        format_html_join("", '<line class="span" x1="{}%" x2="{}%" y1="50%" y2="50%"/>', spans),
        format_html_join(
            "",
            '<circle class="{}" cx="{}%" cy="50%" r="4"/>',
            ((kind, axis.percent(point)) for kind, point in points if point is not None),
        ),
    )


@register.simple_tag
def chance_whisker(kind: str, value: Any, ends: Any, chance: float | Sequence[float] | None) -> SafeString:
    """Draw a point on a line from 0 to 1: a disc for people, a square for models, a ring for published figures.

    Chance is a line, or two between which it lies.
    """
    known = () if chance is None else chance if isinstance(chance, Sequence) else (chance,)
    guess = [(_hundredths(one),) * 2 for one in dict.fromkeys(known)]
    span = [] if not ends else [tuple(map(_hundredths, ends))]
    point = [] if value in (None, "") else [(_hundredths(value),)]  # a template has "" for what is not there
    shape = (
        '<rect class="point" x="{}%" y="50%" width="8" height="8" transform="translate(-4 -4)"/>'
        if kind.endswith("model")
        else '<circle class="point" cx="{}%" cy="50%" r="4"/>'
    )
    return format_html(
        '<svg class="whisker {}" aria-hidden="true">'
        '<line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>{}{}{}</svg>',
        kind,
        format_html_join("", '<line class="chance" x1="{}%" x2="{}%" y1="-60%" y2="160%"/>', guess),
        format_html_join("", '<line class="span" x1="{}%" x2="{}%" y1="50%" y2="50%"/>', span),
        format_html_join("", shape, point),
    )


@register.simple_tag
def lanes(
    axis: Axis,
    estimates: Sequence[tuple[str, float | None, tuple[float, float] | None]],
    zone: tuple[float, float] | None = None,
) -> SafeString:
    """Draw kind, value and interval of estimates one below another: discs for people, squares for models.

    A zone is an interval to compare all with, drawn behind them.
    """
    low, high = zone or (axis.low, axis.low)
    heights = [f"{100 * (number + 0.5) / len(estimates):.0f}" for number in range(len(estimates))]
    return format_html(
        '<svg class="whisker multi" aria-hidden="true"><rect class="zone" x="{}%" width="{}%" y="-40%" height="180%"/>'
        '<line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>{}</svg>',
        axis.percent(low),
        axis.percent(axis.low + high - low),
        format_html_join(
            "",
            '<g class="{}">{}{}</g>',
            (
                (kind, _span(axis, ends, height), _mark(axis, value, height, is_round=kind == "people"))
                for height, (kind, value, ends) in zip(heights, estimates, strict=True)
            ),
        ),
    )


@register.simple_tag
def axis_ends(axis: Axis) -> SafeString:
    """Draw the two ends of an axis, for the head of a column of whiskers."""
    return format_html(
        '<span class="ends num" aria-hidden="true"><span>{}</span><span>{}</span></span>',
        *map(_tick, (axis.low, axis.high)),
    )


@register.simple_tag
def spark(counts: Sequence[int], top: float) -> SafeString:
    """Draw shares of counts as small bars. A share of `top`, equal for all rows of a table, has the full height."""
    shares = [count / sum(counts) for count in counts]
    heights = [HEIGHT * share / top for share in shares]
    bars = (
        (STEP * position, f"{HEIGHT - height:.2f}", BAR, f"{height:.2f}") for position, height in enumerate(heights)
    )
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{} %">{}</svg>',
        STEP * len(shares) - (STEP - BAR),
        HEIGHT,
        ", ".join(f"{100 * share:.0f}" for share in shares),
        format_html_join("", '<rect x="{}" y="{}" width="{}" height="{}"/>', bars),
    )


@register.simple_tag
def day_bars(days: Sequence[tuple[str, int]], name: str) -> SafeString:
    """Draw numbers of days, each with its words for the day, as bars: the largest has the full height."""
    most = max(count for _day, count in days) or 1
    bars = (
        (STEP * position, f"{HEIGHT - HEIGHT * count / most:.2f}", BAR, f"{HEIGHT * count / most:.2f}", day, count)
        for position, (day, count) in enumerate(days)
    )
    return format_html(
        '<svg class="spark spark-days" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}: {}">'
        '<line class="rule" x1="0" x2="100%" y1="{}" y2="{}"/>{}</svg>',
        STEP * len(days) - (STEP - BAR),
        HEIGHT,
        name,
        ", ".join(f"{day}: {number_format(count, force_grouping=True)}" for day, count in days if count),
        HEIGHT,
        HEIGHT,
        format_html_join("", '<rect x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>', bars),
    )


def _span(axis: Axis, ends: tuple[float, float] | None, height: str) -> SafeString | str:
    if ends is None:
        return ""
    low, high = map(axis.percent, ends)
    return format_html('<line class="span" x1="{}%" x2="{}%" y1="{}%" y2="{}%"/>', low, high, height, height)


def _mark(axis: Axis, value: float | None, height: str, *, is_round: bool) -> SafeString | str:
    if value is None:
        return ""
    shape = (
        '<circle class="point" cx="{}%" cy="{}%" r="4"/>'
        if is_round
        else '<rect class="point" x="{}%" y="{}%" width="8" height="8" transform="translate(-4 -4)"/>'
    )
    return format_html(shape, axis.percent(value), height)


def _tick(value: float) -> str:
    text = share(value, 1)
    return {"1.0": "1", ".0": "0", "−1.0": "−1"}.get(text, text)


def _hundredths(value: float) -> str:
    return f"{100 * max(0.0, min(1.0, value)):.2f}"
