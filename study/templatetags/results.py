"""Shares in percent, and whiskers from 0 to 100 with the line of chance."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def points(value: Any, digits: int = 1) -> str:
    """88.5 for 0.885; a dash where there is nothing."""
    return "–" if value in (None, "") else f"{abs(100 * value):.{digits}f}"


@register.filter
def points_between(ends: Any) -> SafeString | str:
    """85.1–91.2, with a true minus sign for what lies below 0."""
    if not ends:
        return ""
    low, high = (f"{'−' * (end < 0)}{points(end)}" for end in ends)
    return format_html('<span class="nowrap">{}{}{}</span>', low, " – " if "−" in low + high else "–", high)


@register.filter
def strong_percent(value: float) -> SafeString:
    return format_html("<b>{} %</b>", points(value))


@register.filter
def bracketed(ends: Any) -> SafeString | str:
    """An interval as it stands in a sentence, after a share; nothing where there is none."""
    return format_html(_(" ({ends})"), ends=points_between(ends)) if ends else ""


@register.filter
def points_apart(ends: Any, difference: float) -> SafeString | str:
    """The interval of a difference in brackets, turned so that it goes with the size of the difference."""
    return bracketed((-ends[1], -ends[0]) if ends and difference < 0 else ends)


@register.filter
def figure(row: Any, metric: str) -> Any:
    """The estimate of a metric in a row; nothing where the row has none."""
    return row.figures.get(metric)


@register.simple_tag
def chance_whisker(kind: str, value: float | None, ends: Any, chance: float | None) -> SafeString:
    """A point on a line from 0 to 1: round and filled for people, square for models, hollow for what was published."""
    guess = [] if chance is None else [(_percent(chance),) * 2]
    span = [] if not ends else [tuple(map(_percent, ends))]
    point = [] if value is None else [(_percent(value),)]
    shape = (
        '<rect class="point" x="{}%" y="50%" width="8" height="8" transform="translate(-4 -4)"/>'
        if kind == "model"
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


def _percent(value: float) -> str:
    return f"{100 * max(0.0, min(1.0, value)):.2f}"
