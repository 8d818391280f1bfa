"""The reader of a corpus: the list of dialogues, one of them as a chat, and what a person plans for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotation.domain.corpora.search import excerpt, marked, words_in
from annotation.models import Corpus, Dialogue, DialogueEdit
from annotation.presenters.corpora.changes import changes_of
from annotation.selectors.corpora.corpus_pages import Option, options_of, position_in
from annotation.selectors.corpora.reading import DialogueFilter, ReadingPage, splits_to_choose

PART = 100  # turns shown of a dialogue
FIRST = "first"  # in an address: the list begins with its first dialogue
EXCERPT = 110  # characters of a dialogue in the list


def with_marks(text: str, words: Sequence[str]) -> SafeString:
    """Return the text as HTML, its words marked."""
    pieces = marked(text, words)
    return format_html_join("", "{}", ((format_html("<mark>{}</mark>", p) if is_word else p,) for p, is_word in pieces))


@dataclass(frozen=True)
class AskedReading:
    """What the address of a reading page asks for, and where in the list."""

    query: str
    wanted: DialogueFilter
    before: int | None
    after: int | None

    @classmethod
    def of(cls, sent: QueryDict, corpus: Corpus, position: int | None = None) -> "AskedReading":
        """Read an address; what is no split, flag or position is passed over.

        The list begins with the dialogue at `position`, where the address does not say with which.
        """
        query, split = sent.get("q", "").strip(), sent.get("split", "")
        wanted = DialogueFilter(
            split if split in splits_to_choose(corpus) else "", sent.get("flagged") == "1", words_in(query)
        )
        place = position_in(sent)
        if position and FIRST not in sent and set(place.values()) == {None}:
            place["after"] = position - 1
        return cls(query, wanted, **place)

    def address(self, corpus: Corpus, position: int | None = None, **more: Any) -> str:
        """Return the address of the list, or of one dialogue in it, with what was asked for."""
        return f"{_place(corpus, position)}?{self.parameters(**more)}"

    def parameters(self, **more: Any) -> str:
        asked = {"q": self.query, "split": self.wanted.split, "flagged": "1" if self.wanted.flagged else "", **more}
        return urlencode({name: value for name, value in asked.items() if value not in ("", None)})

    @property
    def in_list(self) -> dict[str, int | None]:
        """The parameters of the part of the list that is shown; without them it would begin with the dialogue."""
        if self.before is None and self.after is None:
            return {FIRST: 1}
        return {"before": self.before, "after": self.after}


def _place(corpus: Corpus, position: int | None) -> str:
    if position is None:
        return reverse("corpus_dialogues", args=[corpus.name])
    return reverse("corpus_dialogue", args=[corpus.name, position])


@dataclass(frozen=True)
class ListedDialogue:
    dialogue: Dialogue
    text: SafeString
    href: str
    is_current: bool
    planned: str


@dataclass(frozen=True)
class ChatTurn:
    """A turn with its text, its words marked, and what the source knows of it; `lines` were joined in it."""

    number: int
    speaker: str
    text: SafeString
    is_other: bool
    at: str
    to: str
    lines: int


@dataclass(frozen=True)
class ReadDialogue:
    """A dialogue, of which the turns from `first` to `last` are shown, numbered from 1."""

    dialogue: Dialogue
    turns: list[ChatTurn]
    options: list[Option]
    facts: list[tuple[str, str]]
    began: str
    ended: str
    first: int
    last: int
    count: int
    before: str
    after: str


def reader_of(
    corpus: Corpus,
    asked: AskedReading,
    page: ReadingPage,
    chosen: Dialogue | None,
    planned: Mapping[int, DialogueEdit],
    *,
    first: int,
) -> dict[str, Any]:
    """Return what the reader shows: the list with one dialogue chosen, the ways on, and that dialogue."""
    at = None if chosen is None else chosen.position
    plan = None if at is None else planned.get(at)
    earlier = [row for row in page.rows if at is not None and row.position < at]
    later = [row for row in page.rows if at is not None and row.position > at]
    return {
        "asked": asked,
        "splits": [
            (split, asked.wanted.split == split, asked.address(corpus, split=split))
            for split in ("", *splits_to_choose(corpus))
        ],
        "flagged_href": asked.address(corpus, flagged="" if asked.wanted.flagged else "1"),
        "found": [_listed(corpus, asked, row, at, planned) for row in page.rows],
        "looked_to": page.looked_to,
        "before_href": "" if page.before is None else asked.address(corpus, before=page.before),
        "after_href": "" if page.after is None else asked.address(corpus, after=page.after),
        "begin_href": asked.address(corpus),
        "previous_href": _way(corpus, asked, earlier[-1:], {"before": page.before}),
        "next_href": _way(corpus, asked, later[:1], {"after": page.after}),
        "chosen": None if chosen is None else _read(corpus, asked, chosen, first),
        "plan": plan,
        "plan_texts": changes_of(corpus, [plan])[0].texts if plan and plan.texts else [],
        "here": asked.parameters(**asked.in_list),
        "page_keys": [
            ("J", _("next dialogue")),
            ("K", _("previous dialogue")),
            ("E", _("edit the dialogue")),
            ("X", _("leave it out")),
            ("C", _("clear its flag")),
        ],
    }


def _way(corpus: Corpus, asked: AskedReading, beside: list[Dialogue], on: dict[str, int | None]) -> str:
    """Return the way to the dialogue beside the chosen one, or on to the next part of the list; "" at its end."""
    if beside:
        return asked.address(corpus, beside[0].position, **asked.in_list)
    return "" if None in on.values() else asked.address(corpus, **on)


def _listed(
    corpus: Corpus, asked: AskedReading, row: Dialogue, at: int | None, planned: Mapping[int, DialogueEdit]
) -> ListedDialogue:
    words = asked.wanted.words
    texts = [*(turn["text"] for turn in row.turns), *(row.candidates or ())]
    plan = planned.get(row.position)
    return ListedDialogue(
        row,
        with_marks(excerpt(texts, words, EXCERPT), words),
        asked.address(corpus, row.position, **asked.in_list),
        row.position == at,
        plan.change if plan else "",
    )


def _read(corpus: Corpus, asked: AskedReading, dialogue: Dialogue, first: int) -> ReadDialogue:
    turns = dialogue.turns
    begin = min(max(first, 1), len(turns)) - 1
    times = [turn["at"] for turn in turns if turn.get("at")]
    count = len(turns)

    def part(turn: int) -> str:
        return asked.address(corpus, dialogue.position, **asked.in_list, turn=turn) + "#chat"

    return ReadDialogue(
        dialogue,
        [_turn(number, turns, asked) for number in range(begin, min(begin + PART, count))],
        options_of(dialogue.candidates, dialogue.answer),
        [(name, str(value)) for name, value in sorted(dialogue.facts.items()) if value != ""],
        _moment(times[0]) if times else "",
        _moment(times[-1]) if times else "",
        begin + 1,
        min(begin + PART, count),
        count,
        part(max(1, begin + 1 - PART)) if begin else "",
        part(begin + 1 + PART) if begin + PART < count else "",
    )


def _turn(number: int, turns: list[dict[str, str]], asked: AskedReading) -> ChatTurn:
    turn = turns[number]
    speaker = turn["speaker"]
    is_other = speaker != turns[0]["speaker"] if speaker else bool(number % 2)
    before = turns[number - 1].get("at", "") if number else ""
    at = turn.get("at", "")
    day_is_known = before[:10] == at[:10]
    return ChatTurn(
        number + 1,
        speaker,
        with_marks(turn["text"], asked.wanted.words),
        is_other,
        (_moment(at)[11:] if day_is_known else _moment(at)) if at else "",
        turn.get("to", ""),
        turn["text"].count("\n") + 1,
    )


def _moment(at: str) -> str:
    """Return a time of a turn to the minute, as the log has it in UTC."""
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M")
