"""Forms to set up a study."""

from typing import Any

from django import forms as controls  # `forms` is a setting of a study
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundWidget
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from core.actions.names import RESERVED
from core.forms.fields import ModelChoiceField, ModelMultipleChoiceField, WhyField, field_of
from core.models.names import Name
from core.models.people import User
from study.actions.survey.plans import LONGEST_REASON
from study.domain.survey.survey import SIGNED_IN, SurveySettings, group_as_typed
from study.domain.survey.texts import LANGUAGES
from study.forms.numbers import fields_for
from study.models import QuestionSet, Study
from study.selectors.survey.experts import accounts_beside
from study.selectors.survey.plans import researchers_beside

SLUG_LENGTH = 60

number = fields_for(SurveySettings)


class _SetsField(ModelMultipleChoiceField[QuestionSet]):
    def label_from_instance(self, question_set: QuestionSet) -> str:
        return question_set.name


class _SurveyForm(controls.Form):
    title = controls.CharField(label=_("Title"), max_length=120, help_text=_("Participants read it."))
    forms = number("forms", label=_("Forms"), help_text=_("Versions with different questions. Each person gets one."))
    per_form = number("per_form", label=_("Questions in each form"))
    minutes = number("minutes", label=_("Minutes for the whole survey"), help_text=_("0 for no limit."))
    minimum_answers = number(
        "minimum_answers",
        label=_("Minimum of answers"),
        required=False,
        help_text=_("Anyone with fewer ends with a code of their own and is left out of the figures."),
    )
    answer = controls.ChoiceField(
        label=_("Asked of each question"),
        choices=[
            ("first", _("A first choice alone")),
            ("first-second", _("A first and a second choice")),
            ("ranking", _("All lines in order")),
        ],
        widget=controls.RadioSelect,
        initial="first-second",
        required=False,
        help_text=_("R@2 needs a second choice, and the MRR all lines in order."),
    )
    takers = controls.ChoiceField(
        label=_("Who takes it"),
        choices=[
            ("link", _("People who come by a link")),
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
        initial="en",
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
        by_experts = {"assign": "all", "minutes": 0} if typed["takers"] == SIGNED_IN else {}
        return {name: value for name, value in typed.items() if value not in (None, "")} | by_experts


class StudySettingsForm(_SurveyForm):
    """All of a draft that is changed in one form. When each person answers all questions, there are no forms to set."""

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        chosen = {"title": study.title, "language": study.language, "question_sets": study.question_sets.all()}
        super().__init__(*args, initial={**chosen, **study.survey.as_mapping()}, **kwargs)
        if study.survey.assign == "all":
            del self.fields["forms"], self.fields["per_form"]

    @property
    def described(self) -> dict[str, Any]:
        """The values as the action takes them. Only after is_valid()."""
        names = ("title", "language", "question_sets")
        return {**{name: self.cleaned_data[name] for name in names}, "settings": self.settings}


class NewStudyForm(_SurveyForm):
    slug = controls.SlugField(
        label=_("Short name"),
        max_length=SLUG_LENGTH,
        required=False,
        help_text=_("Part of its addresses, commands and files. Left empty, it is made from the title."),
    )
    groups = controls.CharField(
        label=_("Groups"),
        initial="crowd",
        max_length=500,
        help_text=_("A link each, with a comma between them. A colon and a number make a quota: crowd:136, lab:9."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].widget.attrs |= {"data-from": "id_title", "placeholder": free_slug(""), "lang": "en"}

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if slug and (slug in RESERVED or Name.objects.filter(name=slug).exists()):
            raise ValidationError(_("This short name is taken. Choose another one."))
        return slug or free_slug(self.cleaned_data.get("title", ""))

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
        help_text=_("An empty line begins a paragraph. One that begins with a word and a colon is a row of facts."),
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["lang"] = language


class GroupSettingsForm(controls.Form):
    quota = controls.IntegerField(
        label=_("Quota"), min_value=1, max_value=999_999, required=False, help_text=_("Left empty: as many as come.")
    )
    requires_id = controls.BooleanField(
        label=_("Platform id required"),
        required=False,
        help_text=_("Only people whom Prolific or MTurk sends with their id may join."),
    )
    return_url = controls.CharField(
        label=_("Address at the end"),
        max_length=500,
        required=False,
        widget=controls.TextInput(attrs={"placeholder": "https://example.org/done?code={code}", "lang": "en"}),
        help_text=_(
            "Participants are taken there, with their completion code in the place of {code}. Left empty: to Prolific, "
            "where they came from there."
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
        label=_("Opening freezes this plan: questions, forms, groups, texts and settings stay as they are."),
        error_messages={"required": _("Tick this first: opening cannot be undone.")},
    )
    reason = controls.CharField(
        label=_("Why the questions can be used so"),
        required=False,
        max_length=LONGEST_REASON,
        widget=controls.Textarea(attrs={"rows": 3}),
        help_text=_("The plan keeps it, and the report prints it."),
    )


class CloseForm(controls.Form):
    sure = controls.BooleanField(
        label=_("A closed study is not opened again."),
        error_messages={"required": _("Tick this first: closing cannot be undone.")},
    )
    why = WhyField(
        required=False,
        help_text=_("Needed before the quotas are filled or while people are under way. The public plan shows it."),
    )


def free_slug(title: str) -> str:
    """Return an unused short name made from the title, numbered when the plain one is taken."""
    wanted = slugify(title)[: SLUG_LENGTH - 6].strip("-") or "study"
    taken = {*Name.objects.filter(name__startswith=wanted).values_list("name", flat=True), *RESERVED}
    numbered = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(slug for slug in numbered if slug not in taken)
