"""Projects are archived and taken back."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import archiving
from annotation.models import Assignment, Project, Rating
from core.models import Event, Role
from tests import factories


def client_of(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def annotator(project):
    return factories.person("rater", project=project)


def archive(project: Project, by) -> Project:
    archiving.archive(project=project, by=by)
    return Project.objects.get(pk=project.pk)


def test_an_archived_project_is_at_the_foot_of_the_list_and_comes_back(project, researcher):
    other, client = factories.another_project("other", researcher), client_of(researcher)
    board = f'href="{reverse("board", args=[project.slug])}"'
    assert board in client.get(reverse("home")).content.decode()
    assert client.post(reverse("archive_project", args=[project.slug])).url == reverse("board", args=[project.slug])
    home = client.get(reverse("home")).content.decode()
    assert board not in home
    assert reverse("board", args=[other.slug]) in home
    assert f'href="{reverse("archived_projects")}"' in home
    assert board in client.get(reverse("archived_projects")).content.decode()
    assert client.get(reverse("board", args=[project.slug])).status_code == 200
    client.post(reverse("take_back_project", args=[project.slug]))
    assert board in client.get(reverse("home")).content.decode()
    said = Event.objects.filter(subject="project", subject_id=project.pk).values_list("became", flat=True)
    assert [each for each in said if each in ("archived", "taken back")] in (
        ["archived", "taken back"],
        ["taken back", "archived"],
    )


def test_the_only_project_archived_is_found_again(project, researcher):
    archive(project, researcher)
    home = client_of(researcher).get(reverse("home")).content.decode()
    assert f'href="{reverse("archived_projects")}"' in home


def test_archived_work_is_not_given_out_and_what_is_held_is_handed_in(project, researcher, annotator):
    factories.pairs(project, 4)
    [held] = factories.take(project, annotator)
    page = client_of(researcher).get(reverse("archive_project", args=[project.slug])).content.decode()
    assert annotator.name in page
    project = archive(project, researcher)
    assert factories.take(project, annotator, count=3) == [held]
    factories.grade(held)
    assert Rating.objects.count() == 1
    assert factories.take(project, annotator, count=3) == []
    assert Assignment.objects.count() == 1
    work = client_of(annotator).get(reverse("rate", args=[project.slug]))
    assert work.context["project"].archived_at is not None
    assert reverse("rate", args=[project.slug]) not in client_of(annotator).get(reverse("home")).content.decode()


def test_only_researchers_of_the_project_archive_it(project, annotator):
    stranger = factories.person("stranger", Role.RESEARCHER)
    assert client_of(annotator).post(reverse("archive_project", args=[project.slug])).status_code == 403
    assert client_of(stranger).post(reverse("archive_project", args=[project.slug])).status_code == 404
    assert Project.objects.get(pk=project.pk).archived_at is None
