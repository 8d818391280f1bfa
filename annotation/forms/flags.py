"""Form of a researcher's note on a flag. The action checks the rules."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.actions.flags import LONGEST, NOTE_MISSING
from annotation.forms.rating.pairs import INPUT
from core.forms.fields import TypedText


class NoteForm(forms.Form):
    note = TypedText(
        label=_("Resolution"),
        error_messages={"required": NOTE_MISSING},
        widget=forms.Textarea({**INPUT, "rows": 2, "maxlength": LONGEST}),
    )
