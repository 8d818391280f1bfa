"""Questions about dialogues from all formats: the rules for a row, and its refusals."""

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import cycle

from annotation.domain.corpora.dialogue import Turn, parse_turn
from annotation.domain.transcription.recordings import RecordingKind
from annotation.importers.cell_lists import SPEAKER_KEYS, TEXT_KEYS, part_of
from annotation.importers.reasons import RowRefused
from annotation.importers.records import CELL_LIMIT, CONTROL, within
from annotation.importers.rows import ItemRow, Recorded, excerpt
from core.domain.text import normalise, one_line

MOST_TURNS = 1_000
MOST_CHOICES = 20
LONGEST_DIALOGUE = 100_000  # characters
NAMES = {"id": 200, "source": 100, "topic": 100}  # the greatest lengths that are stored
UNREAD = ("no_answer", "answer_no_choice")
LETTERS = "ABCDEFGHIJKLMNOPQRST"


def item_row(
    line: int,
    turns: Sequence[Turn],
    cells: Mapping[str, object],
    names: Mapping[str, str],
    recordings: Sequence[Recorded] = (),
) -> ItemRow:
    """Return the row of a question, its choices and answer. Raises RowRefused.

    ``names`` must not be longer than ``NAMES`` allows.
    """
    question = text_of(cells.get("question"), "question")
    if not question:
        raise RowRefused("no_question")
    written = [text_of(choice, "choices") for choice in listed(cells, "choices", MOST_CHOICES)]
    choices = tuple(dict.fromkeys(filter(None, written)))
    if len(choices) < 3:
        raise RowRefused("few_choices", found=len(choices))
    has_picture = any(each.kind == RecordingKind.ANSWER_IMAGE for each in recordings)
    answer = (_read_answer if has_picture else _answer)(cells.get("answer"), choices, written)
    external_id, source, topic = (names.get(name, "") for name in NAMES)
    return ItemRow(line, tuple(turns), question, choices, answer, external_id, source, topic, tuple(recordings))


def turns_of(value: object, *, is_machine_transcript: bool = False, numbers_speakers: bool = False) -> list[Turn]:
    """Return the turns of a dialogue: labelled utterances in a list or on lines, or {speaker, text} objects.

    With `numbers_speakers`, a dialogue without any speaker is one of A and B in turn. A machine transcript may be one
    turn, and have turns without a speaker: a person will separate them. Raises RowRefused.
    """
    if isinstance(value, str):
        value = [line for line in value.splitlines() if line.strip()]
    utterances = listed({"turns": value}, "turns", MOST_TURNS)
    turns = [_turn(utterance) for utterance in utterances]
    if numbers_speakers and not any(turn["speaker"] for turn in turns):
        for speaker, turn in zip(cycle("AB"), turns, strict=False):
            turn["speaker"] = speaker
    nameless = next((number for number, turn in enumerate(turns, start=1) if not turn["speaker"]), None)
    if nameless and not is_machine_transcript:
        raise RowRefused("no_label", number=nameless)
    length = sum(len(turn["text"]) for turn in turns)
    if not length:
        raise RowRefused("no_dialogue")
    if len(turns) == 1 and not is_machine_transcript:
        raise RowRefused("one_turn")
    if length > LONGEST_DIALOGUE:
        raise RowRefused("cell_too_long", column="turns", length=length, limit=LONGEST_DIALOGUE)
    return turns


def _turn(utterance: object) -> Turn:
    if isinstance(utterance, Mapping):
        speaker = text_of(part_of(utterance, SPEAKER_KEYS), "speaker")
        return Turn(speaker=one_line(speaker), text=text_of(part_of(utterance, TEXT_KEYS), "text"))
    text = text_of(utterance, "turns")
    return parse_turn(text) or Turn(speaker="", text=text)


def listed(cells: Mapping[str, object], column: str, limit: int) -> list[object]:
    """Return the list in a cell, empty where there is none. Raises RowRefused."""
    value = cells.get(column)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RowRefused("not_list", column=column)
    if len(value) > limit:
        raise RowRefused("too_many", column=column, found=len(value), limit=limit)
    return value


def text_of(value: object, column: str) -> str:
    """Return the normalised text of a value, empty where there is none. Raises RowRefused."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RowRefused("not_text", column=column)
    if broken := CONTROL.search(within(value, column, CELL_LIMIT)):
        raise RowRefused("nul") if broken[0] == "\0" else RowRefused("lone_surrogate", column=column)
    return normalise(value)


def _read_answer(value: object, choices: Sequence[str], written: Sequence[str]) -> int | None:
    """Return the answer that a machine read from a picture; None where it is missing or not one of the choices."""
    try:
        return _answer(value, choices, written)
    except RowRefused as refused:
        if refused.reason.code in UNREAD:
            return None
        raise


def _answer(value: object, choices: Sequence[str], written: Sequence[str]) -> int:
    """Return the number of the right choice, named by its text, or by its letter or number as written.

    Numbers count from 0. Raises RowRefused.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        named = {str(number): text for number, text in enumerate(written)}
        answer = written_answer = str(value)
    else:
        answer = written_answer = text_of(value, "answer")
        named = dict(zip(LETTERS, written, strict=False)) | {text: text for text in choices}
        if answer not in named:
            answer = unicodedata.normalize("NFKC", answer)  # a letter of any width
    if not answer:
        raise RowRefused("no_answer")
    if named.get(answer) not in choices:
        raise RowRefused("answer_no_choice", answer=excerpt(written_answer))
    return choices.index(named[answer])
