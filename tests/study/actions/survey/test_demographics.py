"""Questions about a person: part of a study, written in versions while it is a draft, frozen when it opens."""

import re

import pytest

from core.actions.refusals import Refused
from study.actions.survey import demographics, drafts, participants, studies
from study.domain.survey.phases import Phase
from study.models import Participant
from study.selectors.survey.demographics import demographics_of
from study.selectors.survey.plans import newest_text
from study.selectors.survey.visits import phase
from tests.study import study_cases

FIRST = ["gender", "age", "english", "education"]


def keys(study) -> list[str]:
    return [question.key for question in demographics_of(study)]


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


@pytest.fixture
def draft(researcher):
    return study_cases.study("lines", by=researcher, is_open=False)


@pytest.mark.parametrize(("language", "own"), [("en", "english"), ("zh-hans", "chinese")])
def test_a_study_begins_with_those_of_the_published_one_that_fit_it(researcher, language, own):
    """The five of NUC, 4.4, ask about English and about Ubuntu, which that survey was about."""
    study = study_cases.study("lines", by=researcher, is_open=False, language=language)
    assert keys(study) == ["gender", "age", own, "education"]
    drawn = study_cases.question_set("irc", 8, by=researcher, corpora=("movie", "Ubuntu IRC"))
    drafts.change(study=study, question_sets=[drawn], by=researcher)
    assert keys(study) == ["gender", "age", own, "education", "ubuntu"]


LATIN_OR_UBUNTU = re.compile(r"[A-Za-z]{2,}|英语")


def test_a_chinese_study_about_other_lines_says_nothing_of_ubuntu_or_in_english(researcher):
    """IP is the one Latin word of the consent: an address has no other name in Chinese."""
    drawn = study_cases.question_set("weibo", 8, by=researcher)
    drawn.questions.update(
        context=[{"speaker": "A", "text": "明天考试，好紧张。"}, {"speaker": "B", "text": "早点睡吧。"}],
        candidates=["睡不着怎么办？", "我家的猫今天洗澡了。", "电影票已经退了。", "红叶正好。", "在三号楼。"],
    )
    study = studies.create(
        slug="lines",
        language="zh-hans",
        title="微博下一句",
        question_sets=[drawn],
        settings={"forms": 2, "per_form": 4},
        by=researcher,
    )
    said = [newest_text(study, kind).text for kind in ("consent", "instructions")]
    for question in demographics_of(study):
        said += [question.text, *question.answers.values()]
    for own in study.own_questions.all():
        said += [turn["text"] for turn in own.context] + [*own.candidates, own.explanation]
    assert len(said) > 20
    words = {word for text in said for word in LATIN_OR_UBUNTU.findall(text)} - {"IP"}
    assert words <= set(researcher.name.split())


def test_an_english_study_has_no_chinese_word(researcher):
    study = study_cases.study("films", by=researcher, is_open=False)
    said = [newest_text(study, kind).text for kind in ("consent", "instructions")]
    said += [text for question in demographics_of(study) for text in (question.text, *question.answers.values())]
    for own in study.own_questions.all():
        said += [turn["text"] for turn in own.context] + [*own.candidates, own.explanation]
    assert not re.search("[\u4e00-\u9fff]|Ubuntu", "".join(said))


def test_questions_are_added_changed_moved_and_removed_each_as_a_version(draft, researcher):
    demographics.add(study=draft, text="Films a month", answers=["none", "1 to 4", " ", "more"], by=researcher)
    demographics.move(study=draft, key="films_a_month", steps=-9, by=researcher)
    demographics.remove(study=draft, key="gender", by=researcher)
    demographics.change(study=draft, key="age", text="How old?", answers=["18–20", "older"], by=researcher)
    assert keys(draft) == ["films_a_month", "age", "english", "education"]
    films, age = demographics_of(draft)[:2]
    assert films.answers == {"none": "none", "1_to_4": "1 to 4", "more": "more"}
    assert (age.text, age.answers) == ("How old?", {"18-20": "18–20", "older": "older"})
    assert draft.demographics.count() == 4


@pytest.mark.parametrize("answers", [[], ["one"], ["same", "same"], ["x" * 201, "y"], [str(n) for n in range(21)]])
def test_what_is_no_question_is_refused(draft, researcher, answers):
    assert refusal(demographics.add, study=draft, text="Films", answers=answers, by=researcher) == "demographics_wrong"
    assert refusal(demographics.add, study=draft, text=" ", answers=["a", "b"], by=researcher) == "demographics_wrong"
    assert keys(draft) == FIRST


def test_a_question_that_is_gone_is_not_changed(draft, researcher):
    demographics.remove(study=draft, key="age", by=researcher)
    assert refusal(demographics.remove, study=draft, key="age", by=researcher) == "no_question"
    assert refusal(demographics.move, study=draft, key="age", steps=1, by=researcher) == "no_question"


def test_opening_freezes_them_in_the_plan(draft, researcher):
    demographics.remove(study=draft, key="gender", by=researcher)
    opened = studies.open_(study=draft, by=researcher)
    assert [question["key"] for question in opened.plan["demographics"]] == FIRST[1:]
    assert refusal(demographics.remove, study=draft, key="age", by=researcher) == "plan_frozen"


def test_opening_keeps_the_first_ones_with_the_study(draft, researcher):
    studies.open_(study=draft, by=researcher)
    assert draft.demographics.count() == 1
    assert keys(draft) == FIRST


def test_people_answer_the_questions_of_their_study(draft, researcher):
    demographics.add(study=draft, text="Films", answers=["none", "some"], by=researcher)
    study = studies.open_(study=draft, by=researcher)
    person = study_cases.joined(study)
    assert phase(person) == Phase.DEMOGRAPHICS
    wrong = {"films": "many"}
    assert refusal(participants.describe, participant=person, demographics=wrong) == "no_choice"
    participants.describe(participant=person, demographics={"films": "some", "age": "18-20"})
    said = Participant.objects.get().demographics
    assert said == dict.fromkeys(FIRST, "") | {"films": "some", "age": "18-20"}


def test_a_study_may_ask_nothing_about_people(researcher):
    settings = {"demographics": "none"}
    study = study_cases.study("lines", by=researcher, settings=settings)
    assert phase(study_cases.joined(study)) == Phase.PRACTICE
    assert "questions about you" not in newest_text(study, "consent").text


def test_they_are_set_in_one_line(researcher):
    settings = {"demographics": "age; Films a month: none | 1-4 | more"}
    study = study_cases.study("lines", by=researcher, settings=settings)
    assert keys(study) == ["age", "films_a_month"]
    with pytest.raises(Refused) as refused:
        study_cases.study("others", by=researcher, settings={"demographics": "height"})
    assert refused.value.code == "demographics_wrong"


def test_the_consent_says_how_many_there_are_until_somebody_writes_it(draft, researcher):
    demographics.remove(study=draft, key="gender", by=researcher)
    assert "three questions about you" in newest_text(draft, "consent").text
    drafts.write_text(study=draft, kind="consent", text="Who: Dr Ada", by=researcher)
    demographics.remove(study=draft, key="age", by=researcher)
    assert newest_text(draft, "consent").text == "Who: Dr Ada"
