"""The dual encoder of Lowe et al. 2015."""

import torch
from torch import nn

from study.baselines.neural.networks.parts import last_states, lengths, word_vectors

NARROW = 0.01  # widest weight of the inputs before the training


class DualEncoder(nn.Module):
    """One recurrent network reads contexts and responses; the score is cᵀMr + b of their last states."""

    def __init__(self, words: int, vectors: int, encoder: nn.RNNBase) -> None:
        super().__init__()
        self.vectors = word_vectors(words, vectors)
        self.encoder = encoder
        self.match = nn.Parameter(torch.eye(encoder.hidden_size))
        self.bias = nn.Parameter(torch.zeros(()))
        _start(encoder)

    def forward(self, contexts: torch.Tensor, responses: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        expected = (self.encoded(contexts) @ self.match).index_select(0, owners)
        return (expected * self.encoded(responses)).sum(1) + self.bias

    def encoded(self, numbers: torch.Tensor) -> torch.Tensor:
        return last_states(self.encoder, self.vectors(numbers), lengths(numbers))


def _start(encoder: nn.RNNBase) -> None:
    """Draw the weights: orthogonal ones of the state, small ones of the input; an LSTM first forgets nothing."""
    gates = 4 if isinstance(encoder, nn.LSTM) else 1
    with torch.no_grad():
        for part in encoder.weight_hh_l0.chunk(gates):
            nn.init.orthogonal_(part)
        encoder.weight_ih_l0.uniform_(-NARROW, NARROW)
        encoder.bias_hh_l0.zero_()
        encoder.bias_ih_l0.zero_()
        if gates == 4:
            encoder.bias_ih_l0.chunk(gates)[1].fill_(1)
