"""Run a model in this process.

Example: manage.py run_baseline gbdt --on weibo@1:test --train weibo@1:train --dev weibo@1:dev --set rate=0.1
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand, ProgressPrinter, counted, seed
from core.models.people import User
from study.actions.runs import baselines
from study.actions.runs.plans import AUTO, DEVICES
from study.baselines.analyses import TRIAL
from study.baselines.evaluate import WHY
from study.baselines.registry import BASELINES
from study.baselines.seeds import over_seeds
from study.domain.results.graded import GRADED_METRICS
from study.domain.results.metrics import METRICS
from study.management.command import SOURCE, add_weights, setting_of_a_model
from study.models import Run

FLAGS = ("leaves_out_overlap", "is_trial")


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
        parser.add_argument("--dev", default="", metavar=SOURCE, help="what its settings are chosen on, if it does so")
        parser.add_argument(
            "--seed",
            dest="seeds",
            nargs="+",
            type=seed,
            default=[0],
            metavar="SEED",
            help="of the model's draws (default 0); several: a run for each, with mean and SD of the figures",
        )
        parser.add_argument(
            "--ablate",
            dest="ablations",
            nargs="+",
            default=[],
            metavar="first:N|all|shuffle",
            help="ask it again without the earliest N turns, without context, with the turns shuffled",
        )
        parser.add_argument(
            "--leave-out-overlap",
            dest="leaves_out_overlap",
            action="store_true",
            help="train without what has a context that the model is asked about",
        )
        parser.add_argument(
            "--trial",
            dest="is_trial",
            action="store_true",
            help=f"read {TRIAL} instances of each material, to see whether all works; left out of all tables",
        )
        parser.add_argument(
            "--set",
            dest="chosen",
            action="append",
            default=[],
            type=setting_of_a_model,
            metavar="KEY=VALUE",
            help="list_baselines names the settings of each model",
        )
        add_weights(parser)
        parser.add_argument("--device", choices=DEVICES, default=AUTO, help="where it runs (default auto)")
        parser.add_argument("--label", default="", help="what you call the run")

    def act(self, *, by: User, key: str, train: str, dev: str, chosen: list[tuple[str, str]], **options: Any) -> None:
        asked = {name: options[name] for name in (*("on", "weights", "device", "label", "ablations"), *FLAGS)}
        asked |= {"model": key, "train": train, "dev": dev, "settings": dict(chosen)}
        runs = [
            baselines.run_now(**asked, seed=seed, report=ProgressPrinter(self, "done"), by=by)
            for seed in dict.fromkeys(options["seeds"])
        ]
        run = runs[0]
        if train and not run.train:
            self.stderr.write(f"{key} does not learn: {train} was not read.")
        if dev and not run.dev:
            self.stderr.write(f"{key} chooses nothing on dev: {dev} was not read.")
        if options["weights"] and not run.weights:
            self.stderr.write(f"{key} begins without weights: {options['weights']} was not read.")
        if len(runs) == 1:
            self.say(as_json(run), as_text(run))
        else:
            self.say(all_as_json(runs), all_as_text(runs))


def as_json(run: Run) -> dict[str, Any]:
    assert run.metrics is not None
    return {
        **run.metrics,
        "run": run.pk,
        "on": run.on,
        "train": run.train or None,
        "dev": run.dev or None,
        "leaves_out_overlap": run.leaves_out_overlap,
        "is_trial": run.is_trial,
        "label": run.label,
        "seed": run.seed,
        "settings": run.settings,
        "weights": run.weights or None,
        "weights_checksum": run.weights_checksum or None,
        "learned": run.learned,
        "circumstances": run.circumstances,
        "checksum": run.checksum,
    }


def all_as_json(runs: Sequence[Run]) -> dict[str, Any]:
    return {
        "model": runs[0].model,
        "seeds": [run.seed for run in runs],
        "runs": [as_json(run) for run in runs],
        "over_seeds": over_seeds([run.metrics or {} for run in runs]),
    }


def all_as_text(runs: Sequence[Run]) -> str:
    found = over_seeds([run.metrics or {} for run in runs])
    cuts = (
        {f"Cut@{cut} ": figures for cut, figures in found.items()} if "cuts" in (runs[0].metrics or {}) else {"": found}
    )
    spreads = [
        f"{cut}{name:<6}{each['mean']:.4f} (SD {each['sd']:.4f})"
        for cut, figures in cuts.items()
        for name, each in figures.items()
        if each
    ]
    return "\n\n".join([*map(as_text, runs), "\n".join([f"over {len(runs)} seeds:", *spreads])])


def as_text(run: Run) -> str:
    """Format the figures for people, with what is needed to read them."""
    figures = run.metrics or {}
    lines = [*figure_lines(figures), *_of_replies(figures), *_by_part(figures)]
    if figures["shared_contexts"]:
        lines.append(f"{figures['shared_contexts']:,} with a context that stands in {run.train} too")
    if "without_shared" in figures and "cuts" not in figures:
        lines.append(f"without them R@1 {_cell(figures['without_shared'], 'R@1')}")
    if figures.get("left_out_of_training"):
        lines.append(f"{figures['left_out_of_training']:,} left out of {run.train} for a context that is asked about")
    if run.is_trial:
        lines.append(f"a trial on {TRIAL} instances of each material at most: its figures do not appear in any table")
    for name, asked in figures.get("conditions", {}).items():
        lines.append(f"asked in {name} ({asked['n']:,}): R@1 {_cell(asked, 'R@1')}")
    for name, changed in figures.get("ablation", {}).items():
        if "cuts" in changed:
            lines += [f"{name}, Cut@{cut}: P@1 {_cell(at_cut, 'P@1')}" for cut, at_cut in changed["cuts"].items()]
        else:
            lines.append(f"{name}: R@1 {_cell(changed, 'R@1')}")
    seconds = run.circumstances["seconds"]
    lines.append(f"{seconds['training']:.1f} s of training, {seconds['scoring']:.1f} s of scoring")
    lines.append(f"run {run.pk}, checksum of its predictions {run.checksum}")
    return "\n".join([f"{run.model} on {run.on}: {lines[0]}", *lines[1:]])


def figure_lines(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of a run for people, one a line."""
    return _rated(figures) if "cuts" in figures else _answered(figures)


def _answered(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{counted(figures['n'], 'instance')} with a known answer"
    if figures["without_answer"]:
        yield f"{figures['without_answer']:,} without one: predicted, left out of all figures"
    if figures["n"]:
        yield from (f"{name:<6}{_cell(figures, name)}" for name in METRICS)
    if figures["tied"]:
        yield f"{figures['tied']:,} with the true response level with another, counted by expectation"


def _rated(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{counted(figures['prompts'], 'prompt')} with {counted(figures['responses'], 'rated response')}"
    for cut, at_cut in figures["cuts"].items():
        yield (
            f"Cut@{cut}: {counted(at_cut['prompts'], 'prompt')}, {at_cut['single']:,} of them with one response; "
            f"{at_cut['without_positive']:,} without a response of {cut} or more"
        )
        yield from (f"  {name:<4}{_cell(at_cut, name)}" for name in GRADED_METRICS)
    if figures["tied"]:
        yield f"{figures['tied']:,} with responses level with another, counted by expectation"


def _by_part(figures: dict[str, Any]) -> Iterator[str]:
    for part in figures.get("by_turns", ()):
        most = part["most"]
        turns = f"{part['least']} and more" if most is None else f"up to {most}" if not part["least"] else f"{most}"
        yield f"{turns} turns: R@1 {_cell(part, 'R@1')} of {part['n']:,}"
    yield from (
        f"type {part['type']}: R@1 {_cell(part, 'R@1')} of {part['n']:,}" for part in figures.get("by_type", ())
    )


def _of_replies(figures: dict[str, Any]) -> Iterator[str]:
    """Yield what became of a server's replies, and the first figure without those that could not be read."""
    if "replies" in figures:
        replies, same = figures["replies"], figures["consistency"]
        yield (
            f"{counted(replies['asked'], 'request')}: {replies['unreadable']:,} with a reply that names no candidate, "
            f"{replies['failed']:,} without a reply"
        )
        if same["ci"]:
            low, high = same["ci"]
            yield f"the same choice in all orders: {same['share']:.4f} ({low:.4f} to {high:.4f}) of {same['n']:,}"
    if "unanswered" in figures:
        without = figures["answered"]
        told = f"; without them R@1 {_cell(without, 'R@1')}" if without.get("n") else ""
        yield f"{counted(figures['unanswered'], 'instance')} without a readable reply, counted as wrong{told}"


def _cell(figures: dict[str, Any], name: str) -> str:
    if figures[name] is None:
        return WHY[figures[f"{name}_why"]]
    interval = figures[f"{name}_ci"]
    return f"{figures[name]:.4f}" + (f" ({interval[0]:.4f} to {interval[1]:.4f})" if interval else "")
