"""Print agreement before and after the gap filter, with intervals. Example: manage.py agreement forum --json"""

import re
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.projects.boards import agreement_in_force
from annotation.actions.projects.projects import must_be
from annotation.domain.agreement import FIGURES
from annotation.management.finding import project
from annotation.models import Kind
from annotation.selectors.agreement.agreement import FEW_UNITS, agreement_report
from annotation.selectors.rating.grades import DialoguesUnnamed, RatersTooFew, RaterUnknown, ResampledUnit
from core.domain.statistics import DRAWS_OF_ITEMS, FEWEST_DRAWS
from core.domain.text import normalise
from core.management.command import ColloquyCommand, counted, seed, unknown
from core.models import User

MOST_DRAWS = 100_000


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument(
            "--bootstrap",
            type=_draws,
            default=DRAWS_OF_ITEMS,
            metavar="N",
            help=f"resamples of pairs, {FEWEST_DRAWS} to {MOST_DRAWS:,} (default {DRAWS_OF_ITEMS}); 0: no intervals",
        )
        parser.add_argument(
            "--by",
            dest="unit",
            choices=list(map(str, ResampledUnit)),
            help="what is resampled (default: what several pairs share)",
        )
        parser.add_argument("--seed", type=seed, default=0, help="of the resamples (default 0)")
        parser.add_argument(
            "--raters", nargs="+", type=normalise, default=[], metavar="NAME", help="only these raters, two or more"
        )

    def act(self, *, by: User, slug: str, bootstrap: int, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        must_be(target, Kind.RATING)
        unit = ResampledUnit(options["unit"]) if options["unit"] else None
        try:
            if not options["raters"] and (bootstrap, options["seed"]) == (DRAWS_OF_ITEMS, 0):
                report = agreement_in_force(target, by=unit)
            else:
                how = {"draws": bootstrap, "seed": options["seed"]}
                report = agreement_report(target, by=unit, raters=options["raters"], **how)
        except RaterUnknown as wrong:
            raise unknown("rater", wrong.name, wrong.known, made_by="import_ratings") from None
        except RatersTooFew:
            raise CommandError("--raters: name two raters or more.", returncode=2) from None
        except DialoguesUnnamed:
            self.refuse(
                f"No pair of “{slug}” names its dialogue: import the pairs with a column dialogue, or use --by prompt.",
                code="no_dialogues",
            )
        self.say(report, table(report))


def _draws(text: str) -> int:
    draws = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else -1
    if draws and not FEWEST_DRAWS <= draws <= MOST_DRAWS:
        raise ArgumentTypeError(f"a whole number from {FEWEST_DRAWS} to {MOST_DRAWS:,}, or 0 for none, not {text}")
    return draws


def table(report: dict[str, Any]) -> str:
    """Return the report as text: a line for each figure and each pair of raters, and the reasons for
    missing figures.
    """
    before, after = report["before"], report["after"]
    if not report["items"]:
        return "Agreement needs pairs with two grades; 0 so far."
    lines = [
        f"{counted(report['items'], 'pair')} with two grades or more; {report['kept']:,} kept, "
        f"{report['removed']:,} removed by the filter",
        "",
        f"{'':<18}{'before, n = ' + format(before['n'], ','):<30}after, n = {after['n']:,}",
        *(f"{name:<18}{_cell(before, name):<30}{_cell(after, name)}" for name in FIGURES),
        f"intervals for these raters, over {before['units']:,} {before['unit']}s",
        *(["Few are resampled (below 30): the intervals promise more than they keep."] * (before["units"] < FEW_UNITS)),
        "",
        *(
            f"{' and '.join(pair['raters'])}: n = {pair['n']:,}, kappa {_cell(pair, 'kappa')}"
            for pair in report["pairs"]
        ),
    ]
    for kind in ("source", "topic", "stretch"):
        lines += _parts(kind, report[f"{kind}es" if kind == "stretch" else f"{kind}s"])
    for model in report["models"]:
        lines += _model(model)
    reasons = {block[f"{name}_why"] for block in (before, after) for name in FIGURES if f"{name}_why" in block}
    return "\n".join([*lines, *sorted(reasons)]).rstrip()


def _parts(kind: str, parts: list[dict[str, Any]]) -> list[str]:
    """Return a line for each part of the work: pairs, number with too wide a gap, kappa."""
    named = [part.get(kind) or (part["from"] if kind == "stretch" else "the rest, or not named") for part in parts]
    rows = [
        f"{name}: n = {part['n']:,}, {part['apart']:,} of {part['settled']:,} too far apart, "
        f"kappa {_cell(part, 'kappa')}"
        for name, part in zip(named, parts, strict=True)
    ]
    return ["", f"by {kind}", *rows] if rows else []


def _model(model: dict[str, Any]) -> list[str]:
    """Return a line for the model and one for each person's place: quadratic kappa of both, and the difference."""
    return [
        "",
        f"model {model['model']}: {counted(model['n'], 'pair')} that people graded; quadratic kappa in each place",
        *(
            f"{place['rater']}: n = {place['n']:,}, the person {_cell(place, 'person')}, the model "
            f"{_cell(place, 'model')}, difference {_cell(place, 'difference')}"
            for place in model.get("places", ())
        ),
    ]


def _cell(block: dict[str, Any], name: str) -> str:
    if block[name] is None:
        return "undefined"
    interval = block.get(f"{name}_ci", block.get(f"{name}_asymptotic"))
    return f"{block[name]:.3f}" + (f" ({interval[0]:.3f} to {interval[1]:.3f})" if interval else "")
