"""Many people rate at once with gold between the pairs, so little of it that it comes more than once."""

import threading

import pytest
from django.db import connections

from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.models import Assignment, Cursor, Project, Rating, Slot, Step
from core.models import User
from tests import factories
from tests.annotation.actions.qualification.gold_pairs import choose, import_rows, known

PAIRS, PEOPLE, CLAIMED = 60, 6, 6


def rate_all(project: Project, person: User, errors: list[Exception]) -> None:
    try:
        while claimed := assignments.claim(project=project, step=Step.RATE, count=CLAIMED, by=person):
            for assignment in claimed[:2]:
                ratings.submit_and_claim(assignment=assignment, grade=4, most=CLAIMED, by=person)
    except Exception as error:
        errors.append(error)
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_gold_takes_nobodys_slot_and_nobody_waits_in_a_circle(project):
    factories.pairs(project, PAIRS)
    import_rows(project, known(5))
    choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    people = [factories.person(f"p{number}", project=project) for number in range(PEOPLE)]
    errors: list[Exception] = []
    threads = [threading.Thread(target=rate_all, args=(project, person, errors)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert Rating.objects.counting().count() == PAIRS * project.rating.raters
    assert not Slot.objects.filter(free__gt=0).exists()
    for cursor in Cursor.objects.all():
        assert cursor.assigned == Assignment.objects.filter(person=cursor.person).count()
