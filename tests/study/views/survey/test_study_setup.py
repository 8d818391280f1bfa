"""Setting a study up: texts and their versions, groups, researchers, and the preview."""

import re

import pytest
from django.urls import reverse

from core.models import Role
from study.actions.survey import drafts, groups, studies
from study.models import Answer, Participant, StudyText
from study.permissions import studies_of
from study.selectors.survey.plans import counting_questions
from tests import factories
from tests.study import study_cases


@pytest.fixture
def draft(researcher):
    return study_cases.study("lines", by=researcher, is_open=False, groups={"crowd": 9, "lab": None})


@pytest.fixture
def opened(draft, researcher):
    return studies.open_(study=draft, by=researcher)


def post(client, address: str, /, *arguments, **fields: object):
    return client.post(reverse(address, args=["lines", *arguments]), fields, follow=True)


# ---- what participants are told ----


def test_a_new_version_is_written_and_the_old_one_can_be_read(own, draft):
    answer = post(own, "study_text", "consent", text="Who: Ines\n\nYou may stop at any time.")
    assert "Version 2 is saved." in answer.content.decode()
    assert list(draft.texts.filter(kind="consent").values_list("number", flat=True)) == [2, 1]
    old = own.get(reverse("study_text", args=["lines", "consent"]), {"version": "1"})
    assert "This is version 1, no longer current." in old.content.decode()
    assert "<dt>Who</dt><dd>Ines</dd>" in own.get(reverse("study_text", args=["lines", "consent"])).content.decode()


def test_an_empty_text_is_refused(own, draft):
    answer = own.post(reverse("study_text", args=["lines", "consent"]), {"text": " \n "})
    assert (answer.status_code, StudyText.objects.filter(kind="consent").count()) == (422, 1)


def test_texts_are_frozen_with_the_plan(own, opened):
    answer = own.post(reverse("study_text", args=["lines", "instructions"]), {"text": "Guess."})
    assert answer.status_code == 422
    assert "Not saved: the study has been opened, and its plan is frozen." in answer.content.decode()
    assert "<textarea" not in own.get(reverse("study_text", args=["lines", "instructions"])).content.decode()


def test_there_is_no_other_kind_of_text(own, draft):
    assert own.get(reverse("study_text", args=["lines", "greeting"])).status_code == 404


# ---- title and settings ----


CHANGED = {"title": "Which line?", "forms": "3", "per_form": "2", "minutes": "25", "language": "en"}


@pytest.fixture
def changed(draft):
    """Return what the form of the draft sends."""
    return CHANGED | {"question_sets": [each.pk for each in draft.question_sets.all()]}


def test_a_draft_is_given_another_title_and_settings(own, draft, changed):
    answer = post(own, "change_study", **changed)
    assert "The study is changed." in answer.content.decode()
    draft.refresh_from_db()
    assert (draft.title, draft.survey.forms, draft.survey.per_form, draft.survey.minutes) == ("Which line?", 3, 2, 25)
    assert "25 minutes for the whole survey" in answer.content.decode()
    assert "default text, not edited yet" in answer.content.decode()


def test_a_text_is_written_in_the_language_of_the_survey(own, researcher):
    study_cases.study("lines", by=researcher, is_open=False, language="zh-hans")
    for kind in ("consent", "instructions"):
        page = own.get(reverse("study_text", args=["lines", kind])).content.decode()
        assert 'lang="zh-hans"' in re.search(r"<textarea[^>]*>", page)[0]


def test_a_consent_that_names_nobody_is_told_beside_the_opening(own, researcher):
    study_cases.study("lines", by=researcher, is_open=False)
    address = reverse("study", args=["lines"])
    assert "names nobody" not in own.get(address).content.decode()
    researcher.name = ""
    researcher.save()
    study_cases.study("words", by=researcher, is_open=False)
    told = own.get(reverse("study", args=["words"])).content.decode()
    assert "the consent names no contact for participants" in told
    assert 'action="/studies/words/open/"' in told


def test_where_everybody_answers_all_there_are_no_forms_to_change(own, researcher):
    study = study_cases.study("ceiling", by=researcher, is_open=False, settings={"assign": "all"})
    assert 'name="per_form"' not in own.get(reverse("study", args=["ceiling"])).content.decode()
    kept = {"language": "en", "question_sets": [study.question_sets.get().pk]}
    own.post(reverse("change_study", args=["ceiling"]), {"title": "Ceiling", "minutes": "0", **kept})
    study.refresh_from_db()
    assert (study.title, study.survey.minutes, study.survey.assign) == ("Ceiling", 0, "all")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"title": ""}, "This field is required."),
        ({"title": "x" * 121}, "at most 120 characters"),
        ({"minutes": "601"}, "A whole number from 0 to 600."),
        ({"question_sets": []}, "Choose at least one"),
        ({"question_sets": ["0"]}, "Select a valid choice"),
        ({"language": "fr"}, "Select a valid choice"),
    ],
)
def test_what_is_wrong_with_the_settings_stands_on_the_page(own, draft, changed, wrong, told):
    answer = post(own, "change_study", **changed | wrong)
    assert (answer.status_code, told in answer.content.decode()) == (422, True)
    draft.refresh_from_db()
    assert draft.survey.minutes == 40


def test_settings_are_frozen_with_the_plan(own, changed, opened):
    assert "change/" not in own.get(reverse("study", args=["lines"])).content.decode()
    answer = post(own, "change_study", **changed)
    assert answer.status_code == 422
    assert "Not saved: the study has been opened, and its plan is frozen." in answer.content.decode()


def test_a_draft_is_given_other_questions_and_another_language(own, draft, changed, researcher):
    other = study_cases.question_set("films", 20, by=researcher, candidates=3)
    answer = post(own, "change_study", **changed | {"language": "zh-hans", "question_sets": [other.pk]})
    assert "The study is changed." in answer.content.decode()
    draft.refresh_from_db()
    assert ([each.name for each in draft.question_sets.all()], draft.language) == (["films"], "zh-hans")
    assert "你将读 3 段" in answer.content.decode()


def test_nobody_chooses_questions_of_others(own, draft, changed):
    stranger = factories.person("sun", Role.RESEARCHER)
    hidden = study_cases.question_set("hidden", 20, by=stranger)
    answer = post(own, "change_study", **changed | {"question_sets": [hidden.pk]})
    assert answer.status_code == 422
    assert "hidden" not in [each.name for each in draft.question_sets.all()]


# ---- groups ----


def test_the_quota_of_a_group_is_changed_and_taken_away(own, draft):
    crowd = draft.groups.get(name="crowd")
    answer = post(own, "change_quota", crowd.pk, quota="12")
    assert "at most 12 participants" in answer.content.decode()
    crowd.refresh_from_db()
    assert crowd.quota == 12
    post(own, "change_quota", crowd.pk, quota="")
    crowd.refresh_from_db()
    assert crowd.quota is None


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("quota", {"quota": "0", "return_url": "https://lab.example/end"}),
        ("return_url", {"quota": "5", "return_url": f"https://lab.example/{'x' * 500}"}),
    ],
)
def test_what_is_wrong_with_the_settings_of_a_group_is_said_at_its_field_and_all_is_kept(own, draft, field, sent):
    crowd = draft.groups.get(name="crowd")
    answer = post(own, "change_quota", crowd.pk, **sent)
    assert answer.status_code == 422
    page = answer.content.decode()
    [fold] = [
        each for each in page.split("<details")[1:] if f'action="/studies/lines/groups/{crowd.pk}/quota/"' in each
    ]
    assert fold.split(">", 1)[0].endswith(" open")
    assert f'id="id_group_{crowd.pk}_{field}_error"' in fold
    assert all(f'value="{typed}"' in fold for typed in sent.values())
    assert draft.groups.get(name="crowd").quota == crowd.quota


def test_what_experts_are_not_asked_about_stays_when_their_quota_is_changed(own, draft, researcher):
    crowd = draft.groups.get(name="crowd")
    groups.change(group=crowd, quota=4, requires_id=True, return_url="https://lab.example/back", by=researcher)
    drafts.change(study=draft, settings={"takers": "signed-in"}, by=researcher)
    post(own, "change_quota", crowd.pk, quota="5")
    crowd.refresh_from_db()
    assert (crowd.quota, crowd.requires_id, crowd.return_url) == (5, True, "https://lab.example/back")


def test_a_quota_is_frozen_with_the_plan(own, opened):
    crowd = opened.groups.get(name="crowd")
    answer = post(own, "change_quota", crowd.pk, quota="12")
    assert "Not saved: the study has been opened, and its plan is frozen." in answer.content.decode()
    assert opened.groups.get(name="crowd").quota == 9


def test_a_group_is_added_with_a_link_of_its_own(own, draft):
    answer = post(own, "add_group", name=" experts ", quota="10")
    group = draft.groups.get(name="experts")
    assert group.quota == 10
    assert group.token in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "crowd"}, "There is a group “crowd” already."),
        ({"name": ""}, "This field is required."),
        ({"name": "experts", "quota": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_is_wrong_with_a_group_stands_on_the_page(own, draft, fields, told):
    answer = post(own, "add_group", **fields)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert draft.groups.count() == 2


def test_a_group_is_removed_but_not_the_last_one(own, draft):
    crowd, lab = draft.groups.all()
    post(own, "remove_group", lab.pk)
    answer = post(own, "remove_group", crowd.pk)
    assert "A study has at least one group: participants join through its link." in answer.content.decode()
    assert list(draft.groups.all()) == [crowd]


def test_groups_are_frozen_with_the_plan(own, opened):
    answer = post(own, "add_group", name="experts")
    assert "Not saved: the study has been opened, and its plan is frozen." in answer.content.decode()
    post(own, "remove_group", opened.groups.first().pk)
    assert opened.groups.count() == 2


# ---- researchers ----


def test_a_researcher_is_let_in_and_leaves_again(own, draft, colleague):
    post(own, "add_study_member", person=colleague.pk)
    assert list(studies_of(colleague)) == [draft]
    post(own, "remove_study_member", colleague.pk)
    assert list(studies_of(colleague)) == []


def test_nobody_but_researchers_is_let_in(own, draft, colleague):
    annotator = factories.person("ann", Role.ANNOTATOR)
    answer = post(own, "add_study_member", person=annotator.pk)
    assert answer.status_code == 422
    assert "Choose a researcher who does not belong to the study yet." in answer.content.decode()
    assert list(draft.memberships.values_list("person__username", flat=True)) == ["rui"]


def test_whoever_leaves_no_longer_finds_the_study(own, draft, researcher):
    answer = post(own, "remove_study_member", researcher.pk)
    assert answer.redirect_chain[-1][0] == reverse("studies")
    assert own.get(reverse("study", args=["lines"])).status_code == 404


# ---- preview ----


@pytest.mark.parametrize("step", ["consent", "about", "practice", "1", "12"])
def test_the_survey_is_seen_as_participants_will_see_it_and_nothing_is_stored(own, researcher, step):
    study_cases.study("lines", by=researcher, is_open=False, language="zh-hans")
    answer = own.get(reverse("preview_study", args=["lines", step]))
    assert answer.status_code == 200
    assert 'lang="zh-Hans"' in answer.content.decode()
    assert (Participant.objects.count(), Answer.objects.count()) == (0, 0)


def test_checks_are_previewed_beside_a_question(own, researcher):
    study = study_cases.study("lines", by=researcher, is_open=False, settings={"checks": 2})
    seen, step = [], "consent"
    while step:
        seen.append(step)
        shown = own.get(reverse("preview_study", args=["lines", step]))
        assert shown.status_code == 200
        step = shown.context["after"]
    assert seen[:7] == ["consent", "about", "practice", "1", "check", "check-2", "2"]
    assert len(seen) == 5 + counting_questions(study).count()


@pytest.mark.parametrize("step", ["0", "13", "²", "-1", "end", "9999999999999999999999"])
def test_there_is_no_other_page_to_preview(own, draft, step):
    assert own.get(reverse("preview_study", args=["lines", step])).status_code == 404


def test_a_stranger_sets_nothing_up(stranger, draft, researcher, colleague):
    group = draft.groups.first()
    assert stranger.get(reverse("study_text", args=["lines", "consent"])).status_code == 404
    assert stranger.get(reverse("preview_study", args=["lines", "consent"])).status_code == 404
    refused = [
        post(stranger, "study_text", "consent", text="Mine"),
        post(stranger, "add_group", name="mine"),
        post(stranger, "change_quota", group.pk, quota="1"),
        post(stranger, "remove_group", group.pk),
        post(stranger, "add_study_member", person=colleague.pk),
        post(stranger, "remove_study_member", researcher.pk),
    ]
    assert [answer.status_code for answer in refused] == [404] * len(refused)
    assert (draft.groups.count(), draft.memberships.count(), draft.texts.count()) == (2, 1, 2)


# ---- what is personal ----


def test_the_day_of_deletion_is_set_and_told_on_the_pages(own, draft):
    post(own, "study_settings", day="2099-01-31", with_demographics="on")
    draft.refresh_from_db()
    assert (str(draft.forgets_on), draft.forgets_demographics) == ("2099-01-31", True)
    assert 'value="2099-01-31"' in own.get(reverse("study_settings", args=["lines"])).content.decode()


@pytest.mark.parametrize("day", ["2001-01-31", "soon"])
def test_a_day_that_is_none_or_past_is_refused(own, draft, day):
    assert post(own, "study_settings", day=day).status_code == 422
    draft.refresh_from_db()
    assert draft.forgets_on is None
