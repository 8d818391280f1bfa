"""A person's studies, for annotation's home page, which does not know this app."""

from django import template

from study.permissions import studies_of
from study.selectors.survey.fieldwork import StudyRow, rows_of

register = template.Library()


@register.simple_tag(takes_context=True)
def own_studies(context: template.RequestContext) -> list[StudyRow]:
    return rows_of(studies_of(context["request"].user))
