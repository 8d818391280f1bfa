"""Boards of a rating project as stored figures: what they are made of, and their content as plain JSON."""

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.utils import timezone

from annotation.models import GradingModel, Project
from annotation.selectors.projects.progress import DAYS
from annotation.selectors.rating.pairs import PairHistory, graded
from core.domain.plain import as_plain, from_plain
from core.domain.text import digest
from core.models import User
from core.selectors.fingerprints import Newest, newest_event, newest_event_of_an_account, of_the_program

LARGE = 50_000  # pairs: agreement of so many takes half a second

Board = TypeVar("Board")


def fingerprint(project: Project) -> str:
    """Return a text that changes with every fact that the figures of a rating project depend on.

    Every change in the project leaves an event; its settings are named besides, because they are at hand.
    """
    return _fingerprint(project, newest_event(project))


def fingerprint_of_the_week(project: Project) -> str:
    """Return the fingerprint of figures with the grades of the last days: as long as these hold work, by hour."""
    newest = newest_event(project)
    _pk, at = newest
    is_moving = at is not None and at >= this_hour() - timedelta(days=DAYS)
    return _fingerprint(project, newest, str(this_hour()) if is_moving else "")


def this_hour() -> datetime:
    """Return the beginning of the hour: what is counted for so many days is so until the next, if no one works."""
    return timezone.now().replace(minute=0, second=0, microsecond=0)


def _fingerprint(project: Project, newest: Newest, *others: str) -> str:
    facts = (of_the_program(), project.settings, newest, newest_event_of_an_account())
    return digest(*map(str, facts), *others)


def is_large(project: Project) -> bool:
    """Return whether the figures of a project take too long for a page."""
    return project.items.work()[:LARGE].count() == LARGE


def packed(board: Any) -> dict[str, Any]:
    """Return a board as plain JSON: people, models, and pairs with their grades, are named by their keys alone."""
    named: dict[str, dict[int, None]] = {"people": {}, "models": {}, "pairs": {}}

    def key(kind: str, pk: int) -> int:
        named[kind][pk] = None
        return pk

    plain = as_plain(
        board,
        {
            User: lambda person: key("people", person.pk),
            GradingModel: lambda model: key("models", model.pk),
            PairHistory: lambda row: key("pairs", row.item.pk),
        },
    )
    return {**{kind: list(keys) for kind, keys in named.items()}, "board": plain}


def unpacked(kind: type[Board], project: Project, content: dict[str, Any]) -> Board:
    """Return a board of a kind, with its people, models and pairs loaded."""
    models = project.grading_models.select_related("guideline")
    pairs = project.items.in_bulk(content["pairs"])
    named: dict[type, dict[int, Any]] = {
        User: User.objects.in_bulk(content["people"]),
        GradingModel: models.in_bulk(content["models"]) if content["models"] else {},
        PairHistory: {row.item.pk: row for row in graded(list(pairs.values()))},
    }
    board: Board = from_plain(kind, content["board"], named)
    return board
