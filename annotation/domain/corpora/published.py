"""Figures that studies printed of the corpora that they published, as they printed them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedFigures:
    """Figures by the names that `DialogueLengths` uses, of one study; those in `doubtful` contradict others of it."""

    study: str
    figures: Mapping[str, float]
    doubtful: frozenset[str] = frozenset()


UBUNTU = PublishedFigures(
    "Lowe et al. (2015)",
    {
        "dialogues": 930_000,
        "utterances": 7_100_000,
        "words": 100_000_000,
        "turns_fewest": 3,
        "turns_mean": 7.71,
        "words_mean": 10.34,
        "minutes_median": 6,
    },
    doubtful=frozenset({"words_mean"}),  # 100,000,000 words in 7,100,000 utterances are 14.1 in each
)
MUTUAL = PublishedFigures("Cui et al. (2020)", {"dialogues": 8_860, "turns_mean": 4.73, "words_mean": 19.57})
TWITTER = PublishedFigures("Ritter et al. (2010)", {"dialogues": 1_300_000})

PUBLISHED = {"irc": UBUNTU, "ubuntu-csv": UBUNTU, "mutual": MUTUAL, "twitter": TWITTER}
