"""Registry of the models. To add one, write a class (see base) and name it in this list."""

from study.baselines.base import Baseline
from study.baselines.chance import Random
from study.baselines.chat import Chat
from study.baselines.learning_to_rank import Gbdt, SvmRank
from study.baselines.lexical import Bm25, TfIdf

BASELINES: dict[str, type[Baseline]] = {
    baseline.key: baseline for baseline in (Random, TfIdf, Bm25, SvmRank, Gbdt, Chat)
}
