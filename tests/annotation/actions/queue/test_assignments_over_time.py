"""Random acts of several people: the rules of assignments hold after every step, and no slot is lost."""

from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from annotation.actions.projects import projects
from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import ratings
from annotation.domain.rating.rating import outcome
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Cursor, Item, Queue, Rating, Slot, Step
from annotation.models.work import BARRING, TAKEN
from core.actions.refusals import Refused
from core.models import Event, Role
from tests import factories

GRADES = st.sampled_from([1, 3, 4, 5])
DEEDS = st.one_of(GRADES, st.sampled_from(["skip", "leave"]))
PEOPLE = st.integers(0, 3)
LONG_AGO = datetime(2000, 1, 1, tzinfo=timezone.get_default_timezone())


class QueueMachine(RuleBasedStateMachine):
    """Four annotators and a researcher on a few pairs. Each example runs in a transaction that is rolled back."""

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    @initialize(raters=st.integers(1, 3), count=st.integers(1, 3))
    def begin(self, raters: int, count: int) -> None:
        self.researcher = factories.person("rui", Role.RESEARCHER)
        self.project = projects.create(slug="p", kind="rating", settings={"raters": raters}, by=self.researcher)
        self.people = [factories.person(f"p{number}", project=self.project) for number in range(4)]
        factories.pairs(self.project, count)

    @rule(person=PEOPLE, count=st.integers(1, 3), does=DEEDS)
    def work(self, person: int, count: int, does: int | str) -> None:
        held = assignments.claim(project=self.project, step=Step.RATE, count=count, by=self.people[person])
        assert all(assignment.state == AssignmentState.HELD for assignment in held)
        assert len(held) >= count or not self.open_to(person)
        for assignment in held[:1]:
            self.act(assignment, does)

    @rule(pick=st.data(), does=DEEDS)
    def come_back_to_an_old_page(self, pick: st.DataObject, does: int | str) -> None:
        if assignment := self.any_assignment(pick):
            self.act(assignment, does)

    def act(self, assignment: Assignment, does: int | str) -> None:
        try:
            if isinstance(does, int):
                assert factories.grade(assignment, does).assignment.state == AssignmentState.SUBMITTED
            elif does == "skip":
                ratings.skip(assignment=assignment, reason="other", by=assignment.person)
        except Refused as refusal:
            assert refusal.code in {"already_rated", "slot_taken", "skipped"}

    @rule(pick=st.data(), grade=GRADES)
    def change(self, pick: st.DataObject, grade: int) -> None:
        if assignment := self.any_assignment(pick):
            try:
                ratings.change(
                    assignment=assignment, grade=grade, reason=factories.REASONS[grade], by=assignment.person
                )
            except Refused as refusal:
                assert refusal.code == "too_late_to_change"

    @rule(pick=st.data())
    def one_lease_ends(self, pick: st.DataObject) -> None:
        if assignment := self.any_assignment(pick):
            Assignment.objects.filter(pk=assignment.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
            assignments.expire_assignments()

    @rule()
    def all_leases_end(self) -> None:
        assignments.expire_assignments(now=timezone.now() + timedelta(days=1))
        assert not Assignment.objects.filter(state=AssignmentState.HELD).exists()

    @rule(person=PEOPLE)
    def void(self, person: int) -> None:
        voiding.void_work(
            project=self.project, person=self.people[person], since=LONG_AGO, why="clicked through", by=self.researcher
        )

    @rule()
    def more_pairs_come(self) -> None:
        factories.pairs(self.project, 1)

    def any_assignment(self, pick: st.DataObject) -> Assignment | None:
        claimed = list(Assignment.objects.select_related("person").order_by("pk"))
        return pick.draw(st.sampled_from(claimed)) if claimed else None

    def open_to(self, person: int) -> list[Slot]:
        barred = Assignment.objects.barring(self.people[person]).values("slot")
        return list(Slot.objects.filter(free__gt=0).exclude(pk__in=barred))

    @invariant()
    def no_slot_has_more_people_than_required_and_nobody_is_there_twice(self) -> None:
        for slot in Slot.objects.prefetch_related("assignments"):
            taken = [assignment for assignment in slot.assignments.all() if assignment.state in TAKEN]
            barred = Counter(
                assignment.person_id for assignment in slot.assignments.all() if assignment.state in BARRING
            )
            assert slot.free == slot.required - len(taken)
            assert {assignment.slot_number for assignment in taken} <= set(range(1, slot.required + 1))
            assert len({assignment.slot_number for assignment in taken}) == len(taken)
            assert all(times == 1 for times in barred.values())

    @invariant()
    def items_are_what_their_counting_grades_say(self) -> None:
        grades: dict[int, list[int]] = {item: [] for item in Item.objects.values_list("pk", flat=True)}
        for item, grade in Rating.objects.counting().values_list("assignment__slot__item", "grade"):
            grades[item].append(grade)
        states = {item: outcome(given, self.project.rating) for item, given in grades.items()}
        assert dict(Item.objects.values_list("pk", "state")) == states

    @invariant()
    def no_cursor_has_passed_a_slot_that_is_open_to_its_person(self) -> None:
        cursors = dict(Cursor.objects.values_list("person", "position"))
        for number, person in enumerate(self.people):
            assert all(slot.position > cursors.get(person.pk, 0) for slot in self.open_to(number))

    @invariant()
    def positions_are_distinct_and_within_the_tail(self) -> None:
        positions = list(Slot.objects.values_list("position", flat=True))
        assert len(set(positions)) == len(positions)
        assert max(positions) <= Queue.objects.get(step=Step.RATE).tail

    @invariant()
    def the_log_ends_with_the_state_each_assignment_is_in(self) -> None:
        logged: dict[int, str] = {}
        for pk, was, became in Event.objects.filter(subject="assignment").values_list("subject_id", "was", "became"):
            assert was == logged.get(pk, "")
            logged[pk] = was if became == "grade changed" else became
        assert logged == dict(Assignment.objects.values_list("pk", "state"))


def test_the_rules_of_assignments_hold_whatever_people_do(db, monkeypatch):
    monkeypatch.setattr(assignments, "LAG", 1)  # so that cursors move on the few pairs of an example
    often = settings(max_examples=25, stateful_step_count=20, derandomize=True, database=None)
    run_state_machine_as_test(QueueMachine, settings=often)
