"""Forms to invite people and to administer their accounts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.permissions import projects_of
from annotation.selectors.projects.overview import shared_titles
from core.forms.why import WhyField
from core.models import Role, User
from core.permissions import MAY_INVITE


class InviteForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect)
    project = forms.ModelChoiceField(Project.objects.none(), label=_("Project"), required=False, to_field_name="slug")
    note = forms.CharField(
        label=_("For whom"),
        max_length=150,
        required=False,
        help_text=_("So that you know the invitation again in the list."),
    )

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = MAY_INVITE[Role(by.role)]
        self.fields["role"].choices = [(role.value, role.label) for role in Role if role in allowed]
        self.fields["role"].initial = Role.ANNOTATOR
        projects = projects_of(by)
        self.shared_titles = shared_titles(projects)
        self.fields["project"].queryset = projects
        self.fields["project"].label_from_instance = self._called
        self.fields["project"].empty_label = _("None yet")

    def _called(self, project: Project) -> str:
        return f"{project} ({project.slug})" if project.title in self.shared_titles else str(project)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, widget=forms.RadioSelect)
    why = WhyField()


class ActiveForm(forms.Form):
    is_active = forms.TypedChoiceField(choices=[("yes", ""), ("no", "")], coerce=lambda answer: answer == "yes")
    why = WhyField()
