"""Form that quotes figures of another study beside results."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.forms.fields import TypedText, field_of
from study.domain.results.feasibility import as_printed
from study.domain.results.published import METRICS_QUOTED, Published

AS_PRINTED = _("A share as printed, such as .659, or in percent with the sign: 65.9 %.")


class PrintedShare(TypedText):
    """A share with the digits as printed: the text of a number from 0 to 1; per cents become one."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label, max_length=12, required=False)

    def clean(self, value: Any) -> str:
        text = "".join(super().clean(value).split()).replace("％", "%")
        if not text:
            return ""
        if not re.fullmatch(r"[0-9]*\.?[0-9]+%?", text):
            raise ValidationError(AS_PRINTED)
        if text.endswith("%"):
            text = f"{Decimal(text[:-1]).scaleb(-2):f}"
        try:
            as_printed(text)
        except ValueError:
            raise ValidationError(AS_PRINTED) from None
        return text


class QuotedFigureForm(forms.Form):
    label = TypedText(label=_("Whose figures"), max_length=100, help_text=_("“Crowd workers”, a model's name …"))
    kind = forms.ChoiceField(
        label=_("The figures are of"),
        choices=[("people", _("people")), ("model", _("a model"))],
        initial="people",
        widget=forms.RadioSelect,
    )
    corpus = forms.ChoiceField(label=_("Show beside"), required=False, initial="", widget=forms.RadioSelect)
    r1, r2, mrr = (PrintedShare(metric) for metric in METRICS_QUOTED.values())
    n = forms.IntegerField(
        label=_("People, or instances of a model"), min_value=1, max_value=10_000_000, required=False
    )
    candidates = forms.IntegerField(label=_("Candidates of a question"), min_value=2, max_value=1_000, required=False)
    source = TypedText(label=_("Source"), max_length=200, help_text=_("Author, year, table."))

    def __init__(self, *args: Any, corpora: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "corpus", forms.ChoiceField).choices = [
            ("", _("all questions")),
            *((name, name) for name in corpora),
        ]
        self.fields["r1"].help_text = AS_PRINTED

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(said[name] for name in METRICS_QUOTED):
            raise ValidationError(_("Enter at least one figure."))
        return said

    @property
    def row(self) -> Published:
        """What is quoted. Only after is_valid()."""
        said = self.cleaned_data
        same = {name: said[name] for name in ("corpus", "n", "candidates", "source", *METRICS_QUOTED)}
        return Published(who=said["label"], is_model=said["kind"] == "model", **same)


def as_initial(row: Published) -> dict[str, Any]:
    """Return what the form shows of a row that is quoted already."""
    same = {name: getattr(row, name) for name in ("corpus", "n", "candidates", "source", *METRICS_QUOTED)}
    return {"label": row.who, "kind": "model" if row.is_model else "people", **same}
