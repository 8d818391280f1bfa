"""Forms of the pages of reasoning types. The actions check the rules."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.reasoning import ANSWERS
from annotation.forms.rating.pairs import LAST_POSITION

LONGEST = 2_147_483_647  # milliseconds; the column's limit


class TypeForm(forms.Form):
    answer = forms.ChoiceField(
        choices=[(answer, answer) for answer in ANSWERS],
        error_messages={
            "required": _("Choose one of the six types, or say that you are unsure."),
            "invalid_choice": _("Choose one of the six types, or say that you are unsure."),
        },
    )
    milliseconds = forms.IntegerField(required=False, min_value=0, max_value=LONGEST)


class AskForm(forms.Form):
    instances = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LAST_POSITION,
        label=_("How many instances"),
        help_text=_(
            "Leave empty for all accepted instances. They are drawn with the project's seed; a "
            "larger number adds to those drawn before."
        ),
    )
