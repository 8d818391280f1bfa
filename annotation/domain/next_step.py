"""The next step of a project, from the import of its items to a release."""

from dataclasses import dataclass
from enum import StrEnum


class NextStep(StrEnum):
    """The steps of a project that its researchers take or wait for, in order."""

    IMPORT = "import"
    PEOPLE = "people"
    SCAN = "scan"
    CLEAN = "clean"
    GOLD = "gold"
    WORK = "work"  # annotators rate or write
    AGREEMENT = "agreement"
    RELEASE = "release"
    READ_RELEASE = "read_release"


OF_ARCHIVED = frozenset({NextStep.AGREEMENT, NextStep.RELEASE, NextStep.READ_RELEASE})  # where no work is given out


@dataclass(frozen=True)
class ProjectFacts:
    """What the next step depends on.

    `people_missing` and `gold_missing` are numbers below what the settings ask for; `open` are items that annotators
    have not finished, `disputed` those that wait for an adjudicator; `has_kept` tells that a release would hold
    an item.
    """

    items: int
    people_missing: int
    is_scanned: bool
    has_begun: bool
    to_clean: int
    gold_missing: int
    open: int
    disputed: int
    has_kept: bool
    release: int | None


def next_step(facts: ProjectFacts) -> NextStep:
    """Return the first step that is not done; cleaning comes before rating, and is not asked for once that began."""
    steps = {
        NextStep.IMPORT: not facts.items,
        NextStep.PEOPLE: facts.open and facts.people_missing,
        NextStep.SCAN: not facts.is_scanned and not facts.has_begun,
        NextStep.CLEAN: facts.to_clean,
        NextStep.GOLD: facts.open and facts.gold_missing,
        NextStep.WORK: facts.open,
        NextStep.AGREEMENT: facts.disputed or not facts.has_kept,
        NextStep.RELEASE: facts.release is None,
    }
    return next((step for step, is_due in steps.items() if is_due), NextStep.READ_RELEASE)
