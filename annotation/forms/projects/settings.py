"""Forms of a project's settings, by its kind."""

from functools import partial
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import BOTH, CHINESE, ENGLISH
from annotation.domain.rating.rating import RatingSettings, Scale
from annotation.domain.rewriting.rewriting import RewritingSettings
from core.domain.settings import Settings

ENDS = range(-1000, 1001)
SPOKEN = ((ENGLISH, "English"), (CHINESE, "中文"), (BOTH, _("Chinese and English")))


def _number(allowed: range, **kwargs: Any) -> forms.IntegerField:
    """Return a number field with one message, the allowed range, for all its errors."""
    lowest, highest = allowed[0], allowed[-1]
    rule = format_lazy(_("A whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), rule)
    return forms.IntegerField(min_value=lowest, max_value=highest, error_messages=errors, **kwargs)


class HundredthsField(forms.DecimalField):
    """A number from 0 to 1, typed as 0.60 and stored as whole hundredths."""

    def __init__(self, **kwargs: Any) -> None:
        rule = _("A number from 0 to 1, with at most two decimals.")
        errors = dict.fromkeys(
            ("required", "invalid", "min_value", "max_value", "max_decimal_places", "max_digits"), rule
        )
        super().__init__(min_value=0, max_value=1, decimal_places=2, error_messages=errors, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return f"{value / 100:.2f}" if isinstance(value, int) else value

    def clean(self, value: Any) -> int:
        return int(100 * super().clean(value))


class ProjectSettingsForm(forms.Form):
    """Settings of one kind, `SETTINGS`: a field for each of their numbers, with label and hint from `NUMBERS`.

    `chosen` are the initial values. After the first grade `FIXED` fields are disabled, and another value is refused: a
    page that was opened before still sends them.
    """

    SETTINGS: type[Settings]
    NUMBERS: dict[str, tuple[Promise, Promise]]
    FIXED: tuple[str, ...] = ()
    HUNDREDTHS: tuple[str, ...] = ()

    language = forms.ChoiceField(
        label=_("Language of the project"),
        choices=SPOKEN,
        widget=forms.RadioSelect,
        required=False,
        help_text=_(
            "The guideline, examples and cleaning rules use this language, whatever the language of these pages."
        ),
    )

    def __init__(self, *args: Any, chosen: Settings, is_begun: bool = False, **kwargs: Any) -> None:
        kwargs["initial"] = self.shown(chosen) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        for name, allowed in self.SETTINGS.LIMITS.items():
            label, hint = self.NUMBERS[name]
            field = HundredthsField if name in self.HUNDREDTHS else partial(_number, allowed)
            self.fields[name] = field(label=label, help_text=hint)
        self.fixed = self.FIXED if is_begun else ()
        for name in self.fixed:
            self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        for name in self.fixed:
            was = str(self.initial[name])
            if self.data.get(self.add_prefix(name), was).strip() != was:
                self.add_error(
                    name,
                    _(
                        "Not saved: grades have been given, so this can no longer change. Create a new "
                        "project to change it."
                    ),
                )
        return super().clean() or self.cleaned_data

    def shown(self, chosen: Settings) -> dict[str, Any]:
        return chosen.as_mapping()

    @property
    def settings(self) -> dict[str, object]:
        """The settings as the project stores them. Only after is_valid()."""
        names = (*self.SETTINGS.LIMITS, *self.SETTINGS.switches())
        language = self.cleaned_data["language"] or self.initial["language"]
        return {"language": language, **{name: self.cleaned_data[name] for name in names}}

    @property
    def has_practice_errors(self) -> bool:
        return any(name == "attempts" or name.startswith("practice") for name in self.errors)

    @property
    def has_gold_errors(self) -> bool:
        return any(name.startswith("gold") for name in self.errors)


class RatingSettingsForm(ProjectSettingsForm):
    SETTINGS = RatingSettings
    NUMBERS = {
        "raters": (_("Raters for each pair"), _("Different people, each blind to the others.")),
        "gap": (
            _("Largest gap kept"),
            _("Highest minus lowest grade of a pair. Pairs with a wider gap are removed."),
        ),
        "per_day": (_("Pairs per day"), _("The number asked of each rater. They may do more.")),
        "lease_minutes": (
            _("Minutes a pair is reserved"),
            _("A pair that a rater opened but did not grade goes to others after this time."),
        ),
        "practice": (
            _("Practice pairs per attempt"),
            _("Gold pairs that a rater grades before they may rate, with the known grade shown after each. 0: none."),
        ),
        "attempts": (_("Attempts"), _("On different pairs each time, as long as there are any.")),
        "practice_accuracy": (_("Minimum accuracy, %"), _("Share of grades equal to the known ones.")),
        "practice_kappa": (_("Minimum weighted κ"), _("Weighted quadratically.")),
        "gold_first": (
            _("Share of gold at the start, %"),
            _("Share of a rater's first pairs. 0: none. Pairs are then shown without source and topic."),
        ),
        "gold_lowest": (
            _("Minimum share of gold, %"),
            _("The share never falls below this value, which cannot be higher than the share at the start."),
        ),
        "gold_half": (
            _("Pairs until the share has halved"),
            _("After this many pairs the share is half way down to its minimum."),
        ),
        "gold_window": (_("Recent gold pairs considered"), _("The latest gold pairs that a rater graded.")),
        "gold_misses": (
            _("Misses before pausing"),
            _("A miss differs from the known grade by more than the largest gap kept."),
        ),
    }
    FIXED = ("lowest", "highest", "raters", "gap")
    HUNDREDTHS = ("practice_kappa",)

    lowest = _number(ENDS, label=_("Lowest grade"))
    highest = _number(ENDS, label=_("Highest grade"))
    adjudicate = forms.BooleanField(
        required=False,
        label=_("An adjudicator decides about pairs with a wider gap"),
        help_text=_(
            "The pair goes to an inspector who sees neither the grades nor who gave them. Releases mark such pairs; "
            "agreement never counts them as agreed."
        ),
    )

    show_source = forms.BooleanField(
        required=False,
        label=_("Raters see the source"),
        help_text=_("Which system or site a response comes from. Off: only researchers see it."),
    )
    show_topic = forms.BooleanField(
        required=False,
        label=_("Raters see the topic"),
        help_text=_(
            "As in the file. Not shown while gold is mixed in with the pairs, since gold pairs have no source or topic."
        ),
    )

    show_missed = forms.BooleanField(
        required=False,
        label=_("Paused raters see the gold they missed"),
        help_text=_(
            "Paused raters see the known grade and the explanation of each gold pair they missed. They then know "
            "these pairs: import others before they continue."
        ),
    )

    def shown(self, chosen: Any) -> dict[str, Any]:
        return {**chosen.as_mapping(), "lowest": chosen.grades.lowest, "highest": chosen.grades.highest}

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        try:
            Scale(typed.get("lowest", 1), typed.get("highest", 5))
        except ValueError:
            self.add_error("highest", _("A scale must have 2 to 21 grades, lowest first."))
        if typed.get("gold_misses", 0) > typed.get("gold_window", self.SETTINGS.LIMITS["gold_window"][-1]):
            self.add_error("gold_misses", _("Choose no more than the number of gold pairs considered."))
        return typed

    @property
    def settings(self) -> dict[str, object]:
        """The settings as the project stores them. Only after is_valid()."""
        grades = Scale(self.cleaned_data["lowest"], self.cleaned_data["highest"])
        return {"grades": str(grades), **super().settings}


class RewritingSettingsForm(ProjectSettingsForm):
    SETTINGS = RewritingSettings
    NUMBERS = {
        "inspectors": (
            _("Inspectors per instance"),
            _(
                "Each answers blind and judges without seeing the other's verdict. Authors never "
                "inspect their own items."
            ),
        ),
        "rounds": (
            _("Rounds of revision"),
            _("How often an instance may go back to its author. After that it is accepted or discarded."),
        ),
        "inspected_percent": (
            _("Share of instances inspected, %"),
            _(
                "100: all items are inspected. Below 100, items are drawn at random, and those not drawn are accepted"
                " as submitted. Authors cannot tell which."
            ),
        ),
        "first_in_full": (
            _("First instances of each author"),
            _("All of these are inspected, whatever the share. So are resubmitted items."),
        ),
        "per_day": (_("Instances per day"), _("The number asked of each author or inspector. They may do more.")),
        "lease_minutes": (
            _("Minutes an instance is reserved"),
            _("Counted from the last change that the author saved. After this time the item goes to others."),
        ),
        "practice": (
            _("Practice drafts per attempt"),
            _(
                "The maximum number of drafts that an author writes before their work counts; an inspector grades "
                "them. 0: none. The MuTual study had 170."
            ),
        ),
        "practice_attempts": (_("Attempts"), _("After the last attempt, a researcher must allow another.")),
        "practice_window": (_("Recent graded drafts considered"), _("The latest ones of the attempt.")),
        "practice_threshold": (_("Minimum accepted, %"), _("Share of the recent graded drafts considered.")),
    }

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        practice = typed.get("practice", 0)
        if practice and typed.get("practice_window", 0) > practice:
            self.add_error("practice_window", _("Choose no more than the number of practice drafts per attempt."))
        return typed
