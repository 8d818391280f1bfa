"""Forms to add members of a project and to void their work."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from core.forms.fields import ModelChoiceField, WhyField, field_of
from core.models import Account, Role, User
from core.permissions import OFFERED

IN_PROJECTS = [(role.value, role.label) for role in OFFERED if role != Role.ADMINISTRATOR]


class _MemberField(ModelChoiceField[User]):
    def label_from_instance(self, person: User) -> str:
        return f"{person} ({person.username})"


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=IN_PROJECTS)


class AddMemberForm(RoleForm):
    person = _MemberField(User.objects.none(), label=_("Person"), empty_label=_("Choose"))
    field_order = ("person", "role")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = User.objects.filter(is_active=True).exclude(memberships__project=project)
        field = field_of(self, "person", _MemberField)
        field.queryset = others.exclude(account=Account.ADMINISTRATOR).order_by("name", "username")


class SinceForm(forms.Form):
    since = forms.DateField(
        label=_("Since the beginning of"),
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def clean_since(self) -> datetime:
        day: date = self.cleaned_data["since"]
        if day > timezone.localdate():
            raise ValidationError(_("This day has not come yet."))
        return timezone.make_aware(datetime.combine(day, time.min))


class VoidForm(SinceForm):
    why = WhyField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = "id_void_%s"
        super().__init__(*args, **kwargs)
        self.fields["since"].widget = forms.HiddenInput()
