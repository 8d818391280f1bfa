"""Whom to pay: what each participant is owed here, beside what their platform says of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from study.domain.survey.pay import DECIDED, Owed, PayDecision, owed_to
from study.domain.survey.phases import ParticipantState
from study.models import Identity, Participant, Presentation, Study, Submission
from study.selectors.survey.fieldwork import PAID

RETURNED = ("RETURNED", "SCREENED OUT")
SETTLED = ("APPROVED", "REJECTED", "PAID")
NOT_SUBMITTED = ("ACTIVE", "RESERVED", "TIMED OUT", *RETURNED)


@dataclass(frozen=True)
class PayRow:
    """A person with what they are owed. The submission is None for a person without a row in the platform's list."""

    person: Participant
    submission: Submission | None
    failed_checks: int
    owed: Owed

    @property
    def is_open(self) -> bool:
        """Whether the platform waits for a decision that is not recorded yet."""
        return bool(self.submission) and self.owed.decision in DECIDED and not self._recorded

    @property
    def _recorded(self) -> str:
        return self.submission.decision if self.submission else ""

    @property
    def changed_after(self) -> bool:
        """Whether another decision is recorded than what the person is owed now."""
        return self.owed.decision in DECIDED and self._recorded not in ("", self.owed.decision)

    @property
    def differs(self) -> bool:
        """Whether platform and survey disagree about how the person ended, or about their completion code."""
        if self.submission is None:
            return False
        ended_there = self.submission.status not in NOT_SUBMITTED
        ended_here = self.person.state in PAID
        is_another_code = bool(self.submission.code) and self.submission.code != self.person.code
        return (ended_here and not ended_there) or (ended_there and is_another_code)


def pay_rows(study: Study, people: QuerySet[Participant] | None = None) -> list[PayRow]:
    """Return a row for each person of the study, or for some, in the order of joining; three queries."""
    chosen = (study.participants.all() if people is None else people).order_by("pk")
    loaded = list(chosen.select_related("group", "identity__submission", "exclusion"))
    checks = Presentation.objects.failed_checks().filter(participant__study=study).order_by()
    failed = dict(checks.values_list("participant").annotate(Count("pk")))
    is_forgotten = study.forgotten_at is not None  # and with the ids what was recorded and settled
    return [_row(person, failed.get(person.pk, 0), is_forgotten=is_forgotten) for person in loaded]


def _row(person: Participant, failed_checks: int, *, is_forgotten: bool) -> PayRow:
    submission = getattr(getattr(person, "identity", None), "submission", None)
    owed = owed_to(ParticipantState(person.state), failed_checks=failed_checks)
    if is_forgotten and owed.decision != PayDecision.WAIT:
        owed = Owed(PayDecision.NOTHING, "forgotten")
    return PayRow(person, submission, failed_checks, _after(submission, owed))


def _after(submission: Submission | None, owed: Owed) -> Owed:
    """Return what is left to do, where the platform has settled the pay or the person gave the place back."""
    if submission is None or owed.decision == PayDecision.WAIT:
        return owed
    if submission.status in SETTLED:
        return Owed(PayDecision.NOTHING, "settled")
    if submission.status in RETURNED:
        return Owed(PayDecision.NOTHING, "returned")
    return owed


def is_of_mturk(study: Study) -> bool:
    """Return whether the newest list that was read is MTurk's."""
    newest = study.reconciliations.first()
    return newest is not None and newest.platform == "mturk"


def identities_of(study: Study) -> int:
    """Return of how many people the id on their platform is kept."""
    return Identity.objects.filter(study=study).count()


@dataclass(frozen=True)
class PaySummary:
    """How many people of a decision there are, and why, by the reason's key."""

    decision: PayDecision
    people: int
    whys: list[tuple[str, int]]


def summary_of(rows: Iterable[PayRow]) -> list[PaySummary]:
    """Count decisions and their reasons, of people who are in the platform's list."""
    counts: dict[PayDecision, dict[str, int]] = {decision: {} for decision in PayDecision}
    for row in rows:
        if row.submission:
            reasons = counts[row.owed.decision]
            reasons[row.owed.why] = reasons.get(row.owed.why, 0) + 1
    return [
        PaySummary(decision, sum(reasons.values()), sorted(reasons.items()))
        for decision, reasons in counts.items()
        if reasons
    ]
