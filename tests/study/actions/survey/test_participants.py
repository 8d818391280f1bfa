"""People without an account: they join once, within the quota, in balanced forms, and can be forgotten."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core.actions.refusals import Refused
from core.models import Event
from study.actions.survey import participants, studies
from study.domain.survey.platforms import Visitor
from study.models import Answer, Identity, Participant, Presentation, QuestionPurpose, StudyGroup
from tests.study import study_cases

PROLIFIC = Visitor("prolific", "5f3a", {"STUDY_ID": "s1", "SESSION_ID": "x9"})


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": None, "lab": 3})


def test_nobody_joins_before_it_is_open_or_after_it_is_closed(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    assert refusal(participants.join, group=study.groups.get()) == "not_open"
    studies.open_(study=study, by=researcher)
    study_cases.joined(study)
    studies.close(study=study, by=researcher)
    assert refusal(participants.join, group=study.groups.get()) == "closed"


def test_the_secret_is_not_stored_and_finds_its_person(study):
    person, secret = participants.join(group=study.groups.get(name="crowd"))
    assert secret not in str(Participant.objects.values().get())
    assert participants.participant_with(secret, study=study) == person
    assert participants.participant_with("", study=study) is None
    assert participants.participant_with(secret + "x", study=study) is None


def test_a_quota_is_held_and_a_withdrawal_makes_room(study):
    people = [study_cases.joined(study, "lab") for _person in range(3)]
    assert refusal(participants.join, group=study.groups.get(name="lab")) == "full"
    study_cases.joined(study, "crowd")
    participants.withdraw(participant=people[0])
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
    participants.join(group=crowd, visitor=Visitor("mturk", "5f3a", {}))
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
    studies.close(study=study, by=researcher)
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


def test_finishing_tells_who_failed_the_check_and_who_did_not(study):
    good, bad, empty = (study_cases.begun(study) for _person in range(3))
    check = study_cases.check_of(good)
    study_cases.answer(check, check.question.answer, 3)
    study_cases.answer(study_cases.check_of(bad), 3, study_cases.check_of(bad).question.answer)
    states = [participants.finish(participant=person) for person in (good, bad, empty)]
    assert [person.state for person in states] == ["complete", "failed_checks", "complete"]
    assert [person.code for person in states] == [study.codes[person.state] for person in states]
    assert len(set(study.codes.values())) == len(study.codes) == 5
    assert participants.finish(participant=good).ended_at == states[0].ended_at


def test_what_a_browser_left_open_is_closed_after_the_grace_and_not_before(study):
    person, other = study_cases.begun(study), study_cases.begun(study)
    at = person.deadline_at
    assert participants.close_overdue(now=at + timedelta(seconds=2.9)) == 0
    Participant.objects.filter(pk=other.pk).update(deadline_at=at + timedelta(minutes=1))
    assert participants.close_overdue(now=at + timedelta(seconds=3.1)) == 1
    person.refresh_from_db()
    assert (person.state, person.code) == ("timed_out", study.codes["timed_out"])
    assert participants.close_overdue(now=at + timedelta(seconds=3.1)) == 0


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
    assert (left.demographics, left.practice, left.token_digest, left.code, left.started_at) == ({}, {}, "", "", None)
    assert participants.participant_with(secret, study=study) is None
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
