"""What keeps a project, study, corpus or question set from being deleted."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hold:
    """One kind of what holds a thing: its code, how many there are, and both in words of the active language."""

    code: str
    number: int
    words: str
