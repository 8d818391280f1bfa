"""Form to leave a question out of a set, or to edit its texts: either makes another set."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from core.domain.text import letter_of
from core.forms.short_names import NamedForm
from study.actions.questions.revisions import LONGEST_REASON
from study.models import Question, QuestionSet

TURN, CANDIDATE = "turn", "candidate"
LONGEST_LIST = 1_000_000  # characters of ids


class LeaveOutForm(NamedForm):
    NAMELESS = "questions"

    name = forms.CharField(
        label=_("Short name of the new set"),
        max_length=QuestionSet._meta.get_field("name").max_length,
        help_text=_("This question set stays unchanged."),
    )
    why = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("The reason is kept with the new set.")
    )
    ids = forms.CharField(
        label=_("Questions to remove"),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        max_length=LONGEST_LIST,
        help_text=_("Question ids, one per line."),
    )

    def clean_ids(self) -> set[str]:
        """Return the ids, each once."""
        return {line.strip() for line in self.cleaned_data["ids"].splitlines() if line.strip()}


class RevisionForm(NamedForm):
    NAMELESS = "questions"

    name = forms.CharField(
        label=_("Short name of the new set"),
        max_length=QuestionSet._meta.get_field("name").max_length,
        help_text=_("This question set stays unchanged."),
    )
    why = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("The reason is kept with the new set.")
    )

    def __init__(self, *args: Any, question: Question, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.question = question
        for number, turn in enumerate(question.context):
            self._add(TURN, number, gettext("Turn %(number)s") % {"number": number + 1}, turn["text"])
        for number, text in enumerate(question.candidates):
            self._add(
                CANDIDATE, number, pgettext("label", "Candidate %(letter)s") % {"letter": letter_of(number)}, text
            )

    def _add(self, part: str, number: int, label: str, text: str) -> None:
        self.fields[f"{part}_{number}"] = forms.CharField(
            label=label,
            initial=text,
            widget=forms.Textarea(attrs={"rows": 2}),
            error_messages={"required": gettext("A text is empty. To drop the question, leave it out.")},
        )

    def clean(self) -> dict[str, Any]:
        """Ask for no text where the question is left out."""
        typed = super().clean()
        if self.data.get("act") == "leave_out":
            for field in self.texts:
                self.errors.pop(field.name, None)
        return typed

    @property
    def texts(self) -> Iterator[forms.BoundField]:
        """Yield the fields of the turns and candidates."""
        return (self[name] for name in self.fields if name.startswith((f"{TURN}_", f"{CANDIDATE}_")))

    def edited(self, part: str) -> dict[int, str]:
        """Return the texts of the turns or candidates as they were sent, by number."""
        marked = f"{part}_"
        return {
            int(name.removeprefix(marked)): text for name, text in self.cleaned_data.items() if name.startswith(marked)
        }
