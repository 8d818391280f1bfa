"""Board of a rating project: the likeness to the study, the rows of its table to download."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any

from django.utils.formats import date_format

from annotation.selectors.projects.board import Board
from annotation.selectors.projects.progress import Pace
from annotation.selectors.quality.raters import PersonProgress
from core.domain.text import timestamp

HEADER = ["part", "name", "figure", "value", "low", "high", "n"]


def top_share(people: list[PersonProgress]) -> float:
    """Return the largest share that one grade has among a person's grades."""
    return max((max(person.grades) / person.graded for person in people if person.graded), default=1.0)


def days_in_words(pace: Pace) -> list[tuple[str, int]]:
    """Return the last days, in words, with their numbers of grades; nothing where none were given in them."""
    days = [(date_format(date.fromisoformat(each.day), "MONTH_DAY_FORMAT"), each.grades) for each in pace.days]
    return days if any(grades for _day, grades in days) else []


def csv_rows(board: Board, scale: tuple[int, ...]) -> Iterator[list[Any]]:
    """Yield the rows of the table to download; `scale` is the grades."""
    for step, pairs in asdict(board.funnel).items():
        yield ["funnel", step, "pairs", pairs, "", "", ""]
    for each in board.pace.days:
        yield ["day", each.day, "grades", each.grades, "", "", ""]
    for person in board.people:
        for figure, value in _of_person(person, scale).items():
            yield ["person", person.label, figure, value, "", "", ""]
        if person.partners:
            kappa = person.partners.kappa_quadratic
            ends = kappa.asymptotic or ("", "")
            yield ["person", person.label, "kappa_quadratic", kappa.value, *ends, person.partners.n]


def _of_person(person: PersonProgress, scale: tuple[int, ...]) -> dict[str, Any]:
    last = person.last_grade_at
    return {
        "graded": person.graded,
        "median_seconds": person.median_seconds,
        **{f"grade {grade}": count for grade, count in zip(scale, person.grades, strict=False)},
        "skipped": person.skipped,
        "voided": person.voided,
        "last_grade_at": last and timestamp(last),
    }
