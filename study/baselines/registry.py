"""The models there are. A new one is a class (see base) and its name in this list."""

from study.baselines.base import Baseline
from study.baselines.chance import Random
from study.baselines.lexical import TfIdf

BASELINES: dict[str, type[Baseline]] = {baseline.key: baseline for baseline in (Random, TfIdf)}
