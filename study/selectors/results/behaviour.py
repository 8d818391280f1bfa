"""How the people of a study behaved, as the exclusion rules look at it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from core.domain.statistics import FloatArray, IntArray
from study.domain.results.exclusions import BehaviourOfPeople, longest_run
from study.domain.survey.behaviour import SIGNS, signs_in
from study.models import Behaviour, Exclusion, Identity, QuestionPurpose, Study
from study.models.answers import PresentationQuerySet

CHUNK = 10_000


def behaviour_of(
    study: Study,
    keys: IntArray,
    answers: IntArray,
    median_seconds: FloatArray,
    *,
    asked: PresentationQuerySet,
    checks: PresentationQuerySet,
    signs: Mapping[int, list[str]],
) -> BehaviourOfPeople:
    """Return the behaviour of the people with these keys, in increasing order.

    `asked` are the questions shown to them, `checks` the attention checks of the study, `signs` those in the behaviour
    log, by person.
    """
    by_hand = Exclusion.objects.filter(participant__study=study).values_list("participant", flat=True)
    return BehaviourOfPeople(
        failed_checks=_checks_of(keys, checks.failed_checks()),
        unanswered_checks=_checks_of(keys, checks.unanswered_checks()),
        answers=answers,
        median_seconds=median_seconds,
        longest_run=_runs(study, keys, asked),
        took_part_before=np.isin(keys, _took_part_before(study, asked)),
        by_hand=np.isin(keys, list(by_hand)),
        flagged=np.isin(keys, [*signs]),
    )


def signs_of(noted: QuerySet[Behaviour]) -> dict[int, list[str]]:
    """Return by key what of a person's behaviour log is a sign, of those who have any."""
    rows = noted.values_list("participant", *SIGNS).iterator(chunk_size=CHUNK)
    found = {person: signs_in(dict(zip(SIGNS, counts, strict=True))) for person, *counts in rows}
    return {person: signs for person, signs in found.items() if signs}


def _checks_of(keys: NDArray[np.int64], checks: QuerySet[Any]) -> NDArray[np.int64]:
    """Return how many of these checks each person was shown."""
    shown = np.array(list(checks.values_list("participant", flat=True)), dtype=np.int64)
    return np.bincount(np.searchsorted(keys, shown[np.isin(shown, keys)]), minlength=len(keys))


def _runs(study: Study, keys: NDArray[np.int64], asked: PresentationQuerySet) -> NDArray[np.int64]:
    """Return how often running each person chose the line at the same position; 0 where no rule asks for it."""
    positions: dict[int, list[int]] = {}
    if study.survey.straight_lines:
        chosen = asked.filter(question__purpose=QuestionPurpose.WORK, answer__first__isnull=False)
        work = chosen.order_by("participant", "position")
        read = work.values_list("participant", "order", "answer__first")
        for person, order, first in read.iterator(chunk_size=CHUNK):
            positions.setdefault(person, []).append(order.index(first))
    return np.array([longest_run(positions.get(key, [])) for key in keys.tolist()], dtype=np.int64)


def _took_part_before(study: Study, asked: PresentationQuerySet) -> list[int]:
    """Return the participants whom a platform sent before to a study that shares a question set with this one."""
    if not study.survey.duplicates:
        return []
    others = Study.objects.filter(question_sets__in=study.question_sets.all()).exclude(pk=study.pk)
    before = Identity.objects.filter(
        study__in=others,
        platform=OuterRef("platform"),
        person=OuterRef("person"),
        participant__joined_at__lt=OuterRef("participant__joined_at"),
    )
    of_people = Identity.objects.filter(Exists(before), participant__in=asked.order_by().values("participant"))
    return list(of_people.values_list("participant", flat=True))
