"""Networks that match each turn of a context with the response: SMN (Wu et al. 2017) and DAM (Zhou et al. 2018)."""

from typing import Any

from core.domain.wording import gettext_noop
from study.baselines.base import Cost
from study.baselines.neural.settings import OF_TRAINING, OF_WORDS, with_defaults
from study.baselines.neural.word_model import ContextByTurns
from study.baselines.settings import Setting

FAMILY = "matching networks"
TURNS = Setting("turns", 10, gettext_noop("Number of turns read, from the end of the context."), 1, 50)
WORDS = Setting("words", 50, gettext_noop("Words read: the last of a turn, the first of a response."), 5, 200)


class Smn(ContextByTurns):
    """Sequential matching network, with the last state of its second GRU (SMN-last).

    From the paper: 200 numbers for a word and for a state, 10 turns of 50 words, 8 filters, windows of 3 x 3, Adam. Not
    as in the paper: the vectors of words are learned from the training material alone, and a batch is half of its 200,
    which needs much memory. Its softmax over two classes is the same as our one score.
    """

    key = "smn"
    title = "SMN"
    family = FAMILY
    about = gettext_noop(
        "The response is matched with each turn, by word embeddings and by hidden states; a convolution distils each "
        "match, and a GRU reads the matches in the order of the turns (Wu et al. 2017)."
    )
    declares = (
        *with_defaults(OF_TRAINING, batch=100),
        *OF_WORDS,
        Setting("hidden", 200, gettext_noop("Size of the hidden state."), 1, 4_096),
        TURNS,
        WORDS,
    )
    batch = 100
    asked_at_once = 64
    cost = Cost(training=540, scoring=48, megabytes=800)

    def made(self) -> Any:
        from study.baselines.neural.networks.smn import SequentialMatching

        sizes = [self.whole(name) for name in ("embedding", "hidden", "words")]
        return SequentialMatching(len(self.vocabulary), *sizes)


class Dam(ContextByTurns):
    """Deep attention matching network.

    From the paper: 200 numbers for a word, 9 turns of 50 words, five layers of attention, 32 and 16 filters, windows of
    3 x 3 x 3, Adam. Not as in the paper: the vectors of words are learned from the training material alone, and a batch
    is smaller than its 256, which needs much memory.
    """

    key = "dam"
    title = "DAM"
    family = FAMILY
    about = gettext_noop(
        "Stacked self-attention and cross-attention represent each turn and the response; a 3D convolution over the "
        "matches of all turns and layers gives the score (Zhou et al. 2018)."
    )
    declares = (
        *with_defaults(OF_TRAINING, batch=32),
        *OF_WORDS,
        Setting("layers", 5, gettext_noop("Layers of self-attention."), 1, 12),
        Setting("turns", 9, TURNS.help, TURNS.least, TURNS.most),
        WORDS,
    )
    batch = 20
    asked_at_once = 8
    cost = Cost(training=8_000, scoring=900, megabytes=1_900)

    def made(self) -> Any:
        from study.baselines.neural.networks.dam import DeepAttentionMatching

        sizes = [self.whole(name) for name in ("embedding", "layers", "turns", "words")]
        return DeepAttentionMatching(len(self.vocabulary), *sizes)
