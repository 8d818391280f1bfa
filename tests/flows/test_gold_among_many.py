"""Many people rate at once with gold between the pairs, few enough that it comes round again and again."""

import threading

import pytest
from django.db import connections

from annotation.actions import assignments, ratings
from annotation.models import Cursor, Place, Project, Rating, Seat, Step, User
from tests import factories
from tests.annotation.actions.golden import bring_in, choose, known

PAIRS, PEOPLE, IN_HAND = 60, 6, 6


def rate_all(project: Project, person: User, errors: list[Exception]) -> None:
    try:
        while seats := assignments.hold(project=project, step=Step.RATE, count=IN_HAND, by=person):
            for seat in seats[:2]:
                ratings.submit_and_hold(seat=seat, grade=4, count=IN_HAND, by=person)
    except Exception as error:
        errors.append(error)
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_gold_takes_nobodys_place_and_nobody_waits_in_a_circle(project):
    factories.pairs(project, PAIRS)
    bring_in(project, known(5))
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
    assert not Place.objects.filter(free__gt=0).exists()
    for cursor in Cursor.objects.all():
        assert cursor.handed == Seat.objects.filter(person=cursor.person).count()
