"""Forms to create a project and to change its settings."""

from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import CHINESE, ENGLISH
from annotation.domain.rating.rating import RatingSettings
from annotation.domain.rewriting.rewriting import RewritingSettings
from annotation.forms.projects.settings import ProjectSettingsForm, RatingSettingsForm, RewritingSettingsForm
from annotation.models import Kind, Project
from core.forms.fields import TypedText, WhyField
from core.forms.short_names import ShortNameForm


class _DescriptionForm(ProjectSettingsForm):
    title = forms.CharField(label=_("Title"), max_length=120)
    source_licence = forms.CharField(
        label=_("Licence of the texts"),
        max_length=200,
        required=False,
        help_text=_("Included in every release, for example CC BY 4.0."),
    )
    annotator_profile = TypedText(
        label=_("Who annotates"),
        max_length=1_000,
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=_(
            "How the annotators were recruited, which languages they speak, what they studied, and how they were "
            "trained and paid. This goes into every release, so name no one."
        ),
    )


class ProjectForm(_DescriptionForm):
    """Form of an existing project; `of` returns the one for its kind."""

    seen = forms.CharField(required=False)  # digest of what the page showed; see actions.projects.as_seen
    why = WhyField(required=False, help_text=_("Recorded in the audit log together with the changes."))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        description = {name: getattr(project, name) for name in ("title", "source_licence", "annotator_profile")}
        super().__init__(*args, chosen=project.chosen, initial=description, **kwargs)

    @staticmethod
    def of(project: Project, *args: Any, **kwargs: Any) -> "ProjectForm":
        return PROJECT_FORMS[Kind(project.kind)](*args, project=project, **kwargs)


class NewProjectForm(ShortNameForm, _DescriptionForm):
    """Form of a new project; `of` returns the one for a kind."""

    kind: Kind

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        spoken = CHINESE if get_language() == CHINESE else ENGLISH
        chosen = RatingSettings(language=spoken) if self.kind == Kind.RATING else RewritingSettings(language=spoken)
        super().__init__(*args, chosen=chosen, **kwargs)

    @staticmethod
    def of(kind: Kind, *args: Any, **kwargs: Any) -> "NewProjectForm":
        return NEW_FORMS[kind](*args, **kwargs)


class _RatingProjectForm(ProjectForm, RatingSettingsForm):
    pass


class _RewritingProjectForm(ProjectForm, RewritingSettingsForm):
    pass


class _NewRatingForm(NewProjectForm, RatingSettingsForm):
    kind = Kind.RATING
    NAMELESS = Kind.RATING.value


class _NewRewritingForm(NewProjectForm, RewritingSettingsForm):
    kind = Kind.REWRITING
    NAMELESS = Kind.REWRITING.value


PROJECT_FORMS: dict[Kind, type[ProjectForm]] = {
    Kind.RATING: _RatingProjectForm,
    Kind.REWRITING: _RewritingProjectForm,
}
NEW_FORMS: dict[Kind, type[NewProjectForm]] = {Kind.RATING: _NewRatingForm, Kind.REWRITING: _NewRewritingForm}


class DuplicateForm(ShortNameForm):
    """Form of another project with the settings of one."""

    NAMELESS = "project"
    title = forms.CharField(label=_("Title"), max_length=120)
    with_members = forms.BooleanField(
        label=_("Members with their roles"),
        required=False,
        help_text=_("They see the new project at once, and can work there as soon as it has texts."),
    )
    field_order = ("title", "slug", "with_members")
