"""How people of a study behaved: checks passed, what rules and the behaviour log flag, and which rules leave them out.

It tells no answer, and nothing of how well anyone answered.
"""

from dataclasses import dataclass, field

import numpy as np
from django.db.models import Count, Q

from core.domain.statistics import FloatArray, IntArray
from study.domain.results.exclusions import OF_PLAN, BehaviourOfPeople, excluded_people, medians_of_people
from study.domain.survey.behaviour import SIGNS, signs_in
from study.domain.survey.phases import ENDED
from study.models import Behaviour, Presentation, QuestionPurpose, Study
from study.models.answers import PresentationQuerySet
from study.selectors.results.behaviour import CHUNK, behaviour_of

SPEED, LINES = "too_fast", "straight_lines"  # rules of a plan that say how a person answered
ANSWERED = Q(answer__isnull=False) | Q(late_answer__isnull=False)


@dataclass(frozen=True)
class Conduct:
    """How a person behaved. `checks` are the attention checks that they met, `passed` how many of them they passed.

    `flags` are names with a number each: of SPEED the median seconds at a question, of LINES how often running the line
    at one position was chosen, of a sign of the behaviour log its count. `rules` of the plan leave the person out.
    """

    passed: int = 0
    checks: int = 0
    flags: dict[str, float] = field(default_factory=dict)
    rules: tuple[str, ...] = ()


def conduct_of(study: Study) -> dict[int, Conduct]:
    """Return how each person behaved, by their key; people who withdrew are not among them.

    Rules are told of people who have ended: the others may still answer.
    """
    states = dict(study.participants.all().counting().order_by("pk").values_list("pk", "state"))
    keys = np.array(list(states), dtype=np.int64)
    asked = Presentation.objects.filter(participant__study=study)
    checks = asked.filter(question__purpose=QuestionPurpose.CHECK)
    noted = Behaviour.objects.filter(participant__study=study).values("participant", *SIGNS)
    counts = {row["participant"]: row for row in noted.iterator(chunk_size=CHUNK)}
    signs = {pk: flagged for pk, row in counts.items() if (flagged := signs_in(row))}
    behaviour = behaviour_of(study, keys, *_answers(asked, keys), asked=asked, checks=checks, signs=signs)
    is_out = excluded_people(study.survey, behaviour)
    answered = dict(checks.filter(ANSWERED).order_by().values_list("participant").annotate(Count("pk")))
    found = {}
    for place, (pk, state) in enumerate(states.items()):
        rules = [rule for rule, mask in is_out.items() if mask[place]] if state in ENDED else []
        met = answered.get(pk, 0)
        found[pk] = Conduct(
            met - int(behaviour.failed_checks[place]),
            met + int(behaviour.unanswered_checks[place]),
            _flags(behaviour, place, rules) | {sign: counts[pk][sign] for sign in signs.get(pk, [])},
            tuple(rule for rule in rules if rule in OF_PLAN),
        )
    return found


def _answers(asked: PresentationQuerySet, keys: IntArray) -> tuple[IntArray, FloatArray]:
    """Return how many questions each person answered, in time or late, and their median seconds."""
    work = asked.filter(ANSWERED, question__purpose=QuestionPurpose.WORK).order_by()
    rows = list(work.values_list("participant", "answer__milliseconds").iterator(chunk_size=CHUNK))
    people = np.searchsorted(keys, np.array([person for person, _ms in rows], dtype=np.int64))
    milliseconds = np.array([ms for _person, ms in rows], dtype=np.float64)  # None becomes NaN
    return np.bincount(people, minlength=len(keys)), medians_of_people(people, milliseconds, len(keys))


def _flags(behaviour: BehaviourOfPeople, place: int, rules: list[str]) -> dict[str, float]:
    told = {SPEED: behaviour.median_seconds, LINES: behaviour.longest_run}
    return {rule: float(numbers[place]) for rule, numbers in told.items() if rule in rules}
