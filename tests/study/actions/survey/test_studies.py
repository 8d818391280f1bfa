"""Studies: made with what they need, opened once with a plan that never changes, closed."""

from collections import Counter

import pytest

from core.actions import names
from core.actions.refusals import Refused
from core.models import Event, Name
from study.actions.survey import drafts, studies
from study.domain.survey.survey import SurveySettings
from study.models import FormQuestion, Question, QuestionPurpose, Study, StudyText
from study.permissions import studies_of
from tests import factories
from tests.study import study_cases


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


def test_a_study_is_made_with_its_group_texts_practice_and_check(researcher):
    drawn = study_cases.question_set("movies", 8, by=researcher, candidates=4)
    study = studies.create(slug="lines", title="What next", question_sets=[drawn], by=researcher)
    assert [group.name for group in study.groups.all()] == ["crowd"]
    assert sorted(study.texts.values_list("kind", "number", "language")) == [
        ("consent", 1, "en"),
        ("instructions", 1, "en"),
    ]
    own = {each.purpose: each for each in study.own_questions.all()}
    assert own.keys() == {QuestionPurpose.PRACTICE, QuestionPurpose.CHECK}
    assert own[QuestionPurpose.CHECK].candidates_count == 4
    assert not Question.objects.counting().filter(study=study).exists()
    assert Name.objects.filter(name="lines", kind="study").exists()
    assert list(studies_of(researcher)) == [study]
    assert list(studies_of(factories.person("stranger", "researcher"))) == []
    assert Event.objects.filter(subject="study", became="created", by=researcher).count() == 1


def test_a_chinese_study_speaks_chinese(researcher):
    study = study_cases.study("lines", by=researcher, language="zh-hans", is_open=False)
    consent = study.texts.get(kind="consent")
    assert "你将读 5 段" in consent.text
    assert "40 分钟" in consent.text
    assert own_text(study, "practice") == "票你带了吗？"


def own_text(study, purpose):
    return study.own_questions.get(purpose=purpose).context[0]["text"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_attention_check_speaks_as_the_questions_do_and_not_as_the_survey(researcher, language):
    study = study_cases.study("lines", by=researcher, language=language, is_open=False)
    assert own_text(study, "check") == "The bus was late again this morning."
    chinese = study_cases.question_set("films", 3, by=researcher)
    chinese.questions.update(
        context=[{"speaker": "A", "text": "这趟 iPhone 专列停哪儿？"}], candidates=["二站台。"] * 5
    )
    drafts.change(study=study, title=study.title, settings={}, question_sets=[chinese], by=researcher)
    assert own_text(study, "check") == "今天早上公交又晚点了。"
    assert own_text(study, "practice") == ("票你带了吗？" if language == "zh-hans" else "Did you bring the tickets?")


def test_without_questions_the_attention_check_speaks_as_the_survey(researcher):
    study = studies.create(slug="lines", language="zh-hans", by=researcher)
    assert own_text(study, "check") == "今天早上公交又晚点了。"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"slug": "movies"}, "slug_taken"),
        ({"slug": "new"}, "slug_taken"),
        ({"slug": "a b"}, "study_wrong"),
        ({"language": "fr"}, "language_unknown"),
        ({"settings": {"minutes": "forever"}}, "settings_wrong"),
        ({"settings": {"color": "red"}}, "settings_wrong"),
        ({"settings": {"assign": "some"}}, "settings_wrong"),
        ({"groups": [("", None)]}, "group_wrong"),
        ({"groups": []}, "no_groups"),
        ({"groups": [("crowd", 0)]}, "group_wrong"),
        ({"groups": [("crowd", 1), ("crowd ", None)]}, "group_taken"),
        ({"slug": "x" * 61}, "study_wrong"),
        ({"title": "x" * 121}, "study_wrong"),
    ],
)
def test_a_study_that_cannot_be_is_refused_and_nothing_stays(researcher, wrong, code):
    names.claim("movies", "questions")
    assert refusal(studies.create, **{"slug": "lines", "by": researcher, **wrong}) == code
    assert not Study.objects.exists()
    assert Name.objects.count() == 1


def test_what_is_too_long_is_named(researcher):
    with pytest.raises(Refused, match=r"^Short name: .* 60 characters .*61.* Title: .* 120 characters .*130"):
        studies.create(slug="x" * 61, title="y" * 130, by=researcher)


def test_a_question_set_is_asked_once(researcher):
    movies = study_cases.question_set("films", 5, by=researcher)
    with pytest.raises(Refused, match="“films”") as refused:
        studies.create(slug="lines", question_sets=[movies, movies], by=researcher)
    assert refused.value.code == "set_twice"


def test_opening_deals_the_forms_and_freezes_the_plan(researcher):
    study = study_cases.study("lines", by=researcher, questions=12, settings={"forms": 3, "per_form": 4})
    rows = FormQuestion.objects.filter(study=study)
    assert Counter(rows.values_list("form", flat=True)) == {1: 4, 2: 4, 3: 4}
    assert rows.values("question").distinct().count() == 12
    assert study.state == "open"
    assert len(study.plan_checksum) == 64
    assert refusal(studies.open_, study=study, by=researcher) == "opened_already"
    assert refusal(drafts.write_text, study=study, kind="consent", text="x", by=researcher) == "plan_frozen"


def test_the_same_material_and_seed_give_the_same_plan_and_another_seed_another(researcher):
    drawn = study_cases.question_set("movies", 12, by=researcher)
    settings = {"forms": 2, "per_form": 4}
    checksums = []
    for slug, seed in (("one", 7), ("two", 7), ("three", 8)):
        study = studies.create(slug=slug, question_sets=[drawn], settings=settings, seed=seed, by=researcher)
        checksums.append(studies.open_(study=study, by=researcher).plan_checksum)
    assert checksums[0] == checksums[1] != checksums[2]


def test_a_changed_consent_changes_the_plan_and_keeps_the_former_version(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    drafts.write_text(study=study, kind="consent", text="Who: Dr Ada", by=researcher)
    studies.open_(study=study, by=researcher)
    assert study.texts.filter(kind="consent").count() == 2
    assert Study.objects.get().plan["texts"]["consent"] == {"number": 2, "text": "Who: Dr Ada"}
    assert refusal(drafts.write_text, study=study, kind="consent", text=" ", by=researcher) == "plan_frozen"


def test_a_draft_gets_another_title_and_settings_and_its_consent_follows(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    changed = drafts.change(study=study, title=" Which line? ", settings={"minutes": 25, "per_form": 3}, by=researcher)
    assert changed.title == "Which line?"
    assert changed.settings == SurveySettings(minutes=25, forms=2, per_form=3).as_mapping()
    newest = study.texts.filter(kind="consent").first()
    assert newest.number == 2
    assert "4 short conversations" in newest.text  # three and the check
    assert "25 minutes" in newest.text
    assert study.texts.filter(kind="instructions").count() == 1
    events = Event.objects.filter(subject="study").order_by("pk").values_list("was", "became")
    assert list(events)[1:] == [("", "renamed"), ("minutes 40", "minutes 25"), ("per_form 4", "per_form 3")]
    drafts.write_text(study=study, kind="consent", text="Who: Dr Ada", by=researcher)
    drafts.change(study=study, title="Which line?", settings={"minutes": 5}, by=researcher)
    assert study.texts.filter(kind="consent").first().text == "Who: Dr Ada"


def test_in_another_language_a_draft_s_texts_and_own_questions_begin_anew(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    drafts.write_text(study=study, kind="consent", text="Who: Dr Ada", by=researcher)
    drafts.change(study=study, title=study.title, settings={}, language="zh-hans", by=researcher)
    newest = {kind: study.texts.filter(kind=kind).first() for kind in ("consent", "instructions")}
    assert "你将读 5 段" in newest["consent"].text
    assert {(each.number, each.language) for each in newest.values()} == {(3, "zh-hans"), (2, "zh-hans")}
    assert study.texts.filter(text="Who: Dr Ada").exists()
    drafts.change(study=study, title=study.title, settings={}, language="en", by=researcher)
    assert studies.open_(study=study, by=researcher).plan["texts"]["consent"]["number"] == 4
    own = {each["purpose"]: each["context"][0]["text"] for each in Study.objects.get().plan["own_questions"]}
    assert own == {
        "practice": "Did you bring the tickets?",
        "check": "The bus was late again this morning.",
    }
    events = Event.objects.filter(subject="study", was__startswith="language").order_by("pk")
    assert list(events.values_list("was", "became")) == [
        ("language en", "language zh-hans"),
        ("language zh-hans", "language en"),
    ]


def test_the_attention_check_has_as_many_lines_as_the_questions_chosen_last(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    other = study_cases.question_set("films", 9, by=researcher, candidates=3)
    assert study.own_questions.get(purpose="check").candidates_count == 5
    drafts.change(study=study, title=study.title, settings={}, question_sets=[other], by=researcher)
    assert study.own_questions.get(purpose="check").candidates_count == 3
    assert study.question_sets.get() == other
    assert Event.objects.filter(subject="study", became="other question sets").count() == 1


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"language": "fr"}, "language_unknown"),
        ({"title": " "}, "study_wrong"),
        ({"title": "x" * 121}, "study_wrong"),
        ({"settings": {"minutes": 601}}, "settings_wrong"),
        ({"settings": {"color": "red"}}, "settings_wrong"),
    ],
)
def test_what_a_draft_cannot_become_changes_nothing(researcher, wrong, code):
    study = study_cases.study("lines", by=researcher, is_open=False)
    before = Study.objects.values().get()
    change = {"title": "Another", "settings": {"minutes": 5}, **wrong}
    assert refusal(drafts.change, study=study, **change, by=researcher) == code
    assert Study.objects.values().get() == before
    assert study.texts.count() == 2


def test_settings_are_frozen_with_the_plan(researcher):
    study = study_cases.study("lines", by=researcher)
    assert refusal(drafts.change, study=study, title="x", settings={}, by=researcher) == "plan_frozen"


@pytest.mark.parametrize(("questions", "code"), [(0, "no_questions"), (3, "too_few_questions")])
def test_too_few_questions_are_told_with_their_number(researcher, questions, code):
    study = study_cases.study("lines", by=researcher, questions=questions, is_open=False)
    with pytest.raises(Refused) as refused:
        studies.open_(study=study, by=researcher)
    assert refused.value.code == code
    assert str(questions or "no questions") in str(refused.value)
    assert Study.objects.get().state == "draft"
    assert not FormQuestion.objects.exists()


def test_all_questions_in_one_form(researcher):
    study = study_cases.study("ceiling", by=researcher, questions=9, settings={"assign": "all", "minutes": 0})
    assert Counter(FormQuestion.objects.filter(study=study).values_list("form", flat=True)) == {1: 9}


def test_a_study_is_closed_once(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    assert refusal(studies.close, study=study, by=researcher) == "not_open"
    studies.open_(study=study, by=researcher)
    assert studies.close(study=study, why="Written for tests.", by=researcher).closed_at
    assert refusal(studies.close, study=study, by=researcher) == "not_open"


def test_texts_keep_their_versions(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    assert refusal(drafts.write_text, study=study, kind="consent", text=" \n", by=researcher) == "text_empty"
    drafts.write_text(study=study, kind="instructions", text="Choose.", by=researcher)
    assert list(StudyText.objects.filter(kind="instructions").values_list("number", flat=True)) == [2, 1]
