"""Forms of the parts of a draft's plan; each sends its own settings."""

from collections.abc import Iterable
from typing import Any

from django import forms as controls  # `forms` is a setting of a study
from django.utils.translation import gettext_lazy as _

from core.forms.fields import TypedText, field_of
from study.domain.results.exclusions import OF_CHECKS
from study.domain.survey.demographics import LONGEST_TEXT, MOST_ANSWERS, DemographicQuestion
from study.domain.survey.mix import mix_as_written
from study.domain.survey.survey import CONTRASTED, DerivedGroup, SurveySettings
from study.forms.numbers import fields_for
from study.models import Question, Study
from study.models.people import StudyGroup

number = fields_for(SurveySettings)


class PlanForm(controls.Form):
    """A part of the plan: its fields are settings of the same names."""

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        kwargs["initial"] = study.survey.as_mapping()
        super().__init__(*args, **kwargs)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that the form asks for, without numbers that are left out. Only after is_valid()."""
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


class ChecksForm(PlanForm):
    practice = number("practice", label=_("Practice questions"))
    checks = number("checks", label=_("Attention checks"))

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        if study.survey.is_signed_in:
            del self.fields["checks"]


class RulesForm(PlanForm):
    """Thresholds of the exclusion rules; 0 or off for a rule that does not apply."""

    failed_checks = number("failed_checks", label=_("Attention checks failed, at least"), help_text=_("0: no rule"))
    too_fast = number("too_fast", label=_("Median seconds per question below"), help_text=_("0: no rule"))
    straight_lines = number("straight_lines", label=_("Same position in a row, at least"), help_text=_("0: no rule"))
    minimum_answers = number("minimum_answers", label=_("Fewer answers than"))
    unanswered_check = controls.BooleanField(label=_("An attention check left unanswered"), required=False)
    duplicates = controls.BooleanField(
        label=_("Took part before in a study with the same questions"),
        required=False,
        help_text=_("By platform id: for example, from a pilot."),
    )
    late_answers = controls.BooleanField(label=_("Answers that arrived after the time limit"), required=False)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        if study.survey.is_signed_in:
            for rule in OF_CHECKS:
                del self.fields[rule]


class PayForm(PlanForm):
    pay = controls.CharField(label=_("Pay per participant"), max_length=12, required=False)
    currency = controls.CharField(
        label=_("Currency"), max_length=SurveySettings.TEXTS["currency"], required=False, help_text=_("GBP, ¥ …")
    )
    pay_text = controls.CharField(
        label=_("What the consent form says about it"),
        max_length=SurveySettings.TEXTS["pay_text"],
        required=False,
        widget=controls.Textarea(attrs={"rows": 2}),
        help_text=_("When it is paid, and what is paid to anyone who stops early."),
    )


class AnalysisForm(PlanForm):
    primary_group = controls.ChoiceField(label=_("Primary contrast: participants of"), required=False)
    primary_against = controls.CharField(
        label=_("against"),
        max_length=SurveySettings.TEXTS["primary_against"],
        required=False,
        help_text=_("Name a model or another group. After semicolons, add other contrasts of the confirmatory family."),
    )
    primary_metric = controls.ChoiceField(label=_("Metric"), choices=[(each, each) for each in CONTRASTED])
    primary_corpus = controls.ChoiceField(label=_("Corpus"), required=False)
    margin = controls.CharField(
        label=_("Margin of “similar”, ± points"),
        max_length=8,
        required=False,
        help_text=_("Similar means that the whole 90 percent confidence interval lies within it."),
    )
    star_below = number(
        "star_below",
        label=_("Star the Wald interval below"),
        required=False,
        help_text=_("Fewer right or wrong answers than this get a star: 5 in Lowe et al. (2016); 0: no star."),
    )
    analysis = TypedText(
        label=_("Analyses"),
        max_length=SurveySettings.TEXTS["analysis"],
        required=False,
        widget=controls.Textarea(attrs={"rows": 5}),
        help_text=_("What else is confirmatory, and how; everything not named here is exploratory."),
    )

    def __init__(self, *args: Any, study: Study, corpora: list[str], **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        groups = [*study.groups.values_list("name", flat=True), *(each.name for each in study.survey.derived_groups)]
        field_of(self, "primary_group", controls.ChoiceField).choices = [("", _("not set")), *_named(groups)]
        field_of(self, "primary_corpus", controls.ChoiceField).choices = [("", _("all corpora")), *_named(corpora)]


class MixForm(PlanForm):
    """The share of each corpus in the forms of each group, in percent; an empty row is an even mix."""

    def __init__(self, *args: Any, study: Study, corpora: list[str], **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        self.corpora, self.groups = corpora, list(study.groups.all())
        mixes = study.survey.mixes
        for group in self.groups:
            for place, corpus in enumerate(corpora):
                self.fields[f"share-{group.pk}-{place}"] = controls.IntegerField(
                    label=_("%(corpus)s in the forms of %(group)s, percent") % {"corpus": corpus, "group": group.name},
                    min_value=0,
                    max_value=100,
                    required=False,
                    initial=mixes.get(group.name, {}).get(corpus),
                )

    @property
    def rows(self) -> list[tuple[StudyGroup, list[controls.BoundField]]]:
        """Each group with the fields of its shares."""
        places = range(len(self.corpora))
        return [(group, [self[f"share-{group.pk}-{place}"] for place in places]) for group in self.groups]

    @property
    def settings(self) -> dict[str, Any]:
        """The mix as the setting writes it. Only after is_valid()."""
        mixes = {}
        for group in self.groups:
            shares = {corpus: self.cleaned_data[f"share-{group.pk}-{at}"] for at, corpus in enumerate(self.corpora)}
            if mix := {corpus: share for corpus, share in shares.items() if share is not None}:
                mixes[group.name] = mix
        return {"mix": mix_as_written(mixes)}


class DerivedGroupForm(PlanForm):
    """A group that an answer makes, added to those there are."""

    name = controls.CharField(label=_("Name of the derived group"), max_length=60)
    group = controls.ChoiceField(label=_("Participants from"))
    answers = controls.MultipleChoiceField(
        label=_("who answered"), widget=controls.CheckboxSelectMultiple, help_text=_("Answers to one question.")
    )
    on = controls.MultipleChoiceField(
        label=_("on the corpora"),
        widget=controls.CheckboxSelectMultiple,
        help_text=_("In other corpora its members are counted with their original group."),
    )

    def __init__(
        self, *args: Any, study: Study, corpora: list[str], asked: list[DemographicQuestion], **kwargs: Any
    ) -> None:
        super().__init__(*args, study=study, auto_id="id_derived_%s", **kwargs)
        self.known = study.survey.derived_groups
        field_of(self, "group", controls.ChoiceField).choices = _named(study.groups.values_list("name", flat=True))
        field_of(self, "on", controls.MultipleChoiceField).choices = _named(corpora)
        field_of(self, "answers", controls.MultipleChoiceField).choices = [
            (f"{question.key}={key}", f"{question.text}: {text}")
            for question in asked
            for key, text in question.answers.items()
        ]

    def clean_answers(self) -> list[str]:
        chosen = list(self.cleaned_data["answers"])
        if len({each.partition("=")[0] for each in chosen}) > 1:
            raise controls.ValidationError(_("Choose answers to one question only."))
        return chosen

    @property
    def settings(self) -> dict[str, Any]:
        """All derived groups as the setting writes them. Only after is_valid()."""
        typed = self.cleaned_data
        pairs = [each.partition("=") for each in typed["answers"]]
        answers = tuple(answer for _question, _equals, answer in pairs)
        added = DerivedGroup(typed["name"], typed["group"], pairs[0][0], answers, tuple(typed["on"]))
        return {"derived": "; ".join(map(str, [*self.known, added]))}


class DemographicForm(controls.Form):
    """A question about people in a researcher's words."""

    text = controls.CharField(label=_("Question"), max_length=LONGEST_TEXT)
    answers = TypedText(
        label=_("Answers, one per line"),
        max_length=MOST_ANSWERS * (LONGEST_TEXT + 2),
        widget=controls.Textarea(attrs={"rows": 5}),
        help_text=_("Participants may skip any question."),
    )

    def __init__(self, *args: Any, question: DemographicQuestion | None = None, **kwargs: Any) -> None:
        self.key = question.key if question else ""
        kwargs["auto_id"] = f"id_{self.key or 'new'}_%s"
        if question:
            kwargs["initial"] = {"text": question.text, "answers": "\n".join(question.answers.values())}
        super().__init__(*args, **kwargs)

    @property
    def described(self) -> dict[str, Any]:
        """The values as the action takes them. Only after is_valid()."""
        return {"text": self.cleaned_data["text"], "answers": self.cleaned_data["answers"].splitlines()}


class OwnQuestionForm(controls.Form):
    """A practice question or an attention check in a researcher's words."""

    context = TypedText(
        label=_("Conversation"),
        max_length=20_000,
        widget=controls.Textarea(attrs={"rows": 5}),
        help_text=_("One turn per line. A letter and a colon name its speaker: “A: Hello.”"),
    )
    candidates = TypedText(
        label=_("Lines to choose from"),
        max_length=50_000,
        widget=controls.Textarea(attrs={"rows": 6}),
        help_text=_("The right one first. Participants see them in an order of their own."),
    )
    explanation = TypedText(
        label=_("Why the first is right"),
        max_length=2_000,
        required=False,
        widget=controls.Textarea(attrs={"rows": 3}),
        help_text=_("Shown once the practice question is answered."),
    )
    place = controls.IntegerField(
        label=_("Position of the right line"),
        min_value=1,
        max_value=100,
        required=False,
        help_text=_(
            "For a check that asks for a position, such as “choose the second line”. Otherwise leave it empty."
        ),
    )

    def __init__(self, *args: Any, purpose: str, question: Question | None = None, **kwargs: Any) -> None:
        if question:
            kwargs["initial"] = {
                "context": "\n".join(map(_as_line, question.context)),
                "candidates": "\n".join(question.candidates),
                "explanation": question.explanation,
                "place": question.place,
            }
        super().__init__(*args, **kwargs)
        del self.fields["place" if purpose == "practice" else "explanation"]

    @property
    def described(self) -> dict[str, Any]:
        """The values as the action takes them. Only after is_valid()."""
        typed = self.cleaned_data
        return {
            "context": [_turn(line) for line in typed["context"].splitlines() if line.strip()],
            "candidates": typed["candidates"].splitlines(),
            "explanation": typed.get("explanation", ""),
            "place": typed.get("place"),
        }


def _named(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return choices that are shown by their own names."""
    return [(name, name) for name in names]


def _as_line(turn: dict[str, str]) -> str:
    return f"{turn['speaker']}: {turn['text']}" if turn["speaker"] else turn["text"]


def _turn(line: str) -> dict[str, str]:
    """Return the turn of a line; a short beginning before a colon is the name of its speaker."""
    name, colon, text = line.replace("：", ":", 1).partition(":")
    is_named = bool(colon) and len(name.strip()) <= 20 and bool(text.strip())
    return {"speaker": name.strip(), "text": text.strip()} if is_named else {"speaker": "", "text": line.strip()}
