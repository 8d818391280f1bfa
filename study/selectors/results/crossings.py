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


class NoSuchLabel(LookupError):
    """The answers of the study have no label of this name; with the names that there are."""

    def __init__(self, name: str, known: Collection[str]) -> None:
        super().__init__(name)
        self.name, self.known = name, sorted(known)


class CrossingTooLarge(ValueError):
    """A crossing of more labels or parts than figures are made of."""


def labels_in(text: str) -> list[str]:
    """Return the labels of a crossing as it is written, parted by commas, each once.

    >>> labels_in("corpus, half")
    ['corpus', 'half']
    """
    return [*dict.fromkeys(filter(None, (name.strip() for name in text.split(","))))]


def crossing_of(study: Study, rules: RuleSwitches, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return every figure of each part that has answers, with its name in each label; without bootstrap.

    Raises NoSuchLabel, and CrossingTooLarge beyond MOST_LABELS or MOST_PARTS.
    """
    given = answers_given(study)
    table = given.table_under(rules.applied(given.rules))
    known = given.labels_of(given.rows)
    if unknown := [name for name in labels if name not in known]:
        raise NoSuchLabel(unknown[0], known)
    parts = prod(len(table.named(name, with_inner=True)) for name in labels)
    if len(labels) > MOST_LABELS or parts > MOST_PARTS:
        raise CrossingTooLarge(
            f"at most {MOST_LABELS} labels and {MOST_PARTS:,} parts, not {len(labels)} and {parts:,}"
        )
    return [
        cell_in_words(cell_as_json(cell, study.survey.star_below)) | dict(cell.part.labels)
        for cell in cells_of(table, [labels], draws=0)
        if cell.n
    ]
