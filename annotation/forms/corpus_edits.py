"""Forms to edit the texts of a dialogue, and to name the corpus that is made of what was planned."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.corpora import LONGEST_NAME
from annotation.domain.corpora.edits import LONGEST_TEXT
from core.forms.short_names import NamedForm


class DialogueForm(forms.Form):
    """The texts of some turns of a dialogue, of which the first has the number `first`, from 1."""

    def __init__(
        self, *args: object, texts: Sequence[str], speakers: Sequence[str], first: int, **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for number, (text, speaker) in enumerate(zip(texts, speakers, strict=True), start=first):
            label = gettext("Turn %(number)s") % {"number": number}
            self.fields[f"turn_{number}"] = forms.CharField(
                label=f"{label} · {speaker}" if speaker else label,
                initial=text,
                max_length=LONGEST_TEXT,
                widget=forms.Textarea(attrs={"rows": min(6, 1 + len(text) // 80 + text.count("\n"))}),
                error_messages={"required": _("A text is empty. To drop the dialogue, leave it out.")},
            )

    @property
    def texts(self) -> list[str]:
        return [self.cleaned_data[name] for name in self.fields]


class EditedCorpusForm(NamedForm):
    NAMELESS = "corpus"

    name = forms.CharField(
        label=_("Short name of the new corpus"),
        max_length=LONGEST_NAME,
        help_text=_("This corpus stays unchanged."),
    )
