"""Questions about dialogues, whatever file they come from: what a row must have, and what is refused."""

from collections.abc import Mapping, Sequence

from annotation.domain.dialogue import Turn, parse_turn
from annotation.domain.text import normalise, one_line

from .jsonl import ESCAPED
from .reasons import Refused
from .records import CELL_LIMIT, within
from .rows import ItemRow, excerpt

MOST_TURNS = 1_000
MOST_CHOICES = 20
LONGEST_DIALOGUE = 100_000  # characters
NAMES = {"id": 200, "source": 100, "topic": 100}  # the longest that are stored
LETTERS = "ABCDEFGHIJKLMNOPQRST"


def item_row(line: int, turns: Sequence[Turn], cells: Mapping[str, object], names: Mapping[str, str]) -> ItemRow:
    """The row of a question, its choices and answer, with names that are as long as may be. Raises ``Refused``."""
    question = text_of(cells.get("question"), "question")
    if not question:
        raise Refused("no_question")
    written = [text_of(choice, "choices") for choice in listed(cells, "choices", MOST_CHOICES)]
    choices = tuple(dict.fromkeys(filter(None, written)))
    if len(choices) < 3:
        raise Refused("few_choices", found=len(choices))
    answer = _answer(cells.get("answer"), choices, written)
    return ItemRow(line, tuple(turns), question, choices, answer, *(names.get(name, "") for name in NAMES))


def turns_of(value: object) -> list[Turn]:
    """The turns of a dialogue: labelled utterances in a list or on lines of their own, or {speaker, text} objects.

    Raises ``Refused``.
    """
    if isinstance(value, str):
        value = [line for line in value.splitlines() if line.strip()]
    utterances = listed({"turns": value}, "turns", MOST_TURNS)
    turns = [_turn(utterance, number) for number, utterance in enumerate(utterances, start=1)]
    length = sum(len(turn["text"]) for turn in turns)
    if not length:
        raise Refused("no_dialogue")
    if length > LONGEST_DIALOGUE:
        raise Refused("cell_too_long", column="turns", length=length, limit=LONGEST_DIALOGUE)
    return turns


def _turn(utterance: object, number: int) -> Turn:
    if isinstance(utterance, Mapping):
        speaker, text = (text_of(utterance.get(name), name) for name in ("speaker", "text"))
        turn = Turn(speaker=one_line(speaker), text=text) if one_line(speaker) else None
    else:
        turn = parse_turn(text_of(utterance, "turns"))
    if turn is None:
        raise Refused("no_label", number=number)
    return turn


def listed(cells: Mapping[str, object], column: str, limit: int) -> list[object]:
    """The list in a cell, empty where there is none. Raises ``Refused``."""
    value = cells.get(column)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Refused("not_list", column=column)
    if len(value) > limit:
        raise Refused("too_many", column=column, found=len(value), limit=limit)
    return value


def text_of(value: object, column: str) -> str:
    """The normalised text of a value, empty where there is none. Raises ``Refused``."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused("not_text", column=column)
    if broken := ESCAPED.search(within(value, column, CELL_LIMIT)):
        raise Refused("nul") if broken[0] == "\0" else Refused("lone_surrogate", column=column)
    return normalise(value)


def _answer(value: object, choices: Sequence[str], written: Sequence[str]) -> int:
    """The number of the right one of the different choices, named by its text, or its letter or number as written.

    Numbers count from 0. Raises ``Refused``.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        named = {str(number): text for number, text in enumerate(written)}
        answer = str(value)
    else:
        answer = text_of(value, "answer")
        named = dict(zip(LETTERS, written, strict=False)) | {text: text for text in choices}
    if not answer:
        raise Refused("no_answer")
    if named.get(answer) not in choices:
        raise Refused("answer_no_choice", answer=excerpt(answer))
    return choices.index(named[answer])
