"""A person's studies, for annotation's home page, which does not know this app, and the side navigation of one."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from study.models import Study
from study.permissions import studies_of
from study.presenters.study_rail import rail_of_study
from study.selectors.survey.fieldwork import StudyRow, rows_of

register = template.Library()


@register.simple_tag(takes_context=True)
def own_studies(context: template.RequestContext) -> list[StudyRow]:
    return rows_of(studies_of(context["request"].user).filter(archived_at=None))


@register.inclusion_tag("_components/rail.html", takes_context=True)
def study_rail(context: template.RequestContext, study: Study) -> dict[str, Any]:
    return {"label": _("Study"), "groups": rail_of_study(study, context["request"])}
