"""Correcting machine transcripts of recordings: the rules for a transcript, and how two of them differ."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from annotation.domain.corpora.dialogue import Turn
from annotation.domain.rewriting.rewriting import Flaw
from annotation.domain.rewriting.versions import Change, Piece, difference
from core.domain.text import normalise, one_line
from core.domain.wording import gettext_noop

MOST_TURNS = 1_000
LONGEST_SPEAKER = 100  # characters
LONGEST_DIALOGUE = 100_000
TURNS, ANSWER = "turns", "answer"  # fields of a flaw, beside the number of a turn, from 0


def tidied(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns as they are stored."""
    return [Turn(speaker=one_line(normalise(turn["speaker"])), text=normalise(turn["text"])) for turn in turns]


def without_blanks(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns without the blank ones, which have neither speaker nor text."""
    return [turn for turn in turns if turn["speaker"] or turn["text"]]


def flaws(turns: Sequence[Turn], answer: int | None, choices: int) -> list[Flaw]:
    """Return every reason against submitting a transcript, in the order of the page. Blank turns are not a reason."""
    return [*_flaws_of_turns(turns), *_flaws_of_answer(answer, choices)]


def _flaws_of_turns(turns: Sequence[Turn]) -> Iterator[Flaw]:
    if len(without_blanks(turns)) < 2:
        yield Flaw(TURNS, "one_turn", gettext_noop("A dialogue has two turns or more. Split what two people say."))
    for number, turn in enumerate(turns):
        if turn["text"] and not turn["speaker"]:
            yield Flaw(str(number), "no_speaker", gettext_noop("Enter the speaker."))
        if turn["speaker"] and not turn["text"]:
            yield Flaw(str(number), "empty", gettext_noop("This turn is empty: write something, or remove it."))


def _flaws_of_answer(answer: int | None, choices: int) -> Iterator[Flaw]:
    if answer is None or not 0 <= answer < choices:
        yield Flaw(ANSWER, "no_answer", gettext_noop("Choose the right answer."))


def changes(before: Sequence[Turn], after: Sequence[Turn]) -> list[list[Piece]]:
    """Return the differences of two transcripts, word by word, in paragraphs.

    Turns that are the same, or that changed one for one, are a paragraph each; turns that were split or joined are one
    paragraph of several lines.
    """
    old, new = [_line(turn) for turn in before], [_line(turn) for turn in after]
    found: list[list[Piece]] = []
    for what, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        was, becomes = old[start:end], new[new_start:new_end]
        if what == "equal":
            found += [[Piece(Change.SAME, line)] for line in was]
        elif len(was) == len(becomes) or not was or not becomes:
            found += [difference(*pair) for pair in zip_longest(was, becomes, fillvalue="")]
        else:
            found.append(difference("\n".join(was), "\n".join(becomes)))
    return found


def _line(turn: Turn) -> str:
    return f"{turn['speaker']}: {turn['text']}"
