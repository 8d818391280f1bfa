"""Too many misses on gold pause a person, and another person resumes them."""

import pytest
from django.utils import timezone

from annotation.actions.qualification import pausing
from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import ratings
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.workflow import AnnotatorState, AssignmentState
from annotation.models import Assignment, Cursor
from annotation.selectors.qualification.qualification import annotator_of, paused_in
from core.models import Event
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, grade_all, import_rows, is_gold, known
from tests.annotation.actions.queue.assigned_work import refused

pytestmark = pytest.mark.django_db

PAIRS = 30


@pytest.fixture
def watched(project):
    """Return a project with gold at every second pair; three misses among the last five pause."""
    factories.pairs(project, PAIRS)
    import_rows(project, known(PAIRS))
    choose(project, gold_first=50, gold_lowest=50, gold_window=5, gold_misses=3)
    return project


def test_too_many_misses_pause_and_no_pair_is_handed_out(watched, annotator):
    claimed = grade_all(watched, annotator, off=2)
    assert sum(map(is_gold, claimed)) == 3  # the third miss was the last pair
    assert factories.take(watched, annotator) == []
    paused = annotator_of(watched, annotator)
    assert (paused.status, paused.recently_missed, len(paused.recent)) == (QualificationStatus.PAUSED, 3, 3)
    assert [cursor.person for cursor in paused_in([watched])] == [annotator]
    event = Event.objects.get(subject="cursor", became=AnnotatorState.PAUSED)
    assert (event.by, event.why) == (None, "3 of the last 3 gold pairs missed")


def test_grades_that_are_near_enough_never_pause(watched, annotator):
    claimed = grade_all(watched, annotator, off=1)
    assert sum(not is_gold(assignment) for assignment in claimed) == PAIRS


def test_a_paused_person_changes_nothing_for_others(watched, annotator, partner):
    grade_all(watched, annotator, off=2)
    assert factories.take(watched, partner)


def test_what_a_paused_person_has_in_hand_is_still_taken_from_them(watched, annotator):
    ahead = factories.take(watched, annotator, 12)
    golden = [assignment for assignment in ahead if is_gold(assignment)]
    works = [assignment for assignment in ahead if not is_gold(assignment)]
    assert len(golden) >= 3
    for assignment in golden[:3]:
        known_grade = assignment.slot.item.gold.grade
        factories.grade(assignment, known_grade + 2 if known_grade < 4 else known_grade - 2)
    assert factories.take(watched, annotator) == []
    factories.grade(works[0], 4)
    assert Assignment.objects.get(pk=works[0].pk).state == AssignmentState.SUBMITTED


def test_a_paused_person_changes_no_grade_and_learns_of_no_gold(watched, annotator, inspector):
    claimed = grade_all(watched, annotator, off=2)
    for assignment in claimed[-5:]:
        with refused("paused"):
            ratings.change(assignment=assignment, grade=4, by=annotator)
    assert annotator_of(watched, annotator).recently_missed == 3
    pausing.resume(project=watched, person=annotator, why="talked it over", by=inspector)
    assert ratings.change(assignment=claimed[-1], grade=4, by=annotator).grade == 4


def test_a_miss_that_is_revised_in_time_is_none(watched, annotator):
    missed = 0
    while missed < 6:
        [assignment] = factories.take(watched, annotator)
        if is_gold(assignment):
            missed += 1
            right = assignment.slot.item.gold.grade
            factories.grade(assignment, right + 2 if right < 4 else right - 2)
            ratings.change(assignment=assignment, grade=right, reason=factories.REASONS[right], by=annotator)
        else:
            factories.grade(assignment, 3)
    assert factories.take(watched, annotator)


def test_an_inspector_lets_the_person_go_on_with_a_clean_slate(watched, annotator, inspector):
    grade_all(watched, annotator, off=2)
    pausing.resume(project=watched, person=annotator, why="misread the guideline", by=inspector)
    event = Event.objects.get(subject="cursor", was=AnnotatorState.PAUSED, became=AnnotatorState.WORKING)
    assert (event.by, event.why) == (inspector, "misread the guideline")
    claimed = grade_all(watched, annotator, off=2)
    assert sum(map(is_gold, claimed)) == 3  # three new misses; the old ones no longer count
    assert Cursor.objects.get(person=annotator).state == AnnotatorState.PAUSED


def void(project, person, since, by):
    voiding.void_work(project=project, person=person, since=since, why="misread the guideline", by=by)


def test_a_pause_ends_when_what_was_missed_is_voided(watched, annotator, inspector):
    began = timezone.now()
    grade_all(watched, annotator, off=2)
    void(watched, annotator, began, inspector)
    assert annotator_of(watched, annotator).status == QualificationStatus.FREE
    event = Event.objects.get(subject="cursor", was=AnnotatorState.PAUSED, became=AnnotatorState.WORKING)
    assert (event.by, event.why) == (inspector, "misread the guideline")
    assert sum(map(is_gold, grade_all(watched, annotator, off=2))) == 3  # a pause needs three new misses


def test_a_pause_ends_when_the_gold_was_wrong(watched, annotator):
    [*_earlier, last] = grade_all(watched, annotator, off=2)
    import_rows(watched, [_said(last)], corrects=True)
    assert annotator_of(watched, annotator).status == QualificationStatus.FREE
    assert factories.take(watched, annotator)
    event = Event.objects.get(subject="cursor", was=AnnotatorState.PAUSED, became=AnnotatorState.WORKING)
    assert event.why == "gold was corrected"


def _said(assignment: Assignment) -> str:
    """Return a row of a gold file whose known grade is the one that was given."""
    content = assignment.slot.item.content
    return f"{content['prompt']},{content['response']},{assignment.ratings.get().grade}"


def test_a_pause_stays_while_enough_of_what_was_missed_stands(watched, annotator, inspector):
    *_earlier, last = grade_all(watched, annotator, off=2)
    choose(watched, gold_misses=2)
    void(watched, annotator, Assignment.objects.get(pk=last.pk).ended_at, inspector)
    paused = annotator_of(watched, annotator)
    assert (paused.status, paused.recently_missed) == (QualificationStatus.PAUSED, 2)
    assert factories.take(watched, annotator) == []


def test_letting_go_on_needs_a_reason_and_somebody_who_is_paused(watched, annotator, inspector):
    with refused("not_paused"):
        pausing.resume(project=watched, person=annotator, why="x", by=inspector)
    grade_all(watched, annotator, off=2)
    with refused("why_missing"):
        pausing.resume(project=watched, person=annotator, why="  ", by=inspector)
    assert assignments.claim(project=watched, step="rate", by=annotator) == []
