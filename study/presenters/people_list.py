"""Which participants the list of a study shows, and in which order: as the filters in its address say."""

from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from study.domain.survey.pay import PayDecision
from study.domain.survey.phases import ParticipantState
from study.forms.people import THERE, PeopleFilter
from study.models import Study
from study.selectors.survey.conduct import Conduct, conduct_of
from study.selectors.survey.pay import PayRow, pay_rows

STATES = {
    ParticipantState.CONSENTED: gettext_lazy("agreed"),
    ParticipantState.ANSWERING: gettext_lazy("answering"),
    ParticipantState.COMPLETE: gettext_lazy("complete"),
    ParticipantState.TOO_FEW_ANSWERS: gettext_lazy("too few answers"),
    ParticipantState.FAILED_CHECKS: gettext_lazy("failed checks"),
    ParticipantState.UNANSWERED_CHECK: gettext_lazy("check unanswered"),
    ParticipantState.TIMED_OUT: gettext_lazy("timed out"),
    ParticipantState.WITHDRAWN: gettext_lazy("withdrew"),
}
SEVERITY = (  # of how people ended, the worst first
    ParticipantState.FAILED_CHECKS,
    ParticipantState.UNANSWERED_CHECK,
    ParticipantState.TOO_FEW_ANSWERS,
    ParticipantState.TIMED_OUT,
    ParticipantState.COMPLETE,
    ParticipantState.ANSWERING,
    ParticipantState.CONSENTED,
    ParticipantState.WITHDRAWN,
)


class PayAndConduct(NamedTuple):
    """A person with what they are owed and how they behaved."""

    pay: PayRow
    conduct: Conduct


class PeopleList(NamedTuple):
    """All people of a study, the filter, those whom it finds, and those of them who are shown, in order."""

    rows: list[PayRow]
    filter: PeopleFilter
    found: list[PayAndConduct]
    shown: list[PayAndConduct]


def list_of(study: Study, query: QueryDict) -> PeopleList:
    """Return the people of a study, and those of them whom the filters in an address leave, in its order."""
    rows, conduct = pay_rows(study), conduct_of(study)
    filtered = PeopleFilter(
        query,
        groups=[(name, name) for name in study.groups.values_list("name", flat=True)],
        forms=sorted({row.person.form for row in rows if row.person.form is not None}),
        states=[(str(state), label) for state, label in STATES.items()],
        theirs=sorted({row.submission.status for row in rows if row.submission}),
    )
    people = [PayAndConduct(row, conduct.get(row.person.pk, Conduct())) for row in rows]
    found = [person for person in people if _is_found(person.pay, filtered)]
    show = filtered.wanted("show") or "all"
    shown = [person for person in found if is_of(person, show)]
    if filtered.wanted("order") != "joined":
        shown.sort(key=_worst_first)
    return PeopleList(rows, filtered, found, shown)


def _is_found(row: PayRow, filtered: PeopleFilter) -> bool:
    person, find = row.person, filtered.wanted("find").strip().casefold().replace("-", "")
    group, there = person.group.name if person.group else "", row.submission.status if row.submission else ""
    are = {"group": [group], "form": [str(person.form)], "status": [person.state, f"{THERE}{there}"]}
    if any(filtered.wanted(name) not in ("", *values) for name, values in are.items()):
        return False
    identity = getattr(person, "identity", None)
    is_named = identity is not None and identity.person.casefold() == filtered.wanted("find").strip().casefold()
    return not find or person.public_id.hex.startswith(find) or is_named


def is_of(person: PayAndConduct, show: str) -> bool:
    row, conduct = person
    match show:
        case "open":
            return row.is_open or row.changed_after
        case "in_part":
            return row.owed.decision == PayDecision.PAY_IN_PART
        case "differs":
            return row.differs
        case "unlisted":
            return row.is_unlisted
        case "flagged":
            return bool(conduct.flags)
        case "by_rule":
            return bool(conduct.rules)
        case "excluded":
            return hasattr(row.person, "exclusion")
        case "withdrew":
            return row.person.state == ParticipantState.WITHDRAWN
    return True


def _worst_first(person: PayAndConduct) -> tuple[Any, ...]:
    """Return what to sort by: people to decide about are in front, those in order next, those who withdrew last."""
    row, conduct = person
    failed = conduct.checks - conduct.passed
    state = SEVERITY.index(ParticipantState(row.person.state))
    is_sound = state >= SEVERITY.index(ParticipantState.COMPLETE)
    return is_sound and not row.differs, state, -failed, -len(conduct.flags), row.person.pk
