"""Networks that select answers, as in Wang et al. 2018: BiLSTM and CNN, taught on the squared distance to the grade."""

from typing import Any

from core.domain.wording import gettext_noop
from study.baselines.base import Cost
from study.baselines.neural.dual import FAMILY, WORDS
from study.baselines.neural.settings import OF_TRAINING, OF_WORDS, with_defaults
from study.baselines.neural.word_model import JoinedContext
from study.baselines.settings import Setting

DECLARED = (
    *with_defaults(OF_TRAINING, epochs=20),
    *OF_WORDS,
    Setting("hidden", 300, gettext_noop("Size of the encoder."), 1, 4_096),
    WORDS,
)


class BiLstm(JoinedContext):
    """Cosine of the greatest states of a bidirectional LSTM (QA-LSTM of Tan et al. 2015).

    From Wang et al. 2018: 300 states, squared error, early stopping. They do not say how a cosine becomes a grade:
    here by a slope and a constant that are learned, too.
    """

    key = "bilstm"
    title = "BiLSTM"
    family = FAMILY
    about = gettext_noop(
        "A bidirectional LSTM encodes the context and the response; the score is the cosine of their max-pooled hidden "
        "states (Tan et al. 2015). Trained on the squared error of the grade."
    )
    is_squared = True
    declares = DECLARED
    cost = Cost(training=1_000, scoring=56, megabytes=700)

    def made(self) -> Any:
        from study.baselines.neural.networks.answers import BiLstmMatch

        return BiLstmMatch(len(self.vocabulary), self.whole("embedding"), self.whole("hidden"))


class Cnn(JoinedContext):
    """Filters over five words, the greatest value of each, and a layer over both texts (Severyn and Moschitti 2015).

    From Wang et al. 2018: 300 filters, squared error, early stopping. Left out, as they do not name them, are the
    features of shared words that the model has in its own paper.
    """

    key = "cnn"
    title = "CNN"
    family = FAMILY
    about = gettext_noop(
        "Convolutions over five words encode the context and the response; a hidden layer over both and their bilinear "
        "match gives the score (Severyn and Moschitti 2015). Trained on the squared error of the grade."
    )
    is_squared = True
    declares = DECLARED
    cost = Cost(training=350, scoring=20, megabytes=500)

    def made(self) -> Any:
        from study.baselines.neural.networks.answers import CnnMatch

        return CnnMatch(len(self.vocabulary), self.whole("embedding"), self.whole("hidden"))
