"""Dual encoders: one recurrent network reads context and response (Lowe et al. 2015)."""

from abc import abstractmethod
from typing import Any

from core.domain.wording import gettext_noop
from study.baselines.base import Cost
from study.baselines.neural.settings import OF_TRAINING, OF_WORDS, with_defaults
from study.baselines.neural.word_model import JoinedContext
from study.baselines.settings import Setting

FAMILY = "neural encoders"
WORDS = Setting("words", 160, gettext_noop("Words read: the last of a context, the first of a response."), 1, 2_000)


def _declared(*, hidden: int) -> tuple[Setting, ...]:
    size = Setting("hidden", hidden, gettext_noop("Size of the hidden state."), 1, 4_096)
    return (*with_defaults(OF_TRAINING, batch=256), *OF_WORDS, size, WORDS)


class _Dual(JoinedContext):
    """The score is cᵀMr + b, with c and r the last states of the network; its loss the cross entropy.

    From the paper: tied weights, 160 words, Adam, gradients clipped at 10, one wrong response drawn for each right one,
    orthogonal weights of the state and uniform ones of ±0.01 of the input. Not as in the paper: the vectors of words
    are learned from the training material alone, and M begins as the identity, of which the paper says nothing.
    """

    family = FAMILY

    @abstractmethod
    def recurrent(self) -> Any:
        """Return the class of the recurrent network."""

    def made(self) -> Any:
        from study.baselines.neural.networks.dual import DualEncoder

        encoder = self.recurrent()(self.whole("embedding"), self.whole("hidden"), batch_first=True)
        return DualEncoder(len(self.vocabulary), self.whole("embedding"), encoder)


class DualRnn(_Dual):
    key = "dual-rnn"
    title = "Dual RNN"
    about = gettext_noop(
        "A recurrent network with tied weights encodes the context and the response; the score is the bilinear match "
        "of their last hidden states (Lowe et al. 2015)."
    )
    declares = _declared(hidden=50)
    cost = Cost(training=50, scoring=2, megabytes=400)

    def recurrent(self) -> Any:
        from torch import nn

        return nn.RNN


class DualLstm(_Dual):
    key = "dual-lstm"
    title = "Dual LSTM"
    about = gettext_noop(
        "An LSTM with tied weights encodes the context and the response; the score is the bilinear match of their last "
        "hidden states (Lowe et al. 2015)."
    )
    declares = _declared(hidden=200)
    cost = Cost(training=140, scoring=14, megabytes=700)

    def recurrent(self) -> Any:
        from torch import nn

        return nn.LSTM
