"""One row of the benchmark of agreement (benchmarks/agreement.py), on the database of DATABASE_URL.

python -m benchmarks.agreement_once SQLite 105825
"""

import sys
import time

import django

django.setup()

import numpy as np  # noqa: E402
from django.core.management import call_command  # noqa: E402
from sklearn.metrics import cohen_kappa_score  # noqa: E402

from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.rating import simulation  # noqa: E402
from annotation.models import Project, Queue, Step  # noqa: E402
from annotation.selectors.agreement.agreement import agreement_of  # noqa: E402
from annotation.selectors.agreement.agreement_parts import parts_of  # noqa: E402
from annotation.selectors.rating.grades import Grades, grades_in_force  # noqa: E402
from benchmarks import loading  # noqa: E402
from core.domain.statistics import DRAWS_OF_ITEMS  # noqa: E402
from core.models import Role  # noqa: E402
from tests import factories  # noqa: E402

RATERS = 4
TIMES = 3  # the best of so many runs
DRAW_BY_DRAW = 10  # draws of the reference that are timed


def main(name: str, pairs: int) -> None:
    project = rated(pairs)
    parts = [timed(project) for _time in range(TIMES)]
    reading, figures, by_part = min(parts, key=sum)
    reference = draw_by_draw(grades_in_force(project))
    print(
        f"{name:12}{reading:9.2f}{figures:9.2f}{by_part:9.2f}{reading + figures + by_part:9.2f}{reference:29.1f}",
        flush=True,
    )


def rated(pairs: int) -> Project:
    call_command("migrate", verbosity=0)
    researcher = factories.person("rui", Role.RESEARCHER)
    project = projects.create(slug="bench", kind="rating", by=researcher)
    loading.load_pairs(Queue.objects.get(project=project, step=Step.RATE), pairs)
    simulation.simulate_annotators(project=project, people=RATERS, report=factories.no_progress, by=researcher)
    loading.gather_statistics()
    return project


def timed(project: Project) -> tuple[float, float, float]:
    """Return the seconds of reading, of the figures, of the parts."""
    began = time.perf_counter()
    grades = grades_in_force(project)
    read = time.perf_counter()
    agreement_of(grades)
    computed = time.perf_counter()
    parts_of(project, grades)
    return read - began, computed - read, time.perf_counter() - computed


def draw_by_draw(grades: Grades) -> float:
    """Return the seconds of 1,000 draws of pairs, each counted separately."""
    rows = grades.rows[np.argsort(grades.rows["item"], kind="stable")]
    given = rows["grade"].reshape(-1, 2)  # both raters of each pair
    generator = np.random.default_rng(0)
    began = time.perf_counter()
    for _draw in range(DRAW_BY_DRAW):
        drawn = given[generator.integers(0, len(given), len(given))]
        both = np.concatenate([drawn, drawn[:, ::-1]])
        for weights in (None, "linear", "quadratic"):
            cohen_kappa_score(*both.T, weights=weights)
        (drawn[:, 0] == drawn[:, 1]).mean()
    return (time.perf_counter() - began) * DRAWS_OF_ITEMS / DRAW_BY_DRAW


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
