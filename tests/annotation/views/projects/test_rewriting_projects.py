"""Making, setting up and filling a rewriting project on its pages."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.actions.imports import imports as actions
from annotation.models import Import, Project
from core.models import User
from tests import factories, recordings
from tests.rewriting import file_of, question, rewriting_project

DEFAULTS = {
    "inspectors": 1,
    "rounds": 3,
    "per_day": 30,
    "lease_minutes": 240,
    "inspected_percent": 100,
    "first_in_full": 20,
    "practice": 0,
    "practice_window": 20,
    "practice_threshold": 80,
    "practice_attempts": 3,
}
NEW = {"title": "Listening items", "slug": "", "source_licence": "", **DEFAULTS}


@pytest.fixture
def client(researcher: User) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


def new_address() -> str:
    return f"{reverse('new_project')}?kind=rewriting"


def test_the_form_of_a_kind_is_one_link_away_and_begins_with_its_defaults(client):
    assert 'href="?kind=rewriting"' in client.get(reverse("new_project")).content.decode()
    page = client.get(new_address()).content.decode()
    for name, value in DEFAULTS.items():
        assert f'name="{name}" value="{value}"' in page
    assert 'name="raters"' not in page


def test_a_new_rewriting_project_asks_for_its_items_next(client):
    answer = client.post(new_address(), NEW | {"inspectors": 2})
    assert answer.url == reverse("imports", args=["listening-items"])
    project = Project.objects.get()
    assert (project.kind, project.rewriting.inspectors) == ("rewriting", 2)
    assert sorted(project.queues.values_list("step", flat=True)) == ["inspect", "write"]


def test_without_anything_to_spell_the_short_name_says_the_kind(client):
    asked = client.post(new_address(), NEW | {"title": "♥"})
    assert asked.context["form"]["slug"].value() == "rewriting"


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"inspectors": 3}, "inspectors"),
        ({"rounds": 0}, "rounds"),
        ({"lease_minutes": "long"}, "lease_minutes"),
        ({"inspected_percent": 0}, "inspected_percent"),
        ({"first_in_full": 1001}, "first_in_full"),
    ],
)
def test_what_does_not_do_is_said_at_its_field(client, typed, field):
    assert list(client.post(new_address(), NEW | typed).context["form"].errors) == [field]
    assert not Project.objects.exists()


def test_settings_are_changed_on_their_page(client, project):
    address = reverse("settings", args=[project.slug])
    page = client.get(address)
    assert 'name="inspectors" value="1"' in page.content.decode()
    answer = client.post(
        address, {"seen": page.context["seen"], "title": project.title, **DEFAULTS, "rounds": 5, "why": "more patience"}
    )
    assert answer.status_code == 302
    project.refresh_from_db()
    assert project.rewriting.rounds == 5


def sent(client: Client, project: Project, content: str, name: str, format: str = "auto") -> Import:
    file = SimpleUploadedFile(name, content.encode())
    client.post(reverse("imports", args=[project.slug]), {"file": file, "format": format})
    return Import.objects.latest("pk")


def checked(client: Client, project: Project, content: str, name: str) -> str:
    """The page of a file that was read."""
    file = factories.checked(project, content, name)
    return client.get(reverse("import", args=[project.slug, file.pk])).content.decode()


def test_the_page_says_what_files_it_reads(client, project):
    page = client.get(reverse("imports", args=[project.slug])).content.decode()
    assert "DREAM" in page
    assert 'value="dream"' in page
    assert 'value="mutual"' not in page


def test_the_first_items_are_shown_with_dialogue_question_and_choices(client, project):
    page = checked(client, project, file_of([question(1), question(2, turns=["Hello."])]), "items.jsonl")
    for text in ("Did you book hall 1", "4 turns", "What is wrong with room 1?", "It is taken."):
        assert text in page
    assert "utterance 1 has no speaker before a colon" in page
    assert "Import the 1 good row" in page


def test_a_stored_file_says_how_many_items_wait_to_be_written(client, project):
    file = factories.stored(project, file_of([question(1), question(2)]), "items.jsonl")
    assert (
        "2 items are stored and ready to be rewritten."
        in client.get(reverse("import", args=[project.slug, file.pk])).content.decode()
    )


def test_broken_json_is_said_with_its_slot_and_nothing_can_be_stored(client, project):
    page = checked(client, project, '[[["M: a"], [], "x"],\n oops]', "dream.json")
    assert "Broken JSON in line 2 at character 2. Nothing was stored." in page
    assert "Store" not in page.split("<h1")[1].split("Read as")[0]


def test_a_format_of_another_kind_is_not_taken(client, project):
    assert not Import.objects.exists()
    file = SimpleUploadedFile("items.json", b"[]")
    answer = client.post(reverse("imports", args=[project.slug]), {"file": file, "format": "mutual"})
    assert answer.context["form"].errors
    assert not Import.objects.exists()


@pytest.mark.parametrize("format", ["auto", "dream"])
def test_a_file_sent_on_the_page_is_kept_with_its_format(client, project, format):
    asked = {"question": "When?", "choice": ["a", "b", "c"], "answer": "a"}
    file = sent(client, project, json.dumps([[["M: a", "W: b"], [asked], "x"]]), "dream.json", format)
    assert (file.file_name, file.format, file.project) == ("dream.json", format, project)


def test_an_archive_with_audio_is_looked_at_and_stored_from_the_page(client, project, tmp_path):
    content = recordings.zipped(
        tmp_path / "talks.zip", recordings.row(1), recordings.row(2, audio="b.wav")
    ).read_bytes()
    answer = client.post(
        reverse("imports", args=[project.slug]),
        {
            "file": SimpleUploadedFile("talks.zip", content),
            "format": "auto",
        },
    )
    page = client.get(answer.url).content.decode()
    assert "with audio" in page
    assert "it names the file &quot;b.wav&quot;, which is not in the archive" in page
    [received] = Import.objects.all()
    actions.check(received=received, report=factories.no_progress, by=None)
    actions.store(received=received, partial=True, report=factories.no_progress, by=None)
    assert "1 of these must have its transcript corrected first." in client.get(answer.url).content.decode()
    assert [item.state for item in project.items.all()] == ["recorded"]
    assert project.items.get().recordings.count() == 2


@pytest.mark.parametrize(
    "content", [b"RIFF\x00\x00\x00\x00WAVEfmt " + bytes(200), b"PK\x03\x04" + bytes(99), b"\x1f\x8b\x08"]
)
def test_an_upload_that_is_no_file_of_items_says_so_and_nothing_is_lost(client, project, content):
    answer = client.post(
        reverse("imports", args=[project.slug]),
        {
            "file": SimpleUploadedFile("talk.wav", content),
            "format": "auto",
        },
    )
    page = client.get(answer.url)
    assert page.status_code == 200
    received = Import.objects.get()
    assert received.is_refused_whole
    assert project.items.count() == 0
