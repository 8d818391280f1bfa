"""What can be done about the findings of an audit: one remedy for each cause, with what it would give where known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.models.people import User
from study.forms.questions import PICKED
from study.models import QuestionSet
from study.presenters.questions.audits import COUNTED, PrintedFigure, rows_of, title_of
from study.presenters.questions.drawing import draws_again
from study.selectors.questions.audits import drawn_so
from study.selectors.questions.questions import next_name


@dataclass(frozen=True)
class Cause:
    """What several checks find, and the pick that mends it ("": none does)."""

    title: str | Promise
    checks: Sequence[str]
    pick: str = ""
    otherwise: str | Promise = ""  # what to do where no pick mends it, or this one was used


CAUSES = (
    Cause(
        gettext_lazy("Length"),
        ("longest", "shortest", "length"),
        "length",
        gettext_lazy(
            "The false candidates have a similar length already. Draw from a larger source, which has nearer ones."
        ),
    ),
    Cause(
        gettext_lazy("Words of the context"),
        ("most_overlap", "least_overlap", "overlap"),
        "similar",
        gettext_lazy("The false candidates share words with the context already. Draw in another way: by length."),
    ),
    Cause(
        gettext_lazy("How candidates are written"),
        ("linear", "most_alike", "capital", "end_mark"),
        "",
        gettext_lazy("No other way of drawing is known to fix this: edit the questions, or draw from another source."),
    ),
)
PLACES = gettext_lazy(
    "Each person sees the candidates in a different order, so people are not affected. Models that use positions are."
)


@dataclass(frozen=True)
class Remedy:
    """What to do about one cause; `known` is the same check of `other`, a set that was drawn so."""

    title: str | Promise
    badge: str
    verdict: str | Promise
    said: str
    act: str = ""
    address: str = ""
    other: QuestionSet | None = None
    known: PrintedFigure | None = None


def remedies_of(question_set: QuestionSet, report: dict[str, Any], *, by: User) -> list[Remedy]:
    """Return a remedy for each cause of the findings, causes of guessing first."""
    return [*_of_guessing(question_set, report, by), *_of_counted(question_set, report)]


def _of_guessing(question_set: QuestionSet, report: dict[str, Any], by: User) -> Iterator[Remedy]:
    rows = rows_of(report)
    for cause in CAUSES:
        found = [rows[name] for name in cause.checks if name in report["findings"]]
        if not found:
            continue
        head = (cause.title, "warn", found[0].verdict)
        if not cause.pick or cause.pick == question_set.recipe["pick"]:
            yield Remedy(*head, f"{_number_of(len(found))} {cause.otherwise}")
            continue
        picked = PICKED[cause.pick]
        said = _("Draw again with distractors of %(pick)s.") % {"pick": picked}
        act = _("Draw again, %(pick)s") % {"pick": picked}
        other = drawn_so(question_set, cause.pick, by=by)
        known = rows_of(other[1])[found[0].name].figure if other else None
        address = draws_again(question_set, pick=cause.pick, name=next_name(question_set))
        yield Remedy(*head, f"{_number_of(len(found))} {said}", act, address, other[0] if other else None, known)
    if any(name.startswith("position_") for name in report["findings"]):
        yield Remedy(_("Positions"), "warn", rows[report["checks"][0]["name"]].verdict, str(PLACES))


def _number_of(findings: int) -> str:
    text = ngettext("%(n)s finding has this cause.", "%(n)s findings have this cause.", findings)
    return text % {"n": findings}


def _of_counted(question_set: QuestionSet, report: dict[str, Any]) -> Iterator[Remedy]:
    rows = rows_of(report)
    for name in COUNTED:
        if name not in report["findings"]:
            continue
        row = rows[name]
        gone = int(next(check["value"] for check in report["checks"] if check["name"] == name))
        left = report["questions"] - gone
        act = ngettext("Remove it, %(left)s remain", "Remove them, %(left)s remain", gone) % {"left": f"{left:,}"}
        address = f"{reverse('leave_out_questions', args=[question_set.name])}?{urlencode({'found': name})}"
        yield Remedy(title_of(name), row.badge, row.verdict, _about(name), act, address)


def _about(name: str) -> str:
    if name in ("context_in_training", "candidates_in_training"):
        return _("People are not affected; models that are trained on the train split are.")
    if name == "equal_candidates":
        return _("If two candidates are identical, neither can be the only right one.")
    return _("Review them: two answers may be right. Edit such questions on the page of the set, or remove them all.")
