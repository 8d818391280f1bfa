"""Participants of a study on their page: random ids, both statuses, whom to pay."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms.lists import MOST
from study.domain.results.exclusions import RULES, thresholds_of
from study.domain.survey.pay import WHY, PayDecision
from study.domain.survey.phases import ParticipantState, StudyState
from study.domain.survey.platforms import NAMES
from study.forms.people import ReasonForm, SubmissionsForm
from study.models import Participant, Reconciliation, Study
from study.presenters.people_list import STATES, PayAndConduct, is_of, list_of
from study.selectors.survey.conduct import Conduct
from study.selectors.survey.pay import PayRow, PaySummary, newest_lists, of_platform, recorded_of, summary_of
from study.selectors.survey.visits import counts_of

A_PAGE = 20
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


SIGNS = {
    "webdriver": gettext_lazy("signs of automation"),
    "trap": gettext_lazy("hidden field filled in"),
    "paste": gettext_lazy("pasted"),
    "copy": gettext_lazy("copied"),
}


@dataclass(frozen=True)
class PersonRow:
    """A participant as the list shows them; `short` is the beginning of their random id."""

    pay: PayRow
    conduct: Conduct
    short: str
    status: Any
    tone: str
    decision: Any
    amount: str
    why: str
    minutes: float | None
    asked: int
    answered: int
    flags: list[str]
    rules: str

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


@dataclass(frozen=True)
class PlatformPay:
    """What a platform's newest list says, and what is to be done; without its ids only what is recorded.

    `in_part` is what its people who are paid in part are owed together, "" for nothing that can be told. `total` are
    the people of its lists, `unlisted` those whom it sent and who are in none of them.
    """

    platform: str
    name: str
    newest: Reconciliation
    summary: list[PaySummary]
    recorded: list[PaySummary]
    in_part: str
    total: int
    to_decide: int
    differing: int
    unlisted: int


def people_of(study: Study, query: QueryDict, **forms: Any) -> dict[str, Any]:
    """Return the context of study/survey/participants.html."""
    rows, filtered, found, shown = list_of(study, query)
    page = Paginator(shown, A_PAGE).get_page(query.get("page"))
    kept = query.copy()
    kept.pop("page", None)
    return {
        "study": study,
        "rows": list(_shown(study, page.object_list)),
        "page": page,
        "query": kept.urlencode(),
        "here": query.urlencode(),
        "joined": len(rows),
        "outcomes": [(STATES[state], sum(row.person.state == state for row in rows)) for state in (*STATES,)],
        "chips": list(_chips(found, filtered.wanted("show") or "all", kept)),
        "filter": filtered,
        "platforms": list(_platforms(study, rows)),
        "decisions": DECISIONS,
        "whys": {"": "", **{key: _(text) for key, text in WHY.items()}},
        "reason_form": ReasonForm(),
        "list_form": SubmissionsForm(),
        "batch_form": SubmissionsForm(auto_id="id_batch_%s"),
        "is_signed_in": study.survey.is_signed_in,
        "chosen": frozenset(),
        "most": MOST,
        **forms,
    }


def _platforms(study: Study, rows: Sequence[PayRow]) -> Iterator[PlatformPay]:
    newest = newest_lists(study)
    for platform, name in NAMES.items():
        if platform in newest:
            own, found = of_platform(platform, rows), newest[platform]
            summary = summary_of(own)
            yield PlatformPay(
                platform,
                name,
                found,
                summary,
                recorded_of(own),
                next((in_words(study, each.amount) for each in summary if each.amount is not None), ""),
                total=sum(each.people for each in summary) + found.withdrew + found.without_record,
                to_decide=sum(row.is_open or row.changed_after for row in own),
                differing=sum(row.differs for row in own),
                unlisted=sum(row.is_unlisted for row in own),
            )


def _chips(people: Sequence[PayAndConduct], show: str, query: QueryDict) -> Iterator[Chip]:
    labels = {
        "all": _("All"),
        "open": _("Awaiting your decision"),
        "in_part": _("To pay in part"),
        "differs": _("The two differ"),
        "unlisted": _("Not in any platform list"),
        "flagged": _("Flagged"),
        "by_rule": _("Excluded by a rule"),
        "excluded": _("Excluded by hand"),
        "withdrew": _("Withdrew"),
    }
    for name, label in labels.items():
        query["show"] = name
        count = sum(is_of(person, name) for person in people)
        if count or name in ("all", show):
            yield Chip(name, label, count, f"?{query.urlencode()}", name == show)


def _shown(study: Study, people: Iterable[PayAndConduct]) -> Iterator[PersonRow]:
    people, thresholds = list(people), thresholds_of(study.survey)
    counts = counts_of([person.pay.person for person in people])
    for row, conduct in people:
        person = row.person
        asked, answered = counts.get(person.pk, (0, 0))
        state = ParticipantState(person.state)
        yield PersonRow(
            row,
            conduct,
            short_id(person),
            STATES[state],
            TONES.get(state, ""),
            DECISIONS[row.owed.decision],
            in_words(study, row.amount),
            _(WHY[row.owed.why]) if row.owed.why else "",
            person.minutes,
            asked,
            answered,
            [_flag(study, name, number) for name, number in conduct.flags.items()],
            " · ".join(_(RULES[rule]) % {"n": thresholds[rule]} for rule in conduct.rules),
        )


def _flag(study: Study, name: str, number: float) -> str:
    match name:
        case "too_fast":
            if study.state != StudyState.CLOSED:  # how long people take is an outcome, too
                return _("under %(least)s s") % {"least": study.survey.too_fast}
            return _("under %(least)s s (%(seconds).1f s)") % {"least": study.survey.too_fast, "seconds": number}
        case "straight_lines":
            return _("same position %(times)d times") % {"times": number}
        case "away_ms":
            return _("away %(minutes)d min") % {"minutes": number // 60_000}
    return str(SIGNS[name])


def in_words(study: Study, amount: Decimal | None) -> str:
    """Return an amount with the study's currency; "" for none."""
    return "" if amount is None else f"{study.survey.currency} {amount}".strip()


def short_id(person: Participant) -> str:
    """Return the beginning of a person's random id, by which pages name them."""
    return person.public_id.hex[:8]
