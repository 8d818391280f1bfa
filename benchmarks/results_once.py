"""One table of the benchmark of results (benchmarks/results.py), on the database of DATABASE_URL.

python -m benchmarks.results_once ROUNDS
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import django

django.setup()

import numpy as np  # noqa: E402
from django.core.management import call_command, get_commands  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils.module_loading import autodiscover_modules  # noqa: E402

from benchmarks import loading  # noqa: E402
from benchmarks.looking_once import answered  # noqa: E402
from config.loading import warm  # noqa: E402
from core.actions import jobs  # noqa: E402
from core.domain.statistics import DRAWS  # noqa: E402
from core.domain.transitions import JobState  # noqa: E402
from core.models import Job, Role  # noqa: E402
from core.models.stored_figures import StoredFigure  # noqa: E402
from core.tasks import carry_out, do_here  # noqa: E402
from study.models import Study  # noqa: E402
from study.selectors.results.answered import answers_given  # noqa: E402
from study.views import results as views  # noqa: E402
from tests import factories  # noqa: E402

REPLICA, LARGE = (153, 32), (5_000, 40)
TIMED_DRAWS = 20  # draws of the reference that are timed; the others would take as long
WARM = 9  # looks of a round at what is computed


class Stopwatch:
    """Milliseconds of the rounds of each thing that is measured, in the order in which they came first."""

    def __init__(self) -> None:
        self._took: dict[str, list[float]] = {}

    def time(self, name: str, act: Callable[[], object]) -> None:
        began = time.perf_counter()
        act()
        self.note(name, time.perf_counter() - began)

    def note(self, name: str, seconds: float) -> None:
        self._took.setdefault(name, []).append(1_000 * seconds)

    def row(self, name: str, wanted: str, reference: str) -> None:
        took, beside = self._took[name], statistics.median(self._took[reference])
        middle = statistics.median(took)
        print(
            f"{name:34}{middle:10,.1f}{max(took):10,.1f}{wanted:>10}   {reference:24}{beside:10,.1f}"
            f"{middle / beside:9.2f}",
            flush=True,
        )


def main(rounds: int) -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    autodiscover_modules("tasks")
    by = factories.person("rui", Role.ADMINISTRATOR)
    replica, large = (answered(*size, by) for size in (REPLICA, LARGE))
    loading.gather_statistics()
    warm()  # as a server is before its first request
    urls = ModuleType("benchmark_urls")
    urls.urlpatterns = [path("empty/", lambda request: HttpResponse()), path("", include("config.urls"))]  # type: ignore[attr-defined]
    with override_settings(ROOT_URLCONF=urls, ALLOWED_HOSTS=["*"]):
        client = Client()
        client.force_login(by)
        for address in ("/empty/", f"/studies/{replica.slug}/results/"):
            client.get(address)  # loads the application
        watch = Stopwatch()
        for _round in range(rounds):
            one_round(watch, client, replica, large)
    watch.row("replica, results, warm", "300", "empty page")
    watch.row("replica, results, first look", "2,000", "draws, replica")
    watch.row("replica, figure.svg, first look", "1,000", "draws, replica")
    watch.row("5,000 x 40, results, job", "5,000", "draws, 5,000 x 40")
    if "report" in get_commands():
        watch.row("replica, report", "20,000", "draws, replica")
    else:
        print("There is no command `report` yet.")
    print(f"{DRAWS:,} draws")


def one_round(watch: Stopwatch, client: Client, replica: Study, large: Study) -> None:
    page = f"/studies/{replica.slug}/results/"
    for study, name in ((replica, "draws, replica"), (large, "draws, 5,000 x 40")):
        watch.note(name, draw_by_draw(study))
    StoredFigure.objects.all().delete()
    watch.time("replica, results, first look", lambda: until_it_is_there(client, page))
    for _look in range(WARM):
        watch.time("empty page", lambda: there(client, "/empty/"))
        watch.time("replica, results, warm", lambda: there(client, page))
    views._drawn.cache_clear()
    watch.time("replica, figure.svg, first look", lambda: there(client, f"{page}figure.svg"))
    client.get(f"/studies/{large.slug}/results/")
    job = jobs.start(job_pk=Job.objects.filter(state=JobState.QUEUED).latest("pk").pk)
    assert job is not None
    watch.time("5,000 x 40, results, job", lambda: carry_out(job, jobs.silent))
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE)
    if "report" in get_commands():
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "report"
            watch.time("replica, report", lambda: call_command("report", replica.slug, out=out, verbosity=0))


def until_it_is_there(client: Client, page: str) -> None:
    """Look at a page, do the job that it asks for here, if it asks for one, and look again."""
    before = set(Job.objects.values_list("pk", flat=True))
    answer = client.get(page)
    asked_for = Job.objects.filter(state=JobState.QUEUED).exclude(pk__in=before)
    if asked_for:
        for job in asked_for:
            do_here(job.pk)
        answer = client.get(page)
    assert answer.status_code == 200, page


def there(client: Client, page: str) -> None:
    assert client.get(page).status_code == 200, page


def draw_by_draw(study: Study) -> float:
    """Return the seconds of DRAWS draws of people and questions, the mean of all answers counted anew in each."""
    given = answers_given(study)
    table = given.under(given.by_default).table
    value, people, questions = table.values("R@1"), table.people.codes, table.questions.codes
    generator = np.random.default_rng(0)
    began = time.perf_counter()
    for _draw in range(TIMED_DRAWS):
        drawn = [generator.integers(0, codes.max() + 1, codes.max() + 1) for codes in (people, questions)]
        weights = [np.bincount(one, minlength=len(one)) for one in drawn]
        weight = weights[0][people] * weights[1][questions]
        (value * weight).sum() / weight.sum()
    return (time.perf_counter() - began) * DRAWS / TIMED_DRAWS


if __name__ == "__main__":
    main(int(sys.argv[1]))
