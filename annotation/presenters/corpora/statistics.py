"""Statistics of a corpus beside those that a study printed of such a corpus, and the distribution of its turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.corpora.lengths import bins
from annotation.domain.corpora.published import PUBLISHED, PublishedFigures
from annotation.models import Corpus
from annotation.models.corpora import ALL
from annotation.selectors.corpora.corpus_pages import figures_of

COUNTS = ("dialogues", "utterances", "words")  # of which a share of the published ones says something
NAMES = {
    "dialogues": _("dialogues"),
    "turns": _("turns"),
    "utterances": _("utterances (lines of turns)"),
    "words": _("words"),
    "turns_fewest": _("turns per dialogue, fewest"),
    "turns_mean": _("turns per dialogue, mean"),
    "turns_median": _("turns per dialogue, median"),
    "words_mean": _("words per utterance, mean"),
    "words_median": _("words per dialogue, median"),
    "minutes_median": _("length in minutes, median"),
}
WIDTH, GAP, HEIGHT, TOP, FOOT = 32, 12, 144, 26, 26  # of a bar of the histogram, and around it, in its own units
FEWEST_BARS = 11  # for which there is room, so that few bars are no larger than many


@dataclass(frozen=True)
class StatisticRow:
    """One figure, as it is shown, beside the published one, "" where there is none, and its share of that."""

    name: Promise
    own: str
    published: str
    share: float | None
    is_doubtful: bool


@dataclass(frozen=True)
class HistogramBar:
    """A bar: which numbers of turns, their share in per cent, and its place in the drawing."""

    turns: str
    percent: str
    x: int
    y: str
    height: str

    @property
    def middle(self) -> int:
        return self.x + WIDTH // 2

    @property
    def label_y(self) -> str:
        return f"{float(self.y) - 5:.1f}"


def published_of(corpus: Corpus) -> PublishedFigures | None:
    """Return what was printed of a corpus of this format; of a second variant nothing was."""
    return None if corpus.variant_of_id else PUBLISHED.get(corpus.format)


def statistics_of(corpus: Corpus) -> list[StatisticRow]:
    """Return the figures that are known of a corpus: one that was imported before lengths were counted has fewer."""
    own = _figures(corpus)
    published = published_of(corpus)
    printed = published.figures if published else {}
    doubtful = published.doubtful if published else frozenset[str]()
    return [
        StatisticRow(
            name,
            _number(own[key]),
            _number(printed[key]) if key in printed else "",
            own[key] / printed[key] if key in COUNTS and key in printed else None,
            key in doubtful,
        )
        for key, name in NAMES.items()
        if own.get(key) is not None
    ]


def _figures(corpus: Corpus) -> Mapping[str, Any]:
    figures = dict(corpus.statistics.get(ALL) or _sums(corpus))
    if figures.get("dialogues"):
        figures["turns_mean"] = figures["turns"] / figures["dialogues"]
    if figures.get("utterances"):
        figures["words_mean"] = figures["words"] / figures["utterances"]
    return figures


def _sums(corpus: Corpus) -> dict[str, int]:
    rows = figures_of(corpus)
    return {"dialogues": rows[-1].dialogues, "turns": rows[-1].turns} if rows else {}


def _number(value: float) -> str:
    """Return a whole number or a half as it is, another with two digits."""
    digits = 0 if value == int(value) else 1 if 2 * value == int(2 * value) else 2
    return number_format(f"{value:.{digits}f}", decimal_pos=digits, use_l10n=True, force_grouping=True)


def histogram_of(corpus: Corpus) -> dict[str, Any] | None:
    """Return the distribution of turns as bars, with the words under them; None where it was not counted."""
    figures = corpus.statistics.get(ALL)
    if not figures:
        return None
    found = bins(figures["by_turns"])
    top = max(dialogues for _first, _last, dialogues in found)
    bars = [
        HistogramBar(
            _turns(first, last),
            number_format(f"{100 * dialogues / figures['dialogues']:.1f}", 1),
            number * (WIDTH + GAP) + GAP // 2,
            f"{TOP + HEIGHT * (1 - dialogues / top):.1f}",
            f"{HEIGHT * dialogues / top:.1f}",
        )
        for number, (first, last, dialogues) in enumerate(found)
    ]
    return {
        "bars": bars,
        "text": ", ".join(f"{bar.turns}: {bar.percent}" for bar in bars),
        "bar_width": WIDTH,
        "width": max(len(bars), FEWEST_BARS) * (WIDTH + GAP),
        "height": TOP + HEIGHT + FOOT,
        "base": TOP + HEIGHT,
        "text_y": TOP + HEIGHT + 17,
        "median": _number(figures["turns_median"]),
        "longest": figures["turns_most"],
        "some_together": any(first != last for first, last, _dialogues in found),
    }


def _turns(first: int, last: int | None) -> str:
    if last is None:
        return f"{first}+"
    return str(first) if first == last else f"{first}–{last}"
