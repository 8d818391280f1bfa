"""Pages of reports: the list, making one, reading it, its files and its zip."""

import json
import zipfile
from io import BytesIO

import pytest
from django.urls import reverse

from core.domain.transitions import JobState
from core.models import Job
from study.actions import reports
from study.actions.survey import participants
from tests.factories import no_progress
from tests.study import study_cases
from tests.study.report_cases import folder_of, frozen, reported_study


@pytest.fixture
def study(researcher):
    return reported_study(researcher)


@pytest.fixture
def report(study, researcher):
    return frozen(study, researcher)


def at(name: str, *more: object) -> str:
    return reverse(name, args=["summer", *more])


def zipped(client, report) -> dict[str, bytes]:
    answer = client.get(at("report_folder", report.number))
    archive = zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content)))
    return {name: archive.read(name) for name in archive.namelist()}


def test_asking_begins_one_job_which_leads_to_the_report(own, study):
    for _time in range(2):
        assert own.post(at("make_report")).url == at("study_reports")
    job = Job.objects.get(kind=reports.KIND)
    page = own.get(at("study_reports")).content.decode()
    assert f'id="job-{job.pk}"' in page
    job.result, job.state = reports.run_freeze(job, no_progress), JobState.DONE
    job.save()
    polled = own.get(at("study_reports"), headers={"accept": "application/json"})
    assert polled.json() == {"next": at("report", 1)}
    assert own.get(at("report", 1)).status_code == 200


def test_an_open_study_offers_none_and_says_what_to_do(own, researcher):
    study = study_cases.study("lines", by=researcher)
    page = own.get(reverse("study_reports", args=["lines"])).content.decode()
    assert reverse("make_report", args=["lines"]) not in page
    assert reverse("study_board", args=["lines"]) in page
    own.post(reverse("make_report", args=[study.slug]))
    assert not Job.objects.filter(kind=reports.KIND).exists()


def test_the_zip_has_the_files_and_the_same_bytes_each_time(own, report):
    files = folder_of(report)
    assert zipped(own, report) == files
    addresses = [at("report_folder", 1)] * 2
    first, second = (b"".join(own.get(address).streaming_content) for address in addresses)
    assert first == second


def test_the_page_shows_the_text_and_what_it_refers_to_is_below_its_address(own, report):
    page = own.get(at("report", 1)).content.decode()
    assert "<h1>Next turn, summer: 9 people and 2 models on 8 questions</h1>" in page
    assert 'src="figures/people-models.svg"' in page
    figure = own.get(at("report", 1) + "figures/people-models.svg")
    assert (figure.status_code, figure["Content-Type"]) == (200, "image/svg+xml")
    table = own.get(at("report", 1) + "tables/people-and-models.csv")
    assert table["Content-Type"].startswith("text/csv")
    for wrong in ("figures/none.svg", "../../../../etc/passwd", "data"):
        assert own.get(at("report_file", 1, wrong)).status_code == 404


def test_the_list_says_where_files_were_taken_out(own, study, report):
    said = "Files on people removed"
    assert said not in own.get(at("study_reports")).content.decode()
    participants.withdraw(participant=study.participants.first())
    assert said in own.get(at("study_reports")).content.decode()


def test_what_was_taken_out_is_nowhere(own, study, report):
    participants.withdraw(participant=study.participants.first())
    assert own.get(at("report_file", 1, "data/people.csv")).status_code == 404
    files = zipped(own, report)
    assert "data/answers.csv" not in files
    assert len(json.loads(files["manifest.json"])["taken_out"]) == 2
    assert 'id="taken-out"' in own.get(at("report", 1)).content.decode()


def test_a_stranger_sees_none(stranger, report):
    for name, more in (("study_reports", []), ("report", [1]), ("report_folder", [1])):
        assert stranger.get(at(name, *more)).status_code == 404
    assert stranger.get(at("report_file", 1, "index.html")).status_code == 404
    assert stranger.post(at("make_report")).status_code == 404
