"""Recruiting platforms, and the parameters they add to the address of a survey (METHODS 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.domain.text import one_line

LONGEST_ID = 200  # characters; the platforms' own ids have about 24


class Parameters(NamedTuple):
    """Names of a platform's parameters: the person's id, and others of the visit."""

    person: str
    others: tuple[str, ...]


PLATFORMS = {
    "prolific": Parameters("PROLIFIC_PID", ("STUDY_ID", "SESSION_ID")),
    "mturk": Parameters("workerId", ("assignmentId", "hitId")),
}
PREVIEW = ("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE")  # a worker sees a preview before accepting


@dataclass(frozen=True)
class Visitor:
    """A person as the platform names them. Personal: stored in Identity and nowhere else."""

    platform: str
    person: str
    details: dict[str, str]

    @property
    def is_plausible(self) -> bool:
        """True when the platform can have sent the id. A longer one is never cut: two people could become one."""
        return len(self.person) <= LONGEST_ID


def visitor_of(query: Mapping[str, str]) -> Visitor | None:
    """Return the visitor whom an address names; None for a link without a platform."""
    for platform, (person, others) in PLATFORMS.items():
        if named := one_line(query.get(person, "")):
            details = {name: one_line(query[name]) for name in others if name in query}
            return Visitor(platform, named, details)
    return None


def is_preview(query: Mapping[str, str]) -> bool:
    """Return whether the address is a preview for a person who has not accepted the survey and cannot join."""
    name, value = PREVIEW
    return query.get(name) == value
