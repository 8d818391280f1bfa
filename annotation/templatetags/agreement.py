"""Filters for figures of agreement."""

from django import template

from annotation.selectors.agreement.described_figures import REASONS
from core.domain.statistics import MissingFigure

register = template.Library()


@register.filter
def reason(why: MissingFigure) -> str:
    return str(REASONS[why])
