"""Bots rate what is open, through the same rules as people, and the same seed gives the same grades."""

from collections import Counter

import pytest

from annotation.actions import assignments, projects, simulation
from annotation.actions.refusals import Refused
from annotation.domain.rating import check_reason
from annotation.models import Item, Kind, Place, Project, Purpose, Rating, Seat
from tests import factories
from tests.factories import no_progress


def simulate(project: Project, **asked: object) -> int:
    asked = {"people": 4, "report": no_progress, "by": project.created_by, **asked}
    return simulation.simulate_annotators(project=project, **asked)


def given(project: Project) -> set[tuple[str, str, int, str]]:
    ratings = Rating.objects.counting().filter(seat__place__item__project=project)
    return set(ratings.values_list("seat__place__item__digest", "seat__person__name", "grade", "reason"))


def test_every_pair_gets_its_grades_by_different_bots(project):
    factories.pairs(project, 40)
    assert simulate(project) == 80
    raters = Counter(Seat.objects.values_list("place", "person"))
    assert set(raters.values()) == {1}
    assert set(Place.objects.values_list("free", flat=True)) == {0}
    assert not project.items.filter(state="open").exists()


def test_reasons_belong_to_their_grades(project):
    factories.pairs(project, 40)
    simulate(project)
    guideline = project.guidelines.get().content
    for grade, reason in Rating.objects.values_list("grade", "reason"):
        check_reason(guideline, grade, reason)


def test_the_same_seed_gives_the_same_grades_by_the_same_bots(researcher):
    found = []
    for slug, seed in (("one", 0), ("two", 0), ("three", 1)):
        project = projects.create(slug=slug, kind=Kind.RATING, by=researcher)
        factories.pairs(project, 40)
        simulate(project, seed=seed)
        found.append(given(project))
    first, second, third = found
    assert len(first) == 80
    assert first == second
    assert first != third


def test_everybody_meets_everybody(project):
    factories.pairs(project, 100)
    simulate(project)
    met = {tuple(sorted(place.seats.values_list("person__name", flat=True))) for place in Place.objects.all()}
    assert len(met) == 6


def test_bots_go_on_where_people_stopped(project, rater, partner):
    factories.pairs(project, 10)
    factories.grade_next(project, rater, 4, 4, 4)
    factories.grade_next(project, partner, 4)
    assert simulate(project) == 20 - 4
    assert Seat.objects.filter(person__in=[rater, partner]).count() == 4
    assert simulate(project) == 0, "nothing is open any more"


def test_bots_leave_alone_what_a_person_holds(project, rater):
    factories.pairs(project, 1)
    [held] = assignments.hold(project=project, step="rate", by=rater)
    assert simulate(project) == 1
    factories.grade(held, 3)


def test_people_and_kappa_are_checked(project):
    with pytest.raises(Refused) as refused:
        simulate(project, people=1)
    assert refused.value.code == "too_few_bots"
    with pytest.raises(Refused) as refused:
        simulate(project, kappa=1.5)
    assert refused.value.code == "kappa_wrong"


def test_a_bot_is_made_once_and_cannot_sign_in(project):
    factories.pairs(project, 1)
    simulate(project)
    simulate(project)
    bots = project.memberships.filter(person__username__startswith="weibo/bot-")
    assert bots.count() == 4
    assert not any(member.person.is_active or member.person.has_usable_password() for member in bots)


def test_progress_is_told_in_grades(project):
    told = []
    factories.pairs(project, simulation.CHUNK + 1)
    simulate(project, report=lambda done, total=None: told.append((done, total)))
    assert told == [(2 * simulation.CHUNK, 2 * simulation.CHUNK + 2), (2 * simulation.CHUNK + 2,) * 2]


def test_practice_gold_and_pilot_are_rated_too_and_counted_nowhere(project):
    factories.pairs(project, 4)
    for purpose, item in zip(Purpose, Item.objects.all(), strict=True):
        Item.objects.filter(pk=item.pk).update(purpose=purpose)
    simulate(project)
    assert Rating.objects.count() == 8
    assert Rating.objects.counting().count() == 2
