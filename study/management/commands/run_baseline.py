"""Run a model in this process. Example: manage.py run_baseline tfidf --on mutual:dev --train mutual:train"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, ProgressPrinter, counted, seed
from core.models.people import User
from study.actions import baselines
from study.baselines.evaluate import WHY
from study.baselines.registry import BASELINES
from study.domain.results.metrics import METRICS
from study.models import Run

SOURCE = "NAME[:split]"


class Command(ColloquyCommand):
    help = __doc__
    permission = "run.start"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("key", metavar="KEY", help=f"one of {', '.join(BASELINES)}")
        parser.add_argument(
            "--on", required=True, metavar=SOURCE, help="a corpus, a release SLUG@NUMBER, a question set or a study"
        )
        parser.add_argument("--train", default="", metavar=SOURCE, help="what the model learns from, if it has to")
        parser.add_argument("--seed", type=seed, default=0, help="of the model's draws (default 0)")

    def act(self, *, by: User, key: str, on: str, train: str, seed: int, **options: Any) -> None:
        run = baselines.run_now(
            model=key, on=on, train=train, seed=seed, report=ProgressPrinter(self, "instances"), by=by
        )
        if train and not run.train:
            self.stderr.write(f"{key} does not learn: {train} was not read.")
        self.say(as_json(run), as_text(run))


def as_json(run: Run) -> dict[str, Any]:
    assert run.metrics is not None
    return {
        **run.metrics,
        "run": run.pk,
        "on": run.on,
        "train": run.train or None,
        "seed": run.seed,
        "checksum": run.checksum,
    }


def as_text(run: Run) -> str:
    """Format the figures for people, with what is needed to read them."""
    figures = run.metrics or {}
    lines = [f"{run.model} on {run.on}: {counted(figures['n'], 'instance')} with a known answer"]
    if figures["without_answer"]:
        lines.append(f"{figures['without_answer']:,} without one: predicted, in no figure")
    lines += [f"{name:<6}{_cell(figures, name)}" for name in METRICS if figures["n"]]
    if figures["tied"]:
        lines.append(f"{figures['tied']:,} with the true response level with another, counted by expectation")
    if figures["shared_contexts"]:
        lines.append(f"{figures['shared_contexts']:,} with a context that stands in {run.train} too")
    return "\n".join([*lines, f"run {run.pk}, checksum of its predictions {run.checksum}"])


def _cell(figures: dict[str, Any], name: str) -> str:
    if figures[name] is None:
        return WHY[figures[f"{name}_why"]]
    interval = figures[f"{name}_ci"]
    return f"{figures[name]:.4f}" + (f" ({interval[0]:.4f} to {interval[1]:.4f})" if interval else "")
