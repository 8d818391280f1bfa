"""Whom to pay: what each participant is owed here, beside what their platform says of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Max, QuerySet

from study.domain.survey.pay import BY_HAND, DECIDED, Owed, PayDecision, owed_to, part_of
from study.domain.survey.phases import ParticipantState, StudyState
from study.domain.survey.platforms import PLATFORMS, are_one_code
from study.models import Answer, Identity, Participant, PayRecord, Presentation, Reconciliation, Study, Submission
from study.selectors.survey.fieldwork import PAID

RETURNED = ("RETURNED", "SCREENED OUT")
SETTLED = ("APPROVED", "REJECTED", "PAID")
NOT_SUBMITTED = ("ACTIVE", "RESERVED", "TIMED OUT", *RETURNED)


@dataclass(frozen=True)
class PayRow:
    """A person with what they are owed; `record` is what is decided already.

    `platform` sent the person, "" for none. The submission is None for a person without a row in the platform's list.
    `amount` is what a part of the pay comes to, in the study's currency; None where none is owed or it cannot be told.
    """

    person: Participant
    platform: str
    submission: Submission | None
    record: PayRecord | None
    failed_checks: int
    owed: Owed
    amount: Decimal | None

    @property
    def is_open(self) -> bool:
        """Whether the platform waits for a decision that is not recorded yet."""
        return bool(self.submission) and self.owed.decision in DECIDED and self.record is None

    @property
    def is_unlisted(self) -> bool:
        """Whether a platform sent the person, but its lists do not name them."""
        return self.platform in PLATFORMS and self.submission is None and hasattr(self.person, "identity")

    @property
    def changed_after(self) -> bool:
        """Whether another decision is recorded than what the person is owed now."""
        if self.record is None or self.owed.decision not in DECIDED:
            return False
        return self.record.decision != self.owed.decision

    @property
    def differs(self) -> bool:
        """Whether platform and survey disagree about how the person ended, or about their completion code."""
        if self.submission is None:
            return False
        ended_there = self.submission.status not in NOT_SUBMITTED
        ended_here = self.person.state in PAID
        is_another_code = bool(self.submission.code) and not are_one_code(self.submission.code, self.person.code)
        return (ended_here and not ended_there) or (ended_there and is_another_code)


def pay_rows(study: Study, people: QuerySet[Participant] | None = None) -> list[PayRow]:
    """Return a row for each person of the study, or for some, in the order of joining; four queries."""
    chosen = (study.participants.all() if people is None else people).order_by("pk")
    loaded = list(chosen.select_related("group", "identity__submission", "exclusion", "pay_record"))
    checks = Presentation.objects.failed_checks().filter(participant__study=study).order_by()
    failed = dict(checks.values_list("participant").annotate(Count("pk")))
    last = _last_answers(study)
    return [_row(study, person, failed.get(person.pk, 0), last.get(person.pk)) for person in loaded]


def _last_answers(study: Study) -> dict[int, datetime]:
    """Return when each person who may be paid for the time gave their last answer."""
    people = study.participants.filter(state=ParticipantState.TOO_FEW_ANSWERS)
    answers = Answer.objects.filter(presentation__participant__in=people).order_by()
    return dict(answers.values_list("presentation__participant").annotate(Max("answered_at")))


def _row(study: Study, person: Participant, failed_checks: int, last_answer_at: datetime | None) -> PayRow:
    identity, record = getattr(person, "identity", None), getattr(person, "pay_record", None)
    submission = getattr(identity, "submission", None)
    is_closed = study.state == StudyState.CLOSED
    owed = owed_to(ParticipantState(person.state), failed_checks=failed_checks, is_closed=is_closed)
    if record and record.why == BY_HAND:
        owed = Owed(PayDecision(record.decision), BY_HAND)
    owed = _after(submission, owed)
    if study.forgotten_at and owed.decision in DECIDED:
        owed = Owed(PayDecision(record.decision), record.why) if record else Owed(PayDecision.NOTHING, "forgotten")
    sent_by = identity or record
    amount = _part(study, person, last_answer_at) if owed.decision == PayDecision.PAY_IN_PART else None
    return PayRow(person, sent_by.platform if sent_by else "", submission, record, failed_checks, owed, amount)


def _part(study: Study, person: Participant, last_answer_at: datetime | None) -> Decimal | None:
    worked = (last_answer_at - person.started_at).total_seconds() if last_answer_at and person.started_at else 0
    return part_of(study.survey.pay, minutes=max(0, worked) / 60, limit=study.survey.minutes)


def _after(submission: Submission | None, owed: Owed) -> Owed:
    """Return what is left to do, where the platform has settled the pay or the person gave the place back."""
    if submission is None or owed.decision == PayDecision.WAIT:
        return owed
    if submission.status in SETTLED:
        return Owed(PayDecision.NOTHING, "settled")
    if submission.status in RETURNED:
        return Owed(PayDecision.NOTHING, "returned")
    return owed


def of_platform(platform: str, rows: Iterable[PayRow]) -> list[PayRow]:
    """Return the rows of the people whom a platform sent."""
    return [row for row in rows if row.platform == platform]


def newest_lists(study: Study) -> dict[str, Reconciliation]:
    """Return the newest list that was read of each platform, the newest of all last."""
    newest: dict[str, Reconciliation] = {}
    for each in study.reconciliations.order_by("pk"):
        newest.pop(each.platform, None)
        newest[each.platform] = each
    return newest


def identities_of(study: Study) -> int:
    """Return of how many people the id on their platform is kept."""
    return Identity.objects.filter(study=study).count()


@dataclass(frozen=True)
class PaySummary:
    """How many people of a decision there are, and why, by the reason's key.

    `amount` is what their parts of the pay come to, in the study's currency; None where there is none to tell.
    """

    decision: PayDecision
    people: int
    whys: list[tuple[str, int]]
    amount: Decimal | None = None


def summary_of(rows: Iterable[PayRow]) -> list[PaySummary]:
    """Count decisions and their reasons, of people who are in the platform's list."""
    by_decision: dict[PayDecision, list[PayRow]] = {decision: [] for decision in PayDecision}
    for row in rows:
        if row.submission:
            by_decision[row.owed.decision].append(row)
    return [_summed(decision, of_it) for decision, of_it in by_decision.items() if of_it]


def _summed(decision: PayDecision, rows: list[PayRow]) -> PaySummary:
    whys = Counter(row.owed.why for row in rows)
    parts = [row.amount for row in rows if row.amount is not None]
    return PaySummary(decision, len(rows), sorted(whys.items()), sum(parts, Decimal(0)) if parts else None)


def recorded_of(rows: Iterable[PayRow]) -> list[PaySummary]:
    """Count the decisions that are recorded, which are kept without the platform's ids."""
    found = Counter((row.record.decision, row.record.why) for row in rows if row.record)
    return [
        PaySummary(decision, sum(whys.values()), sorted(whys.items()))
        for decision in DECIDED
        if (whys := {why: count for (of, why), count in found.items() if of == decision})
    ]
