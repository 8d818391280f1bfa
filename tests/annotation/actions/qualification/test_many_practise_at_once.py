"""Authors with two windows practise while inspectors grade: one draft for each slot, one grade for each draft."""

from collections import Counter

import pytest

from annotation.actions.inspection import inspections
from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.domain.workflow import AssignmentState, AttemptState
from annotation.models import Assignment, Attempt, Inspection, PracticeDraft, Project, Step
from core.actions.refusals import Refused
from core.models import Role, User
from tests.annotation.actions.cleaning.test_many_clean_at_once import at_once
from tests.factories import person
from tests.rewriting import CANDIDATES, practice_items, rewriting_project

DRAFTS = 6


def practise(project: Project, by: User) -> None:
    """Write one draft after the other, as one of two windows of the same person, until none is assigned."""
    while claimed := assignments.claim(project=project, step=Step.WRITE, by=by):
        try:
            rewrite = rewrites.open_assignment(assignment=claimed[0], by=by)
            rewrites.submit(rewrite=rewrite, cut=3, candidates=CANDIDATES, revision=rewrite.revision, by=by)
        except Refused as refused:
            assert refused.code in {"assignment_over", "submitted", "stale"}  # the other window was quicker


def grade(project: Project, by: User, wanted: int) -> None:
    """Grade all there is, until all drafts are graded; an inspector has one window."""
    while PracticeDraft.objects.exclude(is_accepted=None).count() < wanted:
        for assignment in assignments.claim(project=project, step=Step.INSPECT, by=by):
            inspection = inspections.open_assignment(assignment=assignment, by=by)
            inspections.answer(inspection=inspection, candidate=0, by=by)
            inspections.decide(
                inspection=inspection,
                is_correct=True,
                is_unique=False,
                is_revisable=None,
                comments={"0": "Too near."},
                by=by,
            )


@pytest.mark.django_db(transaction=True)
def test_no_draft_is_lost_or_graded_twice_and_no_attempt_is_longer_than_it_may_be(researcher):
    chosen = {"practice": DRAFTS, "practice_window": 2, "practice_threshold": 100, "practice_attempts": 1}
    project = rewriting_project(researcher, **chosen)
    practice_items(project, 4)
    authors = [person(name, project=project) for name in ("an", "bo")]
    inspectors = [person(name, Role.INSPECTOR, project=project) for name in ("ivo", "ute")]
    writing = [lambda by=by: practise(project, by) for by in authors for _window in range(2)]
    grading = [lambda by=by: grade(project, by, len(authors) * DRAFTS) for by in inspectors]
    at_once([*writing, *grading])

    assert sorted(Attempt.objects.values_list("person__username", "number", "state")) == [
        ("an", 1, AttemptState.FAILED),
        ("bo", 1, AttemptState.FAILED),
    ]
    for attempt in Attempt.objects.all():
        assert [draft.position for draft in attempt.drafts.all()] == list(range(1, DRAFTS + 1))
    decided = Inspection.objects.filter(decided_at__isnull=False)
    assert set(Counter(decided.values_list("rewrite", flat=True)).values()) == {1}
    met = Assignment.objects.filter(slot__queue__step=Step.WRITE).values_list("person", "slot")
    assert set(Counter(met).values()) == {1}
    assert not Assignment.objects.filter(state=AssignmentState.HELD).exists()
