"""Deviations from a frozen plan, copies of a study, and pilots."""

import pytest

from core.actions.refusals import Refused
from core.models import Event, User
from core.models.people import Role
from study.actions.survey import (
    copies,
    demographics,
    deviations,
    drafts,
    exclusions,
    groups,
    own_questions,
    participants,
    studies,
)
from study.domain.survey.platforms import Visitor
from study.models import Deviation, Participant, QuestionPurpose, StudyMembership
from study.selectors.results.results import results_of
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.own_questions import own_questions_of
from study.selectors.survey.plans import newest_text
from tests.study import study_cases


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


def listed(study) -> list[tuple]:
    rows = study.deviations.values_list("what", "subject", "planned", "now", "why", "created_by__username")
    return list(rows)


def test_a_quota_is_extended_with_a_reason_and_listed(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 1, "lab": None})
    crowd, lab = study.groups.order_by("pk")
    study_cases.begun(study)
    assert refusal(deviations.extend, group=crowd, quota=2, why=" ", by=researcher) == "why_missing"
    assert refusal(deviations.extend, group=crowd, quota=1, why="more", by=researcher) == "no_more"
    assert refusal(deviations.extend, group=lab, quota=9, why="more", by=researcher) == "no_more"
    deviations.extend(group=crowd, quota=2, why="Two failed the check.", by=researcher)
    study_cases.begun(study)
    assert listed(study) == [("quota", "crowd", 1, 2, "Two failed the check.", researcher.username)]
    assert study.plan["groups"][0]["quota"] == 1  # the plan stays as it was


def test_a_draft_changes_its_quotas_without_a_deviation(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 1}, is_open=False)
    assert refusal(deviations.extend, group=study.groups.get(), quota=2, why="x", by=researcher) == "not_open"
    groups.change(group=study.groups.get(), quota=2, requires_id=False, by=researcher)
    assert not Deviation.objects.exists()


def test_to_close_before_the_quotas_are_filled_is_listed(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 2, "lab": 1, "friends": None})
    study_cases.finished(study, "crowd")
    study_cases.finished(study, "lab")
    studies.close(study=study, why="The money is spent.", by=researcher)
    assert listed(study) == [("closed early", "crowd", 2, 1, "The money is spent.", researcher.username)]


def test_to_close_early_needs_a_reason(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 2, "friends": None})
    study_cases.finished(study, "crowd")
    assert refusal(studies.close, study=study, why=" ", by=researcher) == "why_missing"
    study_cases.finished(study, "crowd")
    study_cases.begun(study, "friends")
    assert refusal(studies.close, study=study, by=researcher) == "why_missing"
    study.refresh_from_db()
    assert (study.state, listed(study)) == ("open", [])
    studies.close(study=study, why="The money is spent.", by=researcher)
    assert listed(study) == [("closed early", "", None, 1, "The money is spent.", researcher.username)]


def test_to_close_when_all_have_come_and_ended_needs_none(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 1, "friends": None})
    study_cases.finished(study, "crowd")
    study_cases.joined(study, "friends")  # agreed, and never began
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert listed(study) == []


@pytest.mark.parametrize(
    "why", ["5f3c9a is a bot", "Ask Ann@Example.org.", "Session 77ab-x was sold.", "it was ERNA", "“伟民”重复参加"]
)
def test_a_reason_that_tells_who_a_participant_is_is_refused(researcher, why):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 1})
    visitor = Visitor("prolific", "5f3c9a", {"SESSION_ID": "77ab-x"})
    person, _secret = participants.join(group=study.groups.get(), visitor=visitor)
    for name in ("erna", "weimin"):
        expert = User.objects.create(username=name, name="伟民" if name == "weimin" else "")
        StudyMembership.objects.create(study=study, person=expert, role=Role.EXPERT)
    for act in (exclusions.exclude, exclusions.take_back):
        assert refusal(act, study=study, people=[person], why=why, by=researcher) == "names_person"
    assert refusal(deviations.extend, group=study.groups.get(), quota=2, why=why, by=researcher) == "names_person"
    assert refusal(studies.close, study=study, why=why, by=researcher) == "names_person"
    assert (listed(study), Event.objects.exclude(why="").count()) == ([], 0)


def test_an_imported_label_is_no_reason_but_a_word_that_begins_so_is(researcher):
    study = study_cases.study("lines", by=researcher)
    person = study_cases.finished(study)
    Participant.objects.filter(pk=person.pk).update(label="rater")
    assert refusal(exclusions.exclude, study=study, people=[person], why="rater: bot", by=researcher) == "names_person"
    exclusions.exclude(study=study, people=[person], why="The raters met.", by=researcher)


def test_a_person_is_excluded_by_hand_and_taken_back(researcher):
    study = study_cases.study("lines", by=researcher)
    person, _other = study_cases.finished(study), study_cases.finished(study)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert results_of(study)["people"] == 2
    assert refusal(exclusions.exclude, study=study, people=[person], why="", by=researcher) == "why_missing"
    exclusions.exclude(study=study, people=[person], why="Wrote that they guessed.", by=researcher)
    exclusions.exclude(study=study, people=[person], why="again", by=researcher)
    assert results_of(study)["people"] == 1
    assert results_of(study, without=["excluded_by_hand"])["people"] == 2
    [rule] = [each for each in results_of(study)["rules"] if each["rule"] == "excluded_by_hand"]
    assert (rule["people"], rule["threshold"]) == (1, None)
    exclusions.take_back(study=study, people=[person], why="A mistake.", by=researcher)
    assert results_of(study)["people"] == 2
    assert [(what, subject, why) for what, subject, _planned, _now, why, _by in listed(study)] == [
        ("excluded", str(person.public_id), "Wrote that they guessed."),
        ("taken back", str(person.public_id), "A mistake."),
    ]
    participants.withdraw(participant=person)
    assert refusal(exclusions.exclude, study=study, people=[person], why="x", by=researcher) == "withdrew"


def test_a_copy_begins_with_the_plan_of_the_study(researcher):
    settings = {"checks": 2, "mix": "lab:movie=100", "pay": "6", "currency": "GBP"}
    study = study_cases.study(
        "lines", by=researcher, is_open=False, groups={"crowd": 9, "lab": None}, settings=settings
    )
    demographics.remove(study=study, key="gender", by=researcher)
    drafts.write_text(study=study, kind="consent", text="Who: Dr Ada", by=researcher)
    groups.change(group=study.groups.get(name="lab"), quota=None, requires_id=True, by=researcher)
    check = own_questions_of(study, QuestionPurpose.CHECK)[1]
    turns = [{"speaker": "A", "text": "Choose the cat."}]
    own_questions.write(question=check, context=turns, candidates=["A cat.", "A dog."], by=researcher)
    study = studies.open_(study=study, reason="Written for tests.", by=researcher)

    copy = copies.duplicate(study=study, slug="lines-2", by=researcher)
    assert (copy.state, copy.copy_of, copy.title) == ("draft", study, study.title)
    assert copy.settings == study.survey.as_mapping()
    opened = studies.open_(study=copy, reason="Written for tests.", by=researcher)
    ours, theirs = ({**each.plan, "texts": None} for each in (study, opened))
    assert ours == theirs
    assert newest_text(opened, "consent").text == "Who: Dr Ada"
    assert [each.key for each in demographics_of(opened)] == ["age", "english", "education"]
    assert not {group.token for group in study.groups.all()} & {group.token for group in opened.groups.all()}
    assert opened.codes != study.codes


def test_a_pilot_is_the_same_study_whose_answers_never_count(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    pilot = copies.duplicate(study=study, slug="lines-pilot", is_pilot=True, by=researcher)
    pilot = studies.open_(study=pilot, by=researcher)
    assert pilot.plan["pilot"] is True
    assert study_cases.finished(pilot).state == "complete"
    studies.close(study=pilot, why="Written for tests.", by=researcher)
    assert results_of(pilot)["answers"] == 0
    study = studies.open_(study=study, by=researcher)
    assert study.plan["forms"] == pilot.plan["forms"]
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert results_of(study)["answers"] == 0
