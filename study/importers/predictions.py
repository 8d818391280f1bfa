"""Predictions that another system made: a row an instance, its candidates best first, or their scores.

A line of MuTual's list is an id and its candidates best first, separated by tabs: letters, or numbers from 1
(study/exporters/mutual_list.py writes it). JSON is {"id": ..., "scores": [...]}, one a line or all in an array, higher
is better. Candidates are in the order of the instance. An id alone, or no scores, says that the system gave no answer.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from math import isfinite
from string import ascii_uppercase
from typing import BinaryIO, NamedTuple

from annotation.importers.encoding import Encoding, recognise_encoding, tells_encoding
from annotation.importers.foreign import refuse_foreign
from annotation.importers.json_array import ArrayEntry, begins_document, entries
from annotation.importers.jsonl import json_object
from annotation.importers.layout import HEAD
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reading import Source, opened
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.rows import BadRow, excerpt
from core.domain.text import normalise

NUMBER = re.compile("[1-9][0-9]{0,5}")


class PredictionRow(NamedTuple):
    """What a row says of an instance: `ranking` names its candidates best first, or they have `scores`.

    `line` is the number of its line, or of its entry in a JSON array.
    """

    line: int
    text: str
    id: str
    ranking: tuple[str, ...] = ()
    scores: tuple[float, ...] | None = None

    def scores_of(self, candidates: int) -> list[float]:
        """Return a score for each candidate, in the order of the instance; [] where there is no answer.

        In a ranking it is the number of candidates below. Raises RowRefused where they are not its candidates.
        """
        if self.scores is not None:
            if self.scores and len(self.scores) != candidates:
                raise RowRefused("scores_count", found=len(self.scores), candidates=candidates)
            return list(self.scores)
        order = [_number(name, candidates) for name in self.ranking]
        twice = next((name for name, number in zip(self.ranking, order, strict=True) if order.count(number) > 1), None)
        if twice:
            raise RowRefused("candidate_twice", name=twice)
        if order and len(order) != candidates:
            raise RowRefused("candidates_left_out", found=len(order), candidates=candidates)
        below = dict(zip(order, range(candidates - 1, -1, -1), strict=False))
        return [float(below[number]) for number in range(len(order))]


def read(source: Source, *, file_name: str = "") -> Iterator[PredictionRow | BadRow]:
    """Yield the rows of a path or seekable file; one BadRow without a line where the whole file is refused."""
    with opened(source, file_name) as (file, name):
        try:
            encoding = _encoding(file)
        except RowRefused as refused:
            yield BadRow(name, None, refused.reason)
            return
        lines = (line for line in read_lines(file, encoding) if not line.is_blank)
        first = next(lines, None)
        if first is None:
            yield BadRow(name, None, RefusalReason("empty"))
        elif begins_document(first.text):
            yield from _of_document(file, encoding, name)
        else:
            yield from (_row(line, name) for line in chain([first], lines))


def _encoding(file: BinaryIO) -> Encoding:
    """Return the encoding of a file of text. Raises RowRefused for another kind of file."""
    file.seek(0)
    head = file.read(HEAD)
    if not tells_encoding(head):
        refuse_foreign(file, head)
    return recognise_encoding(file)


def _of_document(file: BinaryIO, encoding: Encoding, name: str) -> Iterator[PredictionRow | BadRow]:
    try:
        for entry in entries(file, encoding, DECODER):
            yield _of_entry(entry, name)
    except RowRefused as refused:
        no_array = refused.reason.code == "json_no_array"
        yield BadRow(name, None, RefusalReason("json_document") if no_array else refused.reason)


def _of_entry(entry: ArrayEntry, file: str) -> PredictionRow | BadRow:
    try:
        if not isinstance(entry.value, dict):
            raise RowRefused("json_no_object")
        return _of_object(entry.value, entry.number, entry.text)
    except RowRefused as refused:
        return BadRow(file, entry.number, refused.reason, excerpt(entry.text))


def _row(line: FileLine, file: str) -> PredictionRow | BadRow:
    try:
        if line.flaw:
            return BadRow(file, line.number, line.flaw, excerpt(line.text))
        if not line.text.lstrip("\ufeff ").startswith("{"):
            return _of_list(line)
        return _of_object(json_object(normalise(line.text), DECODER), line.number, line.text)
    except RowRefused as refused:
        return BadRow(file, line.number, refused.reason, excerpt(line.text))


def _of_list(line: FileLine) -> PredictionRow:
    id, *names = map(normalise, line.text.rstrip().split("\t"))
    if not id:
        raise RowRefused("no_value", column="id")
    return PredictionRow(line.number, line.text, id, tuple(names))


def _of_object(value: Mapping[str, object], number: int, text: str) -> PredictionRow:
    id, scores = value.get("id"), value.get("scores")
    for said in (id, scores):
        if isinstance(said, RefusalReason):
            raise RowRefused(said.code, **said.params)
    if isinstance(id, str) and "\0" in id:
        raise RowRefused("nul")
    if isinstance(id, bool) or not isinstance(id, str | int) or not (name := normalise(str(id))):
        raise RowRefused("no_value", column="id")
    if not isinstance(scores, list):
        raise RowRefused("not_list", column="scores")
    return PredictionRow(number, text, name, scores=tuple(map(_score, scores)))


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object in which the value of a key that is there twice is the reason why it cannot be read."""
    counts = Counter(key for key, _value in pairs)
    return {key: RefusalReason("key_twice", {"column": key}) if counts[key] > 1 else value for key, value in pairs}


DECODER = json.JSONDecoder(object_pairs_hook=_once)


def _score(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RowRefused("score_no_number", value=excerpt(json.dumps(value, ensure_ascii=False)))
    try:
        score = float(value)
    except OverflowError:
        score = float("inf") if value > 0 else float("-inf")
    if not isfinite(score):
        raise RowRefused("score_not_finite", value=json.dumps(score))
    return score


def _number(name: str, candidates: int) -> int:
    """Return the number, from 0, of a candidate that is named by its letter, or by its number from 1."""
    letter = ascii_uppercase.find(name.upper()) if len(name) == 1 else -1
    number = int(name) - 1 if NUMBER.fullmatch(name) else letter
    if not 0 <= number < candidates:
        raise RowRefused("candidate_unknown", name=excerpt(name), candidates=candidates)
    return number
