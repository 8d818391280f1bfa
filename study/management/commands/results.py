"""Print the results of a study: figures with intervals by corpus, group and metric, and models on its questions.

Exclusion rules apply unless --without switches them off; those made afterwards only where --also switches them on.
--by prints the figures of each crossing of labels, such as corpus,half.
Example: manage.py results summer --json
"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.management.command import ColloquyCommand, counted
from core.models.people import User
from study.actions.results import results_in_force
from study.domain.results.exclusions import BY_DEFAULT, ON_REQUEST, RuleSwitches
from study.management.command import study
from study.models import Study
from study.presenters.results.looks import is_emptied_by_rules
from study.presenters.results.run_names import names_of_runs
from study.selectors.results.cells import LABELS
from study.selectors.results.crossings import CrossingRefused, crossing_of, labels_in
from study.selectors.results.results import is_readable


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument(
            "--without",
            nargs="+",
            default=[],
            choices=sorted(BY_DEFAULT),
            metavar="RULE",
            help=f"exclusion rules that do not apply: {', '.join(sorted(BY_DEFAULT))}",
        )
        parser.add_argument(
            "--also",
            nargs="+",
            default=[],
            choices=sorted(ON_REQUEST),
            metavar="RULE",
            help=f"rules of no plan that apply, too: {', '.join(sorted(ON_REQUEST))}",
        )

        parser.add_argument(
            "--by",
            dest="labels",
            type=labels_in,
            metavar="LABEL[,LABEL]",
            help="figures for each crossing of these labels instead: corpus, group, form, condition, turns, type, "
            "half, position, says_KEY",
        )

    def act(
        self, *, by: User, slug: str, without: list[str], also: list[str], labels: list[str] | None, **options: Any
    ) -> None:
        found = study(slug, by=by)
        if not is_readable(found):
            self.refuse(f"No results before “{slug}” closes: manage.py close_study {slug}", code="still_open")
        if labels:
            self._say_crossing(found, RuleSwitches(without, also), labels)
            return
        results = results_in_force(found, without=without, also=also)
        if still := results["still_answering"]:
            are = "person is" if still == 1 else "people are"
            self.stderr.write(f"Provisional: {still:,} {are} still answering, whose answers do not count yet.")
        self.say(results, table(results))

    def _say_crossing(self, found: Study, rules: RuleSwitches, labels: list[str]) -> None:
        try:
            cells = crossing_of(found, rules, labels)
        except CrossingRefused as refused:
            raise CommandError(f"--by {','.join(labels)}: {refused}", returncode=2) from refused
        lines = (_line(cell, ", ".join(str(cell[label]) for label in labels)) for cell in cells)
        self.say(
            {"study": found.slug, "by": labels, "cells": cells},
            "\n".join(lines) or _no_answers(results_in_force(found, **rules._asdict())),
        )


def _no_answers(results: dict[str, Any]) -> str:
    if is_emptied_by_rules(results):
        return "The exclusion rules leave no answers. Switch one off with --without to see the others."
    return "No answers yet."


def table(results: dict[str, Any]) -> str:
    """Format the figures for people: a line for each cell with answers, then one for each figure of a model."""
    if not results["answers"]:
        return _no_answers(results)
    titles = names_of_runs(results)
    lines = [
        f"{counted(results['answers'], 'answer')} of {counted(results['people'], 'person', 'people')} "
        f"to {counted(results['questions'], 'question')}; "
        f"{results['first_choice_only']:,} with a first choice alone, {results['unanswered']:,} left open",
        *_guessed(results["candidates"]),
        *(["Figures that name no condition are of the whole context."] if results["condition"] else []),
        "",
        *(_line(cell, _part(cell)) for cell in results["cells"] if cell["n"]),
        *(
            _line(row | {"headline": row["ci"]}, f"{titles[row['run']]} {row['corpus'] or 'all'}") + _unread(row)
            for row in results["models"]
            if row["n"]
        ),
        *_experts(results["experts"]),
        *_rules(results["rules"]),
    ]
    return "\n".join(lines)


def _guessed(candidates: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each corpus of which no one said how many candidates its questions have."""
    for row in candidates:
        if row["guessed"]:
            where = f" of {row['corpus']}" if row["corpus"] else ""
            yield f"at least {row['most']} candidates{where}, the highest rank seen: chance and MRR's range rest on it"


def _rules(rules: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each rule that leaves someone out: R@1 of all answers without it and with it."""
    leaving_out = [rule for rule in rules if rule["people"]]
    if leaving_out:
        yield ""
    for rule in leaving_out:
        ends = ["none" if rule[name] is None else f"{rule[name]:.3f}" for name in ("without", "with")]
        state = "" if rule["applied"] else ", not applied"
        people = counted(rule["people"], "person", "people")
        yield f"{rule['rule']:<32}{people}, R@1 {ends[0]} without, {ends[1]} with{state}"


def _experts(experts: dict[str, Any] | None) -> Iterator[str]:
    """Yield a line for each figure of each expert, and one for their agreement; none where no one is signed in."""
    if experts is None:
        return
    yield ""
    for number, expert in enumerate(experts["each"], start=1):
        for figure in expert["figures"]:
            if figure["n"]:
                yield _line(figure | {"headline": figure["ci"]}, f"expert {number}, over questions alone")
    if experts["kendall_w"] is None:
        yield f"Kendall's W: {experts['kendall_w_why']}"
        return
    ends = experts["kendall_w_ci"]
    interval = f" ({ends[0]:.3f} to {ends[1]:.3f} over questions)" if ends else ""
    shared = counted(experts["questions"], "question")
    yield f"Kendall's W {experts['kendall_w']:.3f}{interval}, over {shared} that all experts answered"


def _unread(row: dict[str, Any]) -> str:
    return f", {row['unread']:,} unread, counted as wrong" if row.get("unread") else ""


def _part(cell: dict[str, Any]) -> str:
    names = [f"{label} {cell[label]}" if label == "condition" else cell[label] for label in LABELS if cell[label]]
    return ", ".join(names) or "all"


def _line(cell: dict[str, Any], name: str) -> str:
    headline = cell["headline"]
    interval = f"{headline[0]:.3f} to {headline[1]:.3f}" if headline else cell.get("headline_why") or "no interval"
    right = "" if cell["k"] is None else f"{cell['k']:,}/"
    return f"{name:<32}{cell['metric']:<7}{cell['p']:.3f}  {interval:<18}  n = {right}{cell['n']:,}"
