"""The page that draws questions: its sources, one question three ways, its conditions, and what will be drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.domain.words import WORD, words_of
from core.models.people import User
from study.actions.questions.refusals import LEFT_OUT
from study.baselines.ablation import SHUFFLE
from study.domain.questions.picks import PICKS
from study.domain.questions.sampling import SamplingSettings
from study.domain.results.planning import item_half_width
from study.forms.questions import LAST_EXAMPLE, BuildForm
from study.forms.runs import ablation_title
from study.models import QuestionSet
from study.selectors.questions.drawing import (
    ConditionProspect,
    DrawExample,
    Drawing,
    DrawSource,
    drawing_of,
    first_usable,
    shared_share,
)
from study.selectors.questions.material import NamedSource

QUESTION_SD = 0.2  # of the share right, between questions: about that of the studies that were published
SHOWN = 9  # false candidates of an example
FORMULA = "c = min(t − 1, ⌊10C/η⌋ + 1, C)"  # turns of context, as study/domain/questions/sampling.py draws them

PICK_TITLES = {
    "uniform": gettext_lazy("At random"),
    "similar": gettext_lazy("Similar words"),
    "length": gettext_lazy("Similar length"),
}
PICK_HOW = {
    "uniform": gettext_lazy("Every turn of the same split is equally likely."),
    "similar": gettext_lazy("The turns most like the context by BM25."),
    "length": gettext_lazy("The turns closest in length to the correct one, in words."),
}
PICK_NOTES = {
    "uniform": gettext_lazy("Length can give the answer away."),
    "similar": gettext_lazy("Harder. Some may also be right."),
    "length": gettext_lazy("Length cannot give it away."),
}


@dataclass(frozen=True)
class SourceRow:
    """A source to tick; what is counted of it is there only once it is ticked."""

    named: NamedSource
    is_chosen: bool
    found: DrawSource | None

    @property
    def reasons(self) -> list[tuple[int, str | Promise]]:
        """How many dialogues make no question, and why, the most frequent reason first."""
        left_out = sorted(self.found.left_out.items(), key=lambda each: -each[1]) if self.found else []
        return [(number, LEFT_OUT.get(reason, reason)) for reason, number in left_out]

    @property
    def is_short(self) -> bool:
        return self.found is not None and self.found.usable < self.found.wanted


@dataclass(frozen=True)
class ExampleCandidate:
    """A candidate in pieces, those that are words of the context marked, with its words and the width of their bar."""

    pieces: Sequence[tuple[str, bool]]
    words: int
    width: float
    is_true: bool


@dataclass(frozen=True)
class PickCard:
    """The example by one pick; `lines` is empty where it finds too few. Means are of the false candidates."""

    key: str
    title: str | Promise
    how: str | Promise
    note: str | Promise
    is_chosen: bool
    lines: Sequence[ExampleCandidate] = ()
    more: int = 0  # false candidates that are not shown
    words: float = 0
    true_words: int = 0
    shared: float = 0
    true_shared: float = 0

    @property
    def is_safe(self) -> bool:
        return self.key == "length"


@dataclass(frozen=True)
class ConditionLine:
    """A condition with its strip: a number for a turn that is asked, None for one that is removed.

    The strip is empty where the example is too short for it.
    """

    name: str
    title: str
    is_chosen: bool
    strip: Sequence[int | None]
    long_enough: int


def draw_form(request: HttpRequest, sources: Sequence[NamedSource], *, looks: bool, by: User) -> BuildForm:
    """Return the form as it was sent, or to look at: with the values of the address or of what was typed so far."""
    names = [source.name for source in sources if not source.holds_pairs]
    if not looks:
        return BuildForm(request.POST, sources=names)
    sent = request.POST or request.GET
    initial = {name: value for name, value in _values(sent).items() if name in BuildForm.base_fields}
    if not sent:
        tests_first = sorted(names, key=lambda name: not name.endswith(":test"))
        usable = first_usable(tests_first, by)
        initial["sources"] = [usable] if usable else []
    there = sum(source.size for source in sources if source.name in initial.get("sources", ()))
    if there and "count" not in initial:
        initial["count"] = min(there, SamplingSettings.count)
    return BuildForm(sources=names, initial=initial)


def draws_again(question_set: QuestionSet, **other: str) -> str:
    """Return the address at which the page is filled in as a set, or the first parent of a revision, was drawn.

    `other` are values that the new draw has instead.
    """
    recipe = question_set.recipe
    query = {name: recipe[name] for name in ("distractors", "max_turns", "pick")} | {
        "count": recipe["count"],
        "seed": question_set.seed,
        "conditions": [*recipe.get("conditions", ())],
        "from": [source["name"] for source in recipe["sources"]],
    }
    return f"{reverse('draw_questions')}?{urlencode(query | other, doseq=True)}"


def _values(sent: QueryDict) -> dict[str, Any]:
    return sent.dict() | {"sources": _named(sent), "conditions": sent.getlist("conditions")}


def named_in_request(request: HttpRequest) -> list[str]:
    """Return the sources that the form or the address names, each once."""
    return list(dict.fromkeys(_named(request.POST or request.GET)))


def _named(sent: QueryDict) -> list[str]:
    return sent.getlist("sources") or sent.getlist("from")


def draw_page(form: BuildForm, sources: Sequence[NamedSource], by: User) -> dict[str, Any]:
    """Return what study/questions/draw.html shows."""
    typed = {name: form[name].value() for name in form.fields}
    values = form.beginning(typed)
    settings = SamplingSettings(**{name: values[name] for name in SamplingSettings().as_mapping()})
    number = values["example"] or 0
    drawing = drawing_of(
        values["sources"],
        settings,
        conditions=values["conditions"],
        seed=values["seed"],
        example=number,
        by=by,
    )
    found = {source.name: source for source in drawing.sources}
    numbers = sorted(drawing.candidates) or [settings.distractors + 1]
    candidates = " – ".join(map(str, dict.fromkeys([numbers[0], numbers[-1]])))
    return {
        "form": form,
        "sources": [SourceRow(each, each.name in values["sources"], found.get(each.name)) for each in sources],
        "drawing": drawing,
        "settings": settings,
        "seed": values["seed"],
        "formula": FORMULA,
        "candidates": candidates,
        "chance": [_chance(drawing.candidates or {settings.distractors + 1: 1.0}, rank) for rank in (1, 2)],
        "cards": _cards(drawing.example, settings.pick),
        "conditions": [_condition_line(each, drawing) for each in drawing.conditions],
        "half_width": 100 * item_half_width(settings.count, QUESTION_SD),
        "another": _another(values, typed, (number + 1) % LAST_EXAMPLE),
        "page_keys": _page_keys(),
    }


def _chance(candidates: Mapping[int, float], rank: int) -> float:
    """Return how often, in %, one of `rank` choices at random is right, with the share of each number of candidates."""
    return 100 * sum(share * min(1, rank / number) for number, share in candidates.items())


def _page_keys() -> list[tuple[str, str]]:
    return [
        ("1 2 3", _("how the distractors are picked")),
        ("N", _("another example")),
        ("Ctrl Enter", _("draw questions")),
    ]


def _another(values: Mapping[str, Any], typed: Mapping[str, Any], number: int) -> str:
    """Return the query of the page with all its values and the next example."""
    names = ("count", "distractors", "max_turns", "pick", "seed")
    pairs = [("from", name) for name in values["sources"]] + [("conditions", name) for name in values["conditions"]]
    pairs += [(name, values[name]) for name in names]
    return urlencode([*pairs, ("name", typed["name"] or ""), ("example", number)])


def _cards(example: DrawExample | None, chosen: str) -> list[PickCard]:
    return [_card(pick, pick == chosen, example) for pick in PICKS]


def _card(pick: str, is_chosen: bool, example: DrawExample | None) -> PickCard:
    head = (pick, PICK_TITLES[pick], PICK_HOW[pick], PICK_NOTES[pick], is_chosen)
    question = example.drawn[pick] if example else None
    if question is None:
        return PickCard(*head)
    known = {word for turn in question.context for word in words_of(turn["text"])}
    false = [text for number, text in enumerate(question.candidates) if number != question.answer]
    truth = question.candidates[question.answer]
    lengths = [len(words_of(text)) for text in false]
    return PickCard(
        *head,
        _lines(truth, false[:SHOWN], known),
        max(0, len(false) - SHOWN),
        fmean(lengths),
        len(words_of(truth)),
        100 * fmean(shared_share(text, known) for text in false),
        100 * shared_share(truth, known),
    )


def _lines(truth: str, false: Sequence[str], known: set[str]) -> list[ExampleCandidate]:
    texts = [truth, *false]
    most = max(1, *(len(words_of(text)) for text in texts))
    return [
        ExampleCandidate(
            pieces_of(text, known) if number else [(text, False)],
            len(words_of(text)),
            len(words_of(text)) / most,
            not number,
        )
        for number, text in enumerate(texts)
    ]


def pieces_of(text: str, known: set[str]) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether it is one of the known words."""
    pieces, done = [], 0
    for found in WORD.finditer(text):
        if words_of(found[0])[0] in known:
            pieces += [(text[done : found.start()], False), (found[0], True)]
            done = found.end()
    return [piece for piece in (*pieces, (text[done:], False)) if piece[0]]


def _condition_line(each: ConditionProspect, drawing: Drawing) -> ConditionLine:
    strip: list[int | None] = []
    if drawing.example and each.turns is not None:
        all_turns = range(len(drawing.example.context))
        strip = [*each.turns] if each.name == SHUFFLE else [t if t in each.turns else None for t in all_turns]
    return ConditionLine(each.name, ablation_title(each.name), each.is_chosen, strip, each.long_enough)
