"""What would go with a project that is deleted."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Project, Recording
from core.models import Invitation
from core.models.scoped import scope_of


def contents_of(project: Project) -> list[str]:
    """Return what a project has, a sentence's worth each; what it has none of is left out."""
    items, uploads = project.items.count(), project.imports.count()
    recordings = Recording.objects.filter(item__project=project).count()
    people = project.memberships.count()
    invitations = Invitation.objects.filter(**scope_of(project), accepted_by=None).count()
    counted = [
        (items, ngettext("%(n)s text with its metadata", "%(n)s texts with their metadata", items)),
        (uploads, ngettext("%(n)s uploaded file", "%(n)s uploaded files", uploads)),
        (recordings, ngettext("%(n)s recording", "%(n)s recordings", recordings)),
        (people, ngettext("the role of %(n)s person in it", "the roles of %(n)s people in it", people)),
        (invitations, ngettext("%(n)s invitation", "%(n)s invitations", invitations)),
    ]
    contents = [text % {"n": f"{number:,}"} for number, text in counted if number]
    return [*contents, _("its settings, guideline and cleaning rules")]
