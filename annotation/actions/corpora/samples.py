"""What a review shows of an input beside its counts: how it is read, and a few of its dialogues and replacements."""

from typing import Any

from annotation.domain.cleaning.cleaning import cut_up
from annotation.domain.cleaning.cleaning_words import WordLists, fold_letters
from annotation.domain.corpora.ledger import ImportLedger, ReplacementExamples
from annotation.domain.corpora.samples import SeededSample
from annotation.importers.archive import Member
from annotation.importers.dialogues import DialogueRow
from annotation.importers.specimen import Specimen, specimen_of

DIALOGUES = 10
FLAGGED = 10
TURNS = 12  # shown of a dialogue
CHARACTERS = 600  # shown of a turn
AROUND = 60  # characters shown before and after a flagged word


class ImportSamples:
    """A few of the dialogues and replacements of an input, the same for the same seed, and when it begins and ends."""

    def __init__(self, seed: int) -> None:
        self._words = WordLists({})
        self._examples = ReplacementExamples(seed)
        self._dialogues = SeededSample[dict[str, Any]](DIALOGUES, seed, "dialogue")
        self._flagged = SeededSample[dict[str, Any]](FLAGGED, seed, "flagged")
        self._specimen: Specimen | None = None
        self._began = self._ended = ""

    def begin(self, format: str, files: list[Member], ledger: ImportLedger, words: WordLists) -> None:
        """Look at the first record, and keep examples of what `ledger` will count and `words` flag."""
        self._words = words
        self._specimen = specimen_of(format, files)
        ledger.examples = self._examples

    def offer(self, row: DialogueRow) -> None:
        self._dialogues.offer(lambda: _shortened(row))
        if row.flagged:
            self._flagged.offer(lambda: self._with_word(row))
        if at := row.turns and row.turns[0].get("at"):
            moment = str(at)
            self._began = min(self._began or moment, moment)
            self._ended = max(self._ended, moment)

    def as_mapping(self) -> dict[str, Any]:
        """Return all of it as it is stored on a job."""
        return {
            "specimen": self._specimen and self._specimen._asdict(),
            "began": self._began,
            "ended": self._ended,
            "dialogues": self._dialogues.kept,
            "replacements": {kind: sample.kept for kind, sample in self._examples.by_kind.items()},
            "flagged_texts": self._flagged.kept,
        }

    def _with_word(self, row: DialogueRow) -> dict[str, Any]:
        """Return the first text of a dialogue that has a word of the lists, in pieces that are such a word or not."""
        text, spans = next((text, spans) for text in row.texts if (spans := self._spans(text)))
        begin, end = max(0, spans[0][0] - AROUND), spans[0][1] + AROUND
        inside = [(first - begin, min(last, end) - begin) for first, last in spans if first < end]
        return {"id": row.id, "pieces": cut_up(text[begin:end], inside)}

    def _spans(self, text: str) -> list[tuple[int, int]]:
        return [(start, end) for _list, start, end in self._words.find(fold_letters(text))]


def _shortened(row: DialogueRow) -> dict[str, Any]:
    turns = [{**turn, "text": turn["text"][:CHARACTERS]} for turn in row.turns[:TURNS]]
    return {"id": row.id, "split": row.split, "turns": turns, "of": len(row.turns)}
