"""What may be chosen for a project, by its kind."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.domain.rating import LIMITS, Scale
from annotation.domain.rewriting import RewritingSettings
from annotation.domain.settings import Settings

ENDS = range(-1000, 1001)


def _number(allowed: range, **kwargs: Any) -> forms.IntegerField:
    """A field that says what is allowed, whatever is wrong with the number."""
    lowest, highest = allowed[0], allowed[-1]
    rule = format_lazy(_("A whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), rule)
    return forms.IntegerField(min_value=lowest, max_value=highest, error_messages=errors, **kwargs)


class SettingsForm(forms.Form):
    """The settings of one kind. `chosen` are those that stand there at first; `FIXED` ones end with the first grade."""

    FIXED: tuple[str, ...] = ()

    def __init__(self, *args: Any, chosen: Settings, is_begun: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, initial=self.shown(chosen) | kwargs.pop("initial", {}), **kwargs)
        for name in self.FIXED if is_begun else ():
            self.fields[name].disabled = True

    def shown(self, chosen: Settings) -> dict[str, Any]:
        return chosen.as_mapping()

    @property
    def settings(self) -> dict[str, object]:
        """As the project stores them. Only after is_valid()."""
        raise NotImplementedError


class RatingSettingsForm(SettingsForm):
    lowest = _number(ENDS, label=_("Lowest grade"))
    highest = _number(ENDS, label=_("Highest grade"))
    raters = _number(
        LIMITS["raters"], label=_("Raters for each pair"), help_text=_("Different people, each blind to the others.")
    )
    gap = _number(
        LIMITS["gap"], label=_("Widest gap that is kept"),
        help_text=_("Highest minus lowest grade of a pair. Pairs with a wider gap are removed."),
    )  # fmt: skip
    adjudicate = forms.BooleanField(
        required=False, label=_("A third person decides about pairs with a wider gap"),
        help_text=_("An inspector who sees neither the grades nor who gave them. Releases mark such pairs; agreement "
                    "never counts them as agreed."),
    )  # fmt: skip
    per_day = _number(
        LIMITS["per_day"], label=_("Pairs a day"), help_text=_("What a rater is asked for. They may go on beyond it.")
    )
    lease_minutes = _number(
        LIMITS["lease_minutes"], label=_("Minutes a pair is held"),
        help_text=_("A pair that somebody opened and left goes to others after this time."),
    )  # fmt: skip

    practice = _number(
        LIMITS["practice"], label=_("Practice pairs of an attempt"),
        help_text=_("Gold pairs that a rater grades before they may rate, each with what is known of it. 0: none."),
    )  # fmt: skip
    attempts = _number(LIMITS["attempts"], label=_("Attempts"), help_text=_("Each on other pairs while there are any."))
    practice_accuracy = _number(
        LIMITS["practice_accuracy"], label=_("Least accuracy, %"), help_text=_("Grades equal to the known ones.")
    )
    practice_kappa = _number(
        LIMITS["practice_kappa"], label=_("Least weighted kappa, hundredths"),
        help_text=_("60 is a kappa of 0.60, with quadratic weights."),
    )  # fmt: skip
    gold_first = _number(
        LIMITS["gold_first"], label=_("Gold at first, %"),
        help_text=_("Of a rater's first pairs. 0: none. Pairs are then shown without source and topic."),
    )  # fmt: skip
    gold_lowest = _number(
        LIMITS["gold_lowest"], label=_("Gold at the lowest, %"),
        help_text=_("What the share falls to. Never more than at first."),
    )  # fmt: skip
    gold_half = _number(
        LIMITS["gold_half"], label=_("Pairs until half"),
        help_text=_("After that many pairs the share is half way down to the lowest one."),
    )  # fmt: skip
    gold_window = _number(
        LIMITS["gold_window"], label=_("Gold pairs looked at"), help_text=_("The last ones that a rater graded.")
    )
    gold_misses = _number(
        LIMITS["gold_misses"], label=_("Misses that pause"),
        help_text=_("A miss lies further from the known grade than the widest gap that is kept."),
    )  # fmt: skip

    FIXED = ("lowest", "highest", "raters", "gap")

    def shown(self, chosen: Any) -> dict[str, Any]:
        return {**chosen.as_mapping(), "lowest": chosen.grades.lowest, "highest": chosen.grades.highest}

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        try:
            Scale(typed.get("lowest", 1), typed.get("highest", 5))
        except ValueError:
            self.add_error("highest", _("A scale has from 2 to 21 grades, the lowest first."))
        if typed.get("gold_misses", 0) > typed.get("gold_window", LIMITS["gold_window"][-1]):
            self.add_error("gold_misses", _("No more than the gold pairs looked at."))
        return typed

    @property
    def settings(self) -> dict[str, object]:
        """As the project stores them. Only after is_valid()."""
        grades = Scale(self.cleaned_data["lowest"], self.cleaned_data["highest"])
        return {"grades": str(grades)} | {name: self.cleaned_data[name] for name in (*LIMITS, "adjudicate")}


class RewritingSettingsForm(SettingsForm):
    inspectors = _number(
        RewritingSettings.LIMITS["inspectors"], label=_("Inspectors for each instance"),
        help_text=_("Each answers blind and judges without seeing the other's verdict. Never its author."),
    )  # fmt: skip
    rounds = _number(
        RewritingSettings.LIMITS["rounds"], label=_("Rounds of mending"),
        help_text=_("How often an instance may go back to its author. After that it is accepted or discarded."),
    )  # fmt: skip
    per_day = _number(
        RewritingSettings.LIMITS["per_day"], label=_("Instances a day"),
        help_text=_("What an author or inspector is asked for. They may go on beyond it."),
    )  # fmt: skip
    lease_minutes = _number(
        RewritingSettings.LIMITS["lease_minutes"], label=_("Minutes an instance is held"),
        help_text=_("From the last change that its author saved. After this time it goes to others."),
    )  # fmt: skip

    @property
    def settings(self) -> dict[str, object]:
        return {name: self.cleaned_data[name] for name in RewritingSettings.LIMITS}
