"""Learning to rank by hand-made features: SVMRank and GBDT, as in Wang et al. 2018."""

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.statistics import FloatArray
from core.domain.wording import gettext_noop
from study.baselines.base import (
    Baseline,
    Cost,
    Lack,
    LearningProgress,
    NothingToLearn,
    RankingInstance,
    Requirement,
    unreported,
)
from study.baselines.features import NAMES, counted_words, features_of
from study.baselines.settings import Setting
from study.baselines.tuning import dev_score
from study.baselines.words import WordCounts, by_instance

AT_ONCE = 5_000  # instances whose features are made at a time
FAMILY = "learning to rank"


class _ByFeatures(Baseline):
    """A model that orders candidates by their features and learns from the order of those of one instance."""

    family = FAMILY
    needs = frozenset({Requirement.TRAIN})
    uses_dev = True

    def fit(
        self,
        train: Sequence[RankingInstance],
        dev: Sequence[RankingInstance] = (),
        *,
        report: LearningProgress = unreported,
        checkpoints: Path | None = None,
    ) -> None:
        told = [instance for instance in train if len(set(instance.gains)) > 1]
        if not told:
            raise NothingToLearn(Lack.PREFERENCES)
        self.counts = counted_words(train, report)
        judged = [instance for instance in dev if instance.gains]
        self.learn(_features(told, self.counts), told, _features(judged, self.counts), judged)

    @abstractmethod
    def learn(
        self,
        features: FloatArray,
        train: Sequence[RankingInstance],
        dev_features: FloatArray,
        dev: Sequence[RankingInstance],
    ) -> None:
        """Learn from instances whose candidates differ in gain; choose on `dev`, where it is not empty."""

    @abstractmethod
    def by_features(self, features: FloatArray) -> FloatArray:
        """Return a score for each row of features."""

    def score(self, instances: Sequence[RankingInstance]) -> list[list[float]]:
        return by_instance(self.by_features(_features(instances, self.counts)), instances)

    def on_dev(self, scores: FloatArray, dev: Sequence[RankingInstance]) -> float:
        return dev_score(by_instance(scores, dev), dev)

    def save(self, folder: Path) -> None:
        self.counts.save(folder)

    def load(self, folder: Path) -> None:
        self.counts = WordCounts.load(folder)


def _features(instances: Sequence[RankingInstance], counts: WordCounts) -> FloatArray:
    parts = [features_of(instances[start : start + AT_ONCE], counts) for start in range(0, len(instances), AT_ONCE)]
    return np.concatenate(parts) if parts else np.empty((0, len(NAMES)))


class SvmRank(_ByFeatures):
    """Linear ranking by a support vector machine on differences of features (Joachims 2002).

    Two candidates of one instance of which one is better give a difference of their features, which are first brought
    to mean 0 and standard deviation 1; the machine has a squared hinge loss and no constant.
    """

    key = "svmrank"
    title = "SVMRank"
    about = gettext_noop(
        "A weighted sum of hand-made features (lengths, TF-IDF cosine, BM25, shared words and others). A linear "
        "support vector machine learns the weights from pairs of candidates of which one is better."
    )
    declares = (
        Setting(
            "c",
            None,
            gettext_noop("How much a wrong order costs, compared with large weights."),
            1e-5,
            1e5,
            without_dev=1.0,
        ),
    )
    libraries = ("numpy", "scipy", "jieba", "scikit-learn")
    cost = Cost(training=2.5, scoring=0.3, megabytes=320)

    def learn(
        self,
        features: FloatArray,
        train: Sequence[RankingInstance],
        dev_features: FloatArray,
        dev: Sequence[RankingInstance],
    ) -> None:
        spread = features.std(axis=0)
        self.scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
        differences = _differences(features * self.scale, train)
        tried: dict[float, tuple[float, FloatArray]] = {}
        for c in self.tried("c", [10.0**exponent for exponent in range(-4, 3)], dev):
            self.weights_of_features = self._machine(differences, c)
            tried[c] = self.on_dev(self.by_features(dev_features), dev), self.weights_of_features
        best = max(tried, key=lambda c: (tried[c][0], -c))
        self.weights_of_features = tried[best][1]
        self.learned = {
            "c": best,
            "dev": tried[best][0] if dev else None,
            "pairs": len(differences),
            "weights": dict(zip(NAMES, self.weights_of_features.round(4).tolist(), strict=True)),
        }

    def _machine(self, differences: FloatArray, c: float) -> FloatArray:
        from sklearn.svm import LinearSVC  # takes seconds, so only this model waits

        machine = LinearSVC(C=c / 2, dual=False, fit_intercept=False, random_state=0, max_iter=10_000)
        both_ways = np.concatenate([differences, -differences])  # it wants two classes
        machine.fit(both_ways, np.repeat([1, -1], len(differences)))
        weights: FloatArray = machine.coef_[0]
        return weights

    def by_features(self, features: FloatArray) -> FloatArray:
        scores: FloatArray = (features * (self.scale * self.weights_of_features)).sum(axis=1)
        return scores

    def save(self, folder: Path) -> None:
        super().save(folder)
        state = {"scale": self.scale.tolist(), "weights": self.weights_of_features.tolist()}
        (folder / "machine.json").write_text(json.dumps(state), encoding="utf-8")

    def load(self, folder: Path) -> None:
        super().load(folder)
        state = json.loads((folder / "machine.json").read_text(encoding="utf-8"))
        self.scale, self.weights_of_features = np.array(state["scale"]), np.array(state["weights"])


def _differences(features: FloatArray, instances: Sequence[RankingInstance]) -> FloatArray:
    """Return the features of the better candidate minus those of the worse, a row for each such pair."""
    better, worse = np.array(list(_preferences(instances))).T
    differences: FloatArray = features[better] - features[worse]
    return differences


def _preferences(instances: Sequence[RankingInstance]) -> Iterator[tuple[int, int]]:
    """Yield the rows of the better and the worse candidate of each pair that differs in gain."""
    start = 0
    for instance in instances:
        for first, second in combinations(range(len(instance.candidates)), 2):
            gains = instance.gains[first], instance.gains[second]
            if gains[0] != gains[1]:
                yield (start + first, start + second) if gains[0] > gains[1] else (start + second, start + first)
        start += len(instance.candidates)


class Gbdt(_ByFeatures):
    """Gradient-boosted trees with the loss of LambdaMART (Burges 2010), by LightGBM.

    The gain of a candidate in NDCG is 2 to the power of its grade above the lowest, less 1.
    """

    key = "gbdt"
    title = "GBDT"
    about = gettext_noop(
        "LambdaMART: a sum of small decision trees over hand-made features (lengths, TF-IDF "
        "cosine, BM25, shared words and others), each trained to rank better responses "
        "higher."
    )
    declares = (
        Setting(
            "trees",
            None,
            gettext_noop("Number of trees. On dev: the best number up to 300."),
            1,
            5_000,
            without_dev=100,
        ),
        Setting("leaves", None, gettext_noop("Leaves per tree. On dev: 7, 15 or 31."), 2, 1_024, without_dev=15),
        Setting("rate", 0.05, gettext_noop("How much each tree contributes (learning rate)."), 0.001, 1),
        Setting("pairs_in_leaf", 20, gettext_noop("Minimum number of training pairs in a leaf."), 1, 100_000),
    )
    libraries = ("numpy", "scipy", "jieba", "lightgbm")
    cost = Cost(training=3, scoring=0.3, megabytes=240)

    def learn(
        self,
        features: FloatArray,
        train: Sequence[RankingInstance],
        dev_features: FloatArray,
        dev: Sequence[RankingInstance],
    ) -> None:
        tried: dict[tuple[int, int], tuple[float, Any]] = {}
        for leaves in self.tried("leaves", (7, 15, 31), dev):
            numbers = self.tried("trees", range(20, 301, 20), dev)
            booster = self._booster(features, train, leaves=leaves, trees=max(numbers))
            for trees in numbers:
                on_dev = self.on_dev(booster.predict(dev_features, num_iteration=trees), dev) if dev else 0.0
                tried[leaves, trees] = on_dev, booster
        leaves, trees = max(tried, key=lambda each: (tried[each][0], -each[0] * each[1]))
        on_dev, self.booster = tried[leaves, trees]
        self.trees = trees
        used = self.booster.feature_importance("gain", iteration=trees).round(4).tolist()
        self.learned = {
            "trees": trees,
            "leaves": leaves,
            "dev": on_dev if dev else None,
            "gains": dict(zip(NAMES, used, strict=True)),
        }

    def _booster(self, features: FloatArray, train: Sequence[RankingInstance], *, leaves: int, trees: int) -> Any:
        import lightgbm  # takes a second, so only this model waits

        gains = np.array([gain for instance in train for gain in instance.gains])
        levels, labels = np.unique(gains, return_inverse=True)
        settings = {
            "objective": "lambdarank",
            "label_gain": (2.0 ** (levels - levels[0]) - 1).tolist(),
            "num_leaves": leaves,
            "learning_rate": self.number("rate"),
            "min_data_in_leaf": int(self.number("pairs_in_leaf")),
            "seed": self.seed % 2**31,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbosity": -1,
        }
        sizes = [len(instance.candidates) for instance in train]
        material = lightgbm.Dataset(features, labels, group=sizes, params={"verbosity": -1})
        return lightgbm.train(settings, material, num_boost_round=trees)

    def by_features(self, features: FloatArray) -> FloatArray:
        scores: FloatArray = self.booster.predict(features, num_iteration=self.trees, num_threads=1)
        return scores

    def save(self, folder: Path) -> None:
        super().save(folder)
        self.booster.save_model(folder / "trees.txt", num_iteration=self.trees)

    def load(self, folder: Path) -> None:
        import lightgbm

        super().load(folder)
        self.booster = lightgbm.Booster(model_file=folder / "trees.txt")
        self.trees = self.booster.num_trees()
