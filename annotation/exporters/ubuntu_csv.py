"""The Ubuntu corpus as csv: labelled triples of the dialogues, and instances with their candidates.

Of a dialogue of the train split (or of none) each turn from the third on is a response to all before it; a row with one
false response follows. Of a dialogue of dev or test the last turn is the response, with nine false ones: 1 in 10, and 1
in 2 with the first of them. False responses are drawn from the same file, never from the same conversation.

Beside NAME.csv, NAME_ids.csv says of each dialogue in it what it is called, of which conversation it is, and whether
its false responses were drawn here: with it the files are read back as dialogues from which the same ones are drawn.
"""

import csv
import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from annotation.domain.corpora.ubuntu_text import (
    FIRST_RESPONSE,
    IDS_HEADER,
    IDS_SUFFIX,
    context_text,
    response_text,
    without_marks,
)
from annotation.domain.releases.splitting import Split
from annotation.exporters.dialogues import NoInstance
from annotation.models import Dialogue
from core.domain.draws import uniforms
from core.domain.text import fold

LABELLED = ["Context", "Utterance", "Label"]
LABELLED_FILES = ("train", "dialogues")
FALSE_RESPONSES = 9
SEED = 0
MOST_DRAWS = 100  # for one row; a split of few dialogues may not have enough false responses


class Example(NamedTuple):
    """A context with its true response, and the false ones that an instance brings ([] for a dialogue).

    `dialogue` is the id of what it was made of, `turn` the number of the response in it.
    """

    dialogue: str
    turn: int
    conversation: str
    context: list[str]
    response: str
    false: list[str]


class _Examples:
    """The examples of one file, and the rows of the file of ids beside it, on disk."""

    def __init__(self, file: IO[bytes], ids: IO[bytes]) -> None:
        self._file, self._ids = file, ids
        self._places = array("Q")

    def add(self, dialogue: Dialogue) -> None:
        """Add what is made of a dialogue. Raises NoInstance."""
        for example in examples_of(dialogue):
            self._places.append(self._file.tell())
            self._file.write(json.dumps(example).encode() + b"\n")
        is_drawn = dialogue.candidates is None
        self._ids.write(json.dumps([dialogue.external_id, dialogue.conversation, int(is_drawn)]).encode() + b"\n")

    @property
    def ids(self) -> Iterator[list[Any]]:
        self._ids.seek(0)
        return map(json.loads, self._ids)

    def __iter__(self) -> Iterator[Example]:
        return map(self._at, range(len(self._places)))

    @property
    def most_false(self) -> int:
        """The most false responses that one has; at least 1, which is what tells the format."""
        most = 1
        for example in self:
            most = max(most, len(example.false))
            if most < FALSE_RESPONSES and not example.false:
                most = max(most, len(self.false_responses(example, FALSE_RESPONSES)))
        return most

    def false_responses(self, example: Example, wanted: int) -> list[str]:
        """Draw responses of other conversations that differ from the true one and each other after folding."""
        drawn, folded = list[str](), {fold(example.response)}
        for draw in range(MOST_DRAWS):
            place = uniforms(SEED, "false response", f"{example.dialogue}-{example.turn}", str(draw))[0]
            other = self._at(int(place * len(self._places)))
            if other.conversation != example.conversation and fold(other.response) not in folded:
                folded.add(fold(other.response))
                drawn.append(other.response)
            if len(drawn) == wanted:
                break
        return drawn

    def _at(self, number: int) -> Example:
        self._file.seek(self._places[number])
        return Example(*json.loads(self._file.readline()))


def write(dialogues: Iterable[Dialogue], folder: Path) -> int:
    """Write train.csv, dev.csv, test.csv and dialogues.csv, those that have rows, each with its ids. Raises NoInstance.

    In train, and without a split, instances have a file of their own. One whose answer is not known has no place here.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        examples: dict[str, _Examples] = {}
        for dialogue in dialogues:
            name = _file_of(dialogue)
            if name not in examples:
                examples[name] = _Examples(stack.enter_context(TemporaryFile()), stack.enter_context(TemporaryFile()))
            examples[name].add(dialogue)
        for name, of_file in examples.items():
            is_labelled = name in LABELLED_FILES
            header, rows = (LABELLED, _triples(of_file)) if is_labelled else _instances(of_file)
            _written(folder / f"{name}.csv", header, rows)
            _written(folder / f"{name}{IDS_SUFFIX}", IDS_HEADER, of_file.ids)
    return 2 * len(examples)


def _file_of(dialogue: Dialogue) -> str:
    name = dialogue.split or "dialogues"
    return f"{name}_instances" if name in LABELLED_FILES and dialogue.candidates is not None else name


def examples_of(dialogue: Dialogue) -> Iterator[Example]:
    """Yield what is made of a dialogue: an example, or in the train split one for each turn from the third on."""
    turns = [without_marks(turn["text"]) for turn in dialogue.turns]
    candidates = [without_marks(text) for text in dialogue.candidates or ()]
    name, conversation, last = dialogue.external_id, dialogue.conversation, len(turns) - 1
    if not all(turns) or not all(candidates):
        raise NoInstance(name)
    if candidates:
        if dialogue.answer is None:
            raise NoInstance(name)
        response = candidates.pop(dialogue.answer)
        yield Example(name, last + 1, conversation, turns, response, candidates)
        return
    first = last if dialogue.split in (Split.DEV, Split.TEST) else min(FIRST_RESPONSE, last)
    if not last:
        raise NoInstance(name)
    for turn in range(first, last + 1):
        yield Example(name, turn, conversation, turns[:turn], turns[turn], [])


def _triples(examples: _Examples) -> Iterator[list[Any]]:
    for example in examples:
        context = context_text(example.context)
        yield [context, response_text(example.response), 1]
        for false in examples.false_responses(example, 1):
            yield [context, response_text(false), 0]


def _instances(examples: _Examples) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the header and the rows."""
    most = examples.most_false
    return ["Context", "Ground Truth Utterance", *(f"Distractor_{number}" for number in range(most))], (
        [context_text(example.context), *map(response_text, (example.response, *false)), *[""] * (most - len(false))]
        for example in examples
        for false in [example.false or examples.false_responses(example, FALSE_RESPONSES)]
    )


def _written(path: Path, header: Sequence[str], rows: Iterator[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
