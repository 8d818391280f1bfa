"""Bots take a survey of a running server."""

import pytest
from django.db.models import F

from study.actions.survey import groups, studies
from study.models import Answer, Identity, Participant
from tests.annotation.management.shell import Shell
from tests.study import experts, study_cases


@pytest.mark.django_db(transaction=True)
def test_bots_take_the_survey_over_http_and_the_quota_turns_the_rest_away(live_server, capsys, administrator):
    study = study_cases.study("lines", by=administrator, groups={"crowd": 6, "lab": 2})
    printed = Shell(capsys)("simulate_participants", "lines", "--people", 10, "--url", live_server.url, "--json")
    people = Participant.objects.all()
    completed = people.filter(state="complete").count()
    told = {"study": "lines", "people": 10, "completed": completed, "ended": 8, "turned_away": 2}
    assert printed.json == told
    assert {person.origin for person in people} == {"simulated"}
    assert {person.state for person in people} <= {"complete", "failed_checks"}
    assert {name: study.groups.get(name=name).participants.count() for name in ("crowd", "lab")} == {
        "crowd": 6,
        "lab": 2,
    }
    assert all(person.demographics["age"] for person in people)
    answers = Answer.objects.filter(presentation__participant__in=people)
    assert answers.count() == 8 * 5
    right = answers.filter(first=F("presentation__question__answer")).count()
    assert 20 < right < 40  # far above chance, which is 8 of 40, and short of perfection
    assert all(6_000 <= answer.milliseconds < 45_000 for answer in answers)


@pytest.mark.django_db(transaction=True)
def test_bots_have_an_id_where_a_group_requires_one_and_come_again_as_others(live_server, capsys, administrator):
    study = study_cases.study("lines", by=administrator, is_open=False)
    groups.change(group=study.groups.get(), quota=None, requires_id=True, by=administrator)
    studies.open_(study=study, reason="Written for tests.", by=administrator)
    for people in (2, 4):
        printed = Shell(capsys)("simulate_participants", "lines", "--people", 2, "--url", live_server.url, "--json")
        assert (printed.json["ended"], printed.json["turned_away"]) == (2, 0)
        assert Identity.objects.filter(platform="prolific").count() == people


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("answer", "depth"), [("first", 1), ("ranking", 5)])
def test_bots_go_as_far_as_the_study_asks(answer, depth, live_server, capsys, administrator):
    study_cases.study("lines", by=administrator, settings={"answer": answer})
    Shell(capsys)("simulate_participants", "lines", "--people", 2, "--url", live_server.url, "--json")
    given = Answer.objects.all()
    assert {len(each.ranking) for each in given} == {each.depth for each in given} == {depth}
    assert given.count() == 2 * 5


@pytest.mark.django_db
def test_bots_have_no_account_for_a_study_of_experts(capsys, administrator):
    experts.ceiling(by=administrator)
    printed = Shell(capsys)("simulate_participants", "ceiling", "--people", 1, "--json")
    assert (printed.code, printed.json["code"]) == (1, "signed_in")


@pytest.mark.django_db
def test_bots_cannot_take_a_survey_that_is_not_open(capsys, administrator):
    study_cases.study("lines", by=administrator, is_open=False)
    printed = Shell(capsys)("simulate_participants", "lines", "--people", 1, "--json")
    assert (printed.code, printed.json["code"]) == (1, "not_open")
