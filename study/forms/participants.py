"""Forms and JSON that participants send; the actions hold the rules."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.actions.refusals import Refused
from core.forms.sent import checked
from study.domain.results import ranks
from study.domain.survey.demographics import DemographicQuestion
from study.models import Presentation

UNREADABLE = {"key": "none"}
MISSING = {  # what is said at the practice question, by what a study asks
    "first": _("Choose a line."),
    "first-second": _("Choose a first and a second line."),
    "ranking": _("Rank every line."),
}
LONGEST_MS = 2_147_483_647  # the most that the column holds, 24 days
JSON_TYPES = {
    "ranking": (list,),
    "first": (str, type(None)),
    "second": (str, type(None)),
    "milliseconds": (int,),
    "key": (str,),
    "person": (str,),
    "unseen": (list,),
}
JSON_TYPES |= {"seconds_left": (int, type(None))}


def fields_of(sent: object) -> dict[str, Any]:
    """Return the fields of JSON, or UNREADABLE if a type is wrong or the key is missing.

    The key makes what is sent twice stored once.
    """
    if not isinstance(sent, dict) or not sent.get("key"):
        return UNREADABLE
    is_well_typed = all(type(sent[name]) in kinds for name, kinds in JSON_TYPES.items() if name in sent)
    return sent if is_well_typed else UNREADABLE


class ConsentForm(forms.Form):
    is_adult = forms.BooleanField(label=_("I am 18 or older and have read this."))
    agrees = forms.BooleanField(label=_("I agree that my anonymised answers are published for research."))


class DemographicsForm(forms.Form):
    """Demographic questions, each with a way to leave it out, which is chosen at first and can be chosen again."""

    def __init__(self, questions: Iterable[DemographicQuestion], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for question in questions:
            choices = [*question.answers.items(), ("", pgettext_lazy("about oneself", "No answer"))]
            self.fields[question.key] = forms.ChoiceField(
                label=question.text, choices=choices, widget=forms.RadioSelect, required=False
            )


class ParticipantAnswerForm(forms.Form):
    """Choices at a question, by the tokens of its lines.

    The script sends a `ranking`, a list of tokens, best first. Without it the page is a form with a `first` and a
    `second` choice, or with the place of each line, from 1, in `place-TOKEN`; empty is none. A script of an earlier
    version sends `first` and `second`.
    """

    first = forms.CharField(max_length=40, required=False)
    second = forms.CharField(max_length=40, required=False)
    milliseconds = forms.IntegerField(min_value=0, max_value=LONGEST_MS, required=False)
    key = forms.UUIDField(required=False)
    seconds_left = forms.IntegerField(required=False)

    def choices(self, presentation: Presentation) -> dict[str, Any]:
        """Return the answer as arguments of its action, with numbers of candidates for tokens.

        Raises Refused for what cannot be read, for an unknown token, and for places that are no ranking.
        """
        sent = checked(self, _("Not saved: what this page sent cannot be read. Reload the page."))
        numbers = dict(zip(presentation.tokens, presentation.order, strict=True))
        first, second = sent.pop("first"), sent.pop("second")
        tokens = self.data.get("ranking") or self._chosen(first, second, presentation)
        if not all(isinstance(token, str) and token in numbers for token in tokens):
            raise Refused("no_choice", _("Not saved: this is not one of the lines. Choose one of those shown."))
        return {"ranking": [numbers[token] for token in tokens], "unseen": self._unseen(numbers), **sent}

    def _unseen(self, numbers: dict[str, int]) -> list[int] | None:
        """Return the lines that the script says were on no screen; None where there is none to say so."""
        told = self.data.get("unseen")
        if not isinstance(told, list):
            return None
        tokens = {each for each in told if isinstance(each, str)}
        return [number for token, number in numbers.items() if token in tokens]

    def _chosen(self, first: str, second: str, presentation: Presentation) -> list[str]:
        """Return the tokens that a form has, in order of rank."""
        if second and not first:
            raise Refused("first_missing", _("Not saved: a second choice alone is no answer. Choose a first line too."))
        places = {token: str(self.data.get(f"place-{token}") or "") for token in presentation.tokens}
        known = [str(place) for place in range(1, 1 + sum(map(bool, places.values())))]
        placed = [token for place in known for token in places if places[token] == place]
        if [places[token] for token in placed] != known:
            raise Refused("places_wrong", _("Not saved: give each place, from 1 on, to exactly one line."))
        return placed or [token for token in (first, second) if token]

    def whole(self, presentation: Presentation, answer: str) -> list[int]:
        """Return the numbers of the candidates chosen. Raises Refused if fewer are than `answer` of a study wants."""
        ranking = self.choices(presentation)["ranking"] if self.is_valid() else []
        if answer == "ranking" and ranking:
            ranking = ranks.filled(ranking, presentation.order)
        if len(ranking) < ranks.wanted(answer, len(presentation.order)):
            raise Refused("missing", MISSING[answer])
        return ranking
