"""Gold comes again to the same person only after all other gold, and then the pair that they met longest ago."""

from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.actions.qualification import pausing
from annotation.actions.queue import skips, voiding
from annotation.actions.rating import ratings
from annotation.models import Assignment, Project
from annotation.selectors.qualification.gold import meetings_of
from core.actions.refusals import Refused
from core.models import User
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import (
    attempt,
    choose,
    grade_all,
    import_rows,
    is_gold,
    known,
)
from tests.annotation.actions.queue.assigned_work import expire_all
from tests.threads import at_once

pytestmark = pytest.mark.django_db

HALF = {"gold_first": 50, "gold_lowest": 50, "gold_window": 100, "gold_misses": 100}  # and no one is paused


def give_known_grade(assignment: Assignment, **details: object) -> None:
    factories.grade(assignment, assignment.slot.item.gold.grade, **details)


def send_six_times(assignment: Assignment) -> None:
    key = uuid4()
    for _time in range(6):
        give_known_grade(assignment, key=key)


def skip(assignment: Assignment) -> None:
    ratings.skip(assignment=assignment, reason="other", by=assignment.person)


def skip_and_take_it_back(assignment: Assignment) -> None:
    skip(assignment)
    give_known_grade(skips.undo_skip(assignment=assignment, by=assignment.person))


def be_away(_assignment: Assignment) -> None:
    expire_all()


def be_late(assignment: Assignment) -> None:
    expire_all()
    give_known_grade(assignment)


def be_paused_and_go_on(assignment: Assignment) -> None:
    factories.grade(assignment, 1 if assignment.slot.item.gold.grade > 3 else 5)
    project = assignment.slot.queue.project
    pausing.resume(project=project, person=assignment.person, why="nerves", by=project.created_by)


def be_voided(assignment: Assignment) -> None:
    give_known_grade(assignment)
    project, since = assignment.slot.queue.project, timezone.now().replace(year=2020)
    voiding.void_work(project=project, person=assignment.person, since=since, why="clicked", by=project.created_by)


ACTS = (send_six_times, skip, skip_and_take_it_back, be_away, be_late, be_paused_and_go_on, be_voided)


def next_gold(project: Project, by: User) -> Assignment:
    """Return the next gold pair of a person, who grades the pairs before it."""
    while True:
        [assignment] = factories.take(project, by)
        if is_gold(assignment):
            return assignment
        factories.grade(assignment, 3)


def prompts_of_gold(project: Project, by: User, count: int) -> list[str]:
    """Return the prompts of the next gold pairs of a person, who grades all that comes."""
    prompts: list[str] = []
    while len(prompts) < count:
        [assignment] = grade_all(project, by, most=1)
        prompts += [assignment.slot.item.content["prompt"]] * is_gold(assignment)
    return prompts


def test_all_gold_comes_in_turn_whatever_the_person_did_with_it(project, annotator):
    gold = len(ACTS) + 1  # so that each pair is met with another act in each turn
    factories.pairs(project, 120)
    import_rows(project, known(gold))
    choose(project, gold_first=50, gold_lowest=50, gold_window=1, gold_misses=1)
    came = []
    for number in range(3 * gold):
        assignment = next_gold(project, annotator)
        came.append(assignment.slot.item_id)
        ACTS[number % len(ACTS)](assignment)
    assert len(set(came[:gold])) == gold
    assert came == came[:gold] * 3


def test_practice_is_a_meeting_and_what_was_not_practised_comes_once_before_it(project, annotator):
    factories.pairs(project, 60)
    import_rows(project, known(3))
    choose(project, practice=3, **HALF)
    attempts = [attempt(project, annotator, off=off) for off in (2, 2, 0)]  # passed at the third
    import_rows(project, known(8))
    came = prompts_of_gold(project, annotator, 16)
    assert set(came[5:8]) == set(attempts[0].grades.values_list("item__content__prompt", flat=True))
    assert len(set(came[:8])) == 8
    assert came == came[:8] * 2


def test_gold_that_is_brought_in_later_comes_once_before_the_rest_comes_again(project, annotator):
    factories.pairs(project, 60)
    import_rows(project, known(3))
    choose(project, **HALF)
    first = prompts_of_gold(project, annotator, 9)
    import_rows(project, ["新的问题,新的回复,3"])
    assert prompts_of_gold(project, annotator, 8) == ["新的问题", *first[:3]] * 2


def rate_in_one_window(project: Project, by: User) -> None:
    """Grade pairs ahead of each other, as one of two windows of the same person, until none is assigned."""
    while claimed := factories.take(project, by, 6):
        for assignment in claimed[:2]:
            try:
                ratings.submit_and_claim(assignment=assignment, grade=4, most=6, by=by)
            except Refused as refused:
                assert refused.code == "already_rated"  # the other window was quicker


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("gold", [4, 80])
def test_two_windows_of_a_person_bring_no_gold_again_before_all_came(project, gold):
    factories.pairs(project, 20)
    import_rows(project, known(gold))
    choose(project, **HALF)
    people = [factories.person(name, project=project) for name in ("ada", "ben")]
    at_once([lambda by=by: rate_in_one_window(project, by) for by in people for _window in range(2)])
    for person in people:
        met = [len(numbers) for numbers in meetings_of(person, project).values()]
        assert max(met) - min(met) <= 1
        assert (max(met) > 1) is (sum(met) > gold)
