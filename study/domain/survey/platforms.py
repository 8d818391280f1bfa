"""Recruiting platforms, and the parameters they add to the address of a survey (METHODS 7)."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize

from core.domain.text import one_line

SHORTEST_VISIT = 16  # characters of a visit's id that cannot be guessed; the platforms' own have 24 and 30
LONGEST_ID = 200  # characters; the platforms' own ids have about 24
UNFILLED = re.compile(r"[{}<>\[\]$%]")  # {{%PROLIFIC_PID%}}, ${workerId}, <id>: no id has such characters


class Parameters(NamedTuple):
    """Names of a platform's parameters: the ids of person and visit, and others. A person's has only capitals, or none.

    A platform draws the id of a visit anew for each person and survey.
    """

    person: str
    visit: str
    others: tuple[str, ...]
    has_capitals: bool


PLATFORMS = {
    "prolific": Parameters("PROLIFIC_PID", "SESSION_ID", ("STUDY_ID",), has_capitals=False),
    "mturk": Parameters("workerId", "assignmentId", ("hitId", "turkSubmitTo"), has_capitals=True),
}
NAMES = {"prolific": "Prolific", "mturk": "MTurk"}  # as they write themselves, in every language
ACCOUNT = "account"  # in the place of a platform, for people who are signed in; no address names it
PREVIEW = ("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE")  # a worker sees a preview before accepting


def with_places_for_ids(address: str) -> str:
    """Return an address with the places that Prolific fills in with its ids, to be pasted as a study's URL there.

    >>> with_places_for_ids("https://lab.example/s/abc")[:66]
    'https://lab.example/s/abc?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID'
    """
    person, visit, others, _has_capitals = PLATFORMS["prolific"]
    return f"{address}?" + "&".join(f"{name}={{{{%{name}%}}}}" for name in (person, *others, visit))


@dataclass(frozen=True)
class Visitor:
    """A person as the platform names them. Personal: stored in Identity and nowhere else."""

    platform: str
    person: str
    details: dict[str, str]
    is_doubled: bool = False

    @property
    def is_plausible(self) -> bool:
        """Whether the id is short enough to come from a platform, and the only one.

        A longer one is refused and not cut, since two people could then have the same id.
        """
        return len(self.person) <= LONGEST_ID and not self.is_doubled

    @property
    def visit(self) -> str:
        """The id of this visit, which only the person, the platform and the researchers know; "" where it is none."""
        visit = self.details.get(PLATFORMS[self.platform].visit, "")
        return visit if len(visit) >= SHORTEST_VISIT and not UNFILLED.search(visit) else ""

    @property
    def is_placeholder(self) -> bool:
        """True for what a platform should have replaced by an id: everyone who comes would be the same person."""
        if self.platform == ACCOUNT:
            return False
        name = PLATFORMS[self.platform].person
        return bool(UNFILLED.search(self.person)) or self.person.casefold() == name.casefold()


def are_one_code(typed: str, given: str) -> bool:
    """Return whether a person who typed this meant the completion code that they were given.

    Capitals, blanks, the dash and full-width letters are not told apart: platforms take what people type.

    >>> are_one_code(" k7qm42tx", "K7QM-42TX"), are_one_code("K7QM-42TY", "K7QM-42TX")
    (True, False)
    """
    return _letters_of(typed) == _letters_of(given)


def _letters_of(code: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKC", code))).casefold()


def visitor_of(query: Mapping[str, str]) -> Visitor | None:
    """Return the visitor whom an address names, the id without blanks and in one case; None without a platform."""
    for platform, (person, visit, others, has_capitals) in PLATFORMS.items():
        if named := "".join(one_line(query.get(person, "")).split()):
            details = {name: one_line(query[name]) for name in (visit, *others) if name in query}
            return Visitor(platform, named.upper() if has_capitals else named.lower(), details)
    return None


def is_doubled(query: Iterable[tuple[str, Collection[str]]]) -> bool:
    """Return whether an address names several people: a parameter with two values, or two platforms."""
    named = {name: {*values} for name, values in query if any(name == each.person for each in PLATFORMS.values())}
    return len(named) > 1 or any(len(values) > 1 for values in named.values())


def is_preview(query: Mapping[str, str]) -> bool:
    """Return whether the address is a preview for a person who has not accepted the survey and cannot join."""
    name, value = PREVIEW
    return query.get(name) == value
