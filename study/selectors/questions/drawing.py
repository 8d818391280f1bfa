"""What can be said of a draw before it is made: its sources, one question drawn in every way, and what it will ask.

It is computed while a person waits, so it reads a bounded part of each source; what it then counts is an estimate.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from core.domain.words import words_of
from core.models.people import User
from study.baselines.ablation import ALL, FIRST, USUAL_ABLATIONS
from study.domain.questions.conditions import turns_left
from study.domain.questions.dialogues import FLAGGED, SourceEntry, Turn
from study.domain.questions.picks import PICKS
from study.domain.questions.sampling import DrawnQuestion, QuestionDraw, SamplingSettings, shares
from study.models import QuestionSet
from study.permissions import question_sets_of
from study.selectors.questions.material import Material, NoDialogues, NoSuchMaterial, material_of

MOST_READ, FEWEST_READ = 600, 60  # dialogues, of all sources together and of each


@dataclass(frozen=True)
class DrawSource:
    """A source with how many questions come from it, and how many of its dialogues make one; others by reason.

    Those that are flagged are counted, even where a part is read.
    `own` of the usable ones bring their candidates. `candidates` are how many the usable ones that were read have, each
    with its number of dialogues. `is_estimate`: only a part of the source was read.
    """

    name: str
    dialogues: int
    wanted: int
    usable: int
    own: int
    left_out: Mapping[str, int]
    candidates: Mapping[int, int]
    is_estimate: bool


@dataclass(frozen=True)
class DrawExample:
    """One context with its true response, and its question by each pick; None where a pick finds too few."""

    source: str
    id: str
    context: Sequence[Turn]
    truth: str
    drawn: Mapping[str, DrawnQuestion | None]


@dataclass(frozen=True)
class ConditionProspect:
    """A condition, and of how many questions the context is long enough; `turns` it leaves of the example.

    `turns` are numbers from 0; None where the example is too short.
    """

    name: str
    is_chosen: bool
    long_enough: int
    turns: Sequence[int] | None


@dataclass(frozen=True)
class Drawing:
    """A draw before it is made. `rows_to_ask` are its questions, each again for every condition."""

    sources: list[DrawSource]
    example: DrawExample | None
    conditions: list[ConditionProspect]
    questions: int  # that can be drawn, at most those that are asked for
    rows_to_ask: int
    same: QuestionSet | None  # drawn already

    @property
    def is_estimate(self) -> bool:
        return any(source.is_estimate for source in self.sources)

    @property
    def candidates(self) -> Mapping[int, float]:
        """Return how many candidates the questions have, each number with its share of them; {} where none is drawn."""
        found: dict[int, float] = defaultdict(float)
        usable = [source for source in self.sources if source.candidates]
        for source in usable:
            for number, dialogues in source.candidates.items():
                found[number] += dialogues / sum(source.candidates.values()) / len(usable)
        return found

    @property
    def keeps_all(self) -> bool:
        """Whether every question keeps the candidates that its source brings, so that none is picked."""
        own = sum(source.own for source in self.sources)
        return 0 < own == sum(source.usable for source in self.sources)


def drawing_of(
    names: Sequence[str],
    settings: SamplingSettings,
    *,
    conditions: Collection[str] = (),
    seed: int = 0,
    example: int = 0,
    by: User,
) -> Drawing:
    """Return what a draw from these sources would be, with the example of a number, from 0."""
    materials = list(_materials(names, by, min(MOST_READ, max(FEWEST_READ, MOST_READ // max(len(names), 1)))))
    counts = shares(settings.count, len(materials)) if materials else []
    sources = [_source(material, wanted, settings) for material, wanted in zip(materials, counts, strict=True)]
    there = [min(source.wanted, source.usable) for source in sources]
    draws = [QuestionDraw(each.name, each.entries, each.fetch, settings, seed) for each in materials]
    shown = _example(materials, draws, example)
    prospects = [
        ConditionProspect(name, name in conditions, _long_enough(name, draws, there), _left_of(shown, name, seed))
        for name in [*USUAL_ABLATIONS, *(name for name in conditions if name not in USUAL_ABLATIONS)]
    ]
    return Drawing(
        sources,
        shown,
        prospects,
        sum(there),
        sum(there) + sum(each.long_enough for each in prospects if each.is_chosen),
        _same(materials, settings, conditions, seed, by),
    )


def first_usable(names: Sequence[str], by: User) -> str | None:
    """Return the first of these sources of which a dialogue that was read makes a question; None where none does."""
    for name in names:
        for material in _materials([name], by, FEWEST_READ):
            if any(not entry.left_out for entry in material.entries):
                return name
    return None


def _materials(names: Sequence[str], by: User, most: int) -> Iterator[Material]:
    for name in names:
        try:
            yield material_of(name, by=by, most=most)
        except (NoSuchMaterial, NoDialogues):
            continue


def _source(material: Material, wanted: int, settings: SamplingSettings) -> DrawSource:
    others = [entry for entry in material.entries if entry.left_out != FLAGGED]
    share = (material.dialogues - material.flagged) / len(others) if others else 0
    reasons = Counter(entry.left_out for entry in others if entry.left_out)
    left_out = {reason: round(share * number) for reason, number in reasons.items()}
    left_out |= {FLAGGED: material.flagged} if material.flagged else {}
    usable = [entry for entry in material.entries if not entry.left_out]
    own = sum(entry.candidates > 0 for entry in usable)
    is_estimate = len(material.entries) < material.dialogues
    return DrawSource(
        material.name,
        material.dialogues,
        wanted,
        round(share * len(usable)),
        round(share * own),
        left_out,
        Counter(entry.candidates or settings.distractors + 1 for entry in usable),
        is_estimate,
    )


def _example(materials: Sequence[Material], draws: Sequence[QuestionDraw], number: int) -> DrawExample | None:
    """Return an example from the sources in turn; None where no dialogue of them has its false responses drawn."""
    found = [
        (material, draw, entries)
        for material, draw in zip(materials, draws, strict=True)
        if (entries := [entry for entry in draw.usable() if not entry.candidates])
    ]
    if not found:
        return None
    material, draw, entries = found[number % len(found)]
    entry = entries[number // len(found) % len(entries)]
    dialogue = material.fetch([entry.position])[entry.position]
    length = draw.turns_of_context(entry)
    drawn = {pick: _drawn(material, draw, pick, entry) for pick in PICKS}
    return DrawExample(material.name, entry.id, dialogue.turns[:length], dialogue.turns[length]["text"], drawn)


def _drawn(material: Material, draw: QuestionDraw, pick: str, entry: SourceEntry) -> DrawnQuestion | None:
    settings = replace(draw.settings, pick=pick)
    return QuestionDraw(material.name, material.entries, material.fetch, settings, draw.seed).of_dialogue(entry)


def _long_enough(condition: str, draws: Sequence[QuestionDraw], counts: Sequence[int]) -> int:
    """Return of how many questions the context is long enough; exact where every question is one that was read."""
    return sum(_long_enough_of(condition, draw, count) for draw, count in zip(draws, counts, strict=True))


def _long_enough_of(condition: str, draw: QuestionDraw, count: int) -> int:
    first = [_turns(draw, entry) for entry in draw.usable()[:count]]
    if not first or condition == ALL:
        return count
    fewest = int(condition.removeprefix(FIRST)) + 1 if condition.startswith(FIRST) else 2
    return round(count * fmean(turns >= fewest for turns in first))


def _turns(draw: QuestionDraw, entry: SourceEntry) -> int:
    return entry.turns if entry.candidates else draw.turns_of_context(entry)


def _left_of(example: DrawExample | None, condition: str, seed: int) -> Sequence[int] | None:
    if example is None:
        return None
    question = DrawnQuestion(example.source, example.id, "", example.context, (), (), "")
    return turns_left(question, condition, seed)


def _same(
    materials: Sequence[Material], settings: SamplingSettings, conditions: Collection[str], seed: int, by: User
) -> QuestionSet | None:
    """Return the set that the person sees and that was drawn from equal sources with equal settings and seed."""
    sources = [(material.name, material.checksum) for material in materials]
    for found in question_sets_of(by).filter(seed=seed, parent=None):
        recipe = found.recipe
        drawn = [(source["name"], source.get("checksum")) for source in recipe.get("sources", ())]
        alike = all(recipe.get(name) == value for name, value in settings.as_mapping().items())
        if alike and drawn == sources and set(recipe.get("conditions", ())) == set(conditions):
            return found
    return None


def shared_share(text: str, known: Collection[str]) -> float:
    """Return the share of the words of a text that are among the known ones, as the audit counts them."""
    words = words_of(text)
    return sum(word in known for word in words) / len(words) if words else 0.0
