"""Subtitles and scripts with speakers: csv, an utterance a row, in dialogues or scenes of episodes or films."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.domain.corpora.ledger import FEWEST_TURNS, SHORT, ImportLedger
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_SAID,
    LONGEST_STEM,
    DialogueRow,
    Recipe,
    is_too_long,
    line_feeds,
    split_named,
    turns_of,
    with_tags,
)
from annotation.importers.reasons import RowRefused
from annotation.importers.records import Record, name_cell, text_cell
from annotation.importers.rows import BadRow
from annotation.importers.tables import table_rows, tables
from core.domain.text import digest, normalise

COLUMNS = {
    "text": ("utterance", "text", "line", "subtitle"),
    "speaker": ("speaker", "character"),
    "dialogue": ("dialogue_id", "dialog_id", "conversation_id", "scene_id", "scene"),
    "number": ("utterance_id", "turn_id", "line_id"),
    "film": ("film", "movie", "movie_id"),
    "season": ("season", "season_id"),
    "episode": ("episode", "episode_id"),
}
REQUIRED = ("text", "speaker", "dialogue")
LONGEST_NAME = 100  # characters
BLANK, TOO_LONG = "blank", "too_long"  # reasons for dropping a row
RULES: Mapping[str, Any] = {"fewest_turns": FEWEST_TURNS}
HEEDS: Sequence[str] = ("leave",)


class Scene(NamedTuple):
    """What a dialogue is known by: its file, the film or episode that it is from, and its own name there."""

    file: str
    film: str
    season: str
    episode: str
    dialogue: str

    @property
    def conversation(self) -> str:
        """A key of the film or episode, since the dialogues of one are halves of one story; else of the dialogue."""
        story = (self.film, self.season, self.episode)
        return digest("story", *story) if any(story) else digest("dialogue", self.file, self.dialogue)

    @property
    def facts(self) -> dict[str, str | int]:
        return {name: value for name in ("film", "season", "episode") if (value := getattr(self, name))}


class Spoken(NamedTuple):
    scene: Scene
    number: str
    speaker: str
    text: str


def fits(files: Sequence[Member]) -> bool:
    """Tell whether a table has utterances with speakers and dialogues."""
    return bool(tables(files, COLUMNS, REQUIRED))


def total(files: Sequence[Member]) -> int:
    """Return the number of lines, counted by line feeds."""
    return line_feeds(tables(files, COLUMNS, REQUIRED))


def read(files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the dialogues in the order in which they begin; a script is held in memory whole. Raises RowRefused."""
    found = tables(files, COLUMNS, REQUIRED)
    if not found:
        raise RowRefused("no_script")
    ledger.files_not_read = len(files) - len(found)
    scenes: dict[Scene, list[Spoken]] = {}
    for member in found:
        for row in table_rows(member, COLUMNS, REQUIRED, _spoken_in(member)):
            ledger.has_read()
            if isinstance(row, BadRow):
                yield row
            elif not row.text:
                ledger.dropped[BLANK] += 1
            else:
                scenes.setdefault(row.scene, []).append(row)
    for number, (scene, lines) in enumerate(scenes.items(), start=1):
        if dialogue := _dialogue(scene, _in_order(lines), number, ledger, recipe):
            yield dialogue


def _spoken_in(member: Member) -> Any:
    def spoken(record: Record) -> Spoken:
        names = (name_cell(record, column, LONGEST_NAME) for column in ("film", "season", "episode", "dialogue"))
        scene = Scene(member.name, *names)
        speaker, number = name_cell(record, "speaker", LONGEST_NAME), name_cell(record, "number", LONGEST_NAME)
        return Spoken(scene, number, speaker, normalise(text_cell(record, "text", LONGEST_SAID)))

    return spoken


def _in_order(lines: list[Spoken]) -> list[Spoken]:
    """Return the lines of a scene by number where all have one, else as they are in the file."""
    if all(line.number.isdecimal() for line in lines):
        return sorted(lines, key=lambda line: int(line.number))
    return lines


def _dialogue(
    scene: Scene, lines: Sequence[Spoken], number: int, ledger: ImportLedger, recipe: Recipe
) -> DialogueRow | None:
    """Return the dialogue of a scene; None where a rule drops it. Counts its lines."""
    turns = turns_of((line.speaker, line.text) for line in lines)
    if len(turns) < FEWEST_TURNS or is_too_long(turns):
        ledger.dropped[SHORT if len(turns) < FEWEST_TURNS else TOO_LONG] += len(lines)
        return None
    for turn in turns:
        turn["text"] = with_tags(turn["text"], ledger, recipe)
    ledger.kept += len(turns)
    ledger.joined += len(lines) - len(turns)
    return DialogueRow(
        id=f"{normalise(PurePosixPath(scene.file).stem)[:LONGEST_STEM]}-{number}",
        split=split_named(scene.file),
        turns=turns,
        conversation=scene.conversation,
        facts=scene.facts,
    )
