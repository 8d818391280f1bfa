"""Where participants are recruited, and what a platform puts into the address it sends them to (METHODS 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.domain.text import one_line

LONGEST_ID = 200  # letters; the platforms' own have about 24


class Parameters(NamedTuple):
    """Names of a platform's parameters: of the person, and of what else belongs to the visit."""

    person: str
    others: tuple[str, ...]


PLATFORMS = {
    "prolific": Parameters("PROLIFIC_PID", ("STUDY_ID", "SESSION_ID")),
    "mturk": Parameters("workerId", ("assignmentId", "hitId")),
}
PREVIEW = ("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE")  # a worker looks before accepting


@dataclass(frozen=True)
class Visitor:
    """Who the platform says has come. Personal: it goes into Identity and nowhere else."""

    platform: str
    person: str
    details: dict[str, str]

    @property
    def is_plausible(self) -> bool:
        """Whether the platform can have sent it. A longer one is never cut: two people would become one."""
        return len(self.person) <= LONGEST_ID


def visitor_of(query: Mapping[str, str]) -> Visitor | None:
    """The visitor whom an address names; None for a link without a platform."""
    for platform, (person, others) in PLATFORMS.items():
        if named := one_line(query.get(person, "")):
            details = {name: one_line(query[name]) for name in others if name in query}
            return Visitor(platform, named, details)
    return None


def is_preview(query: Mapping[str, str]) -> bool:
    """Whether the address shows the survey to somebody who has not accepted it yet and cannot join."""
    name, value = PREVIEW
    return query.get(name) == value
