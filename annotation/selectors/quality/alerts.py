"""Alerts about raters, from the board of a project as it was computed last."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from annotation.domain.quality.alerts import Alert, RaterFacts, SharedItems, alerts_of, others_kappa
from annotation.models import Project
from annotation.selectors.agreement.agreement import AgreementReport
from annotation.selectors.quality.raters import PersonProgress
from core.models import StoredFigure

BOARD = "board"  # the kind of the stored figure that holds them


@dataclass(frozen=True)
class RaterAlert:
    """An alert about a person: their median seconds over `timed` pairs, their kappa, and the others' median kappa."""

    person: int
    label: str
    why: str
    timed: int
    median_seconds: float | None
    kappa: float | None
    others_kappa: float | None


def rater_alerts(people: Iterable[PersonProgress], agreement: AgreementReport) -> list[dict[str, Any]]:
    """Return the alerts about raters who can sign in, each as the fields of `RaterAlert`."""
    facts = {each.label: _facts(each) for each in people if each.person.is_active}
    keys = {each.label: each.person.pk for each in people}
    pairs = [
        SharedItems((agreement.raters[first], agreement.raters[second]), pair.n, pair.kappa_quadratic.value)
        for pair in agreement.pairs
        for first, second in [pair.raters]
    ]
    return [
        asdict(_alert(alert, keys[label], label, facts[label], pairs))
        for label, alerts in alerts_of(facts, pairs).items()
        for alert in alerts
    ]


def _facts(person: PersonProgress) -> RaterFacts:
    partners = person.partners
    return RaterFacts(
        timed=person.timed,
        median_seconds=person.median_seconds,
        shared=partners.n if partners else 0,
        kappa=partners.kappa_quadratic.value if partners else None,
    )


def _alert(alert: Alert, person: int, label: str, facts: RaterFacts, pairs: list[SharedItems]) -> RaterAlert:
    others = others_kappa(label, pairs)
    return RaterAlert(person, label, str(alert), facts.timed, facts.median_seconds, facts.kappa, others)


def alerts_in(content: dict[str, Any]) -> list[RaterAlert]:
    """Return the alerts in the content of a stored board; none in that of an older version."""
    return [RaterAlert(**fields) for fields in content.get("alerts", ())]


def last_alerts(projects: Iterable[Project]) -> list[tuple[Project, RaterAlert]]:
    """Return the alerts of projects as their boards were computed last. One query."""
    project_of: dict[int | None, Project] = {project.pk: project for project in projects}
    boards = StoredFigure.objects.filter(scope_kind=Project._meta.label_lower, scope_id__in=project_of, kind=BOARD)
    stored = boards.order_by("scope_id").values_list("scope_id", "content")
    return [(project_of[pk], alert) for pk, content in stored for alert in alerts_in(json.loads(content))]
