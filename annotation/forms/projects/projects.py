"""Forms to create a project and to change its settings."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from annotation.domain.rating.rating import RatingSettings
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.forms.projects.settings import ProjectSettingsForm, RatingSettingsForm, RewritingSettingsForm
from annotation.models import Kind, Project
from core.actions.names import RESERVED
from core.forms.fields import WhyField
from core.models import Name

SLUG_LENGTH = 60


class _DescriptionForm(ProjectSettingsForm):
    title = forms.CharField(label=_("Title"), max_length=120)
    source_licence = forms.CharField(
        label=_("Licence of the texts"),
        max_length=200,
        required=False,
        help_text=_("Stands in every release, for example CC BY 4.0."),
    )


class ProjectForm(_DescriptionForm):
    """Form of an existing project; `of` returns the one for its kind."""

    seen = forms.CharField(required=False)  # digest of what the page showed; see actions.projects.as_seen
    why = WhyField(required=False, help_text=_("Stands in the audit log with what changed."))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        description = {"title": project.title, "source_licence": project.source_licence}
        super().__init__(*args, chosen=project.chosen, initial=description, **kwargs)

    @staticmethod
    def of(project: Project, *args: Any, **kwargs: Any) -> "ProjectForm":
        return PROJECT_FORMS[Kind(project.kind)](*args, project=project, **kwargs)


class NewProjectForm(_DescriptionForm):
    """Form of a new project; `of` returns the one for a kind."""

    slug = forms.SlugField(
        label=_("Short name"),
        max_length=SLUG_LENGTH,
        required=False,
        help_text=_("Part of its addresses, commands and files. Left empty, it is made from the title."),
    )
    kind: Kind

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        chosen = RatingSettings() if self.kind == Kind.RATING else RewritingSettings()
        super().__init__(*args, chosen=chosen, **kwargs)
        self.fields["slug"].widget.attrs |= {"data-from": "id_title", "placeholder": free_slug("", self.kind)}

    @staticmethod
    def of(kind: Kind, *args: Any, **kwargs: Any) -> "NewProjectForm":
        return NEW_FORMS[kind](*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        typed["slug"] = typed.get("slug") or free_slug(typed.get("title", ""), self.kind)
        return typed

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if slug in RESERVED or Name.objects.filter(name=slug).exists():
            raise ValidationError(_("This short name is taken. Choose another one."))
        return slug


class _RatingProjectForm(ProjectForm, RatingSettingsForm):
    pass


class _RewritingProjectForm(ProjectForm, RewritingSettingsForm):
    pass


class _NewRatingForm(NewProjectForm, RatingSettingsForm):
    kind = Kind.RATING


class _NewRewritingForm(NewProjectForm, RewritingSettingsForm):
    kind = Kind.REWRITING


PROJECT_FORMS: dict[Kind, type[ProjectForm]] = {
    Kind.RATING: _RatingProjectForm,
    Kind.REWRITING: _RewritingProjectForm,
}
NEW_FORMS: dict[Kind, type[NewProjectForm]] = {Kind.RATING: _NewRatingForm, Kind.REWRITING: _NewRewritingForm}


def free_slug(title: str, kind: Kind) -> str:
    """Return a free short name made from the title, or from the kind if the title has no Latin letters.

    A number is added if the name is taken.
    """
    wanted = slugify(title)[: SLUG_LENGTH - 6].strip("-") or kind.value
    taken = {*Name.objects.filter(name__startswith=wanted).values_list("name", flat=True), *RESERVED}
    numbered = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(slug for slug in numbered if slug not in taken)
