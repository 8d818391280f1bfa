"""Registry of the models. To add one, write a class (see base) and name it in this list.

Where it stands on the pages, the catalogue says.
"""

from study.baselines.base import Baseline
from study.baselines.chance import Random
from study.baselines.chat import Chat
from study.baselines.learning_to_rank import Gbdt, SvmRank
from study.baselines.lexical import Bm25, TfIdf
from study.baselines.neural.answers import BiLstm, Cnn
from study.baselines.neural.dual import DualLstm, DualRnn
from study.baselines.neural.matching import Dam, Smn
from study.baselines.pretrained.encoders import Bert, BertMc, BertMcShared, Roberta, RobertaMc, RobertaMcShared
from study.baselines.pretrained.gpt2 import Gpt2, Gpt2Ft

MODELS: tuple[type[Baseline], ...] = (
    *(Random, TfIdf, Bm25),
    *(SvmRank, Gbdt),
    *(DualRnn, DualLstm, BiLstm, Cnn, Smn, Dam),
    *(Bert, Roberta, BertMc, RobertaMc, BertMcShared, RobertaMcShared),
    *(Gpt2, Gpt2Ft),
    Chat,
)
BASELINES = {model.key: model for model in MODELS}
_CALLED = {name.casefold(): model.key for model in MODELS for name in (model.title, model.key)}


def key_called(name: str) -> str | None:
    """Return the key of the model that has this key or title, upper or lower case; None where none has.

    >>> key_called("tf-idf"), key_called("SuperNet")
    ('tfidf', None)
    """
    return _CALLED.get(name.casefold())
