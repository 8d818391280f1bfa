"""Form of a rating project's guideline: a field for each text in each language, in rows of grades and their types."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import WRITTEN
from annotation.domain.rating.guideline import GradeGuide, Guideline, ResponseType, TypeWords, texts_of
from annotation.domain.rating.guideline_rules import LONGEST_WHY, MOST_TYPES, excess, flaws
from core.domain.text import normalise, one_line

HTML_LANGUAGES = {"zh": "zh-Hans", "en": "en"}
SPOKEN = {"zh": _("Chinese"), "en": _("English")}
LABELS = {
    "prose": _("What raters read first"),
    "prompt": _("Prompt that the examples answer"),
    "name": pgettext_lazy("of a grade", "Name"),
    "meaning": _("Meaning"),
    "type": _("Type that explains it"),
    "example": _("Example"),
    "retired": _("Type retired"),
    "failed": _("Counts as failed"),
    "order": _("Order of types"),
}
LINES = {"prose": 7, "meaning": 1, "example": 1}  # others are of one line


def typed(sent: Mapping[str, str], *before: Guideline) -> Guideline:
    """Return the guideline that a page sent, with whatever is wrong in it; keys are those of the versions `before`."""
    known = {kind["key"] for version in before for guide in version["grades"] for kind in guide["types"]}

    def words(place: str, kind: str = "name") -> TypeWords:
        tidy = normalise if kind in LINES else one_line
        texts = {language: tidy(sent.get(f"{place}-{language}", "")) for language in HTML_LANGUAGES}
        return TypeWords(zh=texts["zh"], en=texts["en"])

    def types(row: str) -> list[ResponseType]:
        places = takewhile(lambda place: f"{place}-key" in sent, (f"{row}-t{number}" for number in count()))
        return [
            ResponseType(
                key=sent[f"{place}-key"] if sent[f"{place}-key"] in known else "",
                name=words(f"{place}-name"),
                example=words(f"{place}-example", "example"),
                is_retired=f"{place}-retired" in sent,
            )
            for place in places
        ]

    rows = takewhile(lambda row: f"{row}-grade" in sent, (f"g{number}" for number in count()))
    grades = [
        GradeGuide(
            grade=int(sent[f"{row}-grade"]) if re.fullmatch("-?[0-9]{1,6}", sent[f"{row}-grade"]) else 0,
            name=words(f"{row}-name"),
            meaning=words(f"{row}-meaning", "meaning"),
            is_failed=f"{row}-failed" in sent,
            types=types(row),
        )
        for row in rows
    ]
    return Guideline(prose=words("prose", "prose"), prompt=words("prompt"), grades=grades)


@dataclass(frozen=True)
class TypeRow:
    """A type as it is edited; `number` counts from 0 within its grade. A type that grades may name is never dropped."""

    place: str
    key: str
    names: list[BoundField]
    examples: list[BoundField]
    is_retired: bool
    is_kept: bool


@dataclass(frozen=True)
class GradeRow:
    """A grade as it is edited, with what is wrong with its number."""

    place: str
    grade: int
    names: list[BoundField]
    meanings: list[BoundField]
    types: list[TypeRow]
    is_failed: bool
    takes_types: bool
    errors: list[str]


class PublishingForm(forms.Form):
    """What a new version asks of the raters."""

    is_announced = forms.BooleanField(required=False, initial=True, widget=forms.CheckboxInput({"role": "switch"}))
    asks_again = forms.BooleanField(required=False, widget=forms.CheckboxInput({"role": "switch"}))


class GuidelineForm(forms.Form):
    """The texts of `content`, in the languages of the project and those that it has texts in.

    Bound where the content was sent to be stored: then its flaws are the form's errors; those of a draft are only that
    it is too large. `kept` are the keys of types that may only be retired.
    """

    why = forms.CharField(
        label=_("Why this version?"),
        required=False,
        max_length=LONGEST_WHY,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("Shown beside the version and in the data card."),
    )

    def __init__(
        self,
        *,
        content: Guideline,
        language: str,
        kept: frozenset[str],
        why: str = "",
        is_sent: bool = False,
        is_draft: bool = False,
    ) -> None:
        shown = {f"{place}-{key}": text for place, _kind, words in texts_of(content) for key, text in words.items()}
        values: dict[str, Any] = {**shown, "why": why}
        super().__init__(values if is_sent else None, initial=values)
        self.content, self.language, self.kept, self.is_draft = content, language, kept, is_draft
        for place, kind, words in texts_of(content):
            for key in HTML_LANGUAGES:
                if key in WRITTEN[language] or words[key]:  # type: ignore[literal-required]
                    self.fields[f"{place}-{key}"] = self._field(place, kind, key)

    def _field(self, place: str, kind: str, key: str) -> forms.CharField:
        label = LABELS["type" if kind == "name" and "-t" in place else kind]
        if len(WRITTEN[self.language]) > 1 or key not in WRITTEN[self.language]:
            label = format_lazy(_("{what}, {language}"), what=label, language=SPOKEN[key])
        about: dict[str, Any] = {"lang": HTML_LANGUAGES[key]}
        widget = forms.Textarea({**about, "rows": LINES[kind]}) if kind in LINES else forms.TextInput(about)
        return forms.CharField(label=label, required=False, widget=widget, strip=False)

    def clean(self) -> dict[str, Any]:
        self.of_grades: dict[str, list[str]] = {}
        for flaw in (excess if self.is_draft else flaws)(self.content, self.language):
            sentence = gettext(flaw.sentence) % flaw.params
            if flaw.place in self.fields:
                self.add_error(flaw.place, sentence)
            else:
                self.of_grades.setdefault(flaw.place.split("-")[0], []).append(sentence)
                if not flaw.place:
                    self.add_error(None, sentence)
        if any(self.of_grades):
            self.add_error(
                None, gettext("Not saved. What you wrote is still here; correct the grades that are marked.")
            )
        return super().clean() or self.cleaned_data

    def prose(self) -> list[BoundField]:
        return self._of("prose")

    def prompt(self) -> list[BoundField]:
        return self._of("prompt")

    def grades(self) -> Iterator[GradeRow]:
        """Yield the rows, as the page shows them."""
        wrong = self.of_grades if self.is_bound and self.errors else {}
        for number, guide in enumerate(self.content["grades"]):
            row = f"g{number}"
            types = [self._type(f"{row}-t{at}", kind) for at, kind in enumerate(guide["types"])]
            yield GradeRow(
                row,
                guide["grade"],
                self._of(f"{row}-name"),
                self._of(f"{row}-meaning"),
                types,
                guide["is_failed"],
                len(types) < MOST_TYPES,
                wrong.get(row, []),
            )

    def _type(self, place: str, kind: ResponseType) -> TypeRow:
        names, examples = self._of(f"{place}-name"), self._of(f"{place}-example")
        return TypeRow(place, kind["key"], names, examples, kind["is_retired"], kind["key"] in self.kept)

    def _of(self, place: str) -> list[BoundField]:
        return [self[f"{place}-{key}"] for key in HTML_LANGUAGES if f"{place}-{key}" in self.fields]
