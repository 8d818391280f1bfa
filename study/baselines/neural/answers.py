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
    Setting("hidden", 300, gettext_noop("Size of an encoder: states in each direction, or filters."), 1, 4_096),
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
        "A network with long short-term memory reads the context and the response in both directions; the score is the "
        "cosine of the greatest values of its states (Tan et al. 2015), learned from the grades."
    )
    is_squared = True
    declares = DECLARED
    cost = Cost(training=100, scoring=10, megabytes=600)

    def made(self) -> Any:
        from study.baselines.neural.networks.answers import BiLstmMatch

        return BiLstmMatch(len(self.vocabulary), self.whole("vectors"), self.whole("hidden"))


class Cnn(JoinedContext):
    """Filters over five words, the greatest value of each, and a layer over both texts (Severyn and Moschitti 2015).

    From Wang et al. 2018: 300 filters, squared error, early stopping. Left out, as they do not name them, are the
    features of shared words that the model has in its own paper.
    """

    key = "cnn"
    title = "CNN"
    family = FAMILY
    about = gettext_noop(
        "Filters over five neighbouring words read the context and the response; a layer over the greatest values and "
        "their match gives the score (Severyn and Moschitti 2015), learned from the grades."
    )
    is_squared = True
    declares = DECLARED
    cost = Cost(training=100, scoring=10, megabytes=600)

    def made(self) -> Any:
        from study.baselines.neural.networks.answers import CnnMatch

        return CnnMatch(len(self.vocabulary), self.whole("vectors"), self.whole("hidden"))
