"""Files for the platform that sent the people. They alone have the platform's ids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from core.presenters.files import csv_download
from study.domain.survey.pay import DECIDED, REJECTED_FOR, WHY, PayDecision
from study.importers.submissions import SubmissionRow
from study.models import Study
from study.presenters.people import DECISIONS
from study.selectors.survey.pay import PayRow

APPROVE, REJECT = "Approve", "Reject"  # columns of MTurk's batch results
Decisions = Mapping[tuple[str, str], PayDecision]  # by the platform's ids of the person and of the submission


def decisions_of(rows: Iterable[PayRow]) -> dict[tuple[str, str], PayDecision]:
    """Return what is decided about the people in the platform's list: what they are owed now, else what is recorded."""
    found = {}
    for row in rows:
        if row.submission and row.owed.decision in DECIDED:
            found[_ids(row)] = row.owed.decision
        elif row.submission and row.record:
            found[_ids(row)] = PayDecision(row.record.decision)
    return found


def _ids(row: PayRow) -> tuple[str, str]:
    assert row.submission is not None  # of those in the platform's list
    return row.person.identity.person, row.submission.key


def decisions_file(study: Study, platform: str, rows: Iterable[PayRow]) -> HttpResponse:
    """Return the recorded decisions of a platform's people, with the ids under the names that it has for them.

    Who is paid in part has the amount beside it.
    """
    ids = ["AssignmentId", "WorkerId"] if platform == "mturk" else ["Submission id", "Participant id"]
    decided = [
        [
            *reversed(_ids(row)),
            str(DECISIONS[PayDecision(row.record.decision)]),
            *_amount(study, row),
            _(WHY.get(row.record.why, "")),
        ]
        for row in rows
        if row.platform == platform and row.submission and row.record
    ]
    return csv_download(f"{study.slug}-decisions", [*ids, "Decision", "Amount", "Currency", "Reason"], decided)


def _amount(study: Study, row: PayRow) -> tuple[Decimal | str, str]:
    is_part = row.record is not None and row.record.decision == PayDecision.PAY_IN_PART
    return (row.amount, study.survey.currency) if is_part and row.amount is not None else ("", "")


def to_approve(decisions: Decisions) -> str:
    """Return the ids of the people to approve, one a line: what Prolific's bulk approval takes."""
    approved = (person for (person, _key), decision in decisions.items() if decision == PayDecision.APPROVE)
    return "".join(f"{person}\n" for person in approved)


def filled_list(study: Study, listed: Sequence[SubmissionRow], decisions: Decisions) -> Iterator[list[str]]:
    """Yield MTurk's batch results, the header first, with all columns, and with "Approve" and "Reject" filled in.

    An "x" approves, and also who is paid in part: MTurk pays a part only as a bonus. A rejection has its reason in the
    study's language, for the person. A row without a decision stays as it was.
    """
    with translation.override(study.language):
        reason = _(WHY[REJECTED_FOR])
    header = list(dict.fromkeys([*listed[0].cells, APPROVE, REJECT]))
    yield header
    for row in listed:
        cells, decision = {APPROVE: "", REJECT: "", **row.cells}, decisions.get((row.person, row.key))
        if decision:
            is_rejected = decision == PayDecision.REJECT
            cells |= {APPROVE: "" if is_rejected else "x", REJECT: reason if is_rejected else ""}
        yield [cells[name] for name in header]
