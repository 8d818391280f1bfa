"""What the review of a file shows: how it is read, its rules and ledger, and examples of what an import would store."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.actions.corpora.samples import TURNS
from annotation.domain.corpora.ledger import Replacement
from annotation.domain.corpora.replacements import KINDS
from annotation.forms.corpora import FORMATS
from annotation.forms.imports import ENCODINGS
from annotation.importers.formats import READERS
from annotation.presenters.corpora.ledger import CHANGED, LedgerTable, ledger_table
from core.models import Job

TOGETHER = 2  # dialogues shown at a time
COVER = "▪"
PARTS = {
    "time": gettext_lazy("time"),
    "sender": gettext_lazy("sender"),
    "recipient": gettext_lazy("recipient"),
    "text": gettext_lazy("text"),
    "id": gettext_lazy("id"),
    "author": gettext_lazy("sender"),
    "parent": gettext_lazy("replies to"),
    "at": gettext_lazy("time"),
    "speaker": gettext_lazy("speaker"),
    "dialogue": gettext_lazy("dialogue"),
    "number": gettext_lazy("number"),
    "film": gettext_lazy("film"),
    "season": gettext_lazy("season"),
    "episode": gettext_lazy("episode"),
    "context": gettext_lazy("context"),
    "response": gettext_lazy("response"),
    "label": gettext_lazy("true or false"),
}


class RuleWords(NamedTuple):
    """A rule in words: its name, what it says beside that, its setting from the reader's value, and whom it drops."""

    name: Any
    note: Any
    setting: Callable[[Any], str]
    dropped: str = ""


RULES: Mapping[str, RuleWords] = {
    "question_within_seconds": RuleWords(
        gettext_lazy("The question is the recipient's last message before"),
        gettext_lazy("no older than this; otherwise the message belongs to no dialogue"),
        lambda seconds: _("%(minutes)s min") % {"minutes": seconds // 60},
        "no_question",
    ),
    "silence_seconds": RuleWords(
        gettext_lazy("A dialogue ends when both have been silent for"),
        "",
        lambda seconds: _("%(hours)s h") % {"hours": seconds // 3600},
    ),
    "largest_share": RuleWords(
        gettext_lazy("Maximum share of one person in a dialogue"),
        gettext_lazy("in dialogues of six or more messages"),
        lambda share: f"{share:.0%}",
        "one_sided",
    ),
    "most_people": RuleWords(
        gettext_lazy("People in a dialogue"),
        gettext_lazy("it ends when another person joins"),
        lambda people: f"{people}",
        "third_person",
    ),
    "fewest_turns": RuleWords(
        gettext_lazy("Shortest dialogue"),
        "",
        lambda turns: _("%(turns)s turns") % {"turns": turns},
        "under_three_turns",
    ),
    "longest_message": RuleWords(
        gettext_lazy("Longest message"),
        "",
        lambda characters: _("%(characters)s characters") % {"characters": f"{characters:,}"},
        "too_long",
    ),
}


class RuleRow(NamedTuple):
    name: Any
    note: Any
    setting: str
    number: int | None
    unit: str


class ReplacementRow(NamedTuple):
    """A kind of replacement with its number and examples; one that `is_left` alone was not looked for."""

    kind: str
    name: Any
    number: int
    is_left: bool
    examples: list[Replacement]


class Said(NamedTuple):
    speaker: str
    text: str
    at: str
    is_other: bool


class ShownDialogue(NamedTuple):
    """The first turns of a dialogue, and how many it has."""

    id: str
    split: str
    turns: list[Said]
    of: int

    @property
    def more(self) -> int:
        return self.of - len(self.turns)


class CoveredPiece(NamedTuple):
    """A piece of a text. What covers a word of the lists is of the same length, and empty where there is nothing."""

    text: str
    cover: str


class FlaggedText(NamedTuple):
    id: str
    pieces: list[CoveredPiece]

    @property
    def whole(self) -> str:
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class CorpusReview:
    """The figures and examples of a review that has ended."""

    job: Job
    format: Any
    is_guessed: bool
    encoding: str
    began: str
    ended: str
    ledger: LedgerTable
    rules: list[RuleRow]
    replacements: list[ReplacementRow]
    is_anonymised: bool
    dialogues: list[ShownDialogue]
    next_pair: int
    flagged: list[FlaggedText]
    lists: list[str]

    @property
    def result(self) -> dict[str, Any]:
        return self.job.result or {}

    @property
    def specimen(self) -> dict[str, Any]:
        """The first record taken apart; empty for a format of which none is."""
        return self.result["specimen"] or {}

    @property
    def cells(self) -> list[tuple[Any, str, str]]:
        """The first row of a table: our name of each column, the file's, and its text; empty for a log."""
        parts = self.specimen.get("parts", [])
        return [(PARTS.get(name) or name, column, text) for name, column, text in parts if column]

    @property
    def line(self) -> list[tuple[str, Any, str]]:
        """The first line of a log in pieces: its part, the name of that, and its text; empty for a table."""
        parts = self.specimen.get("parts", [])
        return [(name, PARTS.get(name, ""), text) for name, column, text in parts] if not self.cells else []

    @property
    def replaced(self) -> int:
        return sum(row.number for row in self.replacements)

    @property
    def left_alone(self) -> int:
        return sum(row.is_left for row in self.replacements)


def review_of(job: Job, pair: str = "") -> CorpusReview | None:
    """Return what a review shows, with one pair of its dialogues; None while it reads, or where it could not."""
    result = job.result or {}
    if "ledger" not in result:
        return None
    dialogues, number = result["dialogues"], int(pair) if pair.isascii() and pair.isdecimal() and len(pair) < 4 else 0
    pairs = max(1, -(-len(dialogues) // TOGETHER))
    first = number % pairs * TOGETHER
    ledger = ledger_table(result["ledger"])
    specimen = result["specimen"]
    return CorpusReview(
        job=job,
        format=FORMATS[result["format"]],
        is_guessed=not job.arguments["format"],
        encoding=ENCODINGS.get(specimen["encoding"], "") if specimen else "",
        began=_moment(result["began"]),
        ended=_moment(result["ended"]),
        ledger=ledger,
        rules=[*_rules(result)],
        replacements=[*_replacements(result, job.arguments["leave"])],
        is_anonymised="leave" in READERS[result["format"]].HEEDS,
        dialogues=[_shown(each) for each in dialogues[first : first + TOGETHER]],
        next_pair=(number + 1) % pairs,
        flagged=[_covered(each) for each in result["flagged_texts"]],
        lists=[each["name"] for each in job.arguments["lists"]],
    )


def _rules(result: Mapping[str, Any]) -> Iterator[RuleRow]:
    ledger, rules = result["ledger"], READERS[result["format"]].RULES
    records = _("left out")
    for key, words in RULES.items():
        if key in rules:
            number = ledger["dropped"].get(words.dropped, 0) if words.dropped else None
            yield RuleRow(words.name, words.note, words.setting(rules[key]), number, records)
    if ledger["joined"] or "fewest_turns" in rules:
        yield RuleRow(_("Join what one person says in a row"), "", "", ledger["joined"], _("joined"))
    if "test_share" in rules:
        drawn = sum(corpus["statistics"].get("test", {}).get("dialogues", 0) for corpus in result["corpora"])
        yield RuleRow(_("Drawn for the test split"), "", f"{rules['test_share']:.0%}", drawn, _("dialogues"))
    for code, number in ledger["changed"].items():
        if code not in KINDS:
            yield RuleRow(CHANGED[code], "", "", number, _("changed"))


def _replacements(result: Mapping[str, Any], left: Sequence[str]) -> Iterator[ReplacementRow]:
    for kind in KINDS:
        number = result["ledger"]["changed"].get(kind, 0)
        if number or kind in left:
            examples = [Replacement(*each) for each in result["replacements"].get(kind, [])]
            yield ReplacementRow(kind, CHANGED[kind], number, kind in left, examples)


def _shown(dialogue: Mapping[str, Any]) -> ShownDialogue:
    turns = dialogue["turns"][:TURNS]
    said = [
        Said(turn["speaker"], turn["text"], _moment(turn.get("at", "")), turn["speaker"] != turns[0]["speaker"])
        for turn in turns
    ]
    return ShownDialogue(dialogue["id"], dialogue["split"], said, dialogue["of"])


def _moment(at: str) -> str:
    """Return the time of a turn to the minute, in UTC; empty where it is not known."""
    return f"{at[:16].replace('T', ' ')} UTC" if at else ""


def _covered(found: Mapping[str, Any]) -> FlaggedText:
    pieces = (
        CoveredPiece(text, text[0] + COVER * (len(text) - 1) if is_word else "") for text, is_word in found["pieces"]
    )
    return FlaggedText(found["id"], [*pieces])
