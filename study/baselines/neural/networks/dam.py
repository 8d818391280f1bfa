"""The deep attention matching network of Zhou et al. 2018."""

from math import ceil

import torch
from torch import nn
from torch.nn.functional import elu

from study.baselines.neural.networks.parts import Turns, word_vectors
from study.baselines.neural.vocabulary import NOTHING

FILTERS = 32, 16  # of the two convolutions; their windows and those of the pooling are 3 wide in each direction


class AttentiveModule(nn.Module):
    """Attention of one text to another, and a layer for each word, both beside what was there before."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.after_attention, self.after_layer = nn.LayerNorm(size), nn.LayerNorm(size)
        self.layer = nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, size))

    def forward(self, asks: torch.Tensor, answers: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """`there` tells which words of the other text are words, shape (texts, words)."""
        weights = asks @ answers.transpose(1, 2) / asks.shape[2] ** 0.5
        weights = weights.masked_fill(~there.unsqueeze(1), -torch.inf).softmax(2)
        found = self.after_attention(asks + weights @ answers)
        return self.after_layer(found + self.layer(found))


class DeepAttentionMatching(nn.Module):
    """Turns and response are matched as read by each of several layers of attention, and as each reads the other."""

    def __init__(self, embedded: int, vectors: int, layers: int, turns: int, words: int) -> None:
        super().__init__()
        self.vectors = word_vectors(embedded, vectors)
        self.to_itself = nn.ModuleList(AttentiveModule(vectors) for _ in range(layers))
        self.turn_to_response = nn.ModuleList(AttentiveModule(vectors) for _ in range(layers + 1))
        self.response_to_turn = nn.ModuleList(AttentiveModule(vectors) for _ in range(layers + 1))
        channels = 2 * (layers + 1)
        self.filters = nn.ModuleList(
            nn.Conv3d(before, after, 3, padding=1)
            for before, after in zip((channels, FILTERS[0]), FILTERS, strict=True)
        )
        self.pooling = nn.MaxPool3d(3, ceil_mode=True)
        pooled = [ceil(size / 9) for size in (turns, words, words)]
        self.last = nn.Linear(FILTERS[-1] * pooled[0] * pooled[1] * pooled[2], 1)

    def forward(self, contexts: torch.Tensor, responses: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        turns = Turns(contexts, owners)
        turn_there, response_there = turns.words != NOTHING, responses != NOTHING
        of_turns, of_responses = self.read(turns.words, turn_there), self.read(responses, response_there)
        turn_there, response_there = turn_there[turns.turn], response_there[turns.pair]
        both_there = turn_there.unsqueeze(2) & response_there.unsqueeze(1)
        channels = []
        for turn_to_response, response_to_turn, turn, response in zip(
            self.turn_to_response, self.response_to_turn, of_turns, of_responses, strict=True
        ):
            turn, response = turn.index_select(0, turns.turn), response.index_select(0, turns.pair)
            channels.append(turn @ response.transpose(1, 2))
            turn, response = (
                turn_to_response(turn, response, response_there),
                response_to_turn(response, turn, turn_there),
            )
            channels.append(turn @ response.transpose(1, 2))
        alike = torch.stack(channels, 1) * both_there.unsqueeze(1) / self.vectors.embedding_dim**0.5
        return self.aggregated(turns.in_places(alike).transpose(1, 2))

    def read(self, numbers: torch.Tensor, there: torch.Tensor) -> list[torch.Tensor]:
        """Return the vectors of the words, and what each layer makes of them."""
        read = [self.vectors(numbers)]
        for layer in self.to_itself:
            read.append(layer(read[-1], read[-1], there))
        return read

    def aggregated(self, image: torch.Tensor) -> torch.Tensor:
        """Return the score of each match, shape (matches, channels, turns, words, words)."""
        for filters in self.filters:
            image = self.pooling(elu(filters(image)))
        return self.last(image.flatten(1)).squeeze(1)
