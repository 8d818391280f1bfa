"""Report of an audit as tables: each leak and each way of guessing, with instances that show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.domain.releases.leaks import Likeness
from annotation.selectors.releases.audits import AuditedInstance, Subject, last_report, shown
from core.presenters.artefacts import GUESSES, MEANS, POSITION, CheckRow
from core.presenters.files import csv_download

EXAMPLES = 10  # of each kind on the page; the file has all that are stored
LIKENESSES: dict[str, tuple[str | Promise, str | Promise]] = {
    Likeness.EXACT: (_("The same context"), _("letter by letter, in two splits or more")),
    Likeness.NEAR: (_("The same except for case, punctuation and spaces"), _("those above are not counted again")),
    Likeness.SIMILAR: (
        _("Nearly the same"),
        _("four fifths of the shorter occur in the longer: words changed, or one dialogue cut twice"),
    ),
}


@dataclass(frozen=True)
class LeakRow:
    """Leaks of one likeness: their number, and the first examples, each with one instance of every split."""

    label: str | Promise
    note: str | Promise
    count: int
    examples: list[list[AuditedInstance]]


def tables_of(subject: Subject, result: dict[str, Any]) -> dict[str, Any]:
    """Return what annotation/releases/audit.html shows of a report."""
    leaks, shortcuts = result["leaks"], result["shortcuts"]
    equal = shortcuts["equal_options"]
    return {
        "result": result,
        "leaks": [_leak_row(subject, likeness, leaks) for likeness in Likeness],
        "equal": equal,
        "equal_examples": shown(subject, [row["position"] for row in equal["rows"][:EXAMPLES]]),
        "guesses": [*_positions(shortcuts), *(_guess_row(subject, name, shortcuts[name]) for name in GUESSES)],
        "means": [CheckRow(*MEANS[name], shortcuts[name]) for name in MEANS],
        "level": 100 * shortcuts["level"],
    }


def _guess_row(subject: Subject, name: str, check: dict[str, Any]) -> CheckRow:
    """Return the row of a way of guessing, with examples if its finding is suspect."""
    row = CheckRow(*GUESSES[name], check)
    positions = [each["position"] for each in check.get("examples", ())]
    return replace(row, examples=shown(subject, positions)) if row.is_suspect else row


def _leak_row(subject: Subject, likeness: Likeness, leaks: dict[str, Any]) -> LeakRow:
    counts = {**leaks, Likeness.NEAR: leaks["near"] - leaks["exact"]}
    first = [row["instances"] for row in leaks["rows"] if row["likeness"] == likeness][:EXAMPLES]
    examples = [shown(subject, [each["position"] for each in _one_a_split(row)]) for row in first]
    return LeakRow(*LIKENESSES[likeness], counts[likeness], examples)


def _one_a_split(instances: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    first: dict[str, dict[str, Any]] = {}
    for each in instances:
        first.setdefault(each["split"], each)
    return list(first.values())


def _positions(shortcuts: dict[str, Any]) -> Iterator[CheckRow]:
    for name, check in shortcuts.items():
        _position, is_position, letter = name.partition("position_")
        if is_position:
            yield CheckRow(POSITION % {"letter": letter}, "", check)


def leaks_csv(subject: Subject, name: str) -> HttpResponse:
    """Download every stored leak with a row for each instance; the instances of a leak share a number."""
    report = last_report(subject)
    if report is None:
        raise Http404
    leaks = enumerate(report["leaks"]["rows"], start=1)
    rows = (
        [number, leak["likeness"], each["split"], each["id"]] for number, leak in leaks for each in leak["instances"]
    )
    return csv_download(f"{name}-leaks", ["leak", "likeness", "split", "id"], rows)
