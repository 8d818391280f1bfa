"""The plan of a study: practice and checks, the mix of corpora, what opening freezes."""

from collections import Counter

import pytest

from core.actions.refusals import Refused
from study.actions.survey import drafts, groups, own_questions, participants, studies
from study.domain.survey import texts
from study.models import Participant, QuestionPurpose, Study
from study.presenters.plan import outlook_of
from study.presenters.plan_parts import parts_of
from study.selectors.survey import plans
from study.selectors.survey.fieldwork import fieldwork_of
from study.selectors.survey.own_questions import own_questions_of
from study.selectors.survey.plans import prospect_of
from tests.study import study_cases


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


def draft(
    researcher, questions: int = 40, corpora=("movie", "ubuntu"), groups=(("crowd", None), ("lab", 8)), **settings
):
    drawn = study_cases.question_set("drawn", questions, by=researcher, corpora=corpora)
    return studies.create(slug="lines", question_sets=[drawn], settings=settings, groups=groups, by=researcher)


def test_a_lab_gets_forms_of_its_own_with_the_mix_of_its_own(researcher):
    study = draft(researcher, forms=2, per_form=8, mix="lab:ubuntu=75")
    opened = studies.open_(study=study, by=researcher)
    assert opened.plan["mix"] == {"lab": {"ubuntu": 75}}
    assert opened.plan["forms_of_groups"] == {"crowd": [1, 2], "lab": [3, 4]}
    corpora = {f"drawn/q{index}": ("movie", "ubuntu")[index % 2] for index in range(40)}
    mixes = [Counter(corpora[name] for name in form) for form in opened.plan["forms"]]
    assert mixes == [{"movie": 4, "ubuntu": 4}] * 2 + [{"movie": 2, "ubuntu": 6}] * 2
    forms = {group: {study_cases.begun(study, group).form for _person in range(3)} for group in ("crowd", "lab")}
    assert forms == {"crowd": {1, 2}, "lab": {3, 4}}
    for person in Participant.objects.all():
        assert person.presentations.filter(question__purpose="work").count() == 8
    crowd, lab = fieldwork_of(opened).groups
    assert ([row.name for row in crowd.forms], [row.name for row in lab.forms]) == (["1", "2"], ["3", "4"])
    assert lab.quota_of_a_form == 4
    assert prospect_of(opened).shares_questions, "both groups are asked some questions"


def test_without_a_mix_all_groups_share_the_forms(researcher):
    opened = studies.open_(study=draft(researcher, forms=2, per_form=8), by=researcher)
    assert (opened.plan["mix"], opened.plan["forms_of_groups"]) == ({}, {})
    assert [group.forms for group in opened.groups.all()] == [[], []]


@pytest.mark.parametrize(
    ("mix", "code"),
    [("nobody:ubuntu=50", "mix_wrong"), ("lab:radio=50", "mix_wrong"), ("lab:ubuntu=100", "mix_too_large")],
)
def test_a_mix_that_does_not_fit_the_study_keeps_it_closed(researcher, mix, code):
    study = draft(researcher, questions=20, forms=2, per_form=12, mix=mix)
    assert refusal(studies.open_, study=study, by=researcher) == code


DERIVED_WRONG = pytest.mark.parametrize(
    "derived",
    [
        "x=nobody:ubuntu=expert@ubuntu",
        "x=crowd:height=tall@ubuntu",
        "x=crowd:ubuntu=guru@ubuntu",
        "x=crowd:ubuntu=expert@radio",
        "lab=crowd:ubuntu=expert@ubuntu",
    ],
)


@DERIVED_WRONG
def test_a_derived_group_that_does_not_fit_the_study_makes_no_draft(researcher, derived):
    assert refusal(draft, researcher=researcher, forms=2, per_form=8, derived=derived) == "derived_wrong"
    assert not Study.objects.exists()


@DERIVED_WRONG
def test_a_derived_group_that_does_not_fit_the_study_keeps_it_closed(researcher, derived):
    study = draft(researcher, forms=2, per_form=8)
    study.settings |= {"derived": derived}
    study.save()
    assert refusal(studies.open_, study=study, by=researcher) == "derived_wrong"


GURU = {"derived": "guru=crowd:ubuntu=expert@ubuntu"}


@pytest.mark.parametrize(
    ("contrast", "code"),
    [
        ({"primary_group": "nobody", "primary_against": "lab"}, "contrast_group_unknown"),
        ({"primary_group": "crowd", "primary_against": "tfidf; Crowd"}, "contrast_same_group"),
        ({"primary_group": "crowd", "primary_against": ";; "}, "contrast_against_nothing"),
        ({"primary_group": "crowd", "primary_against": "tfidf; Uploaded"}, "contrast_many_models"),
        ({"primary_group": "crowd", "primary_corpus": "radio"}, "contrast_corpus_unknown"),
        ({"primary_group": "crowd", "primary_against": "lab", "primary_metric": "MRR"}, "contrast_metric"),
        ({"primary_group": "crowd", "primary_metric": "R@2", "answer": "first"}, "contrast_metric"),
        ({"primary_group": "guru", "primary_against": "tfidf", **GURU}, "contrast_group_of_corpus"),
        ({"primary_group": "lab", "primary_against": "tfidf; Guru", **GURU}, "contrast_group_of_corpus"),
        (
            {"primary_group": "guru", "primary_against": "tfidf", "primary_corpus": "movie", **GURU},
            "contrast_group_of_corpus",
        ),
        (
            {"primary_group": "guru", "primary_against": "crowd", "primary_corpus": "ubuntu", **GURU},
            "contrast_same_people",
        ),
        ({"primary_group": "crowd", "primary_against": "tfidf; bm25; TF-IDF"}, "contrast_named_twice"),
        ({"primary_group": "crowd", "primary_against": "bm25; tf-idf; TFIDF"}, "contrast_named_twice"),
    ],
)
def test_a_primary_contrast_that_no_answers_can_give_keeps_the_study_closed(researcher, contrast, code):
    study = draft(researcher, forms=2, per_form=8, **contrast)
    assert refusal(studies.open_, study=study, by=researcher) == code
    [analysis] = [part for part in parts_of(study, outlook_of(study, prospect_of(study))) if part.anchor == "analysis"]
    assert analysis.missing


@pytest.mark.parametrize(
    "contrast",
    [
        {"primary_group": "crowd", "primary_against": "a model to come", "primary_metric": "MRR@2"},
        {"primary_group": "guru", "primary_against": "lab; tfidf; bm25", "primary_corpus": "ubuntu", **GURU},
        {"primary_group": "guru", "primary_against": "lab", "corpora": ("ubuntu",), **GURU},
        {"primary_group": "lab", "primary_against": "crowd", "primary_metric": "MRR", "answer": "ranking"},
        {"primary_against": "lab"},
    ],
)
def test_a_primary_contrast_of_groups_and_models_lets_the_study_open(researcher, contrast):
    study = draft(researcher, forms=2, per_form=8, **contrast)
    assert studies.open_(study=study, by=researcher).state == "open"


@pytest.mark.parametrize("contrast", [("crowd", "Lab"), ("lab", "tfidf")])
def test_a_group_that_the_primary_contrast_names_stays(researcher, contrast):
    study = draft(researcher, primary_group=contrast[0], primary_against=contrast[1])
    lab = study.groups.get(name="lab")
    assert refusal(groups.remove, group=lab, by=researcher) == "group_in_contrast"
    drafts.change(study=study, settings={"primary_group": "crowd", "primary_against": "tfidf"}, by=researcher)
    groups.remove(group=lab, by=researcher)
    assert [group.name for group in study.groups.all()] == ["crowd"]


def test_the_plan_holds_all_that_was_fixed(researcher):
    study = draft(
        researcher,
        forms=2,
        per_form=8,
        checks=2,
        failed_checks=2,
        derived="experts=crowd:ubuntu=expert@ubuntu",
        pay="6.50",
        currency="GBP",
        pay_text="paid within a week",
        primary_group="crowd",
        primary_against="lab",
        margin="6",
        analysis="Paired over questions.",
    )
    plan = studies.open_(study=study, by=researcher).plan
    assert {rule["rule"]: rule["threshold"] for rule in plan["rules"]} == {
        "failed_checks": 2,
        "unanswered_check": None,
        "too_few_answers": 1,
        "late_answers": None,
    }
    assert plan["pay"] == {"pay": "6.50", "currency": "GBP", "pay_text": "paid within a week"}
    assert plan["analysis"] == {
        "primary_group": "crowd",
        "primary_against": "lab",
        "primary_metric": "R@1",
        "primary_corpus": "",
        "margin": "6",
        "text": "Paired over questions.",
    }
    [group] = plan["derived_groups"]
    assert (group["name"], list(group["answers"]), list(group["corpora"])) == ("experts", ["expert"], ["ubuntu"])
    assert Counter(each["purpose"] for each in plan["own_questions"]) == {"practice": 1, "check": 2}
    assert plan["pilot"] is False
    assert "Pay: GBP 6.50, paid within a week" in plan["texts"]["consent"]["text"]


def test_a_check_that_asks_for_a_place_has_its_line_there_for_everyone(researcher):
    study = draft(researcher, forms=1, per_form=4, checks=3)
    studies.open_(study=study, by=researcher)
    placed = own_questions_of(study, QuestionPurpose.CHECK).get(place=2)
    for _person in range(6):
        shown = study_cases.begun(study).presentations.get(question=placed)
        assert shown.order.index(placed.answer) == 1
        assert sorted(shown.order) == list(range(5))


def test_every_practice_question_is_answered_before_the_clock_starts(researcher):
    study = draft(researcher, forms=1, per_form=4, practice=2)
    studies.open_(study=study, by=researcher)
    person = study_cases.joined(study)
    participants.describe(participant=person, demographics={})
    assert refusal(participants.practise_next, participant=person) == "not_practised"
    participants.practise(participant=person, first=0, second=1)
    assert refusal(participants.start, participant=person) == "more_practice"
    participants.practise_next(participant=person)
    assert refusal(participants.start, participant=person) == "not_practised"
    [shown] = person.presentations.all()
    assert shown.question.external_id == "practice-2"
    participants.practise(participant=person, first=2, second=1)
    assert participants.start(participant=person).state == "answering"
    practice = Participant.objects.get().practice
    assert practice == {"before": [{"first": 0, "second": 1}], "first": 2, "second": 1}


def words(study, purpose: str) -> list[str]:
    return [each.context[0]["text"] for each in own_questions_of(study, QuestionPurpose(purpose))]


def test_what_a_researcher_wrote_stays_when_the_number_or_the_questions_change(researcher):
    study = draft(researcher, forms=1, per_form=4, checks=2)
    own = own_questions_of(study, QuestionPurpose.CHECK)[0]
    turns = [{"speaker": "A", "text": "Choose the line with a cat."}]
    own_questions.write(question=own, context=turns, candidates=["A cat.", "A dog."], by=researcher)
    other = study_cases.question_set("films", 9, by=researcher, candidates=3)
    drafts.change(study=study, settings={"checks": 4}, question_sets=[other], by=researcher)
    checks = own_questions_of(study, QuestionPurpose.CHECK)
    assert [each.candidates_count for each in checks] == [2, 3, 3, 3]
    assert words(study, "check")[0] == "Choose the line with a cat."
    drafts.change(study=study, settings={"checks": 1, "practice": 3}, by=researcher)
    assert words(study, "check") == ["Choose the line with a cat."]
    assert len(words(study, "practice")) == 3


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"context": [{"speaker": "A", "text": " "}]}, "turns_wrong"),
        ({"candidates": ["one"]}, "lines_wrong"),
        ({"candidates": ["same", "same"]}, "lines_wrong"),
        ({"place": 3}, "place_wrong"),
    ],
)
def test_what_is_no_question_is_refused(researcher, changes, code):
    study = draft(researcher, forms=1, per_form=4)
    question = own_questions_of(study, QuestionPurpose.CHECK)[0]
    written = {"context": [{"speaker": "A", "text": "Hello"}], "candidates": ["one", "two"]} | changes
    assert refusal(own_questions.write, question=question, **written, by=researcher) == code


def test_opening_freezes_own_questions(researcher):
    study = draft(researcher, forms=1, per_form=4)
    studies.open_(study=study, by=researcher)
    question = own_questions_of(study, QuestionPurpose.CHECK)[0]
    written = {"context": [{"speaker": "A", "text": "Hello"}], "candidates": ["one", "two"]}
    assert refusal(own_questions.write, question=question, **written, by=researcher) == "plan_frozen"


def test_new_default_texts_leave_a_study_as_it_was_opened(researcher, monkeypatch):
    opened = studies.open_(study=draft(researcher), by=researcher)
    frozen, checksum = opened.plan["texts"], opened.plan_checksum
    monkeypatch.setitem(texts.INSTRUCTIONS, "en", "Other words. {asked}")
    opened.refresh_from_db()
    assert (opened.plan["texts"], opened.plan_checksum) == (frozen, checksum)
    assert plans.newest_text(opened, "instructions").text == frozen["instructions"]["text"]
    assert plans.first_text(opened, "instructions").startswith("Other words.")
