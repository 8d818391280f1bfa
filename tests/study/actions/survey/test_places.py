"""Places of a group: only what counts by the study's rules fills them, and no more people are let in at once."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from core.actions.refusals import Refused
from study.actions.survey import exclusions, participants, studies
from study.domain.survey.platforms import Visitor
from study.models import FormPlaces, Participant, StudyGroup
from study.selectors.survey import places
from study.selectors.survey.fieldwork import fieldwork_of
from tests.study import study_cases


@pytest.fixture
def group(researcher) -> StudyGroup:
    return study_cases.study("lines", by=researcher, groups={"crowd": 10}).groups.get()


def let_in(group: StudyGroup, tried: int) -> list[Participant]:
    """Let so many people try to begin. Return those who were let in."""
    found = []
    for _person in range(tried):
        try:
            found.append(study_cases.begun(group.study))
        except Refused as refused:
            assert refused.code == "full"
    return found


def time_out(*people: Participant) -> None:
    for person in people:
        study_cases.answer(study_cases.counting(person)[0], 0, 1)
    keys = [person.pk for person in people]
    Participant.objects.filter(pk__in=keys).update(deadline_at=timezone.now() - timedelta(minutes=1))


def fail(person: Participant) -> None:
    study_cases.answer(study_cases.counting(person)[0], 0, 1)
    check = study_cases.check_of(person)
    study_cases.answer(check, next(number for number in check.order if number != check.question.answer))
    assert participants.finish(participant=person).state == "failed_checks"


def complete(person: Participant) -> None:
    study_cases.answer(study_cases.counting(person)[0], 0, 1)
    check = study_cases.check_of(person)
    study_cases.answer(check, check.question.answer or 0)
    assert participants.finish(participant=person).state == "complete"


def assert_counts_are_those_of_the_people(group: StudyGroup) -> None:
    held = Participant.objects.filter(group=group, state__in=("consented", "answering", "complete"), has_place=True)
    assert Counter(held.values_list("form", flat=True)) == Counter(
        {each.form: each.taken for each in FormPlaces.objects.filter(group=group) if each.taken}
    )


@pytest.mark.parametrize("is_swept", [True, False])
def test_who_times_out_or_fails_leaves_the_place_to_another(group, is_swept):
    first = let_in(group, 11)
    assert len(first) == 10
    time_out(*first[:3])
    for person in first[3:5]:
        fail(person)
    if is_swept:
        assert participants.close_overdue() == 3
    assert not places.is_full(group)
    second = let_in(group, 7)
    assert len(second) == 5
    assert places.is_full(group)
    for person in first[5:] + second:
        complete(person)
    assert let_in(group, 2) == []
    assert group.participants.filter(state="complete").count() == 10
    forms = Counter(group.participants.filter(state="complete").values_list("form", flat=True))
    assert max(forms.values()) - min(forms.values()) <= 1
    assert_counts_are_those_of_the_people(group)


def test_a_person_without_a_place_comes_back_to_their_outcome(group):
    first = let_in(group, 10)
    time_out(first[0])
    let_in(group, 1)
    first[0].refresh_from_db()
    assert (first[0].state, first[0].code) == ("timed_out", group.study.codes["timed_out"])
    assert not first[0].has_place
    participants.start(participant=first[0])  # once more from an old page: no second start
    assert_counts_are_those_of_the_people(group)


def test_a_place_of_who_has_not_begun_is_free_for_another_after_a_while_and_they_may_find_a_new_one(group):
    waiting = [study_cases.joined(group.study) for _person in range(10)]
    assert let_in(group, 1) == []
    Participant.objects.filter(pk=waiting[0].pk).update(joined_at=timezone.now() - timedelta(minutes=21))
    assert not places.is_full(group)
    assert len(let_in(group, 2)) == 1
    participants.practise(participant=waiting[0], first=0, second=1)
    with pytest.raises(Refused):
        participants.start(participant=waiting[0])
    participants.withdraw(participant=waiting[1])
    assert participants.start(participant=waiting[0]).has_place
    assert_counts_are_those_of_the_people(group)


def test_a_place_is_left_once_however_a_person_ends(group):
    [person, other] = let_in(group, 2)
    fail(person)
    participants.withdraw(participant=person)
    participants.withdraw(participant=person)
    complete(other)
    participants.finish(participant=other)
    participants.close_overdue()
    assert_counts_are_those_of_the_people(group)
    assert FormPlaces.objects.filter(taken=1).count() == 1


def test_forms_are_dealt_by_those_who_count(group):
    """The form of a person who failed is the next one that is dealt."""
    people = let_in(group, 4)
    fail(people[2])
    [another] = let_in(group, 1)
    assert another.form == people[2].form


def rush(person: Participant) -> None:
    """Complete the survey at two milliseconds a question, always by the line at the top."""
    for asked in study_cases.counting(person):
        study_cases.answer(asked, asked.order[0], milliseconds=2)
    check = study_cases.check_of(person)
    study_cases.answer(check, check.question.answer or 0)
    assert participants.finish(participant=person).state == "complete"


@pytest.mark.parametrize("rule", ["too_fast", "straight_lines"])
def test_who_completes_and_is_left_out_by_a_rule_of_the_plan_fills_no_place(researcher, rule):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 2}, settings={rule: 3})
    group = study.groups.get()
    [first, second] = let_in(group, 3)
    rush(first)
    complete(second)
    assert fieldwork_of(study).total.finished == 1
    assert let_in(group, 2) == [study.participants.last()]
    assert_counts_are_those_of_the_people(group)


def test_who_took_part_before_in_a_study_with_the_same_questions_fills_no_place(researcher):
    before = study_cases.study("before", by=researcher)
    study = studies.create(
        slug="lines",
        question_sets=before.question_sets.all(),
        settings={"forms": 2, "per_form": 4, "duplicates": True},
        groups=[("crowd", 1)],
        by=researcher,
    )
    studies.open_(study=study, reason="Written for tests.", by=researcher)
    for each in (before, study):
        person, _secret = participants.join(group=each.groups.get(), visitor=Visitor("prolific", "5f" * 12, {}))
        participants.practise(participant=person, first=0, second=1)
        complete(participants.start(participant=person))
    assert not places.is_full(study.groups.get())


def test_to_exclude_by_hand_frees_the_place_and_to_count_again_takes_one_even_above_the_quota(group, researcher):
    people = let_in(group, 10)
    for person in people[:2]:
        complete(person)
    exclusions.exclude(study=group.study, people=people[1:3], why="Wrote that they guessed.", by=researcher)
    exclusions.exclude(study=group.study, people=people[1:3], why="Once more.", by=researcher)
    assert fieldwork_of(group.study).total.finished == 1
    assert len(let_in(group, 4)) == 2
    complete(people[2])  # under way when they were excluded
    exclusions.take_back(study=group.study, people=people[1:3], why="A mistake.", by=researcher)
    assert sum(FormPlaces.objects.values_list("taken", flat=True)) == 12
    assert let_in(group, 1) == []
    assert_counts_are_those_of_the_people(group)


def test_to_count_again_gives_no_place_to_a_person_whom_a_rule_leaves_out(group, researcher):
    people = let_in(group, 2)
    fail(people[0])
    exclusions.exclude(study=group.study, people=people, why="Wrote that they guessed.", by=researcher)
    exclusions.take_back(study=group.study, people=people, why="A mistake.", by=researcher)
    assert sum(FormPlaces.objects.values_list("taken", flat=True)) == 1


def test_who_is_excluded_before_they_begin_takes_no_place_when_they_do(group, researcher):
    person = study_cases.joined(group.study)
    participants.practise(participant=person, first=0, second=1)
    exclusions.exclude(study=group.study, people=[person], why="Came twice.", by=researcher)
    assert participants.start(participant=person).state == "answering"
    assert not FormPlaces.objects.filter(taken__gt=0).exists()
