"""The Ubuntu corpus as csv: labelled triples of the dialogues, and instances with their candidates.

Of a dialogue of the train split (or of none) each turn from the third on is a response to all before it; a row with one
false response follows. Of a dialogue of dev or test the last turn is the response, with nine false ones: 1 in 10, and 1
in 2 with the first of them. False responses are drawn from the same split, never from the same conversation.
"""

import csv
import json
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from annotation.domain.corpora.ubuntu_text import context_text, response_text
from annotation.domain.releases.splitting import Split
from annotation.exporters.dialogues import NoInstance
from annotation.models import Dialogue
from core.domain.draws import uniforms
from core.domain.text import fold

LABELLED = ["Context", "Utterance", "Label"]
FALSE_RESPONSES = 9
SEED = 0
MOST_DRAWS = 100  # for one row; a split of few dialogues may not have enough false responses
FROM_THE_THIRD = 2  # the first turn, counted from 0, that is a response


class Example(NamedTuple):
    """A context with its true response, and the candidates that an instance brings ([] for a dialogue)."""

    key: str
    conversation: str
    context: list[str]
    response: str
    false: list[str]


class _Examples:
    """The examples of one split, on disk."""

    def __init__(self, file: IO[bytes], split: str) -> None:
        self.split = split
        self.most_false = 0  # false responses of one instance
        self._file = file
        self._places = array("Q")

    def add(self, example: Example) -> None:
        self.most_false = max(self.most_false, len(example.false))
        self._places.append(self._file.tell())
        self._file.write(json.dumps(example).encode() + b"\n")

    def __iter__(self) -> Iterator[Example]:
        return map(self._at, range(len(self._places)))

    def false_responses(self, example: Example, wanted: int) -> list[str]:
        """Draw responses of other conversations that differ from the true one and each other after folding."""
        drawn, folded = list[str](), {fold(example.response)}
        for draw in range(MOST_DRAWS):
            place = uniforms(SEED, "false response", example.key, str(draw))[0]
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
    """Write train.csv, dev.csv, test.csv and dialogues.csv, those that have rows. Raises NoInstance.

    An instance whose answer is not known has no place in these files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        examples: dict[str, _Examples] = {}
        for dialogue in dialogues:
            if dialogue.split not in examples:
                examples[dialogue.split] = _Examples(stack.enter_context(TemporaryFile()), dialogue.split)
            for example in examples_of(dialogue):
                examples[dialogue.split].add(example)
        return sum(_write(of_split, folder) for of_split in examples.values())


def examples_of(dialogue: Dialogue) -> Iterator[Example]:
    """Yield what is made of a dialogue: an example, or in the train split one for each turn from the third on."""
    turns = [turn["text"] for turn in dialogue.turns]
    name, conversation = dialogue.external_id, dialogue.conversation
    if dialogue.candidates is not None:
        if dialogue.answer is None:
            raise NoInstance(name)
        false = [text for place, text in enumerate(dialogue.candidates) if place != dialogue.answer]
        yield Example(name, conversation, turns, dialogue.candidates[dialogue.answer], false)
        return
    last = len(turns) - 1
    first = last if dialogue.split in (Split.DEV, Split.TEST) else min(FROM_THE_THIRD, last)
    if not last:
        raise NoInstance(name)
    for turn in range(first, last + 1):
        yield Example(f"{name}-{turn}", conversation, turns[:turn], turns[turn], [])


def _write(examples: _Examples, folder: Path) -> int:
    """Write the examples of a split; in train, dialogues and instances are files of their own."""
    name = examples.split or "dialogues"
    if examples.split in (Split.DEV, Split.TEST):
        return _written(folder / f"{name}.csv", _header(examples), _rows(iter(examples), examples))
    triples = _triples((example for example in examples if not example.false), examples)
    instances = _rows((example for example in examples if example.false), examples)
    return _written(folder / f"{name}.csv", LABELLED, triples) + _written(
        folder / f"{name}_instances.csv", _header(examples), instances
    )


def _triples(labelled: Iterable[Example], examples: _Examples) -> Iterator[list[Any]]:
    for example in labelled:
        context = context_text(example.context)
        yield [context, response_text(example.response), 1]
        for false in examples.false_responses(example, 1):
            yield [context, response_text(false), 0]


def _rows(instances: Iterable[Example], examples: _Examples) -> Iterator[list[Any]]:
    for example in instances:
        false = example.false or examples.false_responses(example, FALSE_RESPONSES)
        yield [context_text(example.context), *map(response_text, (example.response, *false))]


def _header(examples: _Examples) -> list[str]:
    most = examples.most_false or FALSE_RESPONSES
    return ["Context", "Ground Truth Utterance", *(f"Distractor_{number}" for number in range(most))]


def _written(path: Path, header: list[str], rows: Iterator[list[Any]]) -> int:
    """Write a file if it has rows, each as long as its header; return how many files were written."""
    first = next(rows, None)
    if first is None:
        return 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in chain([first], rows):
            writer.writerow([*row, *[""] * (len(header) - len(row))])
    return 1
