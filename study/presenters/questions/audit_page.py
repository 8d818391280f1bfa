"""The page of the audit of a question set: finding, table, examples, remedies, and the reasons for using it so."""

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from core.domain.artefacts import CheckFinding
from core.models.people import User
from study.models import QuestionSet
from study.presenters.questions.audits import finding_of, groups_of, open_row
from study.presenters.questions.questions import picked_of
from study.presenters.questions.remedies import remedies_of
from study.selectors.questions.audits import reasons_for


def audit_page(question_set: QuestionSet, report: dict[str, Any], sent: QueryDict, *, by: User) -> dict[str, Any]:
    """Return what study/questions/audit.html shows of a report; the address says which row is open."""
    start = sent.get("at", "")
    return {
        "report": report,
        "picked": picked_of(question_set),
        "level": 100 * report["level"],
        "groups": groups_of(report),
        "finding": finding_of(report),
        "opened": open_row(question_set, report, sent.get("open", ""), int(start) if start.isdecimal() else 0),
        "is_too_small": any(check["verdict"] == CheckFinding.TOO_FEW for check in report["checks"]),
        "remedies": remedies_of(question_set, report, by=by),
        "reasons": reasons_for(question_set, by=by),
        "page_keys": [
            ("↑ ↓", _("the row before, the next row")),
            ("Enter", _("open the row")),
            ("N", _("two other examples")),
        ],
    }
