"""Pages to delete and to duplicate a project."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import bots, guidelines, projects
from annotation.models import CleaningRule, Kind, Project
from core.models import Account, Name, Role
from tests import dialogues, factories


def client_of(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def client(researcher) -> Client:
    return client_of(researcher)


def test_settings_lead_to_duplicating_archiving_and_deleting(client, project):
    page = client.get(reverse("settings", args=[project.slug])).content.decode()
    for name in ("duplicate_project", "archive_project", "delete_project"):
        assert f'href="{reverse(name, args=[project.slug])}"' in page


def test_a_page_says_what_goes_and_then_it_is_gone(client, project):
    factories.pairs(project, 3)
    address = reverse("delete_project", args=[project.slug])
    shown = client.get(address)
    assert shown.context["holds"] == []
    assert any(each.startswith("3 ") for each in shown.context["contents"])
    assert client.post(address).url == reverse("home")
    assert not Project.objects.filter(pk=project.pk).exists()
    assert client.get(reverse("board", args=[project.slug])).status_code == 404
    assert client.get(reverse("people")).status_code == 200


def test_what_holds_a_project_is_said_and_archiving_is_offered(client, project, annotator):
    factories.pairs(project, 3)
    factories.grade_next(project, annotator, 4, 3)
    page = client.get(reverse("delete_project", args=[project.slug]))
    assert [(hold.code, hold.number) for hold in page.context["holds"]] == [("done", 2)]
    content = page.content.decode()
    assert f'href="{reverse("archive_project", args=[project.slug])}"' in content
    assert '<form class="row" method="post">' not in content


def test_who_begins_to_work_after_the_page_was_shown_holds_the_project(client, project, annotator):
    factories.pairs(project, 3)
    address = reverse("delete_project", args=[project.slug])
    assert client.get(address).context["holds"] == []
    factories.take(project, annotator)
    answer = client.post(address, follow=True)
    assert Project.objects.filter(pk=project.pk).exists()
    assert answer.redirect_chain == [(address, 302)]
    assert [hold.code for hold in answer.context["holds"]] == ["at_work"]
    assert len(list(answer.context["messages"])) == 1


def test_only_researchers_of_the_project_delete_it(project, annotator):
    stranger = factories.person("stranger", Role.RESEARCHER)
    assert client_of(annotator).post(reverse("delete_project", args=[project.slug])).status_code == 403
    assert client_of(stranger).post(reverse("delete_project", args=[project.slug])).status_code == 404
    assert Project.objects.filter(pk=project.pk).exists()


# ---- duplicates -----------------------------------------------------------------------------------------------------
def duplicate(client, project, **typed) -> Project:
    sent = {"title": "Weibo again", "slug": "weibo-again", **typed}
    assert client.post(reverse("duplicate_project", args=[project.slug]), sent).url == reverse(
        "imports", args=[sent["slug"]]
    )
    return Project.objects.get(slug=sent["slug"])


def test_a_duplicate_has_the_settings_guideline_and_rules_and_nothing_else(client, researcher, annotator):
    project = projects.create(
        slug="first",
        kind=Kind.RATING,
        settings={"raters": 3, "grades": "0..3", "per_day": 50},
        source_licence="CC BY 4.0",
        annotator_profile="Students.",
        seed=7,
        by=researcher,
    )
    content = project.guidelines.first().content
    content["grades"][0]["name"]["en"] = "Bad"
    guidelines.write(project=project, content=content, by=researcher)
    CleaningRule.objects.create(project=project, key="own", words=["stove"], is_on=False)
    factories.person("member", project=project)
    factories.pairs(project, 3)
    copy = duplicate(client, project)
    assert copy.chosen == project.chosen
    assert (copy.source_licence, copy.annotator_profile, copy.seed) == ("CC BY 4.0", "Students.", 7)
    [guideline] = copy.guidelines.all()
    assert (guideline.number, guideline.content) == (1, project.guidelines.first().content)
    [rule] = copy.cleaning_rules.all()
    assert (rule.key, rule.words, rule.is_on) == ("own", ["stove"], False)
    assert [each.person for each in copy.memberships.all()] == [researcher]
    assert not copy.items.exists()
    factories.pairs(copy, 2)
    assert factories.take(copy, annotator_of(copy))


def annotator_of(project: Project):
    return factories.person(f"rater-of-{project.slug}", project=project)


def test_members_come_along_where_one_says_so(client, project, annotator, inspector):
    working = {each.person.username: each.role for each in project.memberships.select_related("person")}
    bots.bot(project, 1, by=project.created_by)
    copy = duplicate(client, project, with_members="on")
    roles = {each.person.username: each.role for each in copy.memberships.select_related("person")}
    assert roles == working, "a name without an account stays behind"
    assert roles[inspector.username] == Role.INSPECTOR


def test_a_rewriting_project_is_duplicated_with_its_guidelines(client, researcher):
    dream = dialogues.rewriting_project(researcher, inspectors=2)
    copy = duplicate(client, dream)
    assert (copy.kind, copy.chosen) == (Kind.REWRITING, dream.chosen)
    assert copy.guidelines.get().content == dream.guidelines.first().content


def test_a_short_name_is_offered_and_asked_about_where_the_title_cannot_be_spelled(client, project):
    address = reverse("duplicate_project", args=[project.slug])
    assert client.get(address).context["form"]["slug"].value() == f"{project.slug}-2"
    asked = client.post(address, {"title": "微博对话", "slug": ""})
    assert asked.status_code == 422
    assert asked.context["form"]["slug"].value() == "wei-bo-dui-hua"
    assert not Name.objects.filter(name="wei-bo-dui-hua").exists()
    taken = client.post(address, {"title": "Weibo", "slug": project.slug})
    assert taken.context["form"].errors["slug"]


def test_who_may_not_create_projects_duplicates_none(project):
    colleague = factories.person("colleague", Role.RESEARCHER, project=project)
    type(colleague).objects.filter(pk=colleague.pk).update(account=Account.PERSON)
    client = client_of(type(colleague).objects.get(pk=colleague.pk))
    address = reverse("duplicate_project", args=[project.slug])
    assert client.get(address).status_code == 403
    assert f'href="{address}"' not in client.get(reverse("settings", args=[project.slug])).content.decode()
