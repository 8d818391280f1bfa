"""Several people clean, undo and rate at the same time, while the pairs are scanned again."""

from collections import Counter

import pytest
from django.db.models import Count, F, Q

from annotation.actions.cleaning import cleaning
from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, Item, Project, Rating, Slot, Step
from annotation.models.work import TAKEN
from annotation.selectors.cleaning.cleaning import waiting_in
from annotation.selectors.cleaning.marked_pairs import hits_of
from core.actions.refusals import Refused
from core.models import User
from tests.cleaning import put_words, scan
from tests.factories import person, stored
from tests.threads import at_once

PROMPTS, RESPONSES = 6, 4
EXPECTED = {"cleaned", "slot_taken"}  # the pair was removed with its prompt while a person held it


def clean_all(project: Project, by: User, number: int) -> None:
    """Keep, remove, remove the prompt, and take every fifth decision back once, until nothing is open."""
    verdicts = [CleaningVerdict.KEEP, CleaningVerdict.SENSITIVE, CleaningVerdict.KEEP, CleaningVerdict.KNOWLEDGE]
    turn = number
    while claimed := assignments.claim(project=project, step=Step.CLEAN, count=3, by=by):
        turn += 1
        try:
            decision = cleaning.decide(assignment=claimed[0], verdict=verdicts[turn % 4], by=by)
            if turn % 5 == 0:
                cleaning.undo(decision=decision, by=by)
        except Refused as refused:
            assert refused.code in EXPECTED


def rate_all(project: Project, by: User) -> None:
    while claimed := assignments.claim(project=project, step=Step.RATE, count=3, by=by):
        try:
            ratings.submit(assignment=claimed[0], grade=4, by=by)
        except Refused as refused:
            assert refused.code in EXPECTED


def clean_by_the_list(project: Project, by: User, number: int) -> None:
    """Decide about all that waits at once, and undo every other such decision, a few times."""
    verdicts = [CleaningVerdict.SENSITIVE, CleaningVerdict.KEEP, CleaningVerdict.KNOWLEDGE]
    for turn in range(4):
        items = list(hits_of(project)[:5])
        cleaning.decide_many(items=items, project=project, verdict=verdicts[(turn + number) % 3], why="test", by=by)
        decisions = CleaningDecision.objects.in_force().filter(assignment__person=by)
        cleaning.undo_many(decisions=list(decisions[: turn % 2 * 3]), by=by)


def assert_all_is_consistent() -> None:
    """Assert that slots, items, assignments and decisions say the same."""
    taken = Count("assignments", filter=Q(assignments__state__in=TAKEN))
    assert not Slot.objects.annotate(taken=taken).filter(taken__gt=F("required")).exists()
    open_slots = Slot.objects.annotate(taken=taken).exclude(item__state=ItemState.CLEANED)
    assert all(slot.free == slot.required - slot.taken for slot in open_slots)
    cleaned = Item.objects.filter(state=ItemState.CLEANED)
    assert not Slot.objects.filter(item__in=cleaned, free__gt=0).exists()
    in_force = CleaningDecision.objects.in_force()
    assert set(Counter(in_force.values_list("assignment", flat=True)).values()) <= {1}
    removed = in_force.exclude(verdict=CleaningVerdict.KEEP)
    groups = removed.filter(verdict=CleaningVerdict.KNOWLEDGE).values("assignment__slot__item__group")
    pairs = removed.filter(verdict=CleaningVerdict.SENSITIVE).values("assignment__slot__item")
    assert set(cleaned) == set(Item.objects.filter(Q(group__in=groups) | Q(pk__in=pairs)))
    assert not Rating.objects.counting().filter(assignment__slot__item__in=cleaned).exists()


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
    clean_all(project, people[0], 0)  # the scan may end last

    held = Assignment.objects.filter(state=AssignmentState.HELD)
    assert list(held.values_list("person__username", flat=True)) == []
    assert waiting_in(project) == 0
    assert_all_is_consistent()
    assert CleaningDecision.objects.in_force().exists()


@pytest.mark.django_db(transaction=True)
def test_two_decide_by_the_list_while_others_clean_one_by_one_and_rate(project, researcher):
    rows = (f"今天天气{p}怎么样\t第{r}条回复。\n" for p in range(PROMPTS) for r in range(RESPONSES))
    stored(project, "".join(rows))
    scan(project)
    people = [person(f"p{number}", project=project) for number in range(5)]
    by_the_list = [lambda n=n, by=by: clean_by_the_list(project, by, n) for n, by in enumerate(people[:2])]
    raters = [lambda by=by: rate_all(project, by) for by in people[3:]]
    at_once([*by_the_list, lambda: clean_all(project, people[2], 2), *raters])
    clean_all(project, people[0], 0)

    assert not Assignment.objects.filter(state=AssignmentState.HELD).exists()
    assert waiting_in(project) == 0
    assert_all_is_consistent()


@pytest.mark.django_db(transaction=True)
def test_two_who_choose_the_same_pairs_decide_about_each_once(project, researcher):
    stored(project, "".join(f"今天天气{p}怎么样\t回复。\n" for p in range(10)))
    scan(project)
    items = list(hits_of(project))
    done: list[tuple[int, int]] = []

    def remove(by: User) -> None:
        many = cleaning.decide_many(items=items, project=project, verdict=CleaningVerdict.SENSITIVE, why="test", by=by)
        done.append((many.done, many.left_out))

    at_once([lambda by=by: remove(by) for by in (person("p1", project=project), person("p2", project=project))])
    assert sorted(done) == [(0, 10), (10, 0)]
    assert CleaningDecision.objects.count() == 10
    assert_all_is_consistent()
