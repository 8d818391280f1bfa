"""Forms to set up a study."""

from typing import Any

from django import forms as controls  # `forms` is a setting of a study
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms.boundfield import BoundWidget
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from core.forms.fields import ModelChoiceField, ModelMultipleChoiceField, WhyField, field_of
from core.forms.lists import Column, NamedListForm
from core.forms.short_names import ShortNameForm
from core.models.people import User
from study.actions.survey.plans import LONGEST_REASON
from study.domain.survey.phases import StudyState
from study.domain.survey.survey import LINK, SIGNED_IN, SurveySettings, following_takers, group_as_typed
from study.domain.survey.texts import LANGUAGES
from study.forms.numbers import fields_for
from study.models import QuestionSet, Study
from study.selectors.survey.experts import accounts_beside
from study.selectors.survey.plans import researchers_beside

number = fields_for(SurveySettings)


class StudyFilter(NamedListForm):
    COLUMNS = {
        "made": Column(_("Created"), highest_first=True),
        "title": Column(_("Study")),
        "finished": Column(pgettext_lazy("people", "finished"), highest_first=True),
    }
    STATES = {
        "": _("all states"),
        StudyState.DRAFT: pgettext_lazy("study", "draft"),
        StudyState.OPEN: pgettext_lazy("study", "open"),
        StudyState.CLOSED: pgettext_lazy("study", "closed"),
    }

    state = controls.ChoiceField(
        required=False, choices=[*STATES.items()], label=_("State"), widget=controls.Select({"class": "input"})
    )


class _SetsField(ModelMultipleChoiceField[QuestionSet]):
    def clean(self, value: Any) -> QuerySet[QuestionSet]:
        try:
            return super().clean(value)
        except OverflowError as wrong:  # SQLite, of a number of more than 64 bits
            chosen = {"pk": max(value, key=len)}
            raise controls.ValidationError(self.error_messages["invalid_pk_value"], params=chosen) from wrong

    def label_from_instance(self, question_set: QuestionSet) -> str:
        return question_set.name


class _SurveyForm(controls.Form):
    takers_before = LINK

    title = controls.CharField(label=_("Title"), max_length=120, help_text=_("Participants read it."))
    forms = number(
        "forms", label=_("Forms"), help_text=_("Versions with different questions. Each participant gets one.")
    )
    per_form = number("per_form", label=_("Questions in each form"))
    minutes = number("minutes", label=_("Minutes for the whole survey"), help_text=_("0 for no limit."))
    minimum_answers = number(
        "minimum_answers",
        label=_("Minimum number of answers"),
        required=False,
        help_text=_("Participants with fewer answers get a separate completion code and are left out of the figures."),
    )
    answer = controls.ChoiceField(
        label=_("Asked for in each question"),
        choices=[
            ("first", _("A first choice only")),
            ("first-second", _("A first and a second choice")),
            ("ranking", _("All lines in order")),
        ],
        widget=controls.RadioSelect,
        initial="first-second",
        required=False,
        help_text=_("R@2 needs a second choice, and the MRR all lines in order."),
    )
    takers = controls.ChoiceField(
        label=_("Who takes part"),
        choices=[
            ("link", _("People who join through a link")),
            ("signed-in", _("Experts with an account, whom you add")),
        ],
        widget=controls.RadioSelect,
        initial="link",
        required=False,
        help_text=_("Experts answer all questions of the sets without a time limit, in as many sittings as they need."),
    )
    language = controls.ChoiceField(
        label=_("Language of the survey"),
        choices=list(LANGUAGES.items()),
        widget=controls.RadioSelect,
        initial=get_language,
        help_text=_("Participants see it in this language, whatever their browser asks for."),
    )
    question_sets = _SetsField(
        label=_("Question sets"),
        queryset=QuestionSet.objects.none(),
        widget=controls.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one: these are the questions that people answer.")},
    )

    def __init__(self, *args: Any, question_sets: list[QuestionSet], **kwargs: Any) -> None:
        """Offer `question_sets`, which carry their `question_count`."""
        super().__init__(*args, **kwargs)
        self.on_offer = question_sets
        ours = QuestionSet.objects.filter(pk__in=[each.pk for each in question_sets])
        field_of(self, "question_sets", _SetsField).queryset = ours.order_by("name")

    @property
    def sets(self) -> list[tuple[BoundWidget, QuestionSet]]:
        """Each set's checkbox with the set."""
        known = {str(each.pk): each for each in self.on_offer}
        return [(box, known[str(box.data["value"])]) for box in self["question_sets"]]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that the form asks for, and those that follow from who takes it. Only after is_valid()."""
        typed = {name: self.cleaned_data.get(name) for name in (*SurveySettings.LIMITS, "answer", "takers")}
        following = following_takers(typed["takers"] or self.takers_before, before=self.takers_before)
        return {name: value for name, value in typed.items() if value not in (None, "")} | following


class StudySettingsForm(_SurveyForm):
    """All of a draft that is changed in one form. When each person answers all questions, there are no forms to set."""

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        chosen = {"title": study.title, "language": study.language, "question_sets": study.question_sets.all()}
        super().__init__(*args, initial={**chosen, **study.survey.as_mapping()}, **kwargs)
        self.takers_before = study.survey.takers
        if study.survey.assign == "all":
            del self.fields["forms"], self.fields["per_form"]

    @property
    def described(self) -> dict[str, Any]:
        """The values as the action takes them. Only after is_valid()."""
        names = ("title", "language", "question_sets")
        return {**{name: self.cleaned_data[name] for name in names}, "settings": self.settings}


class NewStudyForm(ShortNameForm, _SurveyForm):
    NAMELESS = "study"
    groups = controls.CharField(
        label=_("Groups"),
        initial="crowd",
        max_length=500,
        help_text=_("One link per group, separated by commas. A colon and a number set a quota: crowd:136, lab:9."),
    )

    def clean_groups(self) -> list[tuple[str, int | None]]:
        parts = [part.strip() for part in self.cleaned_data["groups"].replace("，", ",").split(",")]
        try:
            return [group_as_typed(part.replace("：", ":")) for part in parts if part]
        except ValueError as wrong:
            raise ValidationError(_("A quota is a whole number: crowd:136.")) from wrong

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        if "question_sets" in typed and "per_form" in typed and typed.get("takers") != SIGNED_IN:
            chosen = {each.pk for each in typed["question_sets"]}
            count = sum(each.question_count for each in self.on_offer if each.pk in chosen)
            if count < typed["per_form"]:
                self.add_error("per_form", _("The chosen sets have only %(count)s questions.") % {"count": count})
        return typed

    @property
    def described(self) -> dict[str, Any]:
        """The values as the action takes them. Only after is_valid()."""
        typed = self.cleaned_data
        names = ("slug", "title", "question_sets", "language", "groups")
        return {**{name: typed[name] for name in names}, "settings": self.settings}


class TextForm(controls.Form):
    text = controls.CharField(
        label=_("Text"),
        max_length=20_000,
        widget=controls.Textarea(attrs={"rows": 18}),
        help_text=_(
            "An empty line starts a new paragraph. A paragraph that begins with a word and a "
            "colon becomes a row of facts."
        ),
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["lang"] = language


class GroupSettingsForm(controls.Form):
    quota = controls.IntegerField(
        label=_("Quota"), min_value=1, max_value=999_999, required=False, help_text=_("Leave empty for no limit.")
    )
    requires_id = controls.BooleanField(
        label=_("Platform id required"),
        required=False,
        help_text=_("Only people sent by Prolific or MTurk with their id can join."),
    )
    return_url = controls.CharField(
        label=_("Redirect address at the end"),
        max_length=500,
        required=False,
        widget=controls.TextInput(attrs={"placeholder": "https://example.org/done?code={code}", "lang": "en"}),
        help_text=_(
            "Participants are taken there, with their completion code in place of {code}. If empty, those who came "
            "from Prolific are taken back to Prolific."
        ),
    )


class GroupForm(GroupSettingsForm):
    name = controls.CharField(label=_("Name of the group"), max_length=60)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = "id_group_%s"
        super().__init__(*args, **kwargs)


class PersonField(ModelChoiceField[User]):
    def label_from_instance(self, person: User) -> str:
        return f"{person} ({person.username})"


class MemberForm(controls.Form):
    person = PersonField(
        User.objects.none(),
        label=_("Person"),
        empty_label=_("Choose"),
        error_messages={"invalid_choice": _("Choose a researcher who does not belong to the study yet.")},
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "person", PersonField).queryset = researchers_beside(study)


class ExpertForm(controls.Form):
    person = PersonField(
        User.objects.none(),
        label=_("Person"),
        empty_label=_("Choose"),
        error_messages={"invalid_choice": _("Choose a person with an account who has no role in the study yet.")},
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        kwargs["auto_id"] = "id_expert_%s"
        super().__init__(*args, **kwargs)
        field_of(self, "person", PersonField).queryset = accounts_beside(study)


class OpenForm(controls.Form):
    """Confirmation before a plan is frozen."""

    sure = controls.BooleanField(
        label=_("Opening freezes this plan: questions, forms, groups, texts and settings can no longer be changed."),
        error_messages={"required": _("Tick this first: opening cannot be undone.")},
    )
    reason = controls.CharField(
        label=_("Why the questions can still be used"),
        max_length=LONGEST_REASON,
        widget=controls.Textarea(attrs={"rows": 3}),
        help_text=_("At least 10 characters. The reason is kept in the plan and printed in the report."),
    )

    def __init__(self, *sent: Any, has_findings: bool) -> None:
        super().__init__(*sent)
        self.fields["reason"].required = has_findings


class CloseForm(controls.Form):
    sure = controls.BooleanField(
        label=_("A closed study cannot be opened again."),
        error_messages={"required": _("Tick this first: closing cannot be undone.")},
    )
    why = WhyField(
        required=False,
        help_text=_(
            "Needed before the quotas are filled or while participants are still answering. The public plan shows it."
        ),
    )
