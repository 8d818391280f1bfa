"""Print who came to a study, by group and form, and whom to pay. Example: manage.py fieldwork lines --json

People are named by their random ids. Nothing tells what anyone chose.
"""

from typing import Any

from django.core.management.base import CommandParser

from core.management.command import ColloquyCommand
from core.models.people import User
from study.management.command import study
from study.selectors.survey.fieldwork import FieldworkRow, fieldwork_of
from study.selectors.survey.pay import PayRow, pay_rows


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        found = study(slug, by=by)
        fieldwork, pay = fieldwork_of(found), [_owed(row) for row in pay_rows(found)]
        groups = [{"group": row.name, **_counts(row), "forms": _forms(row)} for row in fieldwork.groups]
        total = _counts(fieldwork.total)
        result = {"study": slug, "state": found.state, "groups": groups, "total": total, "pay": pay}
        self.say(result, _table(fieldwork.groups, fieldwork.total, pay))


def _counts(row: FieldworkRow) -> dict[str, Any]:
    counts = {"quota": row.quota, "joined": row.joined, "finished": row.finished, **row.outcomes}
    return {**counts, "median_minutes": row.median_minutes}


def _forms(row: FieldworkRow) -> list[dict[str, Any]]:
    return [{"form": form.name, **_counts(form)} for form in row.forms]


def _owed(row: PayRow) -> dict[str, Any]:
    person = row.person
    return {
        "person": str(person.public_id),
        "group": person.group.name if person.group else None,
        "form": person.form,
        "outcome": person.state,
        "code": person.code or None,
        "pay": str(row.owed.decision),
        "amount": None if row.amount is None else str(row.amount),
        "why": row.owed.why,
    }


def _table(groups: list[FieldworkRow], total: FieldworkRow, pay: list[dict[str, Any]]) -> str:
    names = ["joined", *total.outcomes]
    head = f"{'':<24}" + "".join(f"{name.replace('_', ' '):>17}" for name in names)
    rows = [(row.name, row) for row in groups]
    rows = [
        each for name, row in rows for each in [(name, row), *((f"  form {form.name}", form) for form in row.forms)]
    ]
    lines = [head, *(_line(name, row) for name, row in [*rows, ("all", total)]), ""]
    return "\n".join([*lines, *(f"{each['person']}  {each['pay']:<12} {each['why']}" for each in pay)])


def _line(name: str, row: FieldworkRow) -> str:
    return f"{name:<24}" + "".join(f"{count:>17,}" for count in [row.joined, *row.outcomes.values()])
