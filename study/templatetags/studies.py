"""A person's studies, for the first page of annotation, which knows of no study."""

from django import template

from study.permissions import studies_of
from study.selectors.survey.fieldwork import StudyRow, rows_of

register = template.Library()


@register.simple_tag(takes_context=True)
def own_studies(context: template.RequestContext) -> list[StudyRow]:
    return rows_of(studies_of(context["request"].user))
