"""Creating a project and changing its settings."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.models import Project, Slot, Step
from core.models import Event, Role
from tests import factories

GOLD = {
    "practice": 0,
    "practice_accuracy": 60,
    "practice_kappa": "0.60",
    "attempts": 3,
    "gold_first": 0,
    "gold_lowest": 2,
    "gold_half": 200,
    "gold_window": 10,
    "gold_misses": 4,
}
STUDY = {"lowest": 1, "highest": 5, "raters": 2, "gap": 1, "per_day": 120, "lease_minutes": 30, **GOLD}
NEW = {"title": "Forum pairs, wave 2", "slug": "", "source_licence": "CC BY 4.0", **STUDY}


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def change(client: Client, project: Project, **typed):
    """Send the form of the page with its present values."""
    seen = projects.as_seen(Project.objects.get(pk=project.pk))
    sent = {"seen": seen, "title": project.title, **STUDY, **typed}
    return client.post(reverse("settings", args=[project.slug]), sent)


def test_a_new_project_belongs_to_its_maker_and_asks_for_pairs_next(client, researcher):
    assert client.post(reverse("new_project"), NEW).url == reverse("imports", args=["forum-pairs-wave-2"])
    project = Project.objects.get()
    assert (project.title, project.source_licence, project.rating.raters) == (NEW["title"], "CC BY 4.0", 2)
    assert project.memberships.get().person == researcher


def test_the_form_begins_with_the_settings_of_the_study(client):
    page = client.get(reverse("new_project")).content.decode()
    for name, value in STUDY.items():
        assert f'name="{name}" value="{value}"' in page


@pytest.mark.parametrize(("typed", "stored"), [("0.45", 45), ("0.29", 29), ("1", 100), ("0", 0), (".5", 50)])
def test_a_kappa_is_typed_as_papers_print_it(client, typed, stored):
    client.post(reverse("new_project"), NEW | {"practice_kappa": typed})
    assert Project.objects.get().rating.practice_kappa == stored


@pytest.mark.parametrize("typed", ["60", "-0.1", "0.455", "high", "NaN", ""])
def test_what_is_no_kappa_is_refused(client, typed):
    answer = client.post(reverse("new_project"), NEW | {"practice_kappa": typed})
    assert "practice_kappa" in answer.context["form"].errors
    assert not Project.objects.exists()


@pytest.mark.parametrize(
    ("title", "short_names"),
    [
        ("Forum pairs", ["forum-pairs", "forum-pairs-2", "forum-pairs-3"]),
        ("微博 chat", ["wei-bo-chat", "wei-bo-chat-2", "wei-bo-chat-3"]),
        ("New", ["new-2", "new-3", "new-4"]),
        ("x" * 120, ["x" * 54, "x" * 54 + "-2", "x" * 54 + "-3"]),
    ],
    ids=["latin", "mixed", "an address of its own", "long"],
)
def test_a_short_name_is_made_from_the_title_and_numbered_when_taken(client, title, short_names):
    for _again in range(3):
        client.post(reverse("new_project"), NEW | {"title": title})
    assert sorted(Project.objects.values_list("slug", flat=True)) == sorted(short_names)


@pytest.mark.parametrize("address", ["new_project", "new_study"])
def test_a_short_name_in_chinese_is_refused_and_pinyin_offered(client, address):
    asked = client.post(reverse(address), NEW | {"title": "Weibo", "slug": "微博"})
    form = asked.context["form"]
    [why] = form.errors["slug"]
    assert (form["slug"].value(), "slug" in why, Project.objects.exists()) == ("wei-bo", False, False)


@pytest.mark.parametrize("address", ["new_project", "new_study"])
def test_a_title_without_latin_letters_asks_for_a_short_name_and_offers_pinyin(client, address):
    """The offer is in the field already: sending the page once more takes it."""
    asked = client.post(reverse(address), NEW | {"title": "微博对话打分 2026"})
    assert "slug" in asked.context["form"].errors
    assert asked.context["form"]["slug"].value() == "wei-bo-dui-hua-da-fen-2026"
    assert not Project.objects.exists()
    if address == "new_project":
        assert 'value="wei-bo-dui-hua-da-fen-2026"' in asked.content.decode()
        client.post(reverse(address), NEW | {"title": "微博对话打分 2026", "slug": "wei-bo-dui-hua-da-fen-2026"})
        assert Project.objects.get().title == "微博对话打分 2026"


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"slug": "new"}, "slug"),
        ({"slug": "forum pairs"}, "slug"),
        ({"slug": "weibo"}, "slug"),
        ({"title": ""}, "title"),
        ({"title": "x" * 121}, "title"),
        ({"lowest": 5, "highest": 1}, "highest"),
        ({"lowest": 1, "highest": 22}, "highest"),
        ({"raters": 0}, "raters"),
        ({"raters": "two"}, "raters"),
        ({"gap": -1}, "gap"),
        ({"per_day": 10**9}, "per_day"),
        ({"lease_minutes": ""}, "lease_minutes"),
    ],
)
def test_what_does_not_do_is_said_at_its_field(client, project, typed, field):
    assert list(client.post(reverse("new_project"), NEW | typed).context["form"].errors) == [field]
    assert Project.objects.count() == 1


@pytest.mark.parametrize("typed", [0, 51, "two", ""])
def test_a_wrong_number_is_answered_with_what_is_allowed(client, typed):
    form = client.post(reverse("new_project"), NEW | {"raters": typed}).context["form"]
    assert form.errors["raters"] == ["A whole number from 1 to 50."]


def test_what_would_turn_the_sentences_around_it_is_left_out_of_a_title(client):
    client.post(reverse("new_project"), NEW | {"title": "Forum\u202e pairs\u2066"})
    assert Project.objects.get().title == "Forum pairs"


def test_a_page_that_was_left_open_does_not_put_back_what_another_has_changed(client, project):
    left_open = client.get(reverse("settings", args=[project.slug])).context["seen"]
    change(client, project, title="Wave two")
    refused = change(client, project, seen=left_open, per_day=77)
    assert "another person has changed these settings since you opened the page" in refused.content.decode()
    project.refresh_from_db()
    assert (project.title, project.rating.per_day) == ("Wave two", 120)
    assert 'name="per_day" value="77"' in refused.content.decode(), "what was chosen stands there"
    assert change(client, project, seen=refused.context["seen"], per_day=77).status_code == 302


def test_settings_change_with_an_event_each_and_the_reason(client, project):
    change(client, project, raters=3, per_day=60, why="a third opinion")
    project.refresh_from_db()
    assert (project.rating.raters, project.rating.per_day) == (3, 60)
    events = Event.objects.filter(subject="project", became__contains=" ").values_list("was", "became", "why")
    assert sorted(events) == [
        ("per_day 120", "per_day 60", "a third opinion"),
        ("raters 2", "raters 3", "a third opinion"),
    ]


def test_source_and_topic_are_switched_on_one_by_one(client, project):
    change(client, project, show_source="on")
    project.refresh_from_db()
    assert (project.rating.show_source, project.rating.show_topic) == (True, False)
    change(client, project, show_topic="on")
    project.refresh_from_db()
    assert (project.rating.show_source, project.rating.show_topic) == (False, True)


def test_saving_without_a_change_leaves_no_event(client, project):
    before = Event.objects.count()
    change(client, project)
    assert Event.objects.count() == before


def test_the_slots_follow_the_number_of_annotators(client, project):
    factories.pairs(project, 3)
    change(client, project, raters=5)
    assert set(Slot.objects.values_list("required", "free")) == {(5, 5)}


def test_while_somebody_rates_the_number_of_annotators_stays_and_everything_with_it(client, project, annotator):
    factories.pairs(project, 3)
    assignments.claim(project=project, step=Step.RATE, by=annotator)
    answer = change(client, project, raters=5, title="Another title")
    assert "people are rating right now" in answer.content.decode()
    project.refresh_from_db()
    assert (project.title, project.rating.raters) == ("Weibo pairs", 2)
    assert set(Slot.objects.values_list("required", flat=True)) == {2}


def test_another_scale_brings_a_guideline_for_it(client, project):
    change(client, project, lowest=-2, highest=2)
    newest = project.guidelines.first()
    assert (newest.number, [guide["grade"] for guide in newest.content["grades"]]) == (2, [-2, -1, 0, 1, 2])


def test_once_somebody_has_graded_scale_annotators_and_gap_are_fixed(client, project, annotator):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 4)
    change(client, project, per_day=60, title="论坛")
    project.refresh_from_db()
    fixed = {"grades": "1..5", "raters": 2, "gap": 1, "language": "both"}
    switches = dict.fromkeys(("adjudicate", "show_source", "show_topic", "show_missed"), False)
    numbers = {"per_day": 60, "lease_minutes": 30, **GOLD, "practice_kappa": 60}
    assert project.rating.as_mapping() == {**fixed, **switches, **numbers}
    assert project.title == "论坛"
    page = client.get(reverse("settings", args=[project.slug])).content.decode()
    assert "Grades have been given" in page
    assert page.count("disabled") == 4


@pytest.mark.parametrize(("name", "value"), [("lowest", 0), ("highest", 9), ("raters", 3), ("gap", 2), ("gap", "?")])
def test_a_page_of_before_the_first_grade_cannot_change_what_is_fixed(client, project, annotator, name, value):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 4)
    answer = change(client, project, **{name: value}, title="论坛")
    assert list(answer.context["form"].errors) == [name]
    assert "Not saved: grades have been given, so this can no longer change." in answer.content.decode()
    was = project.settings
    project.refresh_from_db()
    assert (project.settings, project.title) == (was, "Weibo pairs")


def test_a_title_that_is_too_long_is_refused_at_its_field(client, project):
    assert list(change(client, project, title="x" * 121).context["form"].errors) == ["title"]


def test_others_projects_are_not_there(project):
    stranger = Client()
    stranger.force_login(factories.person("stranger", Role.RESEARCHER))
    assert stranger.get(reverse("settings", args=[project.slug])).status_code == 404
    assert change(stranger, project, title="mine").status_code == 404


def test_annotators_make_no_projects(annotator):
    client = Client()
    client.force_login(annotator)
    assert client.post(reverse("new_project"), NEW).status_code == 403
