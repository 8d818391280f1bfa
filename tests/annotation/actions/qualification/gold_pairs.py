"""Gold for the tests: pairs whose grade is known, and a project that uses them."""

from io import BytesIO

from annotation.actions.projects import projects
from annotation.actions.qualification import qualification
from annotation.actions.qualification.gold import GoldImportOutcome, import_gold
from annotation.models import Assignment, Attempt, Gold, Project
from core.models import User
from tests import factories


def known(count: int, *, grade: int | None = None) -> list[str]:
    """Return rows of a file; the grades cycle through the scale unless one is given."""
    return [f"校准问题{number},校准回复{number},{grade or number % 5 + 1}" for number in range(count)]


def import_rows(
    project: Project, rows: list[str], *, columns: str = "prompt,response,grade", corrects: bool = False
) -> GoldImportOutcome:
    file = BytesIO("\n".join([columns, *rows]).encode())
    return import_gold(project=project, source=file, file_name="gold.csv", corrects=corrects, by=project.created_by)


def choose(project: Project, **settings: int) -> None:
    projects.change_settings(project=project, settings=settings, by=project.created_by)


def claimed_gold(project: Project, by: User, count: int = 1) -> list[Gold]:
    return [assignment.slot.item.gold for assignment in factories.take(project, by, count) if is_gold(assignment)]


def is_gold(assignment: Assignment) -> bool:
    return Gold.objects.filter(item__slots=assignment.slot_id).exists()


def grade_all(project: Project, by: User, *, off: int = 0, most: int = 10_000) -> list[Assignment]:
    """Grade all pairs assigned to the person, one after the other; gold with grades `off` that far from the
    known one.
    """
    done: list[Assignment] = []
    while len(done) < most and (assignments := factories.take(project, by)):
        [assignment] = assignments
        gold = Gold.objects.filter(item__slots=assignment.slot_id).first()
        factories.grade(assignment, _off(gold.grade, off) if gold else 3)
        done.append(assignment)
    return done


def attempt(project: Project, by: User, *, off: int = 0) -> Attempt:
    """Make a whole attempt to practise, with every grade `off` that far from the known one."""
    begun = qualification.begin(project=project, by=by)
    for given in begun.grades.select_related("item__gold"):
        grade = _off(given.item.gold.grade, off)
        qualification.practise(
            project=project, position=given.position, grade=grade, reason=factories.REASONS[grade], by=by
        )
    begun.refresh_from_db()
    return begun


def _off(grade: int, off: int) -> int:
    return grade + off if grade + off <= 5 else grade - off
