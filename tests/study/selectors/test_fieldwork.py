"""Fieldwork: people by group, form and outcome."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from study.actions.survey import participants
from study.models import Participant
from study.selectors.survey.fieldwork import fieldwork_of
from tests.study import study_cases


def ended_after(study, group: str, minutes: float) -> Participant:
    person = study_cases.finished(study, group)
    person.started_at = person.ended_at - timedelta(minutes=minutes)
    person.save(update_fields=["started_at"])
    return person


def test_nobody_has_come(researcher):
    found = fieldwork_of(study_cases.study("lines", by=researcher, groups={"crowd": 4, "lab": 2}))
    assert [(row.name, row.quota, row.people) for row in found.groups] == [("crowd", 4, 0), ("lab", 2, 0)]
    assert [row.name for row in found.forms] == ["1", "2"]
    assert (found.total.quota, found.total.people, found.median_minutes, found.last_at) == (6, 0, None, None)


def test_people_are_counted_by_group_and_form_and_by_where_they_are(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 4, "lab": None})
    for minutes in (8, 10, 30):
        ended_after(study, "crowd", minutes)
    participants.withdraw(participant=study_cases.begun(study, "crowd"))
    study_cases.begun(study, "lab")
    study_cases.joined(study, "lab")
    found = fieldwork_of(study)
    crowd, lab = found.groups
    assert crowd.states == Counter(complete=3, withdrawn=1)
    assert (crowd.people, crowd.finished, crowd.under_way, crowd.share) == (3, 3, 0, 0.75)
    assert lab.states == Counter(answering=1, consented=1)
    assert (lab.people, lab.finished, lab.under_way, lab.share) == (2, 0, 2, 0.0)
    assert (found.total.quota, found.total.people) == (None, 5)
    assert sum((row.states for row in found.forms), Counter()) == crowd.states + lab.states
    assert found.median_minutes == pytest.approx(10, abs=0.1)


def test_who_failed_the_check_or_ran_out_of_time_has_ended_and_does_not_move_the_median(researcher):
    study = study_cases.study("lines", by=researcher)
    ended_after(study, "crowd", 20)
    failed, late = study_cases.begun(study), study_cases.begun(study)
    for person in (failed, late):
        study_cases.answer(study_cases.counting(person)[0], 0, 1)
    check = study_cases.check_of(failed)
    study_cases.answer(check, next(number for number in check.order if number != check.question.answer))
    participants.finish(participant=failed)
    Participant.objects.filter(pk=late.pk).update(deadline_at=timezone.now() - timedelta(minutes=1))
    participants.close_overdue()
    found = fieldwork_of(study)
    assert found.total.states == Counter(complete=1, failed_checks=1, timed_out=1)
    assert (found.total.finished, found.total.joined) == (1, 3)
    assert found.median_minutes == pytest.approx(20, abs=0.1)


def test_the_last_event_is_an_answer_too(researcher):
    study = study_cases.study("lines", by=researcher)
    person = study_cases.begun(study)
    before = fieldwork_of(study).last_at
    answer = study_cases.answer(study_cases.counting(person)[0], 0, 1)
    assert before < fieldwork_of(study).last_at == answer.answered_at


def test_another_study_moves_nothing(researcher):
    study = study_cases.study("lines", by=researcher)
    study_cases.begun(study_cases.study("others", by=researcher))
    assert fieldwork_of(study).total.states == Counter()
