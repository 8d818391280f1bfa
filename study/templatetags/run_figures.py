"""Figures of models: differences in words, our figure above the published one, a difference around zero, curves."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.presenters.axis import Axis
from core.templatetags.figures import in_percent, share
from study.presenters.runs.curves import DrawnLevel, Plot

register = template.Library()


@register.filter
def signed_share(value: float) -> str:
    """Format a difference of shares: +.030, −.012, .000."""
    return share(value) if value <= 0 or not float(f"{value:.3f}") else f"+{share(value)}"


@register.filter
def points_interval(ends: tuple[float, float] | None) -> str:
    """Format an interval in points of a hundred, 0.2 to 5.9, as one reads it aloud."""
    if ends is None:
        return ""
    return _("%(low)s to %(high)s") % {"low": in_percent(ends[0]), "high": in_percent(ends[1])}


@register.simple_tag
def two_lanes(axis: Axis, cell: Any) -> SafeString:
    """Draw a model's figure with its interval above, the strokes of its seeds over it, and the published figure below.

    `cell` has value, interval, seeds, published, is_impossible and chance; with one of the two there is one lane.
    """
    is_published = cell.published is not None
    has_two = is_published and cell.value is not None
    top, bottom = ("27%", "78%") if has_two else ("50%", "50%")
    lanes = (top, bottom) if has_two else (top,)
    guess = [] if cell.chance is None else [(axis.within(cell.chance),) * 2]
    return format_html(
        '<svg class="whisker model{}" aria-hidden="true">{}{}{}{}{}{}</svg>',
        " two-lane" if has_two else "",
        format_html_join("", '<line class="rule" x1="0" x2="100%" y1="{}" y2="{}"/>', ((y, y) for y in lanes)),
        format_html_join("", '<line class="chance" x1="{}%" x2="{}%" y1="-25%" y2="125%"/>', guess),
        format_html_join(
            "",
            '<rect class="point-published{}" x="{}%" y="{}" width="8" height="8" transform="translate(-4 -4)"/>',
            [(" is-impossible" if cell.is_impossible else "", axis.within(cell.published), bottom)]
            if is_published
            else [],
        ),
        format_html_join(
            "",
            '<line class="span" x1="{}%" x2="{}%" y1="{}" y2="{}"/>',
            [(*map(axis.within, cell.interval), top, top)] if cell.interval else [],
        ),
        format_html_join(
            "",
            '<rect class="seed" x="{}%" y="{}" width="1.25" height="5" transform="translate(-0.6 -10)"/>',
            ((axis.within(seed), top) for seed in cell.seeds),
        ),
        format_html_join(
            "",
            '<rect class="point" x="{}%" y="{}" width="7" height="7" transform="translate(-3.5 -3.5)"/>',
            [] if cell.value is None else [(axis.within(cell.value), top)],
        ),
    )


@register.simple_tag
def difference_plot(axis: Axis, difference: Any, blind: float | None) -> SafeString:
    """Draw a difference with its interval around 0; shaded is what a set of this size would miss (`blind` to 0)."""
    shaded = [] if not blind else [(axis.within(-blind), axis.percent(axis.low + 2 * min(blind, axis.high)))]
    return format_html(
        '<svg class="diff-plot" aria-hidden="true">{}<line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>{}</svg>',
        format_html_join("", '<rect class="blind" x="{}%" width="{}%" y="0" height="100%"/>', shaded),
        _around_zero(axis, difference),
    )


@register.simple_tag
def difference_whisker(axis: Axis, difference: Any) -> SafeString:
    """Draw a difference with its interval around 0 in a row of a table."""
    return format_html(
        '<svg class="whisker model" aria-hidden="true"><line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>{}</svg>',
        _around_zero(axis, difference),
    )


def _around_zero(axis: Axis, difference: Any) -> SafeString:
    spans = [tuple(map(axis.within, difference.interval))] if difference.interval else []
    return format_html(
        '<line class="zero chance" x1="{0}%" x2="{0}%" y1="-10%" y2="110%"/>{1}'
        '<rect class="point" x="{2}%" y="50%" width="8" height="8" transform="translate(-4 -4)"/>',
        axis.within(0),
        format_html_join("", '<line class="span" x1="{}%" x2="{}%" y1="50%" y2="50%"/>', spans),
        axis.within(difference.mean),
    )


@register.simple_tag
def person_on(axis: Axis, value: float) -> SafeString:
    """Draw the published figure of people, a ring."""
    return format_html(
        '<svg class="whisker" aria-hidden="true"><line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>'
        '<circle class="point-published" cx="{}%" cy="50%" r="4"/></svg>',
        axis.within(value),
    )


def _level(level: DrawnLevel) -> SafeString:
    """Draw a level across a curve; chance is named at the right, what was published at the left."""
    x, dx, anchor = ("100%", "-4", "end") if level.kind == "chance-line" else ("0", "4", "start")
    return format_html(
        '<line class="{0}" x1="0" x2="100%" y1="{1}%" y2="{1}%"/>'
        '<text class="line-label" x="{2}" y="{1}%" dx="{3}" dy="-.4em" text-anchor="{4}">{5}</text>',
        level.kind,
        level.place,
        x,
        dx,
        anchor,
        level.label,
    )


@register.simple_tag
def curve_plot(plot: Plot) -> SafeString:
    """Draw a curve: its grid, what is still to come, faint and clear lines, and the marked point."""
    return format_html(
        '<svg class="curve-y" aria-hidden="true">{}</svg>'
        '<svg class="curve-plot" aria-hidden="true">{}{}{}{}{}{}{}{}</svg>',
        format_html_join(
            "",
            '<text x="100%" y="{}%" dy=".32em" text-anchor="end">{}</text>',
            ((f"{at:.1f}", label) for at, label in plot.ticks),
        ),
        format_html(
            '<rect class="ahead" x="{}%" width="{}%" height="100%"/>', plot.now, f"{100 - float(plot.now):.1f}"
        ),
        format_html_join(
            "",
            '<line class="grid" x1="0" x2="100%" y1="{0}%" y2="{0}%"/>',
            ((f"{at:.1f}",) for at, _label in plot.ticks),
        ),
        format_html_join(
            "", '<line class="epoch" x1="{0}%" x2="{0}%" y1="0" y2="100%"/>', ((at,) for at in plot.epochs)
        ),
        format_html_join("", "{}", ((_level(level),) for level in plot.levels)),
        format_html_join(
            "",
            '<svg class="inner" viewBox="0 0 1000 1000" width="100%" height="100%" preserveAspectRatio="none">'
            '<polyline class="{}" points="{}"/></svg>',
            ((line.kind, line.points) for line in plot.lines),
        ),
        format_html_join(
            "",
            '<rect class="point" x="{}%" y="{}%" width="7" height="7" transform="translate(-3.5 -3.5)"/>',
            plot.marks,
        ),
        format_html_join(
            "",
            '<rect class="best" x="{0}%" y="{1}%" width="15" height="15" rx="2" transform="translate(-7.5 -7.5)"/>'
            '<text class="point-label" x="{0}%" y="{1}%" dy="2.1em" text-anchor="middle">{2}</text>',
            plot.best,
        ),
        format_html('<line class="now" x1="{0}%" x2="{0}%" y1="0" y2="100%"/>', plot.now) if plot.is_live else "",
    )
