"""The list of a study's participants as a file: what the page shows of them, in codes, and no id of a platform."""

from collections.abc import Iterator

from django.http import HttpResponse, QueryDict

from core.presenters.files import csv_download
from study.models import Study
from study.presenters.people_list import PayAndConduct, list_of
from study.selectors.survey.visits import counts_of

HEADER = (
    "person",
    "group",
    "form",
    "status",
    "platform_status",
    "code",
    "minutes",
    "asked",
    "answered",
    "checks",
    "checks_passed",
    "flags",
    "excluded_by_rule",
    "excluded_why",
    "pay",
    "amount",
    "currency",
    "why",
    "decided",
)


def people_file(study: Study, query: QueryDict) -> HttpResponse:
    """Return the people whom the filters in an address leave, in its order, a row each."""
    return csv_download(f"{study.slug}-participants", HEADER, _rows(study, list_of(study, query).shown))


def _rows(study: Study, people: list[PayAndConduct]) -> Iterator[list[object]]:
    counts, currency = counts_of([person.pay.person for person in people]), study.survey.currency
    for row, conduct in people:
        person = row.person
        asked, answered = counts.get(person.pk, (0, 0))
        yield [
            str(person.public_id),
            person.group.name if person.group else "",
            "" if person.form is None else person.form,
            person.state,
            row.submission.status if row.submission else "",
            person.code,
            "" if person.minutes is None else round(person.minutes, 1),
            asked,
            answered,
            conduct.checks,
            conduct.passed,
            " ".join(conduct.flags),
            " ".join(conduct.rules),
            person.exclusion.why if hasattr(person, "exclusion") else "",
            str(row.owed.decision),
            "" if row.amount is None else row.amount,
            "" if row.amount is None else currency,
            row.owed.why,
            row.record.decision if row.record else "",
        ]
