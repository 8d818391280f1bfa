"""The sequential matching network of Wu et al. 2017."""

import torch
from torch import nn
from torch.nn.functional import pad

from study.baselines.neural.networks.parts import Turns, lengths, word_vectors
from study.baselines.neural.vocabulary import NOTHING

FILTERS, WINDOW = 8, 3  # of the convolution; the pooling has the same window, without overlap
MATCHED = 50  # numbers in which a match of turn and response is put, and the state of the GRU that reads the matches


class SequentialMatching(nn.Module):
    """Each turn is matched with the response, word by word and state by state; a GRU reads the matches in order."""

    def __init__(self, embedded: int, vectors: int, hidden: int, words: int) -> None:
        super().__init__()
        self.vectors = word_vectors(embedded, vectors)
        self.encoder = nn.GRU(vectors, hidden, batch_first=True)
        self.states = nn.Parameter(torch.eye(hidden))
        self.filters = nn.Conv2d(2, FILTERS, WINDOW)
        self.pooling = nn.MaxPool2d(WINDOW)
        pooled = (words - WINDOW + 1) // WINDOW
        self.matched = nn.Linear(FILTERS * pooled * pooled, MATCHED)
        self.reader = nn.GRU(MATCHED, MATCHED, batch_first=True)
        self.last = nn.Linear(MATCHED, 1)

    def forward(self, contexts: torch.Tensor, responses: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        turns = Turns(contexts, owners)
        vectors, states = self.encoded(turns.words)
        other_vectors, other_states = (each.index_select(0, turns.pair) for each in self.encoded(responses))
        by_words = vectors.index_select(0, turns.turn) @ other_vectors.transpose(1, 2)
        by_states = (states @ self.states).index_select(0, turns.turn) @ other_states.transpose(1, 2)
        found = self.pooling(torch.relu(self.filters(torch.stack([by_words, by_states], 1))))
        matches = torch.tanh(self.matched(found.flatten(1)))
        return self.last(self.reader(turns.in_places(matches))[0][:, -1]).squeeze(1)

    def encoded(self, numbers: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return vectors and states of the words, zeros where there is none."""
        vectors = self.vectors(numbers)
        longest = int(lengths(numbers).max())
        states = self.encoder(vectors[:, :longest])[0] * (numbers[:, :longest] != NOTHING).unsqueeze(2)
        return vectors, pad(states, (0, 0, 0, numbers.shape[1] - longest))
