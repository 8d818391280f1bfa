"""Filters for corpora."""

from django import template

from annotation.forms.corpora import FORMATS

register = template.Library()


@register.filter
def format_name(format: str) -> str:
    """Return what a format of a corpus is called on pages; one that is known no more is itself."""
    return str(FORMATS.get(format, format))
