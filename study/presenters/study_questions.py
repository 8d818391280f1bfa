"""Questions of a study in their list: texts until it is closed, then what people and models chose.

No share is shown of fewer than five people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from string import ascii_uppercase
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _

from core.domain.statistics import LEVEL, Interval, wilson
from study.domain.survey.validity import LEAST_PEOPLE, Validity
from study.models import QuestionDecision, Run, Study
from study.presenters.results.run_names import names_of
from study.selectors.results.choices import Choices, QuestionShare, share_of
from study.selectors.survey.asked import StudyQuestion

A_PAGE = 16
BINS = 10
SHOWN = ("all", "rival", "chance", "model_wrong", "model_right", "marked")


@dataclass(frozen=True)
class QuestionRow:
    """A question of the list; its share is None before the study is closed and where no one was asked."""

    asked: StudyQuestion
    share: QuestionShare | None
    rival: int | None
    decision: QuestionDecision | None
    model_is_right: bool | None

    @property
    def last(self) -> str:
        context = self.asked.question.context
        return str(context[-1]["text"]) if context else ""

    @property
    def p(self) -> float | None:
        return self.share.p if self.share else None

    @property
    def ends(self) -> Interval | None:
        if self.share is None or self.share.p is None:
            return None
        return wilson(self.share.right, self.share.scored, LEVEL)

    @property
    def chance(self) -> float:
        return 1 / max(1, self.asked.question.candidates_count)

    @property
    def is_at_chance(self) -> bool:
        return self.p is not None and self.p <= self.chance

    @property
    def minus_model(self) -> float | None:
        return None if self.p is None or self.model_is_right is None else self.p - self.model_is_right

    @property
    def seconds(self) -> float | None:
        return None if self.share is None or self.share.milliseconds is None else self.share.milliseconds / 1000

    @property
    def picks(self) -> "list[ChoiceColumn]":
        """First choices as small columns; none of fewer than five people."""
        if self.share is None or sum(self.share.first) < LEAST_PEOPLE:
            return []
        return columns_of(self.share.first, self.asked.question.answer)

    @property
    def picks_told(self) -> str:
        return ", ".join(f"{each.letter} {each.count}" for each in self.picks)


@dataclass(frozen=True)
class ChoiceColumn:
    """A column of the drawing of first choices, in hundredths of its width and height."""

    letter: str
    count: int
    left: str
    top: str
    width: str
    height: str
    is_true: bool
    is_most: bool


def columns_of(counts: Sequence[int], answer: int | None = None) -> list[ChoiceColumn]:
    """Return a column for each number; the highest fills the height."""
    step, most = 100 / max(1, len(counts)), max([1, *counts])
    return [
        ChoiceColumn(
            letter_of(number),
            count,
            f"{step * number:.2f}",
            f"{100 - 100 * count / most:.2f}",
            f"{0.8 * step:.2f}",
            f"{100 * count / most:.2f}",
            number == answer,
            count == most,
        )
        for number, count in enumerate(counts)
    ]


def letter_of(number: int) -> str:
    """Return what pages call a candidate: A to Z, then its number from 27."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


def rows_of(study: Study, asked: Sequence[StudyQuestion], choices: dict[str, Any] | None) -> list[QuestionRow]:
    """Return the questions: in their order before closing, then the hardest first and those without a share last."""
    if choices is None:
        return [QuestionRow(each, None, None, None, None) for each in asked]
    of_name = {row["name"]: row for row in choices["questions"]}
    decisions = {each.question_id: each for each in study.decisions.select_related("decided_by")}
    right = choices["best"]["right"] if choices["best"] else {}
    rows = [_row(each, of_name.get(each.name), decisions, right) for each in asked]
    return sorted(rows, key=lambda row: (row.p is None, row.p or 0.0))


def _row(
    asked: StudyQuestion,
    found: Choices | None,
    decisions: dict[int, QuestionDecision],
    right: dict[str, bool],
) -> QuestionRow:
    question = asked.question
    share = share_of(found, {question.pk} if not question.condition else set()) if found else None
    rival = share.rival(question.answer) if share else None
    return QuestionRow(asked, share, rival, decisions.get(question.pk), right.get(str(question.pk)))


def list_context(
    study: Study, rows: list[QuestionRow], choices: dict[str, Any] | None, query: QueryDict
) -> dict[str, Any]:
    """Return the context of study/survey/questions.html."""
    corpora = sorted({row.asked.question.corpus for row in rows} - {""})
    corpus = query.get("corpus", "")
    found = [row for row in rows if corpus in ("", row.asked.question.corpus) and _has(row, query.get("find", ""))]
    show = query.get("show", "all") if query.get("show") in SHOWN else "all"
    kept = query.copy()
    kept.pop("page", None)
    page = Paginator([row for row in found if _is_of(row, show)], A_PAGE).get_page(query.get("page"))
    known = [row.p for row in rows if row.p is not None]
    context: dict[str, Any] = {
        "study": study,
        "page": page,
        "rows": page.object_list,
        "query": kept.urlencode(),
        "find": query.get("find", ""),
        "show": show,
        "corpora": [("", _("All"), "?"), *((name, name, "?" + _with(kept, corpus=name)) for name in corpora)],
        "corpus": corpus,
        "is_closed": choices is not None,
        "total": len(rows),
    }
    if choices is None:
        return context
    best = choices["best"]
    context |= {
        "chips": [
            (name, label, sum(_is_of(row, name) for row in found), "?" + _with(kept, show=name))
            for name, label in _labels(has_model=best is not None).items()
        ],
        "half": median(known) if known else None,
        "shares_known": len(known),
        "rivals": sum(row.rival is not None for row in rows),
        "histogram": columns_of([sum(min(BINS - 1, int(p * BINS)) == bin for p in known) for bin in range(BINS)]),
        "best": _name_of_best(best) if best else "",
        "models": best["models"] if best else 0,
        "marked": marked_beside(rows),
        "agreement": next((row for row in choices["agreement"] if row["corpus"] == (corpus or None)), None),
        "places": [_with_shares(each) for each in choices["places"]],
        "is_screen_told": any(row["seen"]["n"] for each in choices["places"] for row in each["places"]),
    }
    return context


def _name_of_best(best: dict[str, Any]) -> str:
    runs = best.get("runs", [best["run"]])  # what an earlier version stored has one alone
    return names_of(Run.objects.filter(pk__in=runs))[best["run"]]


def _with_shares(places: dict[str, Any]) -> dict[str, Any]:
    """Add to the places of questions with one number of candidates what the page shows beside their counts."""
    rows = [
        {**row, "seen": {**row["seen"], "share": row["seen"]["k"] / row["seen"]["n"] if row["seen"]["n"] else None}}
        for row in places["places"]
    ]
    told = any(row["seen"]["n"] for row in rows)
    return {**places, "alike": 1 / places["candidates"], "places": rows, "is_told": told}


def _with(query: QueryDict, **changes: str) -> str:
    changed = query.copy()
    for name, value in changes.items():
        changed[name] = value
    return changed.urlencode()


def _labels(*, has_model: bool) -> dict[str, str]:
    labels = {"all": _("All"), "rival": _("Perhaps valid"), "chance": _("At or below chance")}
    if has_model:
        labels |= {"model_wrong": _("People right, model wrong"), "model_right": _("Model right, people wrong")}
    return labels | {"marked": _("Decided")}


def _has(row: QuestionRow, find: str) -> bool:
    wanted = find.strip().casefold()
    return not wanted or wanted in row.asked.name.casefold() or wanted in row.last.casefold()


def _is_of(row: QuestionRow, show: str) -> bool:
    match show:
        case "rival":
            return row.rival is not None
        case "chance":
            return row.is_at_chance
        case "model_wrong":
            return row.p is not None and row.p > 0.5 and row.model_is_right is False
        case "model_right":
            return row.p is not None and row.p < 0.5 and row.model_is_right is True
        case "marked":
            return row.decision is not None
    return True


@dataclass(frozen=True)
class MarkedBeside:
    """R@1 over all answers, with and without the questions that are marked as perhaps valid."""

    marked: int
    all: float | None
    without: float | None


def marked_beside(rows: Sequence[QuestionRow]) -> MarkedBeside:
    marked = [row for row in rows if row.decision and row.decision.decision == Validity.PERHAPS_VALID]
    return MarkedBeside(len(marked), mean_of(rows), mean_of([row for row in rows if row not in marked]))


def mean_of(rows: Sequence[QuestionRow]) -> float | None:
    scored = sum(row.share.scored for row in rows if row.share)
    return sum(row.share.right for row in rows if row.share) / scored if scored >= LEAST_PEOPLE else None
