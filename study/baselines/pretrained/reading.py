"""Tokens of contexts and responses, numbered by the vocabulary that pre-trained weights were trained with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Row(NamedTuple):
    """The tokens of a pair, and how many of them stand before the response."""

    tokens: list[int]
    before: int


@dataclass(frozen=True)
class PairReader:
    """Reader of pairs as an encoder takes them: the first mark, the context, marks, the response, the last mark.

    Turns are divided by the last mark, in place of the labels “m :” and “f :” in the texts of the study. At most `most`
    tokens are read: of what is longer the end of the context and, if need be, the beginning of the response.
    """

    tokenizer: Any
    most: int
    between: int  # marks: 1 for BERT, 2 for RoBERTa

    def row(self, context: Sequence[str], response: str) -> Row:
        first, last = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        room = self.most - self.between - 2
        said = _tokens(self.tokenizer, response)[:room]
        turns = [token for turn in context for token in (last, *_tokens(self.tokenizer, turn))][1:]
        before = [first, *_ending(turns, room - len(said)), *[last] * self.between]
        return Row([*before, *said, last], len(before))


@dataclass(frozen=True)
class SequenceReader:
    """Reader of pairs as a language model takes them: a mark, then turns and response, each on a line of its own.

    Of what is longer than `most` tokens, the end of the context and, if need be, the beginning of the response.
    """

    tokenizer: Any
    most: int

    def row(self, context: Sequence[str], response: str) -> Row:
        said = _tokens(self.tokenizer, f"\n{response}" if context else response)[: self.most - 1]
        turns = _tokens(self.tokenizer, "\n".join(context))
        before = [self.tokenizer.eos_token_id, *_ending(turns, self.most - 1 - len(said))]
        return Row([*before, *said], len(before))


def _tokens(tokenizer: Any, text: str) -> list[int]:
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens


def _ending(tokens: Sequence[int], room: int) -> Sequence[int]:
    """Return the last tokens for which there is room."""
    return tokens[max(len(tokens) - room, 0) :]
