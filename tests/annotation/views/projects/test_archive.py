"""Projects are archived and taken back."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions.imports.imports import check, store
from annotation.actions.projects import archiving, projects
from annotation.models import Assignment, Import, Item, Project, Queue, Rating, Slot, Step
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


@pytest.mark.parametrize("kind", ["rating", "rewriting"])
def test_the_board_of_an_archived_project_without_items_says_so_and_shows_no_first_steps(researcher, kind):
    empty = archive(projects.create(slug="empty", kind=kind, by=researcher), researcher)
    page = client_of(researcher).get(reverse("board", args=[empty.slug])).content.decode()
    assert "Nothing was imported into this project." in page
    assert "Write the guideline" not in page


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


def test_a_page_left_open_hears_that_an_archived_project_gives_out_nothing(project, researcher, annotator):
    factories.pairs(project, 2)
    waiting = reverse("next_pairs", args=[project.slug])
    client = client_of(annotator)
    held = client.post(waiting, "{}", content_type="application/json").json()
    assert (len(held["pairs"]), "stopped" in held) == (2, False)
    archive(project, researcher)
    for assignment in Assignment.objects.all():
        factories.grade(assignment)
    after = client.post(waiting, "{}", content_type="application/json").json()
    assert (after["pairs"], project.title in after["stopped"], len(after["past"])) == ([], True, 2)


def test_the_board_of_an_archived_project_asks_for_no_work(project, researcher, annotator):
    factories.pairs(project, 2)
    board = reverse("board", args=[project.slug])
    assert client_of(researcher).get(board).context["next"] is not None
    archive(project, researcher)
    assert client_of(researcher).get(board).context["next"] is None


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_people_at_work_are_named_apart(language, project, researcher, annotator):
    factories.pairs(project, 4)
    for person in (annotator, factories.person("second", project=project)):
        factories.take(project, person)
    client = client_of(researcher)
    client.cookies["django_language"] = language
    page = client.get(reverse("archive_project", args=[project.slug])).content.decode()
    assert page.count("</strong> · <strong>") == 1


def test_home_leads_to_what_is_in_hand_until_it_is_handed_in(project, researcher, annotator):
    factories.pairs(project, 4)
    [held] = factories.take(project, annotator)
    archive(project, researcher)
    way = f'href="{reverse("rate", args=[project.slug])}"'
    other = factories.person("other", project=project)
    home = client_of(annotator).get(reverse("home")).content.decode()
    assert way in home
    assert "Nothing is waiting for you" not in home
    assert way not in client_of(other).get(reverse("home")).content.decode()
    assert client_of(annotator).get(reverse("rate", args=[project.slug])).context["pair"]
    factories.grade(held)
    assert way not in client_of(annotator).get(reverse("home")).content.decode()


def test_an_inspector_finds_what_is_in_hand(project, researcher):
    inspector = factories.person("judge", Role.INSPECTOR, project=project)
    [item] = factories.pairs(project, 1)
    queue, _new = Queue.objects.get_or_create(project=project, step=Step.ADJUDICATE)
    slot = Slot.objects.create(item=item, queue=queue, required=1, free=0, position=1)
    Assignment.objects.create(slot=slot, slot_number=0, person=inspector, lease_until=timezone.now())
    archive(project, researcher)
    home = client_of(inspector).get(reverse("home")).content.decode()
    assert f'href="{reverse("adjudicate", args=[project.slug])}"' in home


def test_who_has_not_begun_is_told_of_the_archive_and_promised_nothing(project, researcher, annotator):
    factories.pairs(project, 2)
    archive(project, researcher)
    page = client_of(annotator).get(reverse("rate", args=[project.slug])).content.decode()
    assert "is archived" in page
    assert "check again later" not in page
    standing = client_of(annotator).get(reverse("practice", args=[project.slug])).content.decode()
    assert "is archived" in standing
    assert "You may rate now" not in standing


def test_who_is_not_qualified_is_told_of_the_archive_and_not_of_an_import(project, researcher, annotator):
    project.settings = {**project.settings, "practice": 3}
    project.save()
    for address in ("rate", "practice"):
        assert (
            "archived"
            not in client_of(annotator).get(reverse(address, args=[project.slug]), follow=True).content.decode()
        )
    archive(project, researcher)
    for address in ("rate", "practice"):
        page = client_of(annotator).get(reverse(address, args=[project.slug]), follow=True).content.decode()
        assert "is archived" in page
        assert "check back later" not in page
        assert reverse("begin_practice", args=[project.slug]) not in page


def test_what_is_stored_in_an_archived_project_is_not_ready_to_be_rated(project, researcher):
    archive(project, researcher)
    client = client_of(researcher)
    file = SimpleUploadedFile("pairs.csv", b"id,prompt,response\n1,Hello?,Yes.\n")
    client.post(reverse("imports", args=[project.slug]), {"file": file, "format": "csv"})
    received = Import.objects.get()
    check(received=received, by=researcher, report=factories.no_progress)
    store(received=received, partial=True, by=researcher, report=factories.no_progress)
    page = client.get(reverse("import", args=[project.slug, received.pk])).content.decode()
    assert Item.objects.filter(project=project).count() == 1
    assert "is archived" in page
    assert "ready to be rated" not in page


def test_only_researchers_of_the_project_archive_it(project, annotator):
    stranger = factories.person("stranger", Role.RESEARCHER)
    assert client_of(annotator).post(reverse("archive_project", args=[project.slug])).status_code == 403
    assert client_of(stranger).post(reverse("archive_project", args=[project.slug])).status_code == 404
    assert Project.objects.get(pk=project.pk).archived_at is None
