"""Forms to invite people and to administer their accounts."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.permissions import projects_of
from annotation.selectors.projects.overview import shared_titles
from core.forms.fields import ModelChoiceField, WhyField, field_of
from core.models import Account, Role, User
from core.permissions import OFFERED, may_give

MOST_LINKS = 50


class _ProjectField(ModelChoiceField[Project]):
    shared_titles: Collection[str] = ()

    def label_from_instance(self, project: Project) -> str:
        return f"{project} ({project.slug})" if project.title in self.shared_titles else str(project)


class LinksForm(forms.Form):
    """The links to create: into `project`, for a role that the person may give there."""

    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect)
    note = forms.CharField(
        label=_("For whom"),
        max_length=150,
        required=False,
        help_text=_("A note to recognise this invitation."),
    )
    number = forms.IntegerField(
        label=_("Number of links"),
        min_value=1,
        max_value=MOST_LINKS,
        initial=1,
        help_text=_("Each link is for one person."),
    )

    def __init__(self, *args: Any, by: User, project: Project | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        role_field = field_of(self, "role", forms.ChoiceField)
        offered = [role for role in OFFERED if project is None or role != Role.ADMINISTRATOR]
        role_field.choices = [(role.value, role.label) for role in offered if may_give(by, role, within=project)]
        role_field.initial = Role.ANNOTATOR


class InviteForm(LinksForm):
    project = _ProjectField(
        Project.objects.none(),
        label=_("Project"),
        required=False,
        to_field_name="slug",
        empty_label=_("No project yet"),
        help_text=_(
            "A role applies within a project. Without one, you choose it when you add the person to a project."
        ),
    )
    field_order = ("role", "project", "note", "number")

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, by=by, **kwargs)
        projects = projects_of(by, "project.manage").filter(archived_at=None)
        choice = field_of(self, "project", _ProjectField)
        choice.shared_titles = self.shared_titles = shared_titles(projects)
        choice.queryset = projects


class AccountKindForm(forms.Form):
    account = forms.ChoiceField(label=_("Account"), choices=Account.choices, widget=forms.RadioSelect)
    why = WhyField()


class ActiveForm(forms.Form):
    is_active = forms.TypedChoiceField(choices=[("yes", ""), ("no", "")], coerce=lambda answer: answer == "yes")
    why = WhyField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = "id_active_%s"  # it is on a page with another form that asks why
        super().__init__(*args, **kwargs)
