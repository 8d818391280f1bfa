"""Recruiting of an open study: joining paused and resumed, quotas extended, each with its line in the audit log."""

import pytest
from django.urls import reverse

from core.actions.refusals import Refused
from core.models import Event
from study.actions.survey import deviations, participants, recruiting, studies
from study.models import Participant
from study.selectors.survey.fieldwork import fieldwork_of
from tests.study import study_cases


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": 2, "lab": None})


def test_while_joining_is_paused_no_one_joins_and_who_has_joined_goes_on(study, researcher):
    waiting, answering = study_cases.joined(study), study_cases.begun(study, "lab")
    recruiting.pause(study=study, by=researcher)
    recruiting.pause(study=study, by=researcher)
    assert refusal(participants.join, group=study.groups.get(name="lab")) == "paused"
    participants.practise(participant=waiting, first=0, second=1)
    assert participants.start(participant=waiting).state == "answering"
    assert study_cases.answer(study_cases.counting(answering)[0], 0, 1)
    recruiting.resume(study=study, by=researcher)
    study_cases.joined(study, "lab")
    lines = Event.objects.filter(subject="study", by=researcher).order_by("pk").values_list("became", flat=True)
    assert list(lines)[-2:] == ["joining paused", "joining resumed"]


def test_a_pause_is_told_on_the_page_of_the_link(study, researcher, client):
    recruiting.pause(study=study, by=researcher)
    link = reverse("take", args=[study.groups.get(name="crowd").token])
    assert client.get(link).context["why"] == "paused"
    consented = {"is_adult": "on", "agrees": "on"}
    assert client.post(f"{link}join/", consented).status_code == 409


def test_a_larger_quota_lets_more_people_in(study, researcher):
    crowd = study.groups.get(name="crowd")
    for _person in range(2):
        study_cases.joined(study)
    assert refusal(participants.join, group=crowd) == "full"
    deviations.extend(group=crowd, quota=3, why="two answers were unreadable", by=researcher)
    study_cases.joined(study)
    assert refusal(participants.join, group=crowd) == "full"
    event = Event.objects.latest("pk")
    assert Event.objects.filter(
        subject="studygroup", was="quota 2", became="quota 3", why="two answers were unreadable", by=researcher
    ).exists(), event


@pytest.mark.parametrize(("quota", "why", "code"), [(1, "r", "no_more"), (2, "r", "no_more")])
def test_a_quota_never_becomes_smaller(study, researcher, quota, why, code):
    assert refusal(deviations.extend, group=study.groups.get(name="crowd"), quota=quota, why=why, by=researcher) == code


def test_extending_needs_a_reason_and_an_open_study(study, researcher):
    crowd = study.groups.get(name="crowd")
    assert refusal(deviations.extend, group=crowd, quota=9, why=" ", by=researcher) == "why_missing"
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert refusal(deviations.extend, group=crowd, quota=9, why="more", by=researcher) == "not_open"
    assert refusal(recruiting.pause, study=study, by=researcher) == "not_open"


def test_active_are_those_who_did_something_in_the_last_minutes(study):
    people = [study_cases.begun(study, "lab") for _person in range(3)]
    study_cases.finished(study, "lab")
    assert fieldwork_of(study).active == 3
    Participant.objects.filter(pk=people[0].pk).update(seen_at=people[0].joined_at.replace(year=2020))
    assert fieldwork_of(study).active == 2
    study_cases.answer(study_cases.counting(Participant.objects.get(pk=people[0].pk))[0], 0, 1)
    assert fieldwork_of(study).active == 3
