"""Several people clean, undo and rate in the same moment, and the pairs are looked through again meanwhile."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from django.db import connection
from django.db.models import Count, F, Q

from annotation.actions import assignments, cleaning, ratings
from annotation.actions.refusals import Refused
from annotation.domain.cleaning import Verdict
from annotation.domain.workflow import ItemState, SeatState
from annotation.models import CleaningDecision, Item, Place, Project, Rating, Seat, Step, User
from annotation.models.work import TAKEN
from annotation.selectors.cleaning import waiting_in
from tests.cleaning import put_words, scan
from tests.factories import person, stored
from tests.house import PATIENCE

PROMPTS, RESPONSES = 6, 4
EXPECTED = {"cleaned", "place_taken"}  # the pair went with its prompt while somebody had it


def at_once(acts: Sequence[Callable[[], object]]) -> None:
    """Everything in a thread of its own; what goes wrong in one is raised."""
    wrong, together = [], threading.Barrier(len(acts))

    def one(act: Callable[[], object]) -> None:
        try:
            together.wait(timeout=PATIENCE)
            act()
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    assert wrong == []


def clean_all(project: Project, by: User, number: int) -> None:
    """Keep, remove, remove the prompt, and take every fifth decision back once, until nothing is open."""
    verdicts = [Verdict.KEEP, Verdict.SENSITIVE, Verdict.KEEP, Verdict.KNOWLEDGE]
    turn = number
    while seats := assignments.hold(project=project, step=Step.CLEAN, count=3, by=by):
        turn += 1
        try:
            decision = cleaning.decide(seat=seats[0], verdict=verdicts[turn % 4], by=by)
            if turn % 5 == 0:
                cleaning.undo(decision=decision, by=by)
        except Refused as refused:
            assert refused.code in EXPECTED


def rate_all(project: Project, by: User) -> None:
    while seats := assignments.hold(project=project, step=Step.RATE, count=3, by=by):
        try:
            ratings.submit(seat=seats[0], grade=4, by=by)
        except Refused as refused:
            assert refused.code in EXPECTED


@pytest.mark.django_db(transaction=True)
def test_nobody_gets_the_pair_of_another_and_nothing_removed_is_rated_on(project, researcher):
    rows = (f"今天天气{p}怎么样\t第{r}条回复。\n" for p in range(PROMPTS) for r in range(RESPONSES))
    stored(project, "".join(rows))
    scan(project)
    put_words(project, "第1条", "第2条")
    people = [person(f"p{number}", project=project) for number in range(6)]
    cleaners = [lambda n=n, by=by: clean_all(project, by, n) for n, by in enumerate(people[:3])]
    raters = [lambda by=by: rate_all(project, by) for by in people[3:]]
    at_once([*cleaners, *raters, lambda: scan(project)])

    held = Seat.objects.filter(state=SeatState.HELD)
    assert list(held.values_list("person__username", flat=True)) == []
    assert waiting_in(project) == 0
    taken = Count("seats", filter=Q(seats__state__in=TAKEN))
    over = Place.objects.annotate(taken=taken).filter(taken__gt=F("slots"))
    assert not over.exists()
    open_places = Place.objects.annotate(taken=taken).exclude(item__state=ItemState.CLEANED)
    assert all(place.free == place.slots - place.taken for place in open_places)
    cleaned = Item.objects.filter(state=ItemState.CLEANED)
    assert not Place.objects.filter(item__in=cleaned, free__gt=0).exists()
    in_force = CleaningDecision.objects.in_force()
    assert set(Counter(in_force.values_list("seat", flat=True)).values()) == {1}
    removed = in_force.exclude(verdict=Verdict.KEEP)
    groups = removed.filter(verdict=Verdict.KNOWLEDGE).values("seat__place__item__group")
    pairs = removed.filter(verdict=Verdict.SENSITIVE).values("seat__place__item")
    assert set(cleaned) == set(Item.objects.filter(Q(group__in=groups) | Q(pk__in=pairs)))
    assert not Rating.objects.counting().filter(seat__place__item__in=cleaned).exists()
