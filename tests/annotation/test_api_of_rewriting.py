"""API of a rewriting project."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import flags
from annotation.actions.releases import releases
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import Project
from core.models import User
from tests import factories
from tests.rewriting import CANDIDATES, begin, inspect, items, rewriting_project, write


@pytest.fixture
def project(researcher: User, author: User, inspector: User) -> Project:
    project = Project.objects.get(slug="listening")
    items(project, 3)
    write(project, author)
    inspect(project, inspector)
    write(project, author)
    inspect(project, inspector, InspectionVerdict.DISCARD)
    return project


@pytest.fixture
def author(researcher: User) -> User:
    return factories.person("an", project=rewriting_project(researcher))


@pytest.fixture
def inspector(author: User) -> User:
    return factories.person("ines", "inspector", project=Project.objects.get(slug="listening"))


@pytest.fixture
def client(researcher: User) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def read(client: Client, name: str, *arguments: object) -> dict:
    answer = client.get(reverse(name, args=["listening", *arguments]))
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_program_reads_settings_items_progress_and_what_inspectors_found(client, project):
    assert read(client, "project-detail")["settings"]["inspectors"] == 1
    rows = read(client, "project-items")["results"]
    assert [set(row) >= {"turns", "question", "choices", "answer", "state"} for row in rows] == [True] * 3
    assert CANDIDATES[0] not in str(rows)
    assert read(client, "project-progress") == {
        "items": 3,
        "recorded": 0,
        "corrected": 0,
        "open": 1,
        "written": 0,
        "returned": 0,
        "kept": 1,
        "removed": 1,
        "not_inspected": 0,
    }
    assert read(client, "project-agreement")["verdicts"] == {"accept": 1, "return": 0, "discard": 1}


def test_a_release_comes_in_the_formats_of_its_kind(client, project, researcher):
    releases.freeze(project=project, seed=0, report=factories.no_progress, by=researcher)
    assert read(client, "project-release", 1)["counts"]["instances"] == 1
    for format, status in (("mutual", 200), ("csv", 200), ("trec", 200), ("unknown", 404)):
        answer = client.get(reverse("project-export", args=["listening", 1, format]))
        assert answer.status_code == status
        if status == 200:
            assert b"".join(answer.streaming_content).startswith(b"PK")


def test_flags_come_with_the_dialogue_and_never_with_its_key(client, project, author):
    flags.raise_flag(assignment=begin(project, author).assignment, comment="Who is W?", by=author)
    [row] = read(client, "work-flags")["results"]
    assert (row["user"], row["comment"], len(row["turns"])) == ("an", "Who is W?", 4)
    assert not {"prompt", "response", "choices", "answer"} & set(row)


def test_the_qualification_of_authors_is_what_the_command_prints(client, project):
    report = read(client, "work-qualification")
    assert (report["practice"], report["items"], [each["user"] for each in report["authors"]]) == (0, 0, ["an"])
