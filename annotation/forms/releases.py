"""Form that confirms the freezing of a release."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.releases.plus import checked_replies
from core.domain.draws import LARGEST_SEED
from core.domain.wording import ChoiceError


class FreezeForm(forms.Form):
    number = forms.IntegerField(widget=forms.HiddenInput)
    seed = forms.IntegerField(
        label=_("Seed"),
        initial=0,
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=_("Decides which content goes into which split. The same content and seed give the same release."),
    )
    plus = forms.BooleanField(
        required=False,
        label=_("Also as MuTual-plus"),
        help_text=_(
            "A variant with the same ids and splits: in every instance one candidate is replaced "
            "by a safe reply, which is the right answer where it replaced the right one."
        ),
    )
    safe_replies = forms.CharField(
        label=_("Safe replies, one per line"),
        widget=forms.Textarea(attrs={"rows": 7}),
        help_text=_("What can be said in any dialogue, in the language of the texts."),
    )
    sure = forms.BooleanField(error_messages={"required": _("Tick this first: freezing cannot be undone.")})

    def __init__(self, *args: Any, next_number: int, replies: Sequence[str] = (), **kwargs: Any) -> None:
        """Show `replies` as the initial safe replies; without any, the variant cannot be chosen."""
        super().__init__(*args, **kwargs)
        self.fields["safe_replies"].initial = "\n".join(replies)
        self.fields["safe_replies"].required = not self.is_bound or bool(self.data.get("plus"))
        if not replies:
            del self.fields["plus"], self.fields["safe_replies"]
        self.fields["number"].initial = next_number
        self.fields["sure"].label = _("Release %(number)s cannot be changed or deleted afterwards.") % {
            "number": next_number
        }

    def clean(self) -> dict[str, Any]:
        """Check the safe replies; they are empty if the variant is not wanted."""
        typed = super().clean() or self.cleaned_data
        lines = typed.get("safe_replies", "").splitlines() if typed.get("plus") else []
        try:
            typed["safe_replies"] = checked_replies(lines) if typed.get("plus") else []
        except ChoiceError as wrong:
            self.add_error("safe_replies", gettext(wrong.sentence) % wrong.params)
        return typed
