"""The page that exports a study: a zip of a closed one, by a job where it is large."""

import zipfile
from io import BytesIO

import pytest
from django.urls import reverse

from core.models import Job
from study.actions.survey import exports, participants, studies
from study.selectors.results import results
from tests.study import study_cases

NAMES = ["answers.csv", "codebook.csv", "people.csv", "questions.csv"]


@pytest.fixture
def lines(researcher):
    study = study_cases.study("lines", by=researcher)
    study_cases.finished(study)
    return study


@pytest.fixture
def closed(lines, researcher):
    return studies.close(study=lines, why="Written for tests.", by=researcher)


@pytest.fixture
def large(closed, monkeypatch, settings, tmp_path):
    monkeypatch.setattr(results, "LARGE", 1)
    settings.DATA_DIR = tmp_path
    return closed


def download(client, name: str = "study_export_file"):
    return client.get(reverse(name, args=["lines", "csv"]))


def names_in(answer) -> list[str]:
    return zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content))).namelist()


def test_an_open_study_has_no_export(own, lines):
    assert "No export until the study closes" in own.get(reverse("study_export", args=["lines"])).content.decode()
    assert download(own).status_code == download(own, "study-export").status_code == 404


def test_a_closed_study_is_downloaded_from_its_page_and_through_the_api(own, closed):
    assert (
        reverse("study_export_file", args=["lines", "csv"])
        in own.get(reverse("study_export", args=["lines"])).content.decode()
    )
    assert names_in(download(own)) == names_in(download(own, "study-export")) == NAMES


def test_a_large_study_is_made_by_a_job_first(own, large, researcher):
    assert download(own).url == reverse("study_export", args=["lines"])
    exports.export(exports.ask_for(study=large, format="csv", by=researcher), lambda *_told: None)
    assert names_in(download(own)) == NAMES


def test_asking_begins_one_job(own, large):
    for _time in range(2):
        own.post(reverse("make_study_export", args=["lines", "csv"]))
    assert Job.objects.filter(kind="export_study").count() == 1


def test_a_withdrawal_deletes_what_was_made(own, large, researcher):
    exports.export(exports.ask_for(study=large, format="csv", by=researcher), lambda *_told: None)
    participants.withdraw(participant=large.participants.get())
    assert exports.made(large, "csv") is None
    assert not list(exports._folder().glob("*.zip"))


def test_a_stranger_exports_nothing(stranger, closed):
    assert download(stranger).status_code == download(stranger, "study-export").status_code == 404
    assert stranger.post(reverse("make_study_export", args=["lines", "csv"])).status_code == 404


def test_types_of_columns_are_in_the_language_of_the_page_and_in_english_in_the_file(own, closed):
    page = own.get(reverse("study_export", args=["lines"]), headers={"accept-language": "zh-hans"}).content.decode()
    assert "整数" in page and "whole number" not in page
    book = zipfile.ZipFile(BytesIO(b"".join(download(own).streaming_content))).read("codebook.csv").decode()
    assert '"whole number"' in book
