"""Work that apps show on the home page beside that of projects."""

from collections.abc import Callable
from dataclasses import dataclass

from core.models.people import User


@dataclass(frozen=True)
class HomeWork:
    """Something that waits for a person: its name, what is known of it, and the link to it."""

    title: str
    note: str
    href: str
    action: str


SOURCES: list[Callable[[User], list[HomeWork]]] = []


def register(source: Callable[[User], list[HomeWork]]) -> None:
    """Add what an app has for a person."""
    SOURCES.append(source)


def work_for(person: User) -> list[HomeWork]:
    return [work for source in SOURCES for work in source(person)]
