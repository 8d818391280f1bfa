"""Registry of the models. To add one, write a class (see base) and name it in this list."""

from study.baselines.base import Baseline
from study.baselines.chance import Random
from study.baselines.lexical import TfIdf

BASELINES: dict[str, type[Baseline]] = {baseline.key: baseline for baseline in (Random, TfIdf)}
