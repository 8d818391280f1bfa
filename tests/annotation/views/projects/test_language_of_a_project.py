"""A project set up by page alone, in one language: none of its pages has a word of the other one."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.cleaning.cleaning import own_rules
from annotation.models import Project
from annotation.selectors.cleaning.cleaning import rules_of, words_of
from core.models import Role
from tests import factories

HAN = re.compile("[\u3400-\u9fff]+")
PAGES = ["board", "imports", "cleaning", "pairs", "flags", "gold", "releases", "members", "guideline", "settings"]


def form_of(page) -> dict[str, str]:
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value is not None and value is not False}


def made_by_page(client: Client, **typed: object) -> Project:
    client.post(reverse("new_project"), form_of(client.get(reverse("new_project"))) | typed)
    return Project.objects.get()


@pytest.fixture
def english(researcher) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(researcher)
    return client


@pytest.fixture
def chinese(researcher) -> Client:
    client = Client(headers={"accept-language": "zh-CN"})
    client.force_login(researcher)
    return client


def test_an_english_project_of_0_to_3_has_no_chinese_word(english):
    """中文 alone is left: the name of the other language, where one may be chosen."""
    project = made_by_page(english, title="Helpdesk replies", lowest=0, highest=3)
    assert (project.slug, project.rating.language) == ("helpdesk-replies", "en")
    shown = [english.get(reverse(name, args=[project.slug])) for name in PAGES]
    rater = Client(headers={"accept-language": "en"})
    rater.force_login(factories.person("vera", Role.ANNOTATOR, project=project))
    shown.append(rater.get(reverse("rate", args=[project.slug])))
    shown.append(english.get(reverse("word_list", args=[project.slug, "coarse"])))
    assert {page.status_code for page in shown} == {200}
    assert {word for page in shown for word in HAN.findall(page.content.decode())} == {"中文"}
    keys = {rule.key for rule in rules_of(project)}
    assert keys >= {"telephone_abroad", "social_security", "street", "email"}
    assert not keys & {"telephone", "identity", "qq", "wechat", "address"}


def test_a_chinese_project_has_chinese_words_alone(chinese):
    project = made_by_page(chinese, title="微博问答对", slug="weibo")
    assert project.rating.language == "zh-hans"
    said = []
    [version] = project.guidelines.all()
    for grade in version.content["grades"]:
        said += [grade["name"], *(kind[part] for kind in grade["types"] for part in ("name", "example"))]
    assert len(said) == 25
    assert all(words["zh"] and not words["en"] for words in said)
    page = chinese.get(reverse("guideline", args=["weibo"])).content.decode()
    assert "nonsense" not in re.sub('value="[a-z_]+"', "", page)
    assert {rule.key for rule in rules_of(project)} >= {"qq", "wechat", "telephone"}
    assert not {rule.key for rule in rules_of(project)} & {"telephone_abroad", "social_security", "street"}
    assert all(HAN.search(word) for word in words_of(project, "coarse"))


def test_a_rewriting_project_begins_with_a_guideline_in_its_language(chinese):
    address = f"{reverse('new_project')}?kind=rewriting"
    chinese.post(address, form_of(chinese.get(address)) | {"title": "听力", "slug": "listening"})
    content = Project.objects.get().guidelines.get().content
    assert all(HAN.search(words["zh"]) and not words["en"] for words in content.values())


def test_a_project_from_before_keeps_the_rules_of_both_languages(project):
    project.settings = {name: value for name, value in project.settings.items() if name != "language"}
    project.save()
    assert [rule.key for rule in rules_of(project)] == [*own_rules("both")]
    assert {"qq", "street"} <= {*own_rules("both")}


def test_another_language_is_chosen_on_the_page_of_settings(english, project):
    address = reverse("settings", args=[project.slug])
    page = english.get(address)
    english.post(address, form_of(page) | {"language": "en", "seen": page.context["seen"]})
    project.refresh_from_db()
    assert project.rating.language == "en"
    assert not HAN.search(str(project.guidelines.first().content))
    assert HAN.search(str(project.guidelines.last().content))  # the version that grades may name


def test_the_board_names_what_is_done_before_rating_until_the_first_grade(english, project, annotator):
    address = reverse("board", args=[project.slug])
    factories.pairs(project, 2)
    page = english.get(address)
    assert page.context["is_before_rating"]
    assert reverse("cleaning", args=[project.slug]) in page.content.decode()
    factories.grade_next(project, annotator, 4)
    assert not english.get(address).context["is_before_rating"]
