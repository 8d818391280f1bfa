"""People without an account: they join once, within the quota, in balanced forms, and can be forgotten."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core.actions.refusals import Refused
from core.models import Event
from study.actions.survey import groups, joining, participants, studies
from study.domain.survey.keys import digest_of
from study.domain.survey.platforms import Visitor, visitor_of
from study.models import (
    Answer,
    Identity,
    Participant,
    ParticipantKey,
    Presentation,
    QuestionPurpose,
    Study,
    StudyGroup,
    WithdrawnIdentity,
    people,
)
from study.models.uptime import uptime
from study.selectors.survey.visits import people_at
from tests.study import study_cases

PROLIFIC = Visitor("prolific", "5f3a", {"STUDY_ID": "s1", "SESSION_ID": "x9"})


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": None, "lab": 3})


def with_secret(secret: str, study: Study) -> list[Participant]:
    return people_at(link=study.groups.get(name="crowd").token, digests=(digest_of(secret),))


def test_nobody_joins_before_it_is_open_or_after_it_is_closed(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    assert refusal(participants.join, group=study.groups.get()) == "not_open"
    studies.open_(study=study, by=researcher)
    study_cases.joined(study)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert refusal(participants.join, group=study.groups.get()) == "closed"


def test_the_secret_is_not_stored_and_finds_its_person(study):
    person, secret = participants.join(group=study.groups.get(name="crowd"))
    assert secret not in str(Participant.objects.values().get())
    assert with_secret(secret, study) == [person]
    assert with_secret("", study) == []
    assert with_secret(secret + "x", study) == []


def test_a_quota_is_held_and_a_withdrawal_makes_room(study):
    joined = [study_cases.joined(study, "lab") for _person in range(3)]
    assert refusal(participants.join, group=study.groups.get(name="lab")) == "full"
    study_cases.joined(study, "crowd")
    participants.withdraw(participant=joined[0])
    study_cases.joined(study, "lab")


def test_who_agreed_and_never_began_keeps_no_slot_for_ever(study):
    lab = study.groups.get(name="lab")
    late, *_others = [study_cases.joined(study, "lab") for _person in range(3)]
    Participant.objects.update(joined_at=timezone.now() - timedelta(hours=2))
    others = [study_cases.begun(study, "lab") for _person in range(3)]
    participants.practise(participant=late, first=0, second=1)
    assert refusal(participants.start, participant=late) == "full"
    participants.withdraw(participant=others[0])
    assert participants.start(participant=late).state == "answering"
    assert refusal(participants.join, group=lab) == "full"


def test_forms_stay_balanced_within_each_group(study):
    for _turn in range(3):
        study_cases.joined(study, "crowd")
        study_cases.joined(study, "lab")
    forms = {
        name: sorted(StudyGroup.objects.get(name=name).participants.values_list("form", flat=True))
        for name in ("crowd", "lab")
    }
    assert {name: abs(form.count(1) - form.count(2)) for name, form in forms.items()} == {"crowd": 1, "lab": 1}
    every = forms["crowd"] + forms["lab"]
    assert every.count(1) == every.count(2) == 3


def test_one_person_of_a_platform_takes_a_study_once(study, researcher):
    crowd = study.groups.get(name="crowd")
    person, _secret = participants.join(group=crowd, visitor=PROLIFIC)
    assert refusal(participants.join, group=study.groups.get(name="lab"), visitor=PROLIFIC) == "taken"
    assert Participant.objects.count() == 1
    participants.join(group=crowd, visitor=Visitor("mturk", "5F3A", {}))
    other = study_cases.study("other", by=researcher)
    participants.join(group=other.groups.get(), visitor=PROLIFIC)
    stored = Identity.objects.get(participant=person)
    assert (stored.platform, stored.person, stored.details) == (
        "prolific",
        "5f3a",
        {"STUDY_ID": "s1", "SESSION_ID": "x9"},
    )


def test_a_platforms_number_stands_in_the_identity_and_nowhere_else(study):
    person, _secret = participants.join(group=study.groups.get(name="crowd"), visitor=PROLIFIC)
    participants.withdraw(participant=person)
    others = [row for model in (Participant, Event, Presentation, StudyGroup) for row in model.objects.values()]
    assert "5f3a" not in str(others)
    assert not Identity.objects.exists()


def test_starting_sets_the_time_once(study):
    person = study_cases.begun(study)
    assert person.deadline_at - person.started_at == timedelta(minutes=40)
    again = participants.start(participant=person)
    assert (again.started_at, again.deadline_at) == (person.started_at, person.deadline_at)
    assert Presentation.objects.filter(participant=person).count() == 1 + 4 + 1  # practice, form, check


def test_a_study_without_a_limit_has_no_deadline(researcher):
    study = study_cases.study("slow", by=researcher, settings={"minutes": 0})
    assert study_cases.begun(study).deadline_at is None


def test_nobody_begins_before_the_practice_question_or_after_the_study_has_closed(study, researcher):
    person = study_cases.joined(study)
    assert refusal(participants.start, participant=person) == "not_practised"
    participants.practise(participant=person, first=2, second=0)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert refusal(participants.start, participant=person) == "closed"


def test_each_person_sees_the_candidates_in_an_order_of_their_own_and_under_names_that_say_nothing(study):
    one, other = study_cases.begun(study), study_cases.begun(study)
    third = study_cases.begun(study)
    assert one.form == third.form != other.form
    orders = [{each.question_id: each.order for each in study_cases.counting(person)} for person in (one, third)]
    assert orders[0].keys() == orders[1].keys()
    assert orders[0] != orders[1]
    for each in Presentation.objects.all():
        assert sorted(each.order) == list(range(each.question.candidates_count))
        assert len(set(each.tokens)) == len(each.order)
    tokens = [token for each in Presentation.objects.all() for token in each.tokens]
    assert len(set(tokens)) == len(tokens)


def test_the_check_stands_anywhere_among_the_questions_and_has_as_many_lines(study):
    positions = set()
    for _person in range(20):
        check = study_cases.check_of(study_cases.begun(study))
        assert check.question.candidates_count == 5
        positions.add(check.position)
    assert len(positions) > 2


def test_finishing_tells_who_failed_the_check_left_it_empty_or_gave_too_few_answers(study):
    good, bad, _empty, none = everyone = [study_cases.begun(study) for _person in range(4)]
    for person in everyone[:3]:
        study_cases.answer(study_cases.counting(person)[0], 1, 2)
    for person in (good, none):
        study_cases.answer(study_cases.check_of(person), study_cases.check_of(person).question.answer, 3)
    study_cases.answer(study_cases.check_of(bad), 3, study_cases.check_of(bad).question.answer)
    states = [participants.finish(participant=person) for person in everyone]
    assert [person.state for person in states] == [
        "complete",
        "failed_checks",
        "unanswered_check",
        "too_few_answers",
    ]
    assert [person.code for person in states] == [study.codes[person.state] for person in states]
    assert len(set(study.codes.values())) == len(study.codes) == 7
    assert participants.finish(participant=good).ended_at == states[0].ended_at


def test_what_a_browser_left_open_is_closed_after_the_grace_and_not_before(study):
    person, other = study_cases.begun(study), study_cases.begun(study)
    study_cases.answer(study_cases.counting(person)[0], 1, 2)
    Participant.objects.filter(pk=other.pk).update(deadline_at=timezone.now() + timedelta(minutes=1))
    assert participants.close_overdue() == 0
    Participant.objects.filter(pk=person.pk).update(deadline_at=timezone.now() - timedelta(seconds=3.1))
    assert participants.close_overdue() == 1
    person.refresh_from_db()
    assert (person.state, person.code) == ("timed_out", study.codes["timed_out"])
    assert participants.close_overdue() == 0


def test_withdrawing_deletes_all_but_a_row_without_content(study):
    person, secret = participants.join(group=study.groups.get(name="crowd"), visitor=PROLIFIC)
    participants.describe(participant=person, demographics={"age": "31-40", "gender": "other"})
    participants.practise(participant=person, first=2, second=0)
    participants.start(participant=person)
    for presentation in study_cases.counting(person):
        study_cases.answer(presentation, 1, 2)
    participants.withdraw(participant=person)
    participants.withdraw(participant=person)
    assert not (Presentation.objects.exists() or Answer.objects.exists() or Identity.objects.exists())
    left = Participant.objects.get()
    assert left.state == "withdrawn"
    assert (left.demographics, left.practice, left.code, left.started_at) == ({}, {}, "", None)
    assert not ParticipantKey.objects.exists()
    assert with_secret(secret, study) == []
    assert (left.boot, left.began_at_uptime) == ("", None)
    assert list(Participant.objects.counting()) == []
    events = Event.objects.filter(subject="participant").values_list("was", "became", "why", "by")
    assert list(events) == [
        ("", "consented", "", None),
        ("", "described", "", None),
        ("consented", "answering", "", None),
        ("answering", "withdrawn", "", None),
    ]


@pytest.mark.parametrize("wrong", [{"age": "12"}, {"gender": "x" * 500}])
def test_an_answer_about_oneself_that_was_not_on_offer_is_refused(study, wrong):
    person = study_cases.joined(study)
    assert refusal(participants.describe, participant=person, demographics=wrong) == "no_choice"
    assert Participant.objects.get().demographics == {}


def test_practice_may_be_repeated_until_the_survey_begins(study):
    person = study_cases.joined(study)
    assert refusal(participants.practise, participant=person, first=1, second=1) == "choices_equal"
    participants.practise(participant=person, first=1, second=None)
    participants.practise(participant=person, first=2, second=0)
    person = participants.start(participant=person)
    assert person.practice == {"first": 2, "second": 0}
    assert refusal(participants.practise, participant=person, first=1, second=0) == "begun"
    assert person.presentations.filter(question__purpose=QuestionPurpose.PRACTICE).count() == 1


# ---- a platform's id ----


@pytest.mark.parametrize("again", ["5f3a", "5F3A", " 5f3a ", "5f 3a"])
def test_the_same_id_in_another_case_or_with_blanks_is_the_same_person(study, again):
    crowd = study.groups.get(name="crowd")
    participants.join(group=crowd, visitor=visitor_of({"PROLIFIC_PID": "5f3a"}))
    assert refusal(participants.join, group=crowd, visitor=visitor_of({"PROLIFIC_PID": again})) == "taken"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("{{%PROLIFIC_PID%}}", "placeholder"),
        ("prolific_pid", "placeholder"),
        ("${PROLIFIC_PID}", "placeholder"),
        ("x" * 500, "damaged"),
    ],
)
def test_what_is_no_id_is_nobody(study, typed, code):
    for _person in range(2):
        visitor = visitor_of({"PROLIFIC_PID": typed})
        assert refusal(participants.join, group=study.groups.get(name="crowd"), visitor=visitor) == code
    assert not Participant.objects.exists()


def test_an_id_that_withdrew_does_not_join_again_and_cannot_be_read(study, researcher):
    crowd = study.groups.get(name="crowd")
    person, _secret = participants.join(group=crowd, visitor=PROLIFIC)
    participants.withdraw(participant=person)
    again = visitor_of({"PROLIFIC_PID": "5F3A"})
    assert refusal(participants.join, group=crowd, visitor=again) == "withdrawn"
    assert WithdrawnIdentity.objects.get().digest != joining.digest_of("5f3a")  # keyed
    other = study_cases.study("other", by=researcher)
    joined, _secret = participants.join(group=other.groups.get(), visitor=again)
    participants.withdraw(participant=joined)
    assert WithdrawnIdentity.objects.values("digest").distinct().count() == 2  # nothing joins two studies


def test_a_group_may_require_a_platforms_id(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    group = study.groups.get()
    groups.change(group=group, quota=None, requires_id=True, by=researcher)
    opened = studies.open_(study=study, by=researcher)
    assert opened.plan["groups"] == [{"name": "crowd", "quota": None, "requires_id": True}]
    group.refresh_from_db()
    assert refusal(participants.join, group=group) == "no_id"
    participants.join(group=group, visitor=PROLIFIC)


# ---- how many join ----


def test_one_browser_lets_some_people_join_in_an_hour_and_no_more(study):
    crowd, secrets = study.groups.get(name="crowd"), []
    for _person in range(joining.MOST_AN_HOUR):
        secrets.append(participants.join(group=crowd, browser=secrets)[1])
    assert refusal(participants.join, group=crowd, browser=secrets) == "too_many"
    participants.join(group=crowd, browser=secrets, visitor=PROLIFIC)
    participants.join(group=crowd, browser=[])
    Participant.objects.update(joined_at=timezone.now() - timedelta(hours=1, seconds=1))
    participants.join(group=crowd, browser=secrets)


def test_browsers_that_keep_nothing_join_so_many_a_minute(study, monkeypatch):
    monkeypatch.setattr(joining, "MOST_A_MINUTE", 3)
    crowd = study.groups.get(name="crowd")
    for _person in range(3):
        participants.join(group=crowd, browser=[])
    assert refusal(participants.join, group=crowd, browser=[]) == "too_many"
    participants.join(group=study.groups.get(name="lab"), browser=[])
    Participant.objects.update(joined_at=timezone.now() - timedelta(seconds=61))
    participants.join(group=crowd, browser=[])


def test_two_hundred_who_open_a_plain_link_at_once_all_join(study):
    crowd = study.groups.get(name="crowd")
    Participant.objects.bulk_create(Participant(study=study, group=crowd) for _person in range(199))
    assert participants.join(group=crowd, browser=[])


def test_who_gave_too_few_answers_takes_no_place(study):
    begun = [study_cases.begun(study, "lab") for _person in range(3)]
    assert refusal(participants.join, group=study.groups.get(name="lab")) == "full"
    assert participants.finish(participant=begun[0]).state == "too_few_answers"
    study_cases.joined(study, "lab")


# ---- the clock of the server is set ----


@pytest.mark.parametrize("hours", [2, -2])
def test_a_running_survey_goes_on_when_the_servers_clock_is_set(study, monkeypatch, hours):
    person = study_cases.begun(study)
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(hours=hours))
    assert participants.close_overdue() == 0
    assert study_cases.answer(study_cases.counting(person)[0], 1, 2).in_grace is False
    assert Participant.objects.all().still_answering().count() == 1
    ended = participants.finish(participant=person)
    assert ended.state == "unanswered_check"
    assert ended.ended_at - ended.started_at < timedelta(minutes=40)


def test_the_time_of_a_survey_ends_by_the_machines_own_count(study, monkeypatch):
    person = study_cases.begun(study)
    monkeypatch.setattr(people, "uptime", lambda: uptime() + 41 * 60)
    assert refusal(study_cases.answer, presentation=study_cases.counting(person)[0], first=1) == "too_late"
    assert participants.close_overdue() == 1


def test_after_a_restart_the_servers_clock_counts(study, monkeypatch):
    person = study_cases.begun(study)
    monkeypatch.setattr(people, "boot", lambda: "another start")
    assert study_cases.answer(study_cases.counting(person)[0], 1, 2)
    Participant.objects.update(deadline_at=timezone.now() - timedelta(minutes=1))
    assert participants.close_overdue() == 1
