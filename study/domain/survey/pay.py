"""What participants are owed, whatever figures make of their answers (METHODS 7)."""

from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import NamedTuple

from core.domain.wording import gettext_noop
from study.domain.survey.phases import ParticipantState

CENT = Decimal("0.01")
FAILED_FOR_REJECTION = 2  # attention checks: the platforms reject for no fewer


class PayDecision(StrEnum):
    """What to do about a person's pay on the platform that sent them."""

    APPROVE = "approve"
    REJECT = "reject"
    PAY_IN_PART = "pay_in_part"
    WAIT = "wait"
    NOTHING = "nothing"


class Owed(NamedTuple):
    """What a person is owed, and why."""

    decision: PayDecision
    why: str


REJECTED_FOR = "two_checks"  # the only ground there is, a key of WHY
BY_HAND = "by_hand"  # why a person is approved whom the rules would not: a key of WHY
DECIDED = (PayDecision.APPROVE, PayDecision.REJECT, PayDecision.PAY_IN_PART)  # what a platform is told

WHY = {
    "complete": gettext_noop("complete"),
    "timed_out": gettext_noop("the time ran out with enough answers: paid in full"),
    "too_few_answers": gettext_noop("stopped with too few answers: paid for the time"),
    "two_checks": gettext_noop("two attention checks failed"),
    "one_check": gettext_noop("one failed attention check is not grounds for rejection"),
    "unanswered_check": gettext_noop("an attention check was left unanswered: that is not grounds for rejection"),
    "by_hand": gettext_noop("approved by hand"),
    "under_way": gettext_noop("still under way"),
    "never_began": gettext_noop("agreed and never began"),
    "withdrew": gettext_noop("withdrew here"),
    "returned": gettext_noop("returned there"),
    "forgotten": gettext_noop("ids of the platform are deleted"),
    "settled": gettext_noop("settled on the platform already"),
}


def owed_to(state: ParticipantState, *, failed_checks: int, is_closed: bool = False) -> Owed:
    """Return what a person in a state is owed, with a key of WHY. Once the study `is_closed`, no one can begin.

    Only two failed attention checks are ground for a rejection; the survey's own exclusions never are.
    """
    match state:
        case ParticipantState.CONSENTED if is_closed:
            return Owed(PayDecision.NOTHING, "never_began")
        case ParticipantState.CONSENTED | ParticipantState.ANSWERING:
            return Owed(PayDecision.WAIT, "under_way")
        case ParticipantState.WITHDRAWN:
            return Owed(PayDecision.NOTHING, "withdrew")
        case ParticipantState.TOO_FEW_ANSWERS:
            return Owed(PayDecision.PAY_IN_PART, "too_few_answers")
        case ParticipantState.FAILED_CHECKS if failed_checks >= FAILED_FOR_REJECTION:
            return Owed(PayDecision.REJECT, REJECTED_FOR)
        case ParticipantState.FAILED_CHECKS:
            return Owed(PayDecision.APPROVE, "one_check")
        case ParticipantState.UNANSWERED_CHECK:
            return Owed(PayDecision.APPROVE, "unanswered_check")
        case ParticipantState.TIMED_OUT:
            return Owed(PayDecision.APPROVE, "timed_out")
    return Owed(PayDecision.APPROVE, "complete")


def part_of(pay: str, *, minutes: float, limit: int) -> Decimal | None:
    """Return what a person is owed who is paid for the time: of the whole `pay` the share of the time limit, in cents.

    `minutes` are those from the first question to the last answer: who left the page open worked no longer. It is
    never more than `pay`. None where the study states no amount, or has no limit of which to take a share.
    """
    if not pay or not limit:
        return None
    share = min(Decimal(1), Decimal(str(minutes)) / limit)
    return (Decimal(pay) * share).quantize(CENT, ROUND_HALF_UP)
