"""Participants of a study on their page: random ids, both statuses, whom to pay."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from study.domain.survey.pay import WHY, PayDecision
from study.domain.survey.phases import ParticipantState
from study.forms.people import PeopleFilter, ReasonForm, SubmissionsForm
from study.models import Participant, Study
from study.selectors.survey.pay import PayRow, pay_rows, summary_of
from study.selectors.survey.visits import counts_of

A_PAGE = 20
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
TONES = {
    ParticipantState.COMPLETE: "good",
    ParticipantState.FAILED_CHECKS: "bad",
    ParticipantState.TOO_FEW_ANSWERS: "warn",
    ParticipantState.UNANSWERED_CHECK: "warn",
    ParticipantState.TIMED_OUT: "warn",
}
DECISIONS = {
    PayDecision.APPROVE: gettext_lazy("approve"),
    PayDecision.REJECT: gettext_lazy("reject"),
    PayDecision.PAY_IN_PART: gettext_lazy("pay in part"),
    PayDecision.WAIT: gettext_lazy("wait"),
    PayDecision.NOTHING: gettext_lazy("nothing to do"),
}


@dataclass(frozen=True)
class PersonRow:
    """A participant as the list shows them; `short` is the beginning of their random id."""

    pay: PayRow
    short: str
    status: Any
    tone: str
    decision: Any
    why: str
    minutes: float | None
    asked: int
    answered: int

    @property
    def is_gone(self) -> bool:
        return self.pay.person.state == ParticipantState.WITHDRAWN

    @property
    def exclusion(self) -> Any:
        return getattr(self.pay.person, "exclusion", None)


@dataclass(frozen=True)
class Chip:
    name: str
    label: Any
    count: int
    href: str
    is_current: bool


def people_of(study: Study, query: QueryDict, **forms: Any) -> dict[str, Any]:
    """Return the context of study/survey/participants.html."""
    rows = pay_rows(study)
    filtered = PeopleFilter(
        query,
        groups=[(name, name) for name in study.groups.values_list("name", flat=True)],
        states=[(str(state), label) for state, label in STATES.items()],
    )
    found = [row for row in rows if _is_found(row, filtered)]
    show = filtered.wanted("show") or "all"
    page = Paginator([row for row in found if _is_of(row, show)], A_PAGE).get_page(query.get("page"))
    kept = query.copy()
    kept.pop("page", None)
    return {
        "study": study,
        "rows": list(_shown(page.object_list)),
        "page": page,
        "query": kept.urlencode(),
        "joined": len(rows),
        "outcomes": [(STATES[state], sum(row.person.state == state for row in rows)) for state in (*STATES,)],
        "chips": list(_chips(found, show, kept)),
        "filter": filtered,
        "summary": summary_of(rows),
        "reconciliation": study.reconciliations.first(),
        "recorded": sum(bool(row.submission and row.submission.decision) for row in rows),
        "to_decide": sum(row.is_open or row.changed_after for row in rows),
        "differing": [short_id(row.person) for row in rows if row.differs],
        "decisions": DECISIONS,
        "whys": {key: _(text) for key, text in WHY.items()},
        "reason_form": ReasonForm(),
        "list_form": SubmissionsForm(),
        "batch_form": SubmissionsForm(auto_id="id_batch_%s"),
        **forms,
    }


def _is_found(row: PayRow, filtered: PeopleFilter) -> bool:
    person, find = row.person, filtered.wanted("find").strip().casefold().replace("-", "")
    group, status = filtered.wanted("group"), filtered.wanted("status")
    if (group and (person.group is None or person.group.name != group)) or status not in ("", person.state):
        return False
    identity = getattr(person, "identity", None)
    is_named = identity is not None and identity.person.casefold() == filtered.wanted("find").strip().casefold()
    return not find or person.public_id.hex.startswith(find) or is_named


def _is_of(row: PayRow, show: str) -> bool:
    match show:
        case "open":
            return row.is_open or row.changed_after
        case "differs":
            return row.differs
        case "excluded":
            return hasattr(row.person, "exclusion")
        case "withdrew":
            return row.person.state == ParticipantState.WITHDRAWN
    return True


def _chips(rows: Sequence[PayRow], show: str, query: QueryDict) -> Iterator[Chip]:
    labels = {
        "all": _("All"),
        "open": _("Awaiting your decision"),
        "differs": _("The two differ"),
        "excluded": _("Excluded"),
        "withdrew": _("Withdrew"),
    }
    for name, label in labels.items():
        query["show"] = name
        yield Chip(name, label, sum(_is_of(row, name) for row in rows), f"?{query.urlencode()}", name == show)


def _shown(rows: Iterable[PayRow]) -> Iterator[PersonRow]:
    counts = counts_of([row.person for row in rows])
    for row in rows:
        person = row.person
        asked, answered = counts.get(person.pk, (0, 0))
        state = ParticipantState(person.state)
        yield PersonRow(
            row,
            short_id(person),
            STATES[state],
            TONES.get(state, ""),
            DECISIONS[row.owed.decision],
            _(WHY[row.owed.why]),
            person.minutes,
            asked,
            answered,
        )


def short_id(person: Participant) -> str:
    """Return the beginning of a person's random id, by which pages name them."""
    return person.public_id.hex[:8]
