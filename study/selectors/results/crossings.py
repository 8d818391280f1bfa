"""Figures of people by any crossing of labels: corpus and half, group and what people say of themselves."""

from collections.abc import Collection, Sequence
from math import prod
from typing import Any

from study.domain.results.exclusions import RuleSwitches
from study.domain.results.results import cells_of
from study.models import Study
from study.selectors.results.answered import answers_given
from study.selectors.results.cells import cell_as_json, cell_in_words

MOST_LABELS, MOST_PARTS = 4, 1_000  # of a crossing: to bound the time


class CrossingRefused(ValueError):
    """A crossing of `unknown` labels, or of more labels or parts than figures are made of; with the labels `known`."""

    def __init__(self, unknown: Sequence[str], known: Collection[str], labels: int = 0, parts: int = 0) -> None:
        self.unknown, self.known = ", ".join(unknown), ", ".join(sorted(known))
        wrong = f"unknown: {self.unknown}" if unknown else f"{labels} labels cross to {parts:,} parts"
        allowed = f"At most {MOST_LABELS} labels and {MOST_PARTS:,} parts"
        super().__init__(f"{wrong}. {allowed}; labels are {self.known}.")


def labels_in(text: str) -> list[str]:
    """Return the labels of a crossing as it is written, parted by commas, each once.

    >>> labels_in("corpus, half")
    ['corpus', 'half']
    """
    return [*dict.fromkeys(filter(None, (name.strip() for name in text.split(","))))]


def crossing_of(study: Study, rules: RuleSwitches, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return every figure of each part that has answers, with its name in each label; without bootstrap.

    Raises CrossingRefused for an unknown label, and beyond MOST_LABELS or MOST_PARTS.
    """
    given = answers_given(study)
    table = given.table_under(rules.applied(given.rules))
    known = given.labels_of(given.rows)
    if unknown := [name for name in labels if name not in known]:
        raise CrossingRefused(unknown, known)
    parts = prod(len(table.named(name, with_inner=True)) for name in labels)
    if len(labels) > MOST_LABELS or parts > MOST_PARTS:
        raise CrossingRefused([], known, len(labels), parts)
    return [
        cell_in_words(cell_as_json(cell, study.survey.star_below)) | dict(cell.part.labels)
        for cell in cells_of(table, [labels])
        if cell.n
    ]
