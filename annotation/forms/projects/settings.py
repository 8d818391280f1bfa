"""Forms of a project's settings, by its kind."""

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.domain.rating.rating import RatingSettings, Scale
from annotation.domain.rewriting.rewriting import RewritingSettings
from core.domain.settings import Settings

ENDS = range(-1000, 1001)


def _number(allowed: range, **kwargs: Any) -> forms.IntegerField:
    """Return a number field with one message, the allowed range, for all its errors."""
    lowest, highest = allowed[0], allowed[-1]
    rule = format_lazy(_("A whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), rule)
    return forms.IntegerField(min_value=lowest, max_value=highest, error_messages=errors, **kwargs)


class ProjectSettingsForm(forms.Form):
    """Settings of one kind, `SETTINGS`: a field for each of their numbers, with label and hint from `NUMBERS`.

    `chosen` are the initial values. After the first grade `FIXED` fields are disabled, and another value is refused: a
    page that was opened before still sends them.
    """

    SETTINGS: type[Settings]
    NUMBERS: dict[str, tuple[Promise, Promise]]
    FIXED: tuple[str, ...] = ()

    def __init__(self, *args: Any, chosen: Settings, is_begun: bool = False, **kwargs: Any) -> None:
        kwargs["initial"] = self.shown(chosen) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        for name, allowed in self.SETTINGS.LIMITS.items():
            label, hint = self.NUMBERS[name]
            self.fields[name] = _number(allowed, label=label, help_text=hint)
        self.fixed = self.FIXED if is_begun else ()
        for name in self.fixed:
            self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        for name in self.fixed:
            was = str(self.initial[name])
            if self.data.get(self.add_prefix(name), was).strip() != was:
                self.add_error(
                    name, _("Not saved: grades have been given, so this stays. Make a new project to change it.")
                )
        return super().clean() or self.cleaned_data

    def shown(self, chosen: Settings) -> dict[str, Any]:
        return chosen.as_mapping()

    @property
    def settings(self) -> dict[str, object]:
        """The settings as the project stores them. Only after is_valid()."""
        names = (*self.SETTINGS.LIMITS, *self.SETTINGS.switches())
        return {name: self.cleaned_data[name] for name in names}

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
            _("Widest gap that is kept"),
            _("Highest minus lowest grade of a pair. Pairs with a wider gap are removed."),
        ),
        "per_day": (_("Pairs a day"), _("What a rater is asked for. They may go on beyond it.")),
        "lease_minutes": (
            _("Minutes a pair is held"),
            _("A pair that a person opened and left goes to others after this time."),
        ),
        "practice": (
            _("Practice pairs of an attempt"),
            _("Gold pairs that a rater grades before they may rate, each with what is known of it. 0: none."),
        ),
        "attempts": (_("Attempts"), _("Each on other pairs while there are any.")),
        "practice_accuracy": (_("Least accuracy, %"), _("Grades equal to the known ones.")),
        "practice_kappa": (_("Least weighted kappa, hundredths"), _("60 is a kappa of 0.60, with quadratic weights.")),
        "gold_first": (
            _("Gold at first, %"),
            _("Of a rater's first pairs. 0: none. Pairs are then shown without source and topic."),
        ),
        "gold_lowest": (_("Gold at the lowest, %"), _("What the share falls to. Never more than at first.")),
        "gold_half": (_("Pairs until half"), _("After that many pairs the share is half way down to the lowest one.")),
        "gold_window": (_("Gold pairs looked at"), _("The last ones that a rater graded.")),
        "gold_misses": (
            _("Misses that pause"),
            _("A miss lies further from the known grade than the widest gap that is kept."),
        ),
    }
    FIXED = ("lowest", "highest", "raters", "gap")

    lowest = _number(ENDS, label=_("Lowest grade"))
    highest = _number(ENDS, label=_("Highest grade"))
    adjudicate = forms.BooleanField(
        required=False,
        label=_("A third person decides about pairs with a wider gap"),
        help_text=_(
            "An inspector who sees neither the grades nor who gave them. Releases mark such pairs; agreement "
            "never counts them as agreed."
        ),
    )

    show_source = forms.BooleanField(
        required=False,
        label=_("Raters read the source"),
        help_text=_("Which system or site a response comes from. Off: researchers alone read it."),
    )
    show_topic = forms.BooleanField(
        required=False,
        label=_("Raters read the topic"),
        help_text=_("As in the file. Neither is shown with gold between the pairs, which has none."),
    )

    def shown(self, chosen: Any) -> dict[str, Any]:
        return {**chosen.as_mapping(), "lowest": chosen.grades.lowest, "highest": chosen.grades.highest}

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        try:
            Scale(typed.get("lowest", 1), typed.get("highest", 5))
        except ValueError:
            self.add_error("highest", _("A scale has from 2 to 21 grades, the lowest first."))
        if typed.get("gold_misses", 0) > typed.get("gold_window", self.SETTINGS.LIMITS["gold_window"][-1]):
            self.add_error("gold_misses", _("No more than the gold pairs looked at."))
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
            _("Inspectors for each instance"),
            _("Each answers blind and judges without seeing the other's verdict. Never its author."),
        ),
        "rounds": (
            _("Rounds of mending"),
            _("How often an instance may go back to its author. After that it is accepted or discarded."),
        ),
        "inspected_percent": (
            _("Instances that are inspected, %"),
            _(
                "100: every one. With fewer, lots are drawn, and what is not drawn is accepted as it was submitted. "
                "Authors cannot tell which."
            ),
        ),
        "first_in_full": (
            _("First instances of an author"),
            _("All of them are inspected, whatever the share. So is what was sent back."),
        ),
        "per_day": (_("Instances a day"), _("What an author or inspector is asked for. They may go on beyond it.")),
        "lease_minutes": (
            _("Minutes an instance is held"),
            _("From the last change that its author saved. After this time it goes to others."),
        ),
        "practice": (
            _("Practice drafts of an attempt"),
            _(
                "What an author writes at most before their work counts; an inspector grades it. 0: none. The study of "
                "MuTual had 170."
            ),
        ),
        "practice_attempts": (_("Attempts"), _("After the last one a researcher has to give another.")),
        "practice_window": (_("Graded drafts looked at"), _("The last ones of the attempt.")),
        "practice_threshold": (_("Least accepted, %"), _("Of the graded drafts looked at.")),
    }

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        practice = typed.get("practice", 0)
        if practice and typed.get("practice_window", 0) > practice:
            self.add_error("practice_window", _("No more than the practice drafts of an attempt."))
        return typed
