"""Figures that take too long for a page: it says so, shows the last ones, and leads to the new ones."""

from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.selectors.projects import stored_boards
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job, StoredFigure
from core.tasks import carry_out
from study.selectors.results import results
from tests import factories
from tests.pages import on_one_line
from tests.study.results_cases import answer_all, closed_study, question_set

PAGES = {"agreement": "agreement", "board": "board", "quality": "quality", "results": "study"}
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
COMPUTING = "The figures appear as soon as they are computed."


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(stored_boards, "LARGE", 1)
    monkeypatch.setattr(results, "LARGE", 1)


@pytest.fixture
def graded(project, annotator, partner):
    factories.pairs(project, 4)
    for person in (annotator, partner):
        factories.grade_next(project, person, 1, 3, 4)
    return project


@pytest.fixture
def study(researcher):
    made = closed_study(researcher, question_set(researcher, 4))
    answer_all(made, ["1111", "1-11"])
    return made


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture(params=PAGES)
def name(request, graded, study) -> str:
    return request.param


def address(name: str, **query: str) -> str:
    return reverse(name, args=["summer" if name.startswith(("results", "study")) else "weibo"], query=query or None)


def page_at(client: Client, at: str) -> str:
    return unescape(on_one_line(client.get(at).content.decode()))


def poll(client: Client, at: str) -> dict[str, str]:
    return client.get(at, headers={"Accept": "application/json"}).json()


def work() -> None:
    """Do the job that was asked for, as a worker does."""
    job = jobs.start(job_pk=Job.objects.get(state=JobState.QUEUED).pk)
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result=carry_out(job, jobs.silent)["result"])


def change(name: str, graded, study, newcomer) -> None:
    if name == "results":
        answer_all(study, ["11--"])
    else:
        factories.grade_next(graded, newcomer, 5)


def test_the_first_look_shows_progress_and_then_the_figures(client, name):
    page = page_at(client, address(name))
    assert COMPUTING in page
    assert f'data-poll="{address(name)}"' in page
    assert 'role="progressbar"' in page
    assert "waiting for a worker" in poll(client, address(name))["html"]
    assert Job.objects.count() == 1, "every look has the same job"
    work()
    assert poll(client, address(name)) == {"next": address(name)}
    page = page_at(client, address(name))
    assert COMPUTING not in page
    assert f'data-poll="{address(name)}"' not in page, "at most for its comparisons, which come after its figures"


def test_the_last_figures_stand_below_what_is_said_of_newer_ones(client, name, graded, study, newcomer):
    client.get(address(name))
    work()
    change(name, graded, study, newcomer)
    StoredFigure.objects.update(as_of=timezone.now() - timedelta(days=2))
    page = page_at(client, address(name))
    assert "Newer ones are being computed and will appear here." in page
    assert "Figures as of" in page
    assert "data-poll" in page
    assert "κ" in page or "R@1" in page
    work()
    assert "Figures as of" not in page_at(client, address(name))


def test_a_job_that_fails_is_told_with_a_way_to_try_again(client, name):
    client.get(address(name))
    failed = jobs.start(job_pk=Job.objects.get().pk)
    jobs.finish(job_pk=failed.pk, becomes=JobState.FAILED, error="died")
    assert poll(client, address(name)) == {"next": address(name)}
    page = page_at(client, address(name))
    assert "The job stopped without an error message" in page
    assert f'href="{address(name, again="1")}"' in page
    assert Job.objects.count() == 1
    assert f'data-poll="{address(name)}"' in page_at(client, address(name, again="1"))
    assert Job.objects.count() == 2


def test_a_table_leads_to_the_page_until_its_figures_are_there(client, name):
    table = client.get(address(f"{name}_csv"), headers=BROWSER)
    assert (table.status_code, table.headers["Location"]) == (302, address(name))
    for accepts in ({}, {"Accept": "*/*"}, {"Accept": "text/csv"}):  # of programs, which would take a page for a table
        table = client.get(address(f"{name}_csv"), headers=accepts)
        assert (table.status_code, table.headers["Retry-After"]) == (503, "2")
    work()
    table = client.get(address(f"{name}_csv"))
    assert (table.status_code, table.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")


def test_a_program_that_asks_for_a_table_again_gets_it_after_its_job_has_died(client, name):
    table = address(f"{name}_csv")
    assert client.get(table).status_code == 503
    failed = jobs.start(job_pk=Job.objects.get().pk)
    jobs.finish(job_pk=failed.pk, becomes=JobState.FAILED, error="died")
    client.get(table, headers=BROWSER)
    assert Job.objects.count() == 1, "a person is told on the page, and asks there"
    assert client.get(table).status_code == 503
    work()
    assert client.get(table).status_code == 200


@pytest.mark.parametrize("api", ["project-agreement", "rating-quality"])
def test_who_comes_back_when_told_gets_what_was_computed_while_work_goes_on(api, client, graded, newcomer):
    told = int(client.get(address(api)).headers["Retry-After"])
    work()
    StoredFigure.objects.update(as_of=timezone.now() - timedelta(seconds=told + 1), seconds=0.01)
    factories.grade_next(graded, newcomer, 5)
    assert client.get(address(api)).status_code == 200


def test_cancelling_leads_back_to_the_rules_that_were_switched_off(client, study):
    at = address("results", without="late_answers")
    client.get(at)
    assert client.post(reverse("cancel_job", args=[Job.objects.get().pk])).url == at


@pytest.mark.parametrize("api", ["project-agreement", "rating-quality", "study-results"])
def test_the_api_says_when_to_ask_again(api, client, graded, study):
    answer = client.get(address(api))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert "being computed" in answer.json()["detail"]
    work()
    answer = client.get(address(api))
    assert answer.status_code == 200
    assert answer.headers["Last-Modified"]
    assert {"people", "before"} & answer.json().keys()


def test_rules_switched_off_keep_to_their_own_figures(client, study):
    at = address("results", without="late_answers")
    assert f'data-poll="{at}"' in page_at(client, at)
    table = client.get(address("results_csv", without="late_answers"), headers=BROWSER)
    assert table.headers["Location"] == at
    work()
    assert "R@1" in page_at(client, at)
    assert COMPUTING in page_at(client, address("results"))


def test_the_picture_shows_the_figures_of_its_page(client, study):
    picture = reverse("results_figure", args=["summer", "svg"])
    client.get(address("results"))
    assert client.get(picture, headers=BROWSER).status_code == 302
    work()
    assert client.get(picture).status_code == 200
    answer_all(study, ["11--"])
    StoredFigure.objects.update(as_of=timezone.now() - timedelta(days=2))
    assert client.get(picture).status_code == 200, "of the last figures, as the page"
    assert client.get(f"{picture}?download", headers=BROWSER).status_code == 302


def test_an_inspector_sees_progress_and_cannot_cancel(graded, inspector):
    client = Client()
    client.force_login(inspector)
    page = page_at(client, address("quality"))
    assert 'role="progressbar"' in page
    assert "/cancel/" not in page


def test_it_is_said_in_chinese(client, name, researcher):
    researcher.language = "zh-hans"
    researcher.save()
    page = page_at(client, address(name))
    assert "首次查看需要几秒钟，计算完成后统计结果会自动显示。" in page
    assert "正在计算统计结果" in page
