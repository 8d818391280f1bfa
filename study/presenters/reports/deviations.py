"""Deviations from the frozen plan, and decisions about questions, as a report lists them.

They are without a person's id, and without reasons about a person.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study.domain.survey.validity import Validity
from study.forms.decisions import VALIDITY
from study.models import Deviation, QuestionDecision
from study.selectors.reports.facts import ReportFacts

OF_PEOPLE = (Deviation.What.EXCLUDED, Deviation.What.TAKEN_BACK)


@dataclass(frozen=True)
class ReportedDeviation:
    """A deviation or a decision: on which day (UTC, ISO 8601), what was done, and why."""

    day: str
    what: str
    why: str


def reported(facts: ReportFacts) -> list[ReportedDeviation]:
    """Return what was decided in the order of days; planned comparisons that lack figures are of the closing day."""
    found = [ReportedDeviation(f"{each.created_at:%Y-%m-%d}", _what(each), _why(each)) for each in facts.deviations]
    found += [ReportedDeviation(f"{each.decided_at:%Y-%m-%d}", _decided(each), each.why) for each in facts.decisions]
    closed = f"{facts.study.closed_at:%Y-%m-%d}" if facts.study.closed_at else ""
    found += [ReportedDeviation(closed, _not_carried_out(row), "") for row in facts.compared["not_carried_out"]]
    partly = (row for row in facts.compared["rows"] if row["planned"] and row["questions"] < row["questions_asked"])
    found += [ReportedDeviation(closed, _partly_carried_out(row, facts), "") for row in partly]
    return sorted(found, key=lambda each: each.day)


def _decided(decision: QuestionDecision) -> str:
    said = {"question": decision.question.external_id, "decision": VALIDITY[Validity(decision.decision)]}
    return _("Question “%(question)s” decided: %(decision)s") % said


def _not_carried_out(row: dict[str, Any]) -> str:
    text = _("Planned, not carried out: the comparison of %(group)s with %(against)s")
    return text % {"group": row["group"], "against": row["against"]}


def _partly_carried_out(row: dict[str, Any], facts: ReportFacts) -> str:
    text = _("Carried out over %(n)s of %(asked)s questions: the comparison of %(group)s with %(against)s")
    counts = {"n": f"{row['questions']:,}", "asked": f"{row['questions_asked']:,}"}
    return text % {**counts, "group": facts.compared["plan"]["group"], "against": row["planned"]}


def _why(deviation: Deviation) -> str:
    return "" if deviation.what in OF_PEOPLE else deviation.why


def _what(deviation: Deviation) -> str:
    said = {"group": deviation.subject, "now": f"{deviation.now or 0:,}", "was": f"{deviation.planned or 0:,}"}
    match deviation.what:
        case Deviation.What.QUOTA:
            return _("Quota of %(group)s: %(now)s instead of %(was)s") % said
        case Deviation.What.CLOSING_DAY if deviation.planned_on:
            days = {"now": deviation.now_on, "was": deviation.planned_on}
            return _("Closing day: %(now)s instead of %(was)s") % days
        case Deviation.What.CLOSING_DAY:
            return _("Closing day: %(now)s (not set in the plan)") % {"now": deviation.now_on}
        case Deviation.What.CLOSED_EARLY if not deviation.subject:
            count = deviation.now or 0
            text = ngettext(
                "Closed while %(counter)s participant was under way",
                "Closed while %(counter)s participants were under way",
                count,
            )
            return text % {"counter": count}
        case Deviation.What.CLOSED_EARLY:
            return _("Closed with %(now)s of %(was)s people in %(group)s") % said
        case Deviation.What.EXCLUDED:
            return _("A person excluded by hand")
    return _("A person included again after exclusion by hand")
