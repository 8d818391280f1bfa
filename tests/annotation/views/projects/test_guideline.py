"""The guideline: what annotators read, its versions, and a new one in other words."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.domain.rating.guideline import study_guideline
from annotation.models import GuidelineVersion, Kind
from tests import factories

ADDRESS = "/projects/weibo/guideline/"


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def form_of(client: Client, address: str = ADDRESS) -> dict[str, str]:
    """The fields of the editor as the page fills them."""
    form = client.get(address).context["form"]
    return {name: field.initial for name, field in form.fields.items()}


def test_the_page_shows_the_guideline_in_both_languages(client, project):
    text = client.get(ADDRESS).content.decode()
    for grade in study_guideline()["grades"]:
        for kind in grade["types"]:
            assert kind["example"]["zh"] in text
    assert "Hiking afterwards?" in text


def test_new_words_are_a_new_version_and_the_old_one_stays(client, project, researcher):
    typed = {**form_of(client), "grade1-zh": "很差", "grade3-versatile-example-en": "Mm."}
    client.post(ADDRESS, typed)
    new, old = GuidelineVersion.objects.all()
    assert (new.number, new.created_by, old.content) == (2, researcher, study_guideline())
    expected = study_guideline()
    expected["grades"][0]["name"] = {"zh": "很差", "en": "bad"}
    assert expected["grades"][2]["types"][1]["key"] == "versatile"
    expected["grades"][2]["types"][1]["example"] = {"zh": "嗯，会好的。", "en": "Mm."}
    assert new.content == expected


def test_the_page_shows_the_newest_version_and_older_ones_when_asked(client, project):
    client.post(ADDRESS, {**form_of(client), "grade1-zh": "很差"})
    assert "很差" in client.get(ADDRESS).content.decode()
    older = client.get(ADDRESS, {"version": "1"})
    assert older.context["shown"].number == 1
    assert "no longer in force" in older.content.decode()
    assert client.get(ADDRESS, {"version": "9"}).status_code == 404


def test_the_same_words_are_no_new_version(client, project):
    client.post(ADDRESS, form_of(client))
    assert GuidelineVersion.objects.count() == 1


def test_grades_keep_the_version_they_were_given_under(client, project, annotator):
    factories.pairs(project, 2)
    [first] = factories.grade_next(project, annotator, 4)
    client.post(ADDRESS, {**form_of(client), "grade1-zh": "很差"})
    [second] = factories.grade_next(project, annotator, 4)
    assert [assignment.ratings.get().guideline.number for assignment in (first, second)] == [1, 2]


def test_a_grade_or_type_needs_a_name_in_one_language(client, project):
    typed = {
        **form_of(client),
        "grade1-zh": "",
        "grade1-en": "",
        "grade5-interesting-zh": " ",
        "grade5-interesting-en": "",
    }
    answer = client.post(ADDRESS, typed)
    assert answer.context["form"].errors.keys() == {"grade1-zh", "grade5-interesting-zh"}
    assert GuidelineVersion.objects.count() == 1
    client.post(ADDRESS, {**form_of(client), "grade1-en": "", "grade1-irrelevant-example-en": ""})
    assert GuidelineVersion.objects.count() == 2


def test_words_that_are_too_long_are_said(client, project):
    answer = client.post(ADDRESS, {**form_of(client), "grade1-zh": "差" * 61})
    assert answer.context["form"].errors.keys() == {"grade1-zh"}


def test_words_are_stored_in_one_form_and_shown_as_text(client, project):
    client.post(ADDRESS, {**form_of(client), "grade1-zh": " <b>差</b>\u202e "})
    assert GuidelineVersion.objects.first().content["grades"][0]["name"]["zh"] == "<b>差</b>"
    assert "&lt;b&gt;差" in client.get(ADDRESS).content.decode()


def test_the_bare_guideline_of_another_scale_has_names_alone(client, researcher):
    projects.create(slug="quality", kind=Kind.RATING, settings={"grades": "-2..2"}, by=researcher)
    address = reverse("guideline", args=["quality"])
    typed = form_of(client, address)
    assert len(typed) == 2 * 5
    client.post(address, {**typed, "grade-2-en": "useless"})
    assert GuidelineVersion.objects.first().content["grades"][0]["name"]["en"] == "useless"


def test_a_guideline_of_another_project_is_not_found(client, project):
    stranger = factories.person("sam", "researcher")
    theirs = Client()
    theirs.force_login(stranger)
    assert theirs.get(ADDRESS).status_code == 404
    assert theirs.post(ADDRESS, form_of(client)).status_code == 404
