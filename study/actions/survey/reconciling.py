"""Reconciling with a recruiting platform: its list is read, and what is decided about each person's pay is recorded.

Ids of a platform stay in the table of identities and what hangs on it. No event or log names one.
"""

from collections.abc import Collection, Container, Sequence
from dataclasses import replace
from itertools import islice
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.importers.rows import BadRow
from core.actions.events import record
from core.actions.refusals import Refused
from core.models.people import User
from study.actions.survey.joining import has_withdrawn
from study.domain.survey.pay import BY_HAND, DECIDED, Owed, PayDecision
from study.domain.survey.platforms import Visitor
from study.importers import submissions
from study.importers.submissions import SubmissionRow
from study.models import Identity, Participant, PayRecord, Reconciliation, Study, Submission
from study.permissions import studies_of
from study.selectors.survey.pay import NOT_SUBMITTED, PayRow, pay_rows

MOST_ROWS = 20_000


@transaction.atomic
def read_list(*, study: Study, file: BinaryIO, name: str, by: User) -> Reconciliation:
    """Store what a platform's list says of the study's people; a later list replaces it, and keeps what was decided.

    A list is of one platform, and says nothing of the people whom another one sent. Raises Refused for a file that is
    no such list, that is too long, and in which no one of this study is; and once the ids of platforms are deleted.
    """
    if study.forgotten_at:
        raise Refused("forgotten", _("Nothing was read: the platform ids have been deleted, so no one can be matched."))
    rows = _rows(file, name)
    known = {identity.person: identity for identity in _own(study, rows)}
    if not known:
        raise _of_another_study(study, rows, by)
    by_person = {row.person: row for row in sorted(rows, key=lambda row: row.status not in NOT_SUBMITTED)}
    for person, row in by_person.items():
        if person in known:
            facts = {"key": row.key, "status": row.status, "code": row.code}
            Submission.objects.update_or_create(identity=known[person], defaults=facts)
    unknown = [row for person, row in by_person.items() if person not in known]
    withdrew = sum(has_withdrawn(study, Visitor(row.platform, row.person, {})) for row in unknown)
    found = Reconciliation.objects.create(
        study=study,
        platform=rows[0].platform,
        rows=len(rows),
        without_record=len(unknown) - withdrew,
        withdrew=withdrew,
        created_by=by,
    )
    record(found, became="read", scope=study, by=by)
    return found


def batch_results(file: BinaryIO, name: str, decided: Container[tuple[str, str]]) -> list[SubmissionRow]:
    """Return the rows of MTurk's batch results with all their cells, to be filled in; nothing of them is stored.

    `decided` are the ids of the people and submissions about whom there is a decision. Raises Refused for another file,
    and for one in which there are none of them.
    """
    rows = _rows(file, name)
    if rows[0].platform != "mturk":
        raise Refused("no_batch", _("This is not a list of MTurk's batch results: those have the column “WorkerId”."))
    if not rows[0].cells:
        raise Refused("columns_alike", _("Two columns have the same name, apart from capitals. Rename one of them."))
    if not any((row.person, row.key) in decided for row in rows):
        raise Refused("no_decision", _("There is no decision about anyone in this list. Read the newest list first."))
    return rows


def _rows(file: BinaryIO, name: str) -> list[SubmissionRow]:
    read = list(islice(submissions.read(file, file_name=name), MOST_ROWS + 1))
    if len(read) > MOST_ROWS:
        raise Refused("too_long", _("The list has more than %(most)d rows. Split it.") % {"most": MOST_ROWS})
    rows = [row for row in read if not isinstance(row, BadRow)]
    bad = next((row for row in read if isinstance(row, BadRow)), None)
    if bad is not None and bad.line is not None:
        text = _("Nothing was read: line %(line)d of the list cannot be read. Export it again, unchanged, as CSV.")
        raise Refused("row_wrong", text % {"line": bad.line})
    if bad is not None or not all(row.status for row in rows):
        raise Refused(
            "no_list",
            _(
                "This is not a list of submissions. Prolific's has the columns “Participant id” and "
                "“Status”; MTurk's has “WorkerId” and “AssignmentStatus”."
            ),
        )
    if {column.casefold() for column in rows[0].cells} >= {*submissions.PERSON}:
        raise Refused("two_platforms", _("The list has columns of Prolific and of MTurk. Upload one for each of them."))
    return rows


def _own(study: Study, rows: Sequence[SubmissionRow]) -> list[Identity]:
    wanted = {row.person for row in rows}
    identities = Identity.objects.filter(study=study, platform=rows[0].platform)
    return [identity for identity in identities.select_for_update(of=("self",)) if identity.person in wanted]


def _of_another_study(study: Study, rows: Sequence[SubmissionRow], by: User) -> Refused:
    """Build the refusal of a list in which no one is of this study; it names one of the person's studies that fits."""
    wanted = {row.person for row in rows}
    others = Identity.objects.filter(study__in=studies_of(by), platform=rows[0].platform).exclude(study=study)
    fitting = next((each for each in others.select_related("study") if each.person in wanted), None)
    if fitting:
        text = _("Nothing was read: this list belongs to the study “%(study)s”.")
        return Refused("other_study", text % {"study": fitting.study.title})
    return Refused("no_one", _("Nothing was read: no one in this list has agreed to take part in this study."))


@transaction.atomic
def record_decisions(*, study: Study, platform: str, by: User) -> list[PayRow]:
    """Record what is proposed for each person on whom the platform waits. Return their rows. Raises Refused for none.

    Nothing is sent to a platform.
    """
    list(study.participants.select_for_update(no_key=True).order_by("pk"))  # no one withdraws meanwhile
    rows = [row for row in pay_rows(study) if row.platform == platform and (row.is_open or row.changed_after)]
    if not rows:
        raise Refused("nothing_open", _("No decision is open: upload the platform's newest list first."))
    return [_recorded(row, by) for row in rows]


@transaction.atomic
def approve(*, study: Study, people: Collection[Participant], by: User) -> int:
    """Record for people, whatever is proposed, that they are to be paid in full. Return of how many that is new.

    Those who are under way, who withdrew, or whose pay their platform has settled stay as they are. Raises Refused
    where that is all of them, without a person, and once the ids of platforms are deleted.
    """
    rows = [row for row in _chosen(study, people) if row.owed.decision in DECIDED]
    if not rows:
        text = _(
            "None of the chosen participants can be approved: they are under way, have withdrawn or are already "
            "settled on the platform."
        )
        raise Refused("not_due", text)
    new = [row for row in rows if not (row.record and row.record.decision == PayDecision.APPROVE)]
    for row in new:
        is_proposed = row.owed.decision == PayDecision.APPROVE
        _recorded(row if is_proposed else replace(row, owed=Owed(PayDecision.APPROVE, BY_HAND)), by)
    return len(new)


@transaction.atomic
def take_back(*, study: Study, people: Collection[Participant], by: User) -> int:
    """Leave open again what is recorded about people's pay. Return of how many.

    Raises Refused where nothing is recorded of any of them, and as `approve` does.
    """
    rows = [row for row in _chosen(study, people) if row.record]
    if not rows:
        raise Refused("nothing_recorded", _("There is no decision about the chosen participants to take back."))
    for row in rows:
        assert row.record is not None  # of those with one
        record(row.person, was=row.record.decision, became="undecided", scope=study, by=by)
        row.record.delete()
    return len(rows)


def _chosen(study: Study, people: Collection[Participant]) -> list[PayRow]:
    if study.forgotten_at:
        raise Refused("forgotten", _("Decisions about pay can no longer change: the platform ids have been deleted."))
    if not people:
        raise Refused("no_people", _("Choose the participants first."))
    own = study.participants.filter(pk__in=[person.pk for person in people])
    list(own.select_for_update(no_key=True).order_by("pk"))  # no one withdraws meanwhile
    return pay_rows(study, own)


def _recorded(row: PayRow, by: User) -> PayRow:
    was = row.record.decision if row.record else ""
    facts = {"decision": row.owed.decision, "why": row.owed.why, "decided_by": by, "decided_at": timezone.now()}
    kept, _is_new = PayRecord.objects.update_or_create(
        participant=row.person, defaults={"platform": row.platform, **facts}
    )
    record(row.person, was=was, became=row.owed.decision, why=row.owed.why, scope=row.person.study, by=by)
    return replace(row, record=kept)
