"""Shares in per cent, and their intervals."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from core.templatetags.figures import NOTHING_VARIES, signed_interval
from study.domain.results.planning import WIDEST

register = template.Library()

COLUMN_TYPES = {
    "text": pgettext_lazy("type of a column", "text"),
    "list": pgettext_lazy("type of a column", "list"),
    "date": pgettext_lazy("type of a column", "date"),
    "number": pgettext_lazy("type of a column", "number"),
    "whole number": pgettext_lazy("type of a column", "whole number"),
    "true or false": pgettext_lazy("type of a column", "true or false"),
}


@register.filter
def points(value: Any, digits: int = 1) -> str:
    """Format a share in per cent: 88.5 for 0.885; a dash where there is none."""
    return "–" if value in (None, "") else f"{abs(100 * value):.{digits}f}"


@register.filter
def half_points(width: float) -> str:
    """Format a half-width in points; one with which an interval is longer than the scale as that.

    >>> half_points(0.0619), half_points(0.72)
    ('6.2', '> 50')
    """
    return f"> {points(WIDEST, 0)}" if width > WIDEST else points(width)


@register.filter
def points_between(ends: Any) -> SafeString | str:
    """Format an interval in per cent: 85.1–91.2, with a true minus sign below 0."""
    if not ends:
        return ""
    low, high = (f"{'−' * (end < 0)}{points(end)}" for end in ends)
    return format_html('<span class="nowrap">{}{}{}</span>', low, " – " if "−" in low + high else "–", high)


@register.filter
def strong_percent(value: float) -> SafeString:
    return format_html("<b>{}&nbsp;%</b>", points(value))


@register.filter
def bracketed(ends: Any) -> SafeString | str:
    """Format an interval in brackets, to follow a share in a sentence; empty where there is none."""
    return format_html(_(" ({ends})"), ends=points_between(ends)) if ends else ""


@register.filter
def points_apart(ends: Any, difference: float) -> SafeString | str:
    """Format the interval of a difference in brackets, with the signs turned to match the size of the difference.

    Signs are shown only where 0 lies between them: the sentence says what is lower.
    """
    if not ends:
        return ""
    low, high = (-ends[1], -ends[0]) if difference < 0 else ends
    if low >= 0 and high - low >= NOTHING_VARIES:
        return bracketed((low, high))
    said = format_html('<span class="nowrap">{}</span>', signed_interval((low, high)))
    return format_html(_(" ({ends})"), ends=said)


@register.filter
def column_type(kind: str) -> str:
    """Return the type of a codebook's column in the page's language; the codebook is a file and stays in English."""
    return str(COLUMN_TYPES[kind])


@register.filter
def figure(row: Any, metric: str) -> Any:
    """Return the estimate of a metric in a row; None where the row has none."""
    return row.figures.get(metric)
