"""Deviations from the frozen plan, and decisions about questions, as a report lists them.

They are without a person's id, and without reasons about a person.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study.domain.survey.validity import Validity
from study.forms.decisions import VALIDITY
from study.models import Deviation, QuestionDecision

OF_PEOPLE = (Deviation.What.EXCLUDED, Deviation.What.TAKEN_BACK)


@dataclass(frozen=True)
class ReportedDeviation:
    """A deviation or a decision: on which day (UTC, ISO 8601), what was done, and why."""

    day: str
    what: str
    why: str


def reported(deviations: list[Deviation], decisions: list[QuestionDecision]) -> list[ReportedDeviation]:
    """Return them in the order of their days."""
    found = [ReportedDeviation(f"{each.created_at:%Y-%m-%d}", _what(each), _why(each)) for each in deviations]
    found += [ReportedDeviation(f"{each.decided_at:%Y-%m-%d}", _decided(each), each.why) for each in decisions]
    return sorted(found, key=lambda each: each.day)


def _decided(decision: QuestionDecision) -> str:
    said = {"question": decision.question.external_id, "decision": VALIDITY[Validity(decision.decision)]}
    return _("Question “%(question)s” decided: %(decision)s") % said


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
