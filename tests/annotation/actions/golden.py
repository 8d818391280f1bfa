"""Gold for the tests: pairs whose grade is known, and a project that uses them."""

from io import BytesIO

from annotation.actions import projects
from annotation.actions.gold import Outcome, import_gold
from annotation.models import Gold, Project, Seat, User
from tests import factories


def known(count: int, *, grade: int | None = None) -> list[str]:
    """Rows of a file; the grades go round the scale unless one is given."""
    return [f"校准问题{number},校准回复{number},{grade or number % 5 + 1}" for number in range(count)]


def bring_in(
    project: Project, rows: list[str], *, columns: str = "prompt,response,grade", corrects: bool = False
) -> Outcome:
    file = BytesIO("\n".join([columns, *rows]).encode())
    return import_gold(project=project, source=file, file_name="gold.csv", corrects=corrects, by=project.created_by)


def choose(project: Project, **settings: int) -> None:
    projects.change_settings(project=project, settings=settings, by=project.created_by)


def gold_in_hand(project: Project, by: User, count: int = 1) -> list[Gold]:
    return [seat.place.item.gold for seat in factories.take(project, by, count) if is_gold(seat)]


def is_gold(seat: Seat) -> bool:
    return Gold.objects.filter(item__places=seat.place_id).exists()


def grade_all(project: Project, by: User, *, off: int = 0, most: int = 10_000) -> list[Seat]:
    """The person grades what they are handed, one after the other: gold `off` that far from what is known."""
    done: list[Seat] = []
    while len(done) < most and (seats := factories.take(project, by)):
        [seat] = seats
        gold = Gold.objects.filter(item__places=seat.place_id).first()
        factories.grade(seat, _off(gold.grade, off) if gold else 3)
        done.append(seat)
    return done


def _off(grade: int, off: int) -> int:
    return grade + off if grade + off <= 5 else grade - off
