"""Bots rate open pairs under the same rules as people, and the same seed gives the same grades."""

from collections import Counter

import pytest

from annotation.actions.projects import archiving, projects
from annotation.actions.queue import assignments
from annotation.actions.rating import simulation
from annotation.domain.rating.rating import reasons_for
from annotation.models import Assignment, Attempt, Cursor, Item, Kind, Project, Purpose, Rating, Slot
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.qualification.gold import gold_grades, judgements
from core.actions.refusals import Refused
from tests import factories
from tests.annotation.actions.qualification import gold_pairs
from tests.factories import no_progress


def simulate(project: Project, **asked: object) -> int:
    asked = {"people": 4, "report": no_progress, "by": project.created_by, **asked}
    return simulation.simulate_annotators(project=project, **asked)


def given(project: Project) -> set[tuple[str, str, int, str]]:
    ratings = Rating.objects.counting().filter(assignment__slot__item__project=project)
    return set(ratings.values_list("assignment__slot__item__digest", "assignment__person__name", "grade", "reason"))


def test_every_pair_gets_its_grades_by_different_bots(project):
    factories.pairs(project, 40)
    assert simulate(project) == 80
    raters = Counter(Assignment.objects.values_list("slot", "person"))
    assert set(raters.values()) == {1}
    assert set(Slot.objects.values_list("free", flat=True)) == {0}
    assert not project.items.filter(state="open").exists()


def test_bots_do_not_work_in_an_archived_project(project, researcher):
    factories.pairs(project, 2)
    archiving.archive(project=project, by=researcher)
    project.refresh_from_db()
    with pytest.raises(Refused) as refused:
        simulate(project)
    assert refused.value.code == "archived"


@pytest.mark.parametrize("asked", [{}, {"kappa": 0.6}, {"kappa": 0.7}, {"kappa": 0.9}], ids=str)
def test_the_filter_removes_the_studys_share_and_leaves_the_kappa_asked_for(project, asked):
    factories.pairs(project, 1_500)
    simulate(project, **asked)
    found = agreement_report(project, draws=10)
    # Standard errors over 1,500 pairs: 0.011 for the share, at most 0.017 for kappa.
    assert found["removed"] / found["items"] == pytest.approx(23_815 / 105_825, abs=0.035)
    assert found["after"]["kappa"] == pytest.approx(asked.get("kappa", 0.8), abs=0.05)
    assert found["before"]["kappa"] < found["after"]["kappa"] - 0.1


def test_reasons_belong_to_their_grades(project):
    factories.pairs(project, 40)
    simulate(project)
    guideline = project.guidelines.get().content
    given = Rating.objects.values_list("grade", "reason")
    offered = {grade: {kind["key"] for kind in reasons_for(guideline, grade)} or {""} for grade in range(1, 6)}
    assert given.count() == 80
    assert [(grade, reason) for grade, reason in given if reason not in offered[grade]] == []
    assert {grade for grade, reason in given if reason} == {grade for grade, keys in offered.items() if keys != {""}}


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
    met = {tuple(sorted(slot.assignments.values_list("person__name", flat=True))) for slot in Slot.objects.all()}
    assert len(met) == 6


def test_bots_go_on_where_people_stopped(project, annotator, partner):
    factories.pairs(project, 10)
    factories.grade_next(project, annotator, 4, 4, 4)
    factories.grade_next(project, partner, 4)
    assert simulate(project) == 20 - 4
    assert Assignment.objects.filter(person__in=[annotator, partner]).count() == 4
    assert simulate(project) == 0, "nothing is open any more"


def test_bots_leave_alone_what_a_person_holds(project, annotator):
    factories.pairs(project, 1)
    [held] = assignments.claim(project=project, step="rate", by=annotator)
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


# ---- practice and gold ----------------------------------------------------------------------------------------------


def test_bots_practise_where_the_project_asks_for_it(project):
    gold_pairs.choose(project, practice=10)
    gold_pairs.import_rows(project, gold_pairs.known(40))
    factories.pairs(project, 20)
    assert simulate(project) == 40
    passed = Attempt.objects.filter(project=project, state="passed")
    assert set(Assignment.objects.values_list("person", flat=True)) <= set(passed.values_list("person", flat=True))
    assert not Attempt.objects.filter(state="open").exists()
    assert simulate(project) == 0
    assert passed.count() == passed.values("person").distinct().count(), "nobody practises after passing"


def test_bots_that_do_not_pass_give_no_grade(project):
    gold_pairs.choose(project, practice=40, practice_accuracy=100, attempts=2)
    gold_pairs.import_rows(project, gold_pairs.known(40))
    factories.pairs(project, 5)
    with pytest.raises(Refused) as refused:
        simulate(project)
    assert refused.value.code == "too_few_free"
    assert set(Attempt.objects.values_list("state", "number")) == {("failed", 1), ("failed", 2)}
    assert not Rating.objects.exists()


def test_without_gold_to_practise_on_nobody_rates(project):
    gold_pairs.choose(project, practice=10)
    factories.pairs(project, 5)
    with pytest.raises(Refused, match="0 of 4 bots may rate"):
        simulate(project)


def test_bots_meet_gold_between_the_pairs_and_it_moves_no_grade(project, researcher):
    plain = projects.create(slug="plain", kind=Kind.RATING, by=researcher)
    gold_pairs.choose(project, gold_first=25, gold_lowest=25, gold_window=100, gold_misses=100)
    gold_pairs.import_rows(project, gold_pairs.known(12))
    for each in (plain, project):
        factories.pairs(each, 200)
        assert simulate(each) == 400
    assert given(project) == given(plain)
    met = Counter(gold_grades(project).values_list("assignment__person__name", flat=True))
    # A quarter of all pairs is a third of those to rate: 133 of 400. Standard error: 13.
    assert len(met) == 4
    assert sum(met.values()) == pytest.approx(400 / 3, abs=50)
    assigned = dict(Cursor.objects.filter(queue__project=project).values_list("person__name", "assigned"))
    rated = Counter(
        Rating.objects.counting()
        .filter(assignment__slot__item__project=project)
        .values_list("assignment__person__name", flat=True)
    )
    assert assigned == met + rated
    judged = judgements(gold_grades(project), project)
    assert 0 < sum(each.rating.grade == each.gold.grade for each in judged) < len(judged)


def test_a_bot_that_misses_too_much_gold_is_paused_and_handed_no_more(project, monkeypatch):
    monkeypatch.setattr(simulation, "CHUNK", 20)
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=1, gold_misses=1)
    gold_pairs.import_rows(project, gold_pairs.known(30))
    factories.pairs(project, 300)
    simulate(project)
    paused = Cursor.objects.filter(queue__project=project, state="paused")
    missed = {each.rating.assignment.person_id for each in judgements(gold_grades(project), project) if each.is_miss}
    assert set(paused.values_list("person", flat=True)) == missed != set()
    for cursor in paused:
        assigned_after = Assignment.objects.of_work().filter(person=cursor.person, ended_at__gt=cursor.paused_at)
        assert not assigned_after.exists()
    with pytest.raises(Refused, match=f"{4 - paused.count()} of 4 bots may rate"):
        simulate(project)
    assert project.items.filter(state="open").exists()
