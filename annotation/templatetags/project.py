"""Tags for a project's title and its side navigation."""

from collections.abc import Collection
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotation.models import Project, Step
from annotation.presenters.outboxes import outbox_of
from annotation.presenters.projects.rail import rail_of
from core.templatetags.page import marked

register = template.Library()


@register.simple_tag
def title_of(project: Project, shared: Collection[str] = ()) -> SafeString:
    """Return the project's title, marked, with its short name if the title is one of the `shared`."""
    title = marked(project.title)
    return format_html("{} ({})", title, project.slug) if project.title in shared else title


@register.inclusion_tag("annotation/projects/_unsent.html", takes_context=True)
def unsent(context: template.RequestContext, step: str, page: str, project: Project) -> dict[str, Any]:
    """Show how many answers of a step wait in this browser, with a link to the page that sends them."""
    return {"outbox": outbox_of(Step(step), project, context["request"].user), "page": page, "project": project}


@register.inclusion_tag("_components/rail.html", takes_context=True)
def project_rail(context: template.RequestContext, project: Project) -> dict[str, Any]:
    return {"label": _("Project"), "groups": rail_of(project, context["request"])}
