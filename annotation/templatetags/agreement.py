"""Filters for figures of agreement."""

from django import template

from annotation.domain.agreement import MissingFigure
from annotation.selectors.agreement.agreement import REASONS

register = template.Library()


@register.filter
def reason(why: MissingFigure) -> str:
    return str(REASONS[why])
