"""The audit of a question set as tables: ways of guessing, differences, and what was counted, with examples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.domain.artefacts import CheckFinding
from core.presenters.artefacts import GUESSES, MEANS, POSITION, CheckRow
from study.models import QuestionSet
from study.selectors.questions.questions import SetQuestion, named_in

EXAMPLES = 3  # of each finding on the page
COUNTED: dict[str, tuple[str | Promise, str | Promise]] = {
    "equal_candidates": (_("Equal candidates"), _("but for case, punctuation and space")),
    "near_true": (
        _("False responses that may be true"),
        _("seven tenths of the words of the two are in both"),
    ),
    "near_candidates": (_("False responses nearly equal to each other"), _("by the same rule")),
    "context_in_training": (_("Context in training material"), _("all its turns, one after the other")),
    "candidates_in_training": (_("Candidate in training material"), _("of at least seven words, as a turn")),
}


@dataclass(frozen=True)
class CountRow:
    """Number of questions with what should not be, and the first of them."""

    label: str | Promise
    note: str | Promise
    value: int
    questions: int
    examples: Sequence[SetQuestion]


def tables_of(question_set: QuestionSet, report: dict[str, Any]) -> dict[str, Any]:
    """Return what study/questions/audit.html shows of a report."""
    checks = {check["name"]: check for check in report["checks"]}
    return {
        "report": report,
        "level": 100 * report["level"],
        "guesses": [*_positions(checks), *(_row(question_set, *GUESSES[name], checks[name]) for name in GUESSES)],
        "differences": [_row(question_set, *MEANS[name], checks[name]) for name in MEANS],
        "counts": [_count(question_set, name, checks[name]) for name in COUNTED if name in checks],
        "findings": [title_of(name) for name in report["findings"]],
        "is_too_small": any(check["verdict"] == CheckFinding.TOO_FEW for check in report["checks"]),
    }


def title_of(name: str) -> str | Promise:
    """Return what people call a check."""
    _position, is_position, letter = name.partition("position_")
    if is_position:
        return POSITION % {"letter": letter}
    return (GUESSES | MEANS | COUNTED)[name][0]


def _positions(checks: dict[str, Any]) -> Iterator[CheckRow]:
    for name, check in checks.items():
        if name.startswith("position_"):
            yield CheckRow(title_of(name), "", _with_interval(check))


def _row(question_set: QuestionSet, label: str | Promise, note: str | Promise, check: dict[str, Any]) -> CheckRow:
    examples = named_in(question_set, check["examples"][:EXAMPLES]) if check["found"] else []
    return CheckRow(label, note, _with_interval(check), examples)


def _with_interval(check: dict[str, Any]) -> dict[str, Any]:
    return {**check, "interval": check["ci"], "finding": check["verdict"]}


def _count(question_set: QuestionSet, name: str, check: dict[str, Any]) -> CountRow:
    return CountRow(*COUNTED[name], check["value"], check["n"], named_in(question_set, check["examples"][:EXAMPLES]))
