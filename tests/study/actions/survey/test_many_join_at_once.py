"""Many people join at the same time: the quota, the balance of forms and "once" hold."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from core.actions.refusals import Refused
from study.actions.survey import answers, participants
from study.domain.survey import clock
from study.domain.survey.platforms import Visitor
from study.models import Answer, Identity, Participant, StudyGroup
from tests.live_server import PATIENCE
from tests.study import study_cases

THREADS = 12


def at_once(act: Callable[[int], object]) -> Counter[str]:
    """Return how often it worked, and how often it was refused with which code."""
    outcomes, together = [], threading.Barrier(THREADS)

    def one(number: int) -> None:
        try:
            together.wait(timeout=PATIENCE)
            act(number)
            outcomes.append("done")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    return Counter(outcomes)


@pytest.mark.django_db(transaction=True)
def test_a_quota_is_held_when_many_join_at_once(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 6, "lab": 5}, settings={"forms": 3})
    groups = list(StudyGroup.objects.filter(study=study))
    outcomes = at_once(lambda number: participants.join(group=groups[number % 2]))
    assert outcomes == {"done": 11, "full": 1}
    assert [group.participants.count() for group in groups] == [6, 5]
    forms = Counter(Participant.objects.filter(group=groups[0]).values_list("form", flat=True))
    assert forms == {1: 2, 2: 2, 3: 2}


@pytest.mark.django_db(transaction=True)
def test_two_hundred_who_come_together_fill_quotas_exactly_and_forms_evenly(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 130, "lab": 50}, settings={"forms": 3})
    groups = list(StudyGroup.objects.filter(study=study))

    def come(number: int) -> str:
        try:
            participants.join(group=groups[number % 4 == 3])
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(THREADS) as people:
        outcomes = Counter(people.map(come, range(200)))
    assert outcomes == {"done": 180, "full": 20}
    for group, quota in zip(groups, (130, 50), strict=True):
        forms = Counter(group.participants.values_list("form", flat=True))
        assert forms.total() == quota == sum(group.places.values_list("taken", flat=True))
        assert max(forms.values()) - min(forms.values()) <= 1


@pytest.mark.django_db(transaction=True)
def test_while_some_leave_their_places_no_more_than_the_quota_are_let_in(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 10}, settings={"forms": 3, "per_form": 3})
    group, first = study.groups.get(), [study_cases.begun(study) for _person in range(10)]
    over = Participant.objects.filter(pk__in=[person.pk for person in first[:3]])
    over.update(deadline_at=timezone.now() - clock.LATE)

    def act(number: int) -> None:
        if number < 3:
            participants.close_overdue()
        elif number < 5:
            participants.finish(participant=first[number])  # without an answer
        else:
            participants.join(group=group)

    outcomes = at_once(act)
    let_in = outcomes["done"] - 5
    assert outcomes == {"done": 5 + let_in, **({"full": 7 - let_in} if let_in < 7 else {})}
    assert let_in <= 5
    later = [study_cases.joined(study) for _person in range(5 - let_in)]
    with pytest.raises(Refused):
        participants.join(group=group)
    assert group.participants.filter(has_place=True).count() == 10 == 5 + let_in + len(later)
    assert sum(group.places.values_list("taken", flat=True)) == 10


@pytest.mark.django_db(transaction=True)
def test_one_person_of_a_platform_joins_once_from_many_tabs(researcher):
    group = study_cases.study("lines", by=researcher).groups.get()
    visitor = Visitor("prolific", "5f3a", {})
    assert at_once(lambda _number: participants.join(group=group, visitor=visitor)) == {"done": 1, "taken": THREADS - 1}
    assert (Participant.objects.count(), Identity.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_beginning_and_answering_from_many_tabs_leaves_one_clock_and_one_answer(researcher):
    study = study_cases.study("lines", by=researcher)
    person = study_cases.joined(study)
    participants.practise(participant=person, first=0, second=1)
    assert at_once(lambda _number: participants.start(participant=person)) == {"done": THREADS}
    assert person.presentations.count() == 6
    [presentation, *_rest], key = study_cases.counting(person), uuid4()

    def answer(number: int) -> None:
        answers.give(presentation=presentation, ranking=[1, 2], key=key, participant=person)

    assert at_once(answer) == {"done": THREADS}
    assert Answer.objects.count() == 1


class PollWatcher:
    """Clock that records the first time it returned."""

    def __init__(self) -> None:
        self.was_read = threading.Event()

    def now(self) -> datetime:
        at = timezone.now()
        if not self.was_read.is_set():
            self.said = at
            self.was_read.set()
        return at


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_came_in_time_is_stored_however_long_the_database_is_busy(researcher, monkeypatch):
    person = study_cases.begun(study_cases.study("lines", by=researcher))
    presentation = study_cases.counting(person)[0]
    watch = PollWatcher()
    monkeypatch.setattr(Participant, "now", lambda _person: watch.now())

    def give() -> Answer:
        try:
            return study_cases.answer(presentation, 1, 2)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as elsewhere:
        with transaction.atomic():
            Participant.objects.filter(pk=person.pk).update(code="")  # holds the row, on SQLite all of it
            given = elsewhere.submit(give)
            assert watch.was_read.wait(PATIENCE)
            over = watch.said - clock.GRACE  # the last moment for what came then, and now it is past
            Participant.objects.filter(pk=person.pk).update(deadline_at=over)
            assert clock.is_closed(over, timezone.now())
        assert given.result(timeout=PATIENCE).first == 1
