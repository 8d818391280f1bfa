"""Tables of a release of rewritten instances: statistics beside MuTual's, and the inspectors' findings."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.releases.rewriting_statistics import MUTUAL_STATISTICS
from annotation.models import Release
from annotation.presenters.reasoning import reasoning_table
from annotation.presenters.releases.release_tables import BLOCKS, written_figure

STATISTICS: dict[str, str | Promise] = {
    "pairs": _("contexts with four candidates"),
    "turns_mean": _("turns of a context, mean"),
    "words_mean": _("words of an utterance, mean"),
    "vocabulary.context": _("different words, contexts"),
    "vocabulary.response": _("different words, candidates"),
    "vocabulary.both": _("different words, both"),
    "conversations": _("conversations"),
    "overlap.right": _("words shared with the context, right ones, %"),
    "overlap.wrong": _("words shared with the context, wrong ones, %"),
    "dialogues": _("dialogues that were imported"),
    "questions": _("questions that were imported"),
}
SHARES = ("overlap.right", "overlap.wrong")


@dataclass(frozen=True)
class RewritingStatisticsRow:
    """One figure in train, dev, test and all, and as MuTual published it, formatted in the page's language."""

    label: str | Promise
    here: list[str]
    published: str


def context(release: Release) -> dict[str, Any]:
    """Return the context of annotation/rewriting_release.html."""
    inspections = release.agreement
    return {
        "statistics": [
            RewritingStatisticsRow(
                label,
                [written_figure(release.statistics[block], path, SHARES) for block in BLOCKS],
                written_figure(MUTUAL_STATISTICS, path, SHARES),
            )
            for path, label in STATISTICS.items()
        ],
        "inspections": inspections,
        "reasoning": reasoning_table.context(inspections["reasoning"]) if "reasoning" in inspections else None,
        "returned_before": inspections["verdicts"]["return"],  # a template cannot look up "return"
    }
