"""Read a platform's list of submissions, and tell whom to pay. Example: manage.py reconcile lines list.csv

FILE is the CSV that Prolific or MTurk exports. Nothing is sent to a platform, and no decision is recorded. --out writes
what the platform takes: MTurk's own list with Approve and Reject filled in, or the ids to approve, one a line, for
Prolific's bulk approval.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.exporters import csv
from core.management.command import ColloquyCommand, counted, file_to_write, readable_file, writing_to
from core.models.people import User
from study.actions.survey import reconciling
from study.management.command import study
from study.models import Study
from study.presenters.pay_files import decisions_of, filled_list, to_approve
from study.selectors.survey.pay import PayRow, of_platform, pay_rows


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("file", type=readable_file, metavar="FILE")
        parser.add_argument("--out", type=file_to_write, metavar="FILE", help="write the file for the platform")

    def act(self, *, by: User, slug: str, file: Path, out: Path | None, **options: Any) -> None:
        found = study(slug, by=by)
        with file.open("rb") as opened:
            read = reconciling.read_list(study=found, file=opened, name=file.name, by=by)
        if out:
            written = _for_platform(found, read.platform, file)
            with writing_to(out):
                out.write_bytes(written)
        people = [_told(found, row) for row in of_platform(read.platform, pay_rows(found)) if row.submission]
        result = {
            "study": slug,
            "platform": read.platform,
            "rows": read.rows,
            "without_record": read.without_record,
            "withdrew": read.withdrew,
            "people": people,
        }
        self.say(result, _text(result))


def _for_platform(study: Study, platform: str, file: Path) -> bytes:
    decisions = decisions_of(of_platform(platform, pay_rows(study)))
    if platform != "mturk":
        return to_approve(decisions).encode()
    with file.open("rb") as opened:
        listed = reconciling.batch_results(opened, file.name, decisions)
    return b"".join(map(csv.row, filled_list(study, listed, decisions)))


def _told(study: Study, row: PayRow) -> dict[str, Any]:
    assert row.submission is not None  # of those in the list
    return {
        "person": str(row.person.public_id),
        "platform_id": row.person.identity.person,
        "submission": row.submission.key,
        "outcome": row.person.state,
        "status": row.submission.status,
        "decision": str(row.owed.decision),
        "amount": None if row.amount is None else str(row.amount),
        "currency": study.survey.currency or None,
        "why": row.owed.why,
        "differs": row.differs,
    }


def _text(result: dict[str, Any]) -> str:
    rows = sorted(result["people"], key=lambda each: each["decision"])
    lines = [
        f"{each['decision']:<12} {each['platform_id']}  {_amount(each)}{each['why']}"
        + "  (the two differ)" * each["differs"]
        for each in rows
    ]
    lines.append(f"{counted(result['rows'], 'row')}; {result['without_record']:,} without a record here")
    return "\n".join(lines)


def _amount(told: dict[str, Any]) -> str:
    return "" if told["amount"] is None else f"{told['currency'] or ''} {told['amount']}  ".lstrip()
