"""Forms that the pages of several steps have: a draft of a text, and leaving an assignment to others."""

from typing import Any, ClassVar, Self

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotation.models.drafts import Draft
from core.forms.sent import checked, fields_sent

LARGEST = 2_147_483_647  # the columns' limit; the action checks the range
UNREADABLE = _("Not saved: what this page sent cannot be read. Reload the page.")


class DraftForm(forms.Form):
    """A draft, the revision that was edited, the key of the save. `text` names what is written: columns of a table."""

    text: ClassVar[tuple[str, ...]]
    revision = forms.IntegerField(min_value=0, max_value=LARGEST)
    save_key = forms.UUIDField(required=False)

    def draft(self) -> dict[str, Any]:
        """Return the draft as arguments of its action. Raises Refused if it cannot be read."""
        sent = checked(self, UNREADABLE)
        return {name: sent[name] for name in ("revision", "save_key", *self.text)}

    def show_on(self, draft: Draft) -> None:
        """Put what was written on a draft that is shown and not saved. What cannot be read is left out."""
        for name in self.text if self.is_valid() else ():
            setattr(draft, name, self.cleaned_data[name])


class SkipForm(forms.Form):
    reason = forms.CharField(max_length=30, error_messages={"required": _("Choose a reason first.")})

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        return cls(fields_sent(request, _reason_in))


def _reason_in(sent: object) -> dict[str, Any]:
    """Return the reason in a JSON body, which may have a draft too."""
    return {"reason": sent["reason"]} if isinstance(sent, dict) and isinstance(sent.get("reason"), str) else {}
