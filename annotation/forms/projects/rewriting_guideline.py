"""Form of a rewriting project's guideline: what authors read and what inspectors read."""

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import WRITTEN
from annotation.domain.rating.guideline import TypeWords, no_words
from annotation.domain.rating.guideline_rules import LONGEST_WHY
from annotation.domain.rewriting.guideline import RewritingGuideline
from annotation.forms.projects.guideline import HTML_LANGUAGES, SPOKEN
from core.domain.text import normalise
from core.forms.fields import TypedText

READERS = {"authors": _("For authors"), "inspectors": _("For inspectors")}


class RewritingGuidelineForm(forms.Form):
    """A text for each reader, in the languages of the project and those that it is written in."""

    why = forms.CharField(
        label=_("Why this version?"),
        required=False,
        max_length=LONGEST_WHY,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("Shown beside the version and in the data card."),
    )

    def __init__(self, *args: Any, content: RewritingGuideline | None, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for reader, title in READERS.items():
            words = content[reader] if content else no_words()  # type: ignore[literal-required]
            for key in HTML_LANGUAGES:
                text = words[key]  # type: ignore[literal-required]
                if key in WRITTEN[language] or text:
                    label = format_lazy(_("{what}, {language}"), what=title, language=SPOKEN[key])
                    self.fields[f"{reader}-{key}"] = TypedText(
                        label=title if WRITTEN[language] == (key,) else label,
                        initial=text,
                        required=False,
                        widget=forms.Textarea({"rows": 10, "lang": HTML_LANGUAGES[key]}),
                    )

    @property
    def content(self) -> RewritingGuideline:
        """What was typed. Only after is_valid()."""
        texts = {
            reader: TypeWords(
                zh=normalise(self.cleaned_data.get(f"{reader}-zh", "")),
                en=normalise(self.cleaned_data.get(f"{reader}-en", "")),
            )
            for reader in READERS
        }
        return RewritingGuideline(authors=texts["authors"], inspectors=texts["inspectors"])

    def texts(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name != "why"]
