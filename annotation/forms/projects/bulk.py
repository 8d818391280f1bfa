"""What is sent to do one thing with many rows of a list: a reason, a note, or a comment."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.actions.flags import LONGEST, NOTE_MISSING
from annotation.actions.inspection.inspections import LONGEST_COMMENT
from annotation.actions.inspection.returns import COMMENT_MISSING
from annotation.forms.rating.pairs import INPUT
from core.forms.fields import TypedText, WhyField


class WhyForm(forms.Form):
    text = WhyField(widget=forms.TextInput(INPUT))


class WithoutTextForm(forms.Form):
    """Form of an act that needs no reason."""

    text = forms.CharField(required=False, widget=forms.HiddenInput)


class NoteOnFlagsForm(forms.Form):
    text = TypedText(
        label=_("Resolution"),
        error_messages={"required": NOTE_MISSING},
        help_text=_("Everyone who raised one of these flags will read it."),
        widget=forms.Textarea({**INPUT, "rows": 3, "maxlength": LONGEST}),
    )


class ReturnManyForm(forms.Form):
    text = TypedText(
        label=_("What must be changed"),
        error_messages={"required": COMMENT_MISSING},
        help_text=_("Each author will read it."),
        widget=forms.Textarea({**INPUT, "rows": 3, "maxlength": LONGEST_COMMENT}),
    )
