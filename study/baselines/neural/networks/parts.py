"""Parts that several networks have."""

import torch
from torch import nn

from study.baselines.neural.vocabulary import NOTHING, UNKNOWN

WIDEST = 0.25  # of the numbers of a word's vector before the training (Kim 2014)


def word_vectors(words: int, size: int) -> nn.Embedding:
    """Return a vector for each word, drawn; of nothing and of an unknown word all zeros."""
    vectors = nn.Embedding(words, size, padding_idx=NOTHING)
    with torch.no_grad():
        vectors.weight.uniform_(-WIDEST, WIDEST)
        vectors.weight[[NOTHING, UNKNOWN]] = 0
    return vectors


def lengths(numbers: torch.Tensor) -> torch.Tensor:
    """Return how many words each row has."""
    return (numbers != NOTHING).sum(-1)


def last_states(encoder: nn.RNNBase, vectors: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    """Return the state of a recurrent network after the last word of each row; `of` are the lengths of the rows.

    The network reads on to the end of the longest row, which changes no state before it: to learn from packed rows
    takes several times as long on a processor.
    """
    states: torch.Tensor = encoder(vectors)[0]
    last = (of - 1).view(-1, 1, 1).expand(-1, 1, states.shape[2])
    return states.gather(1, last).squeeze(1)


class Turns:
    """Which turns are there, and which of them is matched with which response.

    `words` are those of the turns, a row each. Of each match `turn` is the number of that row, `pair` the number of the
    response, and `place` that of the turn in its context.
    """

    def __init__(self, contexts: torch.Tensor, owners: torch.Tensor) -> None:
        there = contexts[:, :, 0] != NOTHING
        numbers = there.flatten().cumsum(0).view_as(there) - 1
        self.words = contexts[there]
        self.pair, self.place = there.index_select(0, owners).nonzero(as_tuple=True)
        self.turn = numbers[owners[self.pair], self.place]
        self._shape = len(owners), contexts.shape[1]

    def in_places(self, matches: torch.Tensor) -> torch.Tensor:
        """Return the matches, shape (responses, turns, ...), zeros where there is no turn."""
        return matches.new_zeros(*self._shape, *matches.shape[1:]).index_put((self.pair, self.place), matches)
