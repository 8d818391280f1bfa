"""Decisions of an adjudicator about pairs whose grades lie too far apart, and their effect on pair, slot
and figures.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions.adjudication import adjudication
from annotation.actions.adjudication.adjudication import Decision
from annotation.actions.cleaning.cleaning import undo
from annotation.actions.projects import projects
from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import imported_ratings, ratings, simulation
from annotation.actions.releases import releases
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.exporters.card import data_card
from annotation.models import Adjudication, Assignment, CleaningDecision, Item, Project, Purpose, Slot, Step
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.projects.board import board_of
from annotation.selectors.projects.progress import funnel_of, progress_of
from annotation.selectors.rating.pairs import numbers_to_void
from annotation.selectors.releases.releases import instances_of, manifest_of
from core.models import Event, Role, User
from tests import cleaning, factories
from tests.annotation.actions.queue.assigned_work import expire_all, history, refused, state
from tests.factories import no_progress

GOOD, REMOVE = Decision(4, ""), Decision(None, "ambiguous")


@pytest.fixture
def asking(project: Project, researcher: User) -> Project:
    """Return the cast's project with pairs and an adjudicator who decides in disputes."""
    factories.pairs(project, 6)
    switch(project, "on", by=researcher)
    return project


@pytest.fixture
def pairs(asking: Project) -> list[Item]:
    return list(asking.items.order_by("position"))


@pytest.fixture
def disputed(asking: Project, annotator: User, partner: User, pairs: list[Item]) -> Item:
    """Return the first pair, graded 1 and 5."""
    factories.grade_next(asking, annotator, 1)
    factories.grade_next(asking, partner, 5)
    return pairs[0]


def switch(project: Project, adjudicate: str, *, by: User) -> None:
    projects.change_settings(project=project, settings={"adjudicate": adjudicate}, by=by)


def take(project: Project, by: User) -> Assignment | None:
    return next(iter(assignments.claim(project=project, step=Step.ADJUDICATE, by=by)), None)


def decide(project: Project, by: User, decision: Decision = GOOD) -> Assignment:
    assignment = take(project, by)
    adjudication.decide(assignment=assignment, decision=decision, by=by)
    return assignment


def grades_given(project: Project, *grades: tuple[int, int]) -> None:
    """Let two annotators of the cast give these grades to the next pairs."""
    an, bo = User.objects.get(username="an"), User.objects.get(username="bo")
    factories.grade_next(project, an, *(first for first, _second in grades))
    factories.grade_next(project, bo, *(second for _first, second in grades))


# ---- what comes to an adjudicator -----------------------------------------------------------------------------------
def test_without_the_setting_a_wide_gap_removes_the_pair_and_asks_nobody(project, annotator, partner, inspector):
    [item] = factories.pairs(project, 1)
    grades_given(project, (1, 5))
    assert state(item) == ItemState.REMOVED
    assert not Slot.objects.filter(queue__step=Step.ADJUDICATE).exists()


def test_a_pair_too_far_apart_waits_for_one_third_person(asking, disputed, inspector, pairs):
    assert state(disputed) == ItemState.DISPUTED
    slot = Slot.objects.get(queue__step=Step.ADJUDICATE)
    assert (slot.item, slot.required, slot.free) == (disputed, 1, 1)
    grades_given(asking, (3, 4))
    assert state(pairs[1]) == ItemState.KEPT
    assert Slot.objects.filter(queue__step=Step.ADJUDICATE).count() == 1
    assert take(asking, inspector).slot == slot


def test_two_third_persons_never_hold_the_same_pair(asking, disputed, inspector):
    assert take(asking, inspector).slot.item == disputed
    assert take(asking, factories.person("ivo", Role.INSPECTOR, project=asking)) is None


def test_who_graded_a_pair_never_decides_about_it(asking, disputed, annotator, newcomer):
    for person in (annotator, newcomer):
        factories.change_role(person, asking, Role.INSPECTOR)
    assert take(asking, annotator) is None
    assert take(asking, newcomer) is not None


def test_an_annotator_who_gets_hold_of_an_assignment_all_the_same_is_refused(asking, disputed, annotator):
    slot = Slot.objects.get(queue__step=Step.ADJUDICATE)
    assignment = Assignment.objects.create(
        slot=slot, slot_number=1, person=annotator, lease_until=timezone.now() + timedelta(hours=1)
    )
    with refused("own_item"):
        adjudication.decide(assignment=assignment, decision=GOOD, by=annotator)
    assert not Adjudication.objects.exists()


def test_a_pair_that_does_not_count_is_no_dispute(asking, annotator, partner, pairs):
    for purpose in (Purpose.GOLD, Purpose.PRACTICE, Purpose.PILOT):
        factories.plant(asking, purpose, annotator, partner)
    assert not Slot.objects.filter(queue__step=Step.ADJUDICATE).exists()


def test_a_pair_whose_text_is_not_here_is_removed_by_its_gap(asking, researcher, tmp_path):
    (tmp_path / "grades.csv").write_text("item,rater,grade\nq1,a,1\nq1,b,5\n")
    imported_ratings.import_ratings(project=asking, path=tmp_path / "grades.csv", report=no_progress, by=researcher)
    assert state(asking.items.get(external_id="q1")) == ItemState.REMOVED


# ---- deciding -------------------------------------------------------------------------------------------------------
def test_the_third_persons_grade_keeps_the_pair(asking, disputed, inspector):
    assignment = decide(asking, inspector, Decision(3, "versatile"))
    assert state(disputed) == ItemState.KEPT
    made = Adjudication.objects.get()
    assert (made.assignment, made.grade, made.reason, made.guideline.number) == (assignment, 3, "versatile", 1)
    assert history(assignment) == [("", "held"), ("held", "submitted")]
    assert history(disputed) == [("open", "disputed"), ("disputed", "kept")]


def test_the_third_person_may_remove_the_pair_with_a_reason(asking, disputed, inspector):
    decide(asking, inspector, REMOVE)
    assert state(disputed) == ItemState.REMOVED
    assert Adjudication.objects.get().reason == "ambiguous"


def test_the_event_of_a_decision_says_no_content(asking, disputed, inspector):
    decide(asking, inspector, Decision(3, "versatile"))
    events = Event.objects.filter(by=inspector)
    assert {(event.was, event.became, event.why) for event in events} == {
        ("", "held", ""),
        ("held", "submitted", ""),
        ("disputed", "kept", ""),
    }


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        (Decision(6, ""), "grade_outside"),
        (Decision(3, ""), "reason_missing"),
        (Decision(4, "versatile"), "reason_wrong"),
        (Decision(None, ""), "reason_wrong"),
        (Decision(None, "versatile"), "reason_wrong"),
    ],
)
def test_a_decision_off_the_guideline_is_refused_and_nothing_is_stored(asking, disputed, inspector, decision, code):
    assignment = take(asking, inspector)
    with refused(code):
        adjudication.decide(assignment=assignment, decision=decision, by=inspector)
    assert state(disputed) == ItemState.DISPUTED
    assert not Adjudication.objects.exists()


def test_nobody_decides_on_an_assignment_of_somebody_else(asking, disputed, inspector, newcomer):
    assignment = take(asking, inspector)
    with refused("not_yours"):
        adjudication.decide(assignment=assignment, decision=GOOD, by=newcomer)
    assert state(disputed) == ItemState.DISPUTED
    assert not Adjudication.objects.exists()


def test_a_decision_can_be_made_anew_and_the_first_stays_as_history(asking, disputed, inspector):
    assignment = decide(asking, inspector, REMOVE)
    adjudication.decide(assignment=assignment, decision=GOOD, again=True, by=inspector)
    assert state(disputed) == ItemState.KEPT
    assert [(each.grade, each.replaced_at is None) for each in Adjudication.objects.order_by("pk")] == [
        (None, False),
        (4, True),
    ]
    assert history(assignment)[-1] == ("submitted", "grade changed")


def test_a_second_tab_never_writes_over_what_was_decided_in_the_first(asking, disputed, inspector):
    assignment = decide(asking, inspector, REMOVE)
    again = adjudication.decide(assignment=assignment, decision=REMOVE, by=inspector)  # sent twice, after a lost answer
    with refused("decided"):
        adjudication.decide(assignment=assignment, decision=GOOD, by=inspector)
    assert state(disputed) == ItemState.REMOVED
    assert list(Adjudication.objects.all()) == [again]


def test_a_skip_leaves_the_pair_to_another_third_person(asking, disputed, inspector):
    assignment = take(asking, inspector)
    adjudication.skip(assignment=assignment, reason="unclear", by=inspector)
    assert take(asking, inspector) is None
    assert take(asking, factories.person("ivo", Role.INSPECTOR, project=asking)) is not None
    assert state(disputed) == ItemState.DISPUTED


def test_an_assignment_whose_time_is_over_goes_to_others_and_its_late_decision_is_refused(asking, disputed, inspector):
    assignment = take(asking, inspector)
    expire_all()
    decide(asking, factories.person("ivo", Role.INSPECTOR, project=asking))
    with refused("moved_on"):
        adjudication.decide(assignment=assignment, decision=REMOVE, by=inspector)
    assert state(disputed) == ItemState.KEPT


# ---- grades that change later ---------------------------------------------------------------------------------------
def test_a_grade_changed_to_agree_takes_the_pair_from_the_third_person(asking, disputed, annotator, inspector):
    assignment = take(asking, inspector)
    own = Assignment.objects.get(person=annotator)
    ratings.change(assignment=own, grade=4, by=annotator)
    assert state(disputed) == ItemState.KEPT
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.RETURNED
    assert take(asking, inspector) is None
    with refused("moved_on"):
        adjudication.decide(assignment=assignment, decision=REMOVE, by=inspector)
    ratings.change(assignment=own, grade=1, reason="nonsense", by=annotator)
    assert state(disputed) == ItemState.DISPUTED
    assert take(asking, inspector).slot.item == disputed


def test_a_decision_outlives_a_change_of_the_grades(asking, disputed, annotator, inspector):
    decide(asking, inspector, REMOVE)
    own = Assignment.objects.get(person=annotator)
    ratings.change(assignment=own, grade=4, by=annotator)
    assert state(disputed) == ItemState.KEPT
    ratings.change(assignment=own, grade=2, reason="echoing", by=annotator)
    assert state(disputed) == ItemState.REMOVED


def test_a_decision_that_is_no_longer_needed_is_counted_nowhere(asking, disputed, annotator, inspector):
    decide(asking, inspector)
    funnel = funnel_of(asking)
    assert (funnel.kept, funnel.adjudicated, funnel.apart) == (1, 1, 1)
    ratings.change(assignment=Assignment.objects.get(person=annotator), grade=4, by=annotator)
    funnel = funnel_of(asking)
    assert (funnel.kept, funnel.adjudicated, funnel.apart) == (1, 0, 0)


def test_a_voided_decision_asks_again_and_never_the_same_person(asking, disputed, inspector, researcher):
    decide(asking, inspector)
    since = timezone.now() - timedelta(hours=1)
    assert voiding.void_work(project=asking, person=inspector, since=since, why="clicked through", by=researcher) == 1
    assert state(disputed) == ItemState.DISPUTED
    assert take(asking, inspector) is None
    decide(asking, factories.person("ivo", Role.INSPECTOR, project=asking), REMOVE)
    assert state(disputed) == ItemState.REMOVED


def test_as_many_grades_and_decisions_are_voided_as_were_announced(asking, disputed, inspector, researcher):
    decide(asking, inspector)
    assert numbers_to_void([disputed]) == {disputed.pk: 3}
    assert voiding.void_grades(items=[disputed], project=asking, why="A wrong scale.", by=researcher) == 3
    assert numbers_to_void([disputed]) == {}


def test_a_voided_grade_takes_the_pair_back_to_the_annotators(asking, disputed, annotator, inspector, researcher):
    assignment = take(asking, inspector)
    since = timezone.now() - timedelta(hours=1)
    voiding.void_work(project=asking, person=annotator, since=since, why="clicked through", by=researcher)
    assert state(disputed) == ItemState.OPEN
    assert Assignment.objects.get(pk=assignment.pk).state == AssignmentState.RETURNED


# ---- the setting ----------------------------------------------------------------------------------------------------
def test_switched_on_late_the_removed_pairs_come_to_a_third_person(project, annotator, partner, inspector, researcher):
    first, second, third = factories.pairs(project, 3)
    grades_given(project, (1, 5), (3, 3), (5, 2))
    switch(project, "on", by=researcher)
    assert [state(item) for item in (first, second, third)] == ["disputed", "kept", "disputed"]
    assert [decide(project, inspector).slot.item for _time in range(2)] == [first, third]


def test_switched_off_what_nobody_decided_is_removed_and_what_was_decided_stays(
    asking, annotator, partner, inspector, researcher, pairs
):
    grades_given(asking, (1, 5), (2, 5), (1, 4))
    decide(asking, inspector)
    assignment = take(asking, inspector)
    switch(asking, "off", by=researcher)
    assert [state(item) for item in pairs[:3]] == ["kept", "removed", "removed"]
    assert take(asking, inspector) is None
    with refused("moved_on"):
        adjudication.decide(assignment=assignment, decision=GOOD, by=inspector)
    switch(asking, "on", by=researcher)
    assert [state(item) for item in pairs[:3]] == ["kept", "disputed", "disputed"]
    assert {decide(asking, inspector, REMOVE).slot.item for _time in range(2)} == set(pairs[1:3])


@pytest.mark.parametrize("spelled", ["maybe", 2, ""])
def test_the_setting_is_on_or_off(project, researcher, spelled):
    with refused("settings_wrong"):
        projects.change_settings(project=project, settings={"adjudicate": spelled}, by=researcher)
    project.refresh_from_db()
    assert project.rating.adjudicate is False


def test_a_new_project_may_ask_from_its_first_pair_on(researcher):
    project = projects.create(slug="zhihu", kind="rating", settings={"adjudicate": "yes"}, by=researcher)
    assert project.rating.adjudicate is True
    assert project.queues.filter(step=Step.ADJUDICATE).exists()


# ---- figures and releases -------------------------------------------------------------------------------------------
def test_agreement_never_counts_a_third_persons_grade(asking, annotator, partner, inspector, pairs):
    grades_given(asking, (1, 5), (2, 5), (3, 3), (4, 5), (2, 2), (3, 4))
    before = agreement_report(asking, draws=20)
    decide(asking, inspector, Decision(5, "informative"))
    decide(asking, inspector, REMOVE)
    after = agreement_report(asking, draws=20)
    assert (before["kept"], before["removed"], before["disputed"], before["adjudicated"]) == (4, 2, 2, 0)
    assert (after["kept"], after["removed"], after["disputed"], after["adjudicated"]) == (4, 2, 0, 1)
    assert [after[part] for part in ("items", "before", "after", "pairs")] == [
        before[part] for part in ("items", "before", "after", "pairs")
    ]
    assert after["after"]["gap_le_1"] == 1


def test_the_funnel_says_what_third_persons_did(asking, annotator, partner, inspector):
    grades_given(asking, (1, 5), (2, 5), (1, 4), (4, 5))
    decide(asking, inspector)
    decide(asking, inspector, REMOVE)
    funnel = board_of(asking).funnel
    assert (funnel.pairs, funnel.rated, funnel.apart) == (6, 4, 3)
    assert (funnel.adjudicated, funnel.disputed, funnel.removed, funnel.kept) == (1, 1, 1, 2)
    progress = progress_of(asking)
    assert (progress["open"], progress["disputed"], progress["kept"], progress["removed"]) == (2, 1, 2, 1)


def test_a_third_person_is_no_annotator_on_the_board(asking, disputed, inspector):
    decide(asking, inspector)
    assert {each.person.username for each in board_of(asking).people} == {"an", "bo"}


def test_a_release_marks_adjudicated_pairs_with_the_third_persons_grade(
    asking, annotator, partner, inspector, researcher
):
    grades_given(asking, (1, 5), (3, 4), (2, 5), (1, 4))
    decide(asking, inspector, Decision(5, "interesting"))
    decide(asking, inspector, REMOVE)
    release = releases.freeze(project=asking, seed=0, report=no_progress, by=researcher)
    pairs = {pair["grades"][0]: pair for pair in instances_of(release)}
    assert sorted(pairs) == [1, 3]
    assert (pairs[1]["grade"], pairs[1]["grades"], pairs[1]["raters"]) == (5.0, [1, 5], ["r1", "r2"])
    assert (pairs[1]["adjudicated"], pairs[3]["adjudicated"], pairs[3]["grade"]) == (True, False, 3.5)
    assert release.counts["left_out"] == {"open": 2, "removed": 1, "disputed": 1}
    assert "1 more waited for an adjudicator" in data_card(manifest_of(release))


def test_a_release_without_decisions_has_the_same_checksum_whatever_the_setting(
    project, annotator, partner, researcher, inspector
):
    factories.pairs(project, 3)
    grades_given(project, (3, 4), (1, 5), (4, 4))
    plain = releases.freeze(project=project, seed=0, report=no_progress, by=researcher)
    switch(project, "on", by=researcher)
    decide(project, inspector, REMOVE)
    asked = releases.freeze(project=project, seed=0, report=no_progress, by=researcher)
    assert asked.checksum == plain.checksum
    assert all("adjudicated" not in pair for pair in instances_of(asked))


def test_a_bot_decides_about_what_the_others_left_far_apart(project, researcher):
    factories.pairs(project, 60)
    switch(project, "on", by=researcher)
    simulation.simulate_annotators(project=project, people=4, report=no_progress, by=researcher)
    states = set(project.items.values_list("state", flat=True))
    assert states <= {ItemState.KEPT, ItemState.REMOVED}
    decided = Adjudication.objects.counting()
    assert 0 < decided.count() == Slot.objects.filter(queue__step=Step.ADJUDICATE).count()
    roles = dict(project.memberships.values_list("person", "role"))
    assert {roles[each.assignment.person_id] for each in decided} == {Role.INSPECTOR}
    assert decided.filter(grade__isnull=False).count() == agreement_report(project, draws=0)["adjudicated"]


# ---- cleaning before a decision -------------------------------------------------------------------------------------
def test_a_disputed_pair_that_cleaning_removes_needs_no_third_person_until_that_is_undone(
    asking, disputed, inspector, newcomer
):
    assignment = take(asking, inspector)
    cleaned = clean(asking, disputed, by=newcomer)
    assert state(disputed) == ItemState.CLEANED
    assert take(asking, inspector) is None
    with refused("moved_on"):
        adjudication.decide(assignment=assignment, decision=GOOD, by=inspector)
    undo(decision=cleaned, by=newcomer)
    assert state(disputed) == ItemState.DISPUTED
    decide(asking, inspector)
    assert state(disputed) == ItemState.KEPT


def test_a_pair_that_comes_back_from_cleaning_without_a_dispute_asks_no_third_person(
    asking, disputed, annotator, inspector, newcomer, researcher
):
    cleaned = clean(asking, disputed, by=newcomer)
    since = timezone.now() - timedelta(hours=1)
    voiding.void_work(project=asking, person=annotator, since=since, why="clicked through", by=researcher)
    undo(decision=cleaned, by=newcomer)
    assert state(disputed) == ItemState.OPEN
    assert take(asking, inspector) is None


def clean(project: Project, item: Item, *, by: User) -> CleaningDecision:
    """Remove the pair as sensitive."""
    cleaning.put_words(project, "还没有")
    cleaning.scan(project)
    return cleaning.decide(project, by, item, CleaningVerdict.SENSITIVE)
