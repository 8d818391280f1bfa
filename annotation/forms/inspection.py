"""Forms of the inspection page, sent as a form or as JSON. Candidates are named by the position in which they are
shown.
"""

from collections.abc import Mapping
from typing import Any, TypedDict

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.rewriting.rewriting import CONTEXT, CUT, CandidateRole
from core.forms.fields import TypedText
from core.forms.sent import checked

POSITIONS = range(1, len(CandidateRole) + 1)
UNDECIDED = 0
LONGEST = 86_400_000  # milliseconds: a day
FIELDS = (CONTEXT, CUT, *map(str, POSITIONS))
WRONG = ("required", "invalid_choice")


class BlindAnswerForm(forms.Form):
    answer = forms.TypedChoiceField(
        choices=[(position, position) for position in (UNDECIDED, *POSITIONS)],
        coerce=int,
        error_messages=dict.fromkeys(WRONG, _("Choose one of the four, or say that you cannot decide.")),
    )
    milliseconds = forms.IntegerField(required=False, min_value=0, max_value=LONGEST)

    def candidate(self, order: list[int]) -> int | None:
        """Return the number of the chosen candidate, None for "cannot decide". Raises Refused if none was chosen."""
        position = checked(self)["answer"]
        return None if position == UNDECIDED else order[position - 1]


class SentVerdict(TypedDict):
    is_correct: bool
    is_unique: bool
    is_revisable: bool | None


class InspectionCommentsForm(forms.Form):
    """A comment on each part of the item, all of which may be empty."""

    def __init__(self, sent: Mapping[str, Any]) -> None:
        super().__init__(sent)
        for name in FIELDS:
            self.fields[f"comment_{name}"] = TypedText(required=False)

    def comments(self, order: list[int]) -> dict[str, str]:
        """Return the comments by stored field, with a candidate's number instead of its shown position. Raises Refused
        for anything wrong in the form.
        """
        sent = checked(self)
        return {stored_name(name, order): sent[f"comment_{name}"] for name in FIELDS}


class InspectionVerdictForm(InspectionCommentsForm):
    """Two questions, and a third if one of them is answered with doubt."""

    is_correct = forms.ChoiceField(
        choices=[("yes", "yes"), ("doubt", "doubt")],
        error_messages=dict.fromkeys(WRONG, _("Not sent yet: say whether the key is right.")),
    )
    is_unique = forms.ChoiceField(
        choices=[("yes", "yes"), ("doubt", "doubt")],
        error_messages=dict.fromkeys(WRONG, _("Not sent yet: say whether it is the only right one.")),
    )
    is_revisable = forms.ChoiceField(
        choices=[("yes", "yes"), ("no", "no")],
        required=False,
        error_messages=dict.fromkeys(
            WRONG, _("Say whether it can be fixed: that decides whether it is sent back or discarded.")
        ),
    )

    def verdict(self) -> SentVerdict:
        """Return the answers as arguments of the action. Raises Refused for one that is missing or unknown."""
        sent = checked(self)
        revisable = sent["is_revisable"]
        return {
            "is_correct": sent["is_correct"] == "yes",
            "is_unique": sent["is_unique"] == "yes",
            "is_revisable": revisable == "yes" if revisable else None,
        }


def shown_field(field: str, order: list[int]) -> str:
    """Return the page's field for the field that a refusal names, of an action or of the page's form."""
    named = {"candidate": "answer", "comments": f"comment_{order.index(CandidateRole.RIGHT) + 1}"}
    named |= {stored_name(name, order): f"comment_{name}" for name in FIELDS}
    return named.get(field, field)


def stored_name(name: str, order: list[int]) -> str:
    return str(order[int(name) - 1]) if name.isdigit() else name
