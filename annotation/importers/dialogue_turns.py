"""Turns of a dialogue in a table: texts or objects, with speakers that they name themselves."""

from annotation.domain.corpora.dialogue import Turn, parse_turn
from annotation.importers.cell_lists import SPEAKER_KEYS, TEXT_KEYS, part_of, turns_in_cell
from annotation.importers.dialogues import LONGEST_SAID, MOST_TURNS
from annotation.importers.layout import Layout
from annotation.importers.reasons import RowRefused
from annotation.importers.records import CONTROL, Record, cell_of, text_cell, within
from core.domain.text import one_line

LONGEST_NAME = 100  # characters of a speaker
LONGEST_CELL = 1_000_000  # characters of a whole dialogue
LONGEST_LABEL = 30  # characters of a speaker in front of a text


def turns_listed(record: Record, separator: str) -> list[object]:
    """Return the turns of a dialogue in the cell of all its turns. Raises RowRefused."""
    cell = cell_of(record, "turns")
    listed = turns_in_cell(within(cell, "turns", LONGEST_CELL), separator) if isinstance(cell, str) else cell
    if cell is None or listed == []:
        raise RowRefused("no_dialogue")
    if not isinstance(listed, list):
        raise RowRefused("not_list", column="turns")
    if len(listed) > MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    return listed


def two_turns(record: Record) -> list[object]:
    """Return a prompt and its response. Raises RowRefused where one is missing."""
    texts = {column: text_cell(record, column, LONGEST_SAID) for column in ("prompt", "response")}
    if empty := [column for column, text in texts.items() if not text.strip()]:
        raise RowRefused("no_value", column=empty[0])
    return [*texts.values()]


def turn_of(value: object, layout: Layout) -> Turn:
    """Return a turn that is a text, or an object with a speaker and a text. Raises RowRefused."""
    speaker: object = ""
    if isinstance(value, dict):
        speaker, value = part_of(value, SPEAKER_KEYS) or "", part_of(value, TEXT_KEYS)
    if not isinstance(value, str) or not isinstance(speaker, str | int):
        raise RowRefused("not_text", column="turns")
    if broken := CONTROL.search(value):
        raise RowRefused("nul") if broken[0] == "\0" else RowRefused("lone_surrogate", column="turns")
    text = layout.tidy(within(value, "turns", LONGEST_SAID))
    return Turn(speaker=one_line(within(str(speaker), "speaker", LONGEST_NAME)), text=text)


def with_speakers(turns: list[Turn]) -> list[Turn]:
    """Return the turns with their speakers where each begins with one and a colon, and few people speak.

    A colon may also be a part of what is said.
    """
    found = [parse_turn(turn["text"]) for turn in turns]
    labelled = [turn for turn in found if turn and turn["text"] and len(turn["speaker"]) <= LONGEST_LABEL]
    people = {turn["speaker"] for turn in labelled}
    is_sure = len(labelled) == len(turns) and len(people) <= max(2, len(turns) // 2)
    return labelled if is_sure else turns
