"""Form to run a model: which one, on what, and its training material."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.releases.splitting import Split
from core.forms.fields import field_of
from core.models.people import User
from study.baselines.base import Requirement
from study.baselines.registry import BASELINES
from study.forms.numbers import seed_field
from study.selectors.runs.sources import SourceToAsk, choices_of, usual_dev, usual_training

KINDS: dict[str, str | Promise] = {
    "study": _("Studies"),
    "questions": _("Question sets"),
    "corpus": _("Corpora"),
    "release": _("Releases"),
}
USUAL_MODEL = "tfidf"

Groups = list[tuple[str | Promise, list[tuple[str, str]]]]


class RunForm(forms.Form):
    model = forms.ChoiceField(label=_("Model"), widget=forms.RadioSelect, initial=USUAL_MODEL)
    on = forms.ChoiceField(
        label=_("Ask it about"), error_messages={"required": _("Choose what the model is asked about.")}
    )
    train = forms.ChoiceField(
        label=_("Train it on"),
        required=False,
        help_text=_("Random learns nothing, whatever stands here."),
    )
    seed = seed_field(help_text=_("The same material, settings and seed give the same predictions."))

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        choices = choices_of(person)
        asked = [choice for choice in choices if choice.can_be_asked and choice.count]
        self.has_choices = bool(asked)
        models = [(key, gettext(each.title)) for key, each in BASELINES.items()]
        field_of(self, "model", forms.ChoiceField).choices = models
        field_of(self, "on", forms.ChoiceField).choices = _grouped(asked)
        self.fields["on"].initial = usual(asked)
        field_of(self, "train", forms.ChoiceField).choices = [("", _("the train split beside it")), *_grouped(choices)]

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        model, on = typed.get("model"), typed.get("on")
        if model and on and Requirement.TRAIN in BASELINES[model].needs and not typed.get("train"):
            typed["train"] = usual_training(on, by=self.person)
            if not typed["train"]:
                self.add_error("train", ValidationError(_("No train split stands beside it. Choose one here.")))
        if model and on and BASELINES[model].uses_dev:
            typed["dev"] = usual_dev(on, typed.get("train", ""), by=self.person)
        return typed


def usual(asked: list[SourceToAsk]) -> str:
    """Return the default source to ask about: the newest questions, or a corpus's dev split."""
    ordered = sorted(asked, key=lambda choice: not choice.name.endswith(f":{Split.DEV}") and ":" in choice.name)
    return ordered[0].name if ordered else ""


def _grouped(choices: Iterable[SourceToAsk]) -> Groups:
    by_kind = groupby(choices, key=lambda choice: choice.kind)
    return [(KINDS[kind], [(each.name, _label(each)) for each in group]) for kind, group in by_kind]


def _label(choice: SourceToAsk) -> str:
    return f"{choice.name} ({number_format(choice.count, force_grouping=True)})"
