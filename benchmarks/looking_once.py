"""One table of the benchmark of looking at figures (benchmarks/looking.py), on the database of DATABASE_URL.

python benchmarks/looking_once.py PAIRS PEOPLExQUESTIONS...

It uses nothing that an older checkout lacks: PYTHONPATH says whose figures are looked at.
"""

import json
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from django.utils.module_loading import autodiscover_modules  # noqa: E402

from annotation.actions.projects import projects  # noqa: E402
from annotation.domain.workflow import ItemState  # noqa: E402
from annotation.models import GradingModel, GuidelineVersion, ModelGrade, Project, Queue, Slot, Step  # noqa: E402
from annotation.selectors.agreement.agreement import agreement_report  # noqa: E402
from benchmarks import loading  # noqa: E402
from benchmarks.loading import BEGAN  # noqa: E402
from core.actions import jobs  # noqa: E402
from core.domain.transitions import JobState  # noqa: E402
from core.models import Job, Role, User  # noqa: E402
from core.tasks import carry_out  # noqa: E402
from study.domain.survey.phases import StudyState  # noqa: E402
from study.models import (  # noqa: E402  # noqa: E402
    Answer,
    Participant,
    Prediction,
    Presentation,
    Question,
    QuestionSet,
    Run,
    Study,
    StudyGroup,
    StudyMembership,
)
from study.selectors.results.results import results_of  # noqa: E402
from study.selectors.runs.sources import instance_of  # noqa: E402
from tests import factories  # noqa: E402

RATERS = 4
MODELS = {"near": 20_000, "far": 5_000}  # pairs that each graded
CORPORA, GROUPS = ("movie", "ubuntu"), ("crowd", "lab")
WARM = 3  # later looks, of which the median counts
AT_ONCE = 10_000


def main(pairs: str, *studies: str) -> None:
    settings.ALLOWED_HOSTS.append("testserver")
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STATIC_ROOT.mkdir(exist_ok=True)
    call_command("migrate", verbosity=0)
    autodiscover_modules("tasks")
    by = factories.person("rui", Role.ADMINISTRATOR)
    project = rated(int(pairs), by)
    asked = [answered(*map(int, size.split("x")), by) for size in studies]
    loading.gather_statistics()
    client = Client()
    client.force_login(by)
    client.get("/projects/")  # loads the application
    for study in asked:
        at, api = f"/studies/{study.slug}/results", f"/api/v1/studies/{study.slug}/results/"
        for page in (f"{at}/", f"{at}.csv", api, f"{at}/figure.svg"):
            look(client, study.slug, page)
    at, api = f"/projects/{project.slug}", f"/api/v1/projects/{project.slug}"
    pages = [f"{at}/agreement/", f"{at}/agreement.csv", f"{at}/", f"{at}/board.csv", f"{at}/quality/"]
    pages += [f"{at}/quality.csv", f"{api}/agreement/", f"{api}/quality/", f"{api}/progress/"]
    for page in pages:
        look(client, f"{int(pairs):,}", page)
    print(
        "the same figures, digest:", *(digest(results_of(study)) for study in asked), digest(agreement_report(project))
    )


class CostOfALook(NamedTuple):
    cpu: float
    statements: int
    status: int
    size: int


def look(client: Client, what: str, page: str) -> None:
    """Print the cost of a first look, of the job that it asks for, if any, and of a later look."""
    first = cost(client, page)
    job = Job.objects.filter(state=JobState.QUEUED).order_by("-pk").first()
    worked = carried_out(job) if job else ""
    later = sorted(cost(client, page) for _time in range(WARM))[WARM // 2]
    print(
        f"{what:>9} {page:44}{first.status:4}{1000 * first.cpu:9,.0f}{first.statements:5}{worked:>16}"
        f"{later.status:5}{1000 * later.cpu:9,.1f}{later.statements:5}{later.size / 1024:8,.1f}",
        flush=True,
    )


def cost(client: Client, page: str) -> CostOfALook:
    statements = []
    began = time.process_time()
    with connection.execute_wrapper(lambda execute, *call: statements.append(call[0]) or execute(*call)):
        answer = client.get(page)
        size = len(answer.getvalue())
    return CostOfALook(time.process_time() - began, len(statements), answer.status_code, size)


def carried_out(job: Job) -> str:
    """Do the job in this process; return its milliseconds of CPU and the megabytes of memory that it added."""
    started = jobs.start(job_pk=job.pk)
    assert started is not None
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak to the present memory
    memory, began = megabytes("VmRSS"), time.process_time()
    ended = carry_out(started, jobs.silent)
    cpu = time.process_time() - began
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result=ended["result"])
    return f"{1000 * cpu:,.0f}, {megabytes('VmHWM') - memory:,.0f} MB"


def megabytes(which: str) -> float:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(which))


def digest(figures: object) -> str:
    """Return the beginning of the digest of what a command prints, to compare two checkouts by."""
    return sha256(json.dumps(figures).encode()).hexdigest()[:12]


def grade_of(rater: int, slot: int) -> int:
    """Return a grade from 1 to 5: mostly the pair's own, sometimes another."""
    own = 1 + slot * 7919 % 5
    return own if slot * (rater + 3) % 10 < 6 else 1 + (own + rater) % 5


def rated(pairs: int, by: User) -> Project:
    """Create a project whose pairs have two grades each, by people who took turns, and grades of models."""
    project = projects.create(slug="bench", kind="rating", by=by)
    queue = Queue.objects.get(project=project, step=Step.RATE)
    loading.load_pairs(queue, pairs)
    people = [factories.person(f"rater-{number}", project=project) for number in range(RATERS)]
    half = pairs // 2 + 1
    for number, person in enumerate(people):
        slots = range(1, half) if number < RATERS // 2 else range(half, pairs + 1)
        loading.load_grades(
            queue, person, 1 + number % 2, slots, lambda slot, number=number: grade_of(number % 2, slot)
        )
    items = project.items.all()
    removed = [slot for slot in range(1, pairs + 1) if abs(grade_of(0, slot) - grade_of(1, slot)) > project.rating.gap]
    items.update(state=ItemState.KEPT)
    for start in range(0, len(removed), AT_ONCE):
        items.filter(pk__in=removed[start : start + AT_ONCE]).update(state=ItemState.REMOVED)
    Slot.objects.filter(queue=queue).update(free=0)
    guideline = GuidelineVersion.objects.filter(project=project).latest("pk")
    for number, (name, count) in enumerate(MODELS.items()):
        model = GradingModel.objects.create(project=project, name=name, guideline=guideline)
        loading.write(
            ModelGrade,
            ("item_id", "model_id", "grade", "imported_at"),
            ((item, model.pk, grade_of(number, item + number), BEGAN) for item in range(1, min(count, pairs) + 1)),
        )
    return project


def answered(people: int, asked: int, by: User) -> Study:
    """Create a closed study in which everyone answered all questions, and two runs on them."""
    slug = f"s{people}x{asked}"
    questions = QuestionSet.objects.create(name=slug, seed=0, recipe={}, checksum="0" * 64, created_by=by)
    Question.objects.bulk_create(
        Question(
            question_set=questions,
            position=number,
            external_id=f"q{number}",
            corpus=CORPORA[number % 2],
            context=[{"speaker": "A", "text": f"Well, {number}?"}] * (1 + number % 7),
            candidates=["Yes.", "No.", "Maybe.", "Never."],
            candidates_count=4,
            answer=0,
        )
        for number in range(asked)
    )
    drawn = questions.questions.order_by("position")
    keys, instances = [one.pk for one in drawn], [instance_of(one, one.external_id) for one in drawn]
    study = Study.objects.create(
        slug=slug, title=slug, state=StudyState.CLOSED, created_by=by, closed_at=timezone.now()
    )
    study.question_sets.add(questions)
    StudyMembership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    groups = [StudyGroup.objects.create(study=study, name=name, token=f"{slug}-{name}") for name in GROUPS]
    Participant.objects.bulk_create(
        Participant(study=study, group=groups[number % 2], form=1 + number % 2, state="complete", started_at=BEGAN)
        for number in range(people)
    )
    persons = list(study.participants.order_by("pk").values_list("pk", flat=True))
    first = (Presentation.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    pairs = [(person, question) for person in range(people) for question in range(asked)]
    loading.write(
        Presentation,
        ("id", "participant_id", "question_id", "position", "condition", "order", "tokens", "shown_at"),
        (
            (first + row, persons[person], keys[question], question, "", "[0, 1, 2, 3]", "[]", BEGAN)
            for row, (person, question) in enumerate(pairs)
        ),
    )
    loading.write(
        Answer,
        ("presentation_id", "first", "second", "better", "tied", "depth", "milliseconds", "answered_at", "in_grace"),
        (
            (first + row, *choices(person, question), 0, 2, 9_000, BEGAN, False)
            for row, (person, question) in enumerate(pairs)
        ),
    )
    for model, right in (("tfidf", 3), ("random", 7)):
        run = Run.objects.create(
            model=model, on=slug, question_set=questions, metrics={}, checksum=model, ended_at=BEGAN, created_by=by
        )
        Prediction.objects.bulk_create(
            Prediction(
                run=run,
                position=at,
                external_id=each.id,
                content=each.content,
                places=each.places,
                scores=[at % right, 1, 0.5, 0.1],
            )
            for at, each in enumerate(instances)
        )
    return study


def choices(person: int, question: int) -> tuple[int, int, int | None]:
    """Return first and second choice, and how many candidates rank above the true one, which is number 0."""
    drawn = (person * 7919 + question * 104_729) % 100
    able = 60 + person % 21 + question % 11
    if drawn < able:
        return 0, 1 + drawn % 3, 0
    return (1, 0, 1) if drawn % 2 else (1, 2, None)


if __name__ == "__main__":
    main(*sys.argv[1:])
