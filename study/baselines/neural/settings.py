"""Settings that all networks have, each with defaults of its own paper."""

from dataclasses import replace

from core.domain.wording import gettext_noop
from study.baselines.settings import Setting, Value

OF_TRAINING = (
    Setting("epochs", 10, gettext_noop("Maximum number of passes over the training material."), 1, 1_000),
    Setting("patience", 3, gettext_noop("Epochs without a better dev score before training stops."), 1, 1_000),
    Setting("batch", 64, gettext_noop("Pairs of context and response per update."), 1, 4_096),
    Setting("rate", 0.001, gettext_noop("Learning rate of Adam."), 1e-7, 1),
    Setting("clip", 10.0, gettext_noop("Maximum norm of a gradient; longer ones are scaled down to it."), 1e-3, 1e6),
    Setting(
        "negatives",
        1,
        gettext_noop("Number of wrong responses drawn for each correct one, redrawn in each epoch."),
        1,
        100,
    ),
    Setting(
        "threads",
        1,
        gettext_noop("Processor threads. A different number may change the last digits of scores."),
        1,
        256,
    ),
)
OF_WORDS = (
    Setting(
        "vocabulary",
        50_000,
        gettext_noop("Maximum size of the vocabulary: the most frequent words are kept."),
        1,
        10_000_000,
    ),
    Setting("embedding", 200, gettext_noop("Size of the word embeddings."), 1, 4_096),
)


def with_defaults(settings: tuple[Setting, ...], **defaults: Value) -> tuple[Setting, ...]:
    """Return the settings with other defaults."""
    return tuple(replace(each, default=defaults.get(each.name, each.default)) for each in settings)
