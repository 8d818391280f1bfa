"""Predictions that another system made: a line an instance, its candidates best first, or their scores.

A line of MuTual's list is an id and its candidates best first, separated by tabs: letters, or numbers from 1
(study/exporters/mutual_list.py writes it). A line of JSON is {"id": ..., "scores": [...]}, higher is better. Candidates
are in the order of the instance. An id alone, or no scores, says that the system gave no answer.
"""

import json
import re
from collections.abc import Iterator
from math import isfinite
from string import ascii_uppercase
from typing import BinaryIO, NamedTuple

from annotation.importers.encoding import Encoding, recognise_encoding
from annotation.importers.foreign import refuse_foreign
from annotation.importers.jsonl import json_object
from annotation.importers.layout import HEAD
from annotation.importers.lines import FileLine, read_lines
from annotation.importers.reading import Source, opened
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.rows import BadRow, excerpt
from core.domain.text import normalise

NUMBER = re.compile("[1-9][0-9]{0,5}")


class PredictionRow(NamedTuple):
    """What a line says of an instance: `ranking` names its candidates best first, or they have `scores`."""

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
        row: PredictionRow | BadRow | None = None
        for line in read_lines(file, encoding):
            if not line.is_blank:
                row = _row(line, name)
                yield row
        if row is None:
            yield BadRow(name, None, RefusalReason("empty"))


def _encoding(file: BinaryIO) -> Encoding:
    """Return the encoding of a file of lines. Raises RowRefused for another kind of file."""
    file.seek(0)
    head = file.read(HEAD)
    refuse_foreign(file, head)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        raise RowRefused("json_document")
    return recognise_encoding(file)


def _row(line: FileLine, file: str) -> PredictionRow | BadRow:
    try:
        if line.flaw:
            return BadRow(file, line.number, line.flaw, excerpt(line.text))
        return _of_json(line) if line.text.lstrip("\ufeff ").startswith("{") else _of_list(line)
    except RowRefused as refused:
        return BadRow(file, line.number, refused.reason, excerpt(line.text))


def _of_list(line: FileLine) -> PredictionRow:
    id, *names = map(normalise, line.text.rstrip().split("\t"))
    if not id:
        raise RowRefused("no_value", column="id")
    return PredictionRow(line.number, line.text, id, tuple(names))


def _of_json(line: FileLine) -> PredictionRow:
    value = json_object(normalise(line.text))
    id, scores = value.get("id"), value.get("scores")
    if isinstance(id, bool) or not isinstance(id, str | int) or not (name := normalise(str(id))):
        raise RowRefused("no_value", column="id")
    if not isinstance(scores, list):
        raise RowRefused("not_list", column="scores")
    return PredictionRow(line.number, line.text, name, scores=tuple(map(_score, scores)))


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
