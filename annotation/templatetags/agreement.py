"""Figures of agreement on a page."""

from django import template

from annotation.domain.agreement import Why
from annotation.selectors.agreement import REASONS

register = template.Library()


@register.filter
def reason(why: Why) -> str:
    return str(REASONS[why])
