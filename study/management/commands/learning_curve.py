"""Teach a model with more and more of its training material and print its figures. Nothing is stored.

Example: manage.py learning_curve tfidf --on mutual:dev --train mutual:train --sizes 100 1000 7000
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, ProgressPrinter, counted, seed
from core.models.people import User
from study.actions.runs.learning_curves import learning_curve
from study.actions.runs.plans import AUTO, DEVICES
from study.baselines.registry import BASELINES
from study.domain.results.graded import GRADED_METRICS
from study.management.command import SOURCE, add_weights, setting_of_a_model


class Command(ColloquyCommand):
    help = __doc__
    permission = "run.start"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("key", metavar="KEY", help=f"one of {', '.join(BASELINES)}")
        parser.add_argument("--on", required=True, metavar=SOURCE, help="what it is asked about, as for run_baseline")
        parser.add_argument("--train", required=True, metavar=SOURCE, help="what it learns from")
        parser.add_argument("--dev", default="", metavar=SOURCE, help="what its settings are chosen on, if it does so")
        parser.add_argument(
            "--sizes", type=int, nargs="+", default=[], help="instances to learn from (default: all, a half, …, 1/16)"
        )
        parser.add_argument("--seed", type=seed, default=0, help="of the model and of the parts (default 0)")
        parser.add_argument(
            "--set", dest="chosen", action="append", default=[], type=setting_of_a_model, metavar="KEY=VALUE"
        )
        add_weights(parser)
        parser.add_argument("--device", choices=DEVICES, default=AUTO, help="where it runs (default auto)")

    def act(self, *, by: User, key: str, chosen: list[tuple[str, str]], sizes: list[int], **options: Any) -> None:
        plan = {name: options[name] for name in ("on", "train", "dev", "seed", "device")}
        taught = learning_curve(
            model=key,
            settings=dict(chosen),
            weights=options["weights"],
            sizes=sizes,
            report=ProgressPrinter(self, "sizes done"),
            by=by,
            **plan,
        )
        rows = list(taught)
        self.say({"model": key, **plan, "rows": rows}, "\n".join(map(_line, rows)))


def _line(row: dict[str, Any]) -> str:
    parts = {"": row} if "cuts" not in row else {f"Cut@{cut} ": at_cut for cut, at_cut in row["cuts"].items()}
    names = ("R@1", "R@2", "MRR") if "cuts" not in row else tuple(GRADED_METRICS)
    told = [f"{cut}{name} {_cell(figures, name)}" for cut, figures in parts.items() for name in names]
    return f"{counted(row['size'], 'instance')}: {', '.join(told)}"


def _cell(figures: dict[str, Any], name: str) -> str:
    value, interval = figures[name], figures[f"{name}_ci"]
    if value is None:
        return "–"
    return f"{value:.4f}" + (f" ({interval[0]:.4f} to {interval[1]:.4f})" if interval else "")
