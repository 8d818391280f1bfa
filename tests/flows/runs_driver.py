"""Runs each model on a test's own database, in this process and as the worker does it; prints the results."""

import json
from importlib.util import find_spec

import django

django.setup()

from django.utils.translation import activate  # noqa: E402

from core import tasks as tasks  # noqa: E402
from core.models import Job, Role  # noqa: E402
from study.actions.runs import baselines  # noqa: E402
from study.baselines.base import Requirement  # noqa: E402
from study.baselines.registry import BASELINES  # noqa: E402
from study.models import Run  # noqa: E402
from tests import factories  # noqa: E402
from tests.study.instances import kitchen  # noqa: E402

MISSING = {Requirement.WEIGHTS, Requirement.SERVER, *([] if find_spec("torch") else [Requirement.NEURAL])}
MODELS_HERE = [key for key, model in BASELINES.items() if not model.needs & MISSING]


def outcome(run: Run) -> dict[str, object]:
    predictions = list(run.predictions.order_by("position").values_list("external_id", "scores", "better", "tied"))
    return {"checksum": run.checksum, "metrics": run.metrics, "predictions": predictions}


def main() -> None:
    tasks.open_nursery()  # before a database is open, as in the worker
    activate("en")
    rui = factories.person("rui", Role.RESEARCHER)
    kitchen(rui, dev=7, unknown=2)
    said: dict[str, object] = {}
    for model in MODELS_HERE:
        plan = {"model": model, "on": "kitchen:dev", "train": "kitchen:train", "seed": 5, "by": rui}
        asked_for = baselines.ask_for_run(**plan)
        tasks.run_job(asked_for.job_id)
        job = Job.objects.get(pk=asked_for.job_id)
        said[model] = {
            "now": outcome(baselines.run_now(**plan, report=factories.no_progress)),
            "job": outcome(Run.objects.get(job=job)),
            "state": job.state,
            "error": job.error,
            "progress": [job.done, job.total],
        }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
