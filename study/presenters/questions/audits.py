"""The audit of a question set as a table: what each check found, by source, with questions that show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from core.domain.artefacts import CheckFinding
from core.domain.words import words_of
from core.presenters.artefacts import BEYOND, FINDINGS, GUESSES, MEANS, POSITION
from core.templatetags.figures import in_percent, percent_interval
from study.models import QuestionSet
from study.selectors.questions.questions import SetQuestion, named_in

AT_ONCE = 2  # examples beside each other
IN_WORDS = "length"  # the one difference that is not of shares
COUNTED: dict[str, tuple[str | Promise, str | Promise]] = {
    "equal_candidates": (gettext_lazy("Equal candidates"), gettext_lazy("except for case, punctuation and space")),
    "near_true": (
        gettext_lazy("Distractors that may be true"),
        gettext_lazy("the two share seven tenths of their words"),
    ),
    "near_candidates": (gettext_lazy("Distractors nearly equal to each other"), gettext_lazy("by the same rule")),
    "context_in_training": (
        gettext_lazy("Context in training material"),
        gettext_lazy("all its turns, one after the other"),
    ),
    "candidates_in_training": (
        gettext_lazy("Candidate in training material"),
        gettext_lazy("of at least seven words, as a turn"),
    ),
}
LEAKS = ("context_in_training", "candidates_in_training")


@dataclass(frozen=True)
class PrintedFigure:
    """A value as it is printed, with its interval, and where both lie on a line from 0 to 1."""

    label: str
    value: str
    ends: str
    chance: str
    n: int
    at: float | None = None
    ends_at: tuple[float, float] | None = None
    chance_at: float | None = None


@dataclass(frozen=True)
class AuditLine:
    """A check; `sources` has the same of each source. `is_counted`: a number of questions, without an interval."""

    name: str
    label: str | Promise
    note: str | Promise
    figure: PrintedFigure
    verdict: str | Promise
    badge: str  # of the verdict: "", warn or bad
    sources: Sequence[PrintedFigure] = ()
    examples: Sequence[str] = ()
    is_counted: bool = False

    @property
    def opens(self) -> bool:
        return bool(self.sources or self.examples)


@dataclass(frozen=True)
class RowGroup:
    title: str | Promise
    rows: Sequence[AuditLine]
    low: str = ""  # the ends of the line, where all rows share one
    high: str = ""


@dataclass(frozen=True)
class WordedOption:
    """A candidate with its words and the width of their bar."""

    letter: str
    text: str
    is_right: bool
    words: int
    width: float


@dataclass(frozen=True)
class OpenRow:
    """The row that is open, with some of its examples and where the next ones begin."""

    row: AuditLine
    questions: Sequence[tuple[SetQuestion, list[WordedOption]]] = field(default_factory=list)
    following: int | None = None


def rows_of(report: dict[str, Any]) -> dict[str, AuditLine]:
    """Return every check of a report as a row, by its name."""
    top = _top(report["checks"])
    return {check["name"]: _row(check, top) for check in report["checks"]}


def groups_of(report: dict[str, Any]) -> list[RowGroup]:
    """Return the rows of a report by kind."""
    rows, top = rows_of(report), in_percent(_top(report["checks"]), 0)
    positions = [name for name in rows if name.startswith("position_")]
    return [
        RowGroup(_("Ways of guessing: right, %"), [rows[name] for name in GUESSES if name in rows], "0", top),
        RowGroup(_("Positions: share of correct ones at each, %"), [rows[name] for name in positions], "0", top),
        RowGroup(_("Right minus wrong, mean"), [rows[name] for name in MEANS if name in rows]),
        RowGroup(_("Counted, so without an interval"), [rows[name] for name in COUNTED if name in rows]),
    ]


def title_of(name: str) -> str | Promise:
    """Return what people call a check."""
    if name == "position_beyond":
        return BEYOND[0]
    _position, is_position, letter = name.partition("position_")
    if is_position:
        return POSITION % {"letter": letter}
    return (GUESSES | MEANS | COUNTED)[name][0]


def finding_of(report: dict[str, Any]) -> list[str]:
    """Return the finding in sentences: the guess that is furthest from chance, what was counted, and the others."""
    rows = rows_of(report)
    found = [rows[name] for name in report["findings"]]
    first = max((row for row in found if not row.is_counted), key=_distance, default=None)
    counted = [row for row in found if row.is_counted]
    said = [_sentence(row) for row in (first, *counted) if row]
    others = len(found) - len(said)
    if others:
        text = ngettext("%(n)s other check has a finding.", "%(n)s other checks have a finding.", others)
        said.append(text % {"n": others})
    expected = sum(check["verdict"] == CheckFinding.EXPECTED for check in report["checks"])
    if said and expected:
        text = ngettext("%(n)s check is as expected.", "%(n)s checks are as expected.", expected)
        said.append(text % {"n": expected})
    return said


def open_row(question_set: QuestionSet, report: dict[str, Any], name: str, start: int) -> OpenRow | None:
    """Return the row to open: the one of this name or, without one, that of the first finding."""
    rows = rows_of(report)
    row = rows.get(name) or next((rows[each] for each in report["findings"] if rows[each].examples), None)
    if row is None or not row.opens:
        return None
    start = start if start < len(row.examples) else 0
    shown = named_in(question_set, row.examples[start : start + AT_ONCE])
    following = (start + AT_ONCE) if start + AT_ONCE < len(row.examples) else 0
    return OpenRow(
        row,
        [(each, _worded(each)) for each in shown],
        following if len(row.examples) > AT_ONCE else None,
    )


def csv_rows(report: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield a row for each check, and one for each source of it: what audit_questions --json prints, as a table."""
    for check in report["checks"]:
        yield _csv_row(check, check, "", check["verdict"], check.get("counted", check["examples"]))
        for source in check.get("sources", ()):
            yield _csv_row(check, source, source["source"], "", [])


CSV_HEADER = ("check", "source", "value", "ci_low", "ci_high", "chance", "n", "verdict", "found", "questions")


def _csv_row(
    check: dict[str, Any], figures: dict[str, Any], source: str, verdict: str, questions: list[str]
) -> list[Any]:
    low, high = figures["ci"] or ("", "")
    value, chance = ("" if each is None else each for each in (figures["value"], figures["chance"]))
    found = int(check["found"]) if verdict else ""
    return [check["name"], source, value, low, high, chance, figures["n"], verdict, found, questions]


def _row(check: dict[str, Any], top: float) -> AuditLine:
    name, counted = check["name"], check["name"] in COUNTED
    note = ({"position_beyond": BEYOND} | GUESSES | MEANS | COUNTED).get(name, ("", ""))[1]
    leak = name in LEAKS
    found = check["found"]
    verdict = (_("leak") if leak else FINDINGS[CheckFinding.LOOK]) if found else FINDINGS[check["verdict"]]
    badge = ("bad" if counted else "warn") if found else ""
    shown = () if counted and not found else check.get("sources", ())
    sources = [_figure(name, each, top, each["source"]) for each in shown]
    examples = check.get("counted") or check["examples"] if found or not counted else []
    return AuditLine(
        name, title_of(name), note, _figure(name, check, top), verdict, badge, sources, examples, is_counted=counted
    )


def _figure(name: str, check: dict[str, Any], top: float, label: str = "") -> PrintedFigure:
    value, ends, n = check["value"], check["ci"], check["n"]
    if name in COUNTED:
        return PrintedFigure(label, f"{value:,}", pgettext("questions", "of %(n)s") % {"n": f"{n:,}"}, "0", n)
    if name in MEANS:
        return _difference(name, check, label)
    at, chance = _within(value, top), _within(check["chance"], top)
    ends_at = (ends[0] / top, min(1.0, ends[1] / top)) if ends else None
    return PrintedFigure(
        label, in_percent(value), percent_interval(ends), in_percent(check["chance"]), n, at, ends_at, chance
    )


def _difference(name: str, check: dict[str, Any], label: str) -> PrintedFigure:
    """Return a difference in words, or of shares in points, on a line of its own with 0 in the middle."""
    value, ends = check["value"], check["ci"]
    if value is None:
        return PrintedFigure(label, "", "", "0", check["n"])
    unit = 1 if name == IN_WORDS else 100
    far = 1.1 * max(abs(value), *(abs(end) for end in ends or ()), 1e-9)
    shown = " – ".join(_signed(unit * end) for end in ends) if ends else ""
    ends_at = ((1 + ends[0] / far) / 2, (1 + ends[1] / far) / 2) if ends else None
    return PrintedFigure(label, _signed(unit * value), shown, "0", check["n"], (1 + value / far) / 2, ends_at, 0.5)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def _within(value: float | None, top: float) -> float | None:
    return None if value is None else min(1.0, value / top)


def _top(checks: Sequence[dict[str, Any]]) -> float:
    """Return the upper end of the line that all shares are drawn on: a tenth that is above all of them."""
    of_shares = (check for check in checks if check["name"] not in MEANS and check["name"] not in COUNTED)
    ends = [each["ci"][1] for check in of_shares for each in (check, *check.get("sources", ())) if each["ci"]]
    return min(1.0, (int(10 * max(ends, default=0.9)) + 1) / 10)


def _distance(row: AuditLine) -> float:
    """Return how far a row is from chance, on the line that it is drawn on."""
    return abs((row.figure.at or 0) - (row.figure.chance_at or 0))


def _sentence(row: AuditLine) -> str:
    """Return what one check found, in a sentence."""
    if row.is_counted:
        text = _("%(what)s: %(value)s of %(n)s questions.")
    elif row.name in MEANS:
        text = _("%(what)s: correct minus incorrect is %(value)s (%(ends)s).")
    else:
        text = _("%(what)s is right in %(value)s %% of questions (%(ends)s; chance %(chance)s %%).")
    return text % {
        "what": row.label,
        "value": row.figure.value,
        "ends": row.figure.ends,
        "chance": row.figure.chance,
        "n": f"{row.figure.n:,}",
    }


def _worded(each: SetQuestion) -> list[WordedOption]:
    lengths = [len(words_of(option.text)) for option in each.options]
    most = max(1, *lengths)
    return [
        WordedOption(option.letter, option.text, option.is_right, words, words / most)
        for option, words in zip(each.options, lengths, strict=True)
    ]
