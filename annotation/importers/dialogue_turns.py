"""Turns of a dialogue in a table: texts or objects, with speakers that they name themselves."""

from annotation.domain.corpora.dialogue import Turn, parse_turn
from annotation.importers.cell_lists import SPEAKER_KEYS, TEXT_KEYS, part_of
from annotation.importers.dialogues import LONGEST_SAID
from annotation.importers.layout import Layout
from annotation.importers.reasons import RowRefused
from annotation.importers.records import CONTROL, within
from core.domain.text import one_line

LONGEST_NAME = 100  # characters of a speaker
LONGEST_LABEL = 30  # characters of a speaker in front of a text


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
