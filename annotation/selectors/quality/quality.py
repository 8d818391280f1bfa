"""The work of each rater for those who supervise them: pace, grades, types, partners, drift, gold."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count

from annotation.domain.agreement import RaterPair, pairs_of_raters, partner_agreement
from annotation.domain.quality.drift import Drift, drifts
from annotation.models import Project, Rating
from annotation.selectors.agreement.agreement import described_pair
from annotation.selectors.qualification.gold import gold_grades, judgements
from annotation.selectors.quality.hours import HoursOfWork, work_by_person
from annotation.selectors.quality.raters import PersonProgress, people_of
from annotation.selectors.rating.grades import Grades, grades_in_force


@dataclass(frozen=True)
class PersonQuality:
    """The work of one person. `types` counts the types that they gave as the reason of a grade."""

    progress: PersonProgress
    work: HoursOfWork | None
    types: Counter[str]
    drift: Drift | None
    gold: int
    missed: int

    @property
    def near(self) -> int:
        """Number of gold pairs that were not missed."""
        return self.gold - self.missed

    @property
    def pairs_an_hour(self) -> float | None:
        return self.work.pairs_an_hour if self.work else None


@dataclass(frozen=True)
class Quality:
    """All who rate or rated in a project. Positions in `pairs` refer to `raters`."""

    people: list[PersonQuality]
    pairs: list[RaterPair]
    raters: tuple[str, ...]
    scale: tuple[int, ...]

    @property
    def has_gold(self) -> bool:
        return any(person.gold for person in self.people)

    def types(self) -> list[str]:
        """Return the types that were given, the most frequent first."""
        times: Counter[str] = sum((person.types for person in self.people), Counter())
        return sorted(times, key=lambda kind: (-times[kind], kind))


def quality_of(project: Project) -> Quality:
    grades = grades_in_force(project)
    patterns = grades.patterns()
    gold, missed = _gold(project)
    work, types, drifts = work_by_person(project), _types(project), _drifts(grades)
    people = [
        PersonQuality(
            progress=each,
            work=work.get(each.person.pk),
            types=types[each.person.pk],
            drift=drifts.get(each.person.pk),
            gold=gold[each.person.pk],
            missed=missed[each.person.pk],
        )
        for each in people_of(project, grades, partner_agreement(patterns))
    ]
    return Quality(people, pairs_of_raters(patterns), grades.labels, grades.scale)


def _gold(project: Project) -> tuple[Counter[int], Counter[int]]:
    """Return the number of gold pairs that each person graded between others, and of those they missed."""
    judged = judgements(gold_grades(project), project)
    graded = Counter(each.rating.assignment.person_id for each in judged)
    return graded, Counter(each.rating.assignment.person_id for each in judged if each.is_miss)


def _types(project: Project) -> dict[int, Counter[str]]:
    given = Rating.objects.counting().filter(assignment__slot__item__project=project).exclude(reason="")
    types: dict[int, Counter[str]] = defaultdict(Counter)
    for person, kind, times in given.order_by().values_list("assignment__person", "reason").annotate(Count("pk")):
        types[person][kind] = times
    return types


def _drifts(grades: Grades) -> dict[int, Drift]:
    """Return the drift by person, of grades in a drawn order beside what others gave the same items."""
    _items, item = np.unique(grades.rows["item"], return_inverse=True)
    count, total = np.bincount(item)[item], np.bincount(item, grades.rows["grade"])[item]
    is_known = (count > 1) & ~grades.elsewhere()
    grade, others = grades.rows["grade"][is_known], count[is_known] - 1
    beside = grade - (total[is_known] - grade) / others
    rater, order = grades.rows["rater"][is_known], np.argsort(grades.rows["rating"][is_known])  # keys follow time
    return drifts({person.pk: beside[order][rater[order] == position] for position, person in enumerate(grades.raters)})


def quality_report(project: Project) -> dict[str, Any]:
    """Return the object that `quality --json` prints. Shares are 0 to 1; unknown values are null."""
    return described_quality(quality_of(project))


def described_quality(found: Quality) -> dict[str, Any]:
    return {
        "people": [_person(person, found) for person in found.people],
        "pairs": [described_pair(pair, found.raters) for pair in found.pairs],
    }


def _person(person: PersonQuality, found: Quality) -> dict[str, Any]:
    done, work = person.progress, person.work
    partners = done.partners.kappa_quadratic if done.partners else None
    return {
        "user": done.person.username,
        "name": done.label,
        "graded": done.graded,
        "skipped": done.skipped,
        "voided": done.voided,
        "median_seconds": done.median_seconds,
        "hours": work and work.hours,
        "pairs_an_hour": person.pairs_an_hour,
        "grades": dict(zip(map(str, found.scale), done.grades or [0] * len(found.scale), strict=True)),
        "types": dict(person.types),
        "partners_n": done.partners.n if done.partners else 0,
        "partners_kappa_quadratic": partners and partners.value,
        "drift": person.drift and _drift(person.drift),
        **({"gold": {"n": person.gold, "missed": person.missed}} if found.has_gold else {}),
    }


def _drift(found: Drift) -> dict[str, Any]:
    return {
        "trend": found.trend,
        "n": found.n,
        "early_mean": found.early_mean,
        "late_mean": found.late_mean,
        "difference": found.difference,
        "difference_ci": found.ends and list(found.ends),
        "p": found.p,
        "p_adjusted": found.p_adjusted,
    }
