"""Releases on their pages: frozen and read."""

import csv
import io
import json
import zipfile
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.actions.rating import ratings
from annotation.actions.rating.imported_ratings import import_ratings
from annotation.actions.releases import collectors, releases
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.releases.statistics import rating_statistics
from annotation.models import Assignment, Kind, Project, Release
from annotation.selectors.releases.releases import instances_of
from core import tasks as tasks
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job
from tests import cleaning, factories
from tests.factories import no_progress, stored


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    """Return the jobs that were sent to the broker."""
    sent: list[int] = []
    monkeypatch.setattr(tasks, "_send", lambda job: sent.append(job.pk))
    return sent


@pytest.fixture
def rated(project, annotator, partner) -> Project:
    """Eight pairs to four prompts: six kept, one removed, one with one grade."""
    stored(project, "".join(f"第{number // 2}问\t第{number}答\n" for number in range(8)))
    factories.grade_next(project, annotator, *[4] * 6, 1, 3)
    factories.grade_next(project, partner, *[5] * 6, 5)
    return project


def freeze(project: Project, seed: int = 0) -> Release:
    return releases.freeze(project=project, seed=seed, report=no_progress, by=project.created_by)


def page(client: Client, number: int | None = None) -> str:
    address = reverse("release", args=["weibo", number]) if number else reverse("releases", args=["weibo"])
    return client.get(address).content.decode()


def send(client: Client, **typed: object):
    return client.post(reverse("freeze", args=["weibo"]), {"number": 1, "seed": 0, "sure": "on", **typed})


def test_the_page_says_what_would_go_in_and_what_stays_out(client, rated):
    prospect = client.get(reverse("releases", args=["weibo"])).context["prospect"]
    assert (prospect.kept, prospect.left_out) == (6, {"open": 1, "removed": 1})
    text = page(client)
    assert "grades 2 or more apart" in text
    assert "Release 1 cannot be changed or deleted afterwards." in text
    assert "Freeze release 1" in text


def test_freezing_is_a_job_and_ends_at_the_release(client, rated, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = send(client, seed=7)
    job = Job.objects.get()
    assert (answer.url, sent) == (reverse("releases", args=["weibo"]), [job.pk])
    assert "Freezing the release" in page(client)
    assert 'aria-disabled="true"' in page(client)
    jobs.start(job_pk=job.pk)
    tasks._write_down(job, tasks.carry_out(job, no_progress), was_stopped=False)
    release = Release.objects.get()
    assert (release.number, release.seed, release.frozen_by) == (1, 7, rated.created_by)
    assert "data-poll" not in page(client)


def test_without_the_confirmation_nothing_is_frozen(client, rated, sent):
    answer = client.post(reverse("freeze", args=["weibo"]), {"number": 1, "seed": 0})
    assert answer.status_code == 422
    assert "Tick this first" in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize("seed", ["", "x", "-1", "1.5", str(10**18)])
def test_a_seed_is_a_whole_number(client, rated, sent, seed):
    assert send(client, seed=seed).status_code == 422
    assert not Job.objects.exists()


def test_a_page_that_is_out_of_date_freezes_nothing(client, rated, sent):
    freeze(rated)
    send(client, number=1)
    assert "another release has been frozen in the meantime" in page(client)
    assert not Job.objects.exists()


def test_a_cancelled_freeze_says_that_nothing_was_frozen(client, rated, researcher):
    job = releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher)
    jobs.cancel(job=job, by=researcher)
    assert "Cancelled. Nothing was kept." in page(client)
    freeze(rated)
    assert "Cancelled." not in page(client)


def test_a_refused_freeze_says_why(client, rated, researcher):
    job = releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error="refused:nothing_kept")
    assert "There is nothing to freeze yet" in page(client)


def test_too_little_material_is_said_and_there_is_no_button(client, project, annotator):
    assert "Import pairs first." in page(client)
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3)
    text = page(client)
    assert "2 pairs are waiting for grades" in text
    assert "Freeze release" not in text


def test_kept_pairs_without_texts_are_said_to_need_them(client, project, researcher, tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("item,rater,grade\nq1,ann,4\nq1,bob,4\n")
    import_ratings(project=project, path=path, report=no_progress, by=researcher)
    text = client.get(reverse("releases", args=["weibo"])).content.decode()
    assert "1 kept pair has grades but no text." in text
    assert "too little" not in text


def test_a_release_shows_its_checksum_counts_and_statistics(client, rated):
    release = freeze(rated, seed=3)
    text = page(client, 1)
    assert release.checksum in text
    assert "6 pairs" in text
    assert "82,010" in text, "what the study published stands beside it"
    context = client.get(reverse("release", args=["weibo", 1])).context
    prompts, responses, *_rest = context["statistics"]
    assert (prompts.here[-1], responses.here[-1]) == (str(release.statistics["all"]["prompts"]), "6")
    grades, responses = context["distributions"]
    assert [(bar.number, bar.count, bar.share) for bar in grades.bars] == [(4.5, 6, 1)]
    per_prompt = Counter(Counter(pair["prompt"] for pair in instances_of(release)).values())
    assert {bar.number: bar.count for bar in responses.bars} == per_prompt


def test_a_release_says_why_pairs_are_not_in_it(client, project, annotator, partner):
    """Create six pairs: four are marked, one of these is decided about, and the two others are graded."""
    pairs = cleaning.marked_pairs(project)
    cleaning.decide(project, annotator, pairs["加我微信 lin_2024x 一起去。"], CleaningVerdict.SENSITIVE)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4, 4)
    freeze(project)
    assert "0 with grades too far apart, 3 without all their grades, 1 removed by cleaning" in page(client, 1)


@pytest.mark.parametrize("name", ["grades", "responses"])
def test_each_figure_has_its_table_and_its_file(client, rated, name):
    freeze(rated)
    bars = client.get(reverse("release", args=["weibo", 1])).context["distributions"]
    [shown] = [each.bars for each in bars if each.name == name]
    table = client.get(reverse("distribution_table", args=["weibo", 1, name]))
    assert "attachment" in table.headers["Content-Disposition"]
    rows = list(csv.DictReader(table.content.decode().splitlines()))
    assert [(float(row["number"]), int(row["count"])) for row in rows] == [(bar.number, bar.count) for bar in shown]
    files = {
        format: reverse("distribution_figure", args=["weibo", 1, name, format]) for format in ("svg", "pdf", "png")
    }
    for format, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        first, again = (client.get(files[format]).content for _time in range(2))
        assert first.startswith(start)
        assert first == again
    assert client.get(files["svg"], {"theme": "dark"}).content != client.get(files["svg"]).content
    assert client.get(files["svg"], {"theme": "pink"}).status_code == 404


def test_a_figure_that_is_not_there_is_not_found(client, rated):
    freeze(rated)
    for name, format in (("lengths", "svg"), ("grades", "gif")):
        assert client.get(reverse("distribution_figure", args=["weibo", 1, name, format])).status_code == 404


def statistics_of_before(pairs) -> dict:
    """Return what a release stored before words, annotators and sources were counted."""
    old = {name: dict(block) for name, block in rating_statistics(pairs).items()}
    for block in old.values():
        for later in ("prompt_words_mean", "response_words_mean", "vocabulary", "raters", "sources"):
            del block[later]
        block["responses_per_prompt"] = {name: block["responses_per_prompt"][name] for name in ("min", "mean", "max")}
    return old


def test_a_release_from_before_words_were_counted_is_still_shown(client, rated, monkeypatch):
    monkeypatch.setattr(collectors, "rating_statistics", statistics_of_before)
    freeze(rated)
    context = client.get(reverse("release", args=["weibo", 1])).context
    assert [each.name for each in context["distributions"]] == ["grades"]
    words = [row for row in context["statistics"] if "words of a prompt" in str(row.label)]
    assert words[0].here == ["–"] * 4
    assert words[0].published[0] == "4.05"
    assert {(row.grade, row.ratings) for row in context["types"]} == {(4, 6), (5, 6)}


def test_a_release_shows_agreement_as_it_stood(client, rated, partner):
    freeze(rated)
    before = client.get(reverse("release", args=["weibo", 1])).context["agreement"]
    factories.grade_next(rated, partner, 3)
    after = client.get(reverse("release", args=["weibo", 1])).context["agreement"]
    assert before == after
    assert (before["before"]["n"], before["after"]["n"]) == (7, 6)


def test_equal_content_is_said(client, rated):
    for seed in (3, 3, 4):
        freeze(rated, seed=seed)
    assert "equal to" not in page(client, 1)
    assert f'<a href="{reverse("release", args=["weibo", 1])}">release 1</a>' in page(client, 2)
    assert "equal to" not in page(client, 3)
    assert page(client).count("equal to 1") == 1


def test_the_study_stands_beside_releases_on_its_own_scale_only(client, researcher, annotator, partner):
    other = projects.create(slug="seven", kind=Kind.RATING, settings={"grades": "1..7"}, by=researcher)
    factories.pairs(other, 1)
    for person in (annotator, partner):
        factories.grade_next(other, person, 4)
    freeze(other)
    text = client.get(reverse("release", args=["seven", 1])).content.decode()
    assert "82,010" not in text
    assert "2.5" not in text


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_a_download_is_the_release_and_the_same_bytes_each_time(client, rated, format):
    release = freeze(rated)
    address = reverse("export_release", args=["weibo", 1, format])
    first, again = (b"".join(client.get(address).streaming_content) for _time in range(2))
    assert first == again
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        names = sorted([f"{split}.{format}" for split in ("train", "dev", "test")] + ["README.md", "release.json"])
        assert archive.namelist() == names
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert json.loads(archive.read("release.json"))["checksum"] == release.checksum


def test_a_download_has_a_name_that_says_what_it_is(client, rated):
    freeze(rated)
    answer = client.get(reverse("export_release", args=["weibo", 1, "jsonl"]))
    assert answer["Content-Disposition"] == 'attachment; filename="weibo-1-jsonl.zip"'
    assert answer["Content-Type"] == "application/zip"
    assert int(answer["Content-Length"]) == len(b"".join(answer.streaming_content))


def test_what_is_not_there_is_not_found(client, rated):
    freeze(rated)
    assert client.get(reverse("release", args=["weibo", 2])).status_code == 404
    assert client.get(reverse("export_release", args=["weibo", 1, "exe"])).status_code == 404


def test_the_list_takes_as_many_queries_for_many_releases_as_for_one(client, rated, django_assert_num_queries):
    freeze(rated)
    page(client)
    with django_assert_num_queries(16):
        page(client)
    for seed in range(4):
        freeze(rated, seed=seed)
    with django_assert_num_queries(16):
        page(client)


def test_an_equal_release_is_announced_until_something_changes(client, rated, annotator):
    announced = "Nothing has changed since release 1: with its seed, 7, this one would be equal to it."
    job = releases.ask_for_freeze(project=rated, number=1, seed=7, by=rated.created_by)
    jobs.start(job_pk=job.pk)
    tasks._write_down(job, tasks.carry_out(job, no_progress), was_stopped=False)
    assert announced in page(client)
    ratings.change(assignment=Assignment.objects.changeable(annotator)[2], grade=5, reason="informative", by=annotator)
    assert announced not in page(client)
