"""Networks that select answers: BiLSTM (Tan et al. 2015) and CNN (Severyn and Moschitti 2015)."""

import torch
from torch import nn
from torch.nn.functional import cosine_similarity, pad

from study.baselines.neural.networks.parts import lengths, word_vectors
from study.baselines.neural.vocabulary import NOTHING

WINDOW = 5  # words that a filter of the CNN sees


class BiLstmMatch(nn.Module):
    """One BiLSTM reads contexts and responses; the score is a · cosine + b of the greatest of their states."""

    def __init__(self, words: int, vectors: int, hidden: int) -> None:
        super().__init__()
        self.vectors = word_vectors(words, vectors)
        self.forwards = nn.LSTM(vectors, hidden, batch_first=True)
        self.backwards = nn.LSTM(vectors, hidden, batch_first=True)
        self.slope = nn.Parameter(torch.ones(()))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, contexts: torch.Tensor, responses: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        alike = cosine_similarity(self.encoded(contexts).index_select(0, owners), self.encoded(responses))
        return self.slope * alike + self.bias

    def encoded(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the greatest of the states in both directions, over the words of each row.

        Two networks, of which one reads reversed rows: one in both directions would begin with what fills a row up.
        """
        vectors = self.vectors(numbers)
        states = torch.cat(
            [self.forwards(vectors)[0], _reversed(self.backwards(_reversed(vectors, numbers))[0], numbers)], 2
        )
        return states.masked_fill((numbers == NOTHING).unsqueeze(2), -torch.inf).amax(1)


def _reversed(rows: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
    """Return what stands at the words of each row in reversed order; what fills a row up stays behind."""
    places = torch.arange(numbers.shape[1], device=numbers.device).expand_as(numbers)
    last = lengths(numbers).unsqueeze(1) - 1
    turned = torch.where(places <= last, last - places, places)
    return rows.gather(1, turned.unsqueeze(2).expand_as(rows))


class CnnMatch(nn.Module):
    """Filters over words, the greatest value of each, how well the two texts match, and a hidden layer."""

    def __init__(self, words: int, vectors: int, hidden: int) -> None:
        super().__init__()
        self.vectors = word_vectors(words, vectors)
        self.of_context = nn.Conv1d(vectors, hidden, WINDOW)
        self.of_response = nn.Conv1d(vectors, hidden, WINDOW)
        self.match = nn.Parameter(torch.eye(hidden) / hidden)
        self.joined = nn.Linear(2 * hidden + 1, 2 * hidden + 1)
        self.last = nn.Linear(2 * hidden + 1, 1)

    def forward(self, contexts: torch.Tensor, responses: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        context = self.encoded(self.of_context, contexts).index_select(0, owners)
        response = self.encoded(self.of_response, responses)
        alike = ((context @ self.match) * response).sum(1, keepdim=True)
        hidden = torch.relu(self.joined(torch.cat([context, alike, response], 1)))
        return self.last(hidden).squeeze(1)

    def encoded(self, filters: nn.Conv1d, numbers: torch.Tensor) -> torch.Tensor:
        """Return the greatest value of each filter over the words of each row, and WINDOW - 1 on either side."""
        vectors = pad(self.vectors(numbers), (0, 0, WINDOW - 1, WINDOW - 1))
        found = torch.relu(filters(vectors.transpose(1, 2)))
        places = torch.arange(found.shape[2], device=numbers.device)
        behind = places >= lengths(numbers).unsqueeze(1) + WINDOW - 1
        return found.masked_fill(behind.unsqueeze(1), 0).amax(2)
