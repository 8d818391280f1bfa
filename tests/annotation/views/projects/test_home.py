"""The first page after signing in, by role."""

import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions import flags
from annotation.actions.demo import demo
from annotation.actions.projects import projects
from annotation.domain.workflow import ImportState
from annotation.models import Flag, Import, Item, Project, Purpose
from annotation.selectors.projects.overview import ProjectNeed, needs, progress_of
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job, Role, User, last_times
from tests import factories
from tests.pages import without_tokens


def page_of(person, path: str = "/"):
    client = Client()
    client.force_login(person)
    return client.get(path)


def text_of(person) -> str:
    """The page; its names without the marks that keep them apart from the sentence."""
    return re.sub("</?bdi[^>]*>", "", page_of(person).content.decode())


def whys(project: Project) -> list[ProjectNeed]:
    mine = Project.objects.filter(pk=project.pk)
    return [need.why for need in needs(mine, progress_of(mine))]


def test_an_annotator_is_told_how_many_pairs_wait_and_has_one_filled_button(project, annotator):
    factories.pairs(project, 200)
    page = text_of(annotator)
    assert "An, 120 pairs are waiting for you" in page
    assert page.count("button-main") == 1
    assert reverse("rate", args=["weibo"]) in page


def test_an_annotator_with_nothing_to_do_is_told_so(project, annotator, outsider):
    assert "Nothing is waiting for you" in text_of(annotator)
    assert "You do not belong to any project yet." in text_of(outsider)


def test_an_annotator_sees_no_other_persons_figures(project, annotator, partner):
    factories.pairs(project, 10)
    factories.grade_next(project, partner, 4, 4)
    page = page_of(annotator)
    assert page.context["figures"].pairs == 0
    assert "Bo" not in without_tokens(page.content.decode())


@pytest.mark.parametrize("pairs", [4, 400])
def test_an_annotators_home_costs_the_same_with_many_pairs(project, annotator, pairs, django_assert_num_queries):
    factories.pairs(project, pairs)
    factories.grade_next(project, annotator, 4, 4)
    client = Client()
    client.force_login(annotator)
    with django_assert_num_queries(20):  # one of them for what is held in archived projects
        client.get("/")


def test_experts_are_told_what_will_come(expert):
    page = text_of(expert)
    assert "There is nothing to do now." in page
    assert "Experts" in page


def test_a_first_start_offers_the_sample_a_project_a_corpus_and_a_study(researcher):
    first = page_of(researcher).content.decode()
    steps = first[first.index('<ol class="steps">') : first.index("</ol>")]
    for address in ("load_demo", "new_project", "corpora", "new_study"):
        assert f'"{reverse(address)}"' in steps
    assert steps.count("button-main") == 1
    assert page_of(researcher, reverse("corpora")).status_code == 200
    assert reverse("question_sets") in page_of(researcher, reverse("new_study")).content.decode()


def test_the_sample_is_loaded_by_a_post_and_offered_no_more(administrator, researcher):
    client = Client()
    client.force_login(administrator)
    assert client.get(reverse("load_demo")).status_code == 405
    assert client.post(reverse("load_demo")).url == reverse("home")
    assert demo.exists()
    assert reverse("load_demo") not in text_of(researcher)


def test_annotators_do_not_load_the_sample(annotator):
    client = Client()
    client.force_login(annotator)
    assert client.post(reverse("load_demo")).status_code == 403
    assert not demo.exists()


def test_a_researcher_sees_only_projects_they_belong_to(project, researcher, administrator):
    stranger = factories.person("stranger", Role.RESEARCHER)
    assert "Weibo pairs" in text_of(researcher)
    assert "Weibo pairs" in text_of(administrator)
    assert "Weibo pairs" not in text_of(stranger)


def test_progress_counts_the_pairs_that_everybody_wanted_has_rated(project, annotator, partner):
    items = factories.pairs(project, 4)
    factories.grade_next(project, annotator, 4, 4, 4)
    factories.grade_next(project, partner, 4, 1)
    Item.objects.filter(pk=items[3].pk).update(purpose=Purpose.GOLD)
    [progress] = progress_of(Project.objects.all())
    assert (progress.pairs, progress.settled, progress.percent, progress.annotators) == (3, 2, 66, 2)


def test_a_hundred_percent_is_said_only_when_nothing_is_left(project, annotator, partner):
    factories.pairs(project, 201)
    Item.objects.filter(position__lte=200).update(state="kept")
    assert progress_of(Project.objects.all())[0].percent == 99


def test_an_ended_account_is_not_counted_as_an_annotator(project, annotator, partner):
    annotator.is_active = False
    annotator.save()
    assert progress_of(Project.objects.all())[0].annotators == 1


def test_what_a_project_needs_next_follows_its_work(project, annotator, partner, researcher):
    assert whys(project) == [ProjectNeed.NO_PAIRS]
    factories.pairs(project, 1)
    assert whys(project) == []
    for person in (annotator, partner):
        projects.remove_member(project=project, person=person, by=researcher)
    assert whys(project) == [ProjectNeed.NO_ANNOTATORS]
    for person in (annotator, partner):
        projects.add_member(project=project, person=person, role=Role.ANNOTATOR, by=researcher)
        factories.grade_next(project, person, 4)
    assert whys(project) == [ProjectNeed.ALL_RATED]


def test_a_checked_file_waits_for_a_decision_until_it_is_taken(project, annotator, researcher):
    factories.pairs(project, 1)
    file = Import.objects.create(project=project, file_name="autumn.csv", state=ImportState.CHECKED, good=12, refused=3)
    page = text_of(researcher)
    assert "“autumn.csv” is read: 12 rows could be stored" in page
    assert "3 refused" in page
    Import.objects.filter(pk=file.pk).update(state=ImportState.STORED)
    assert whys(project) == []


def test_of_several_checked_files_of_a_project_the_newest_waits(project, annotator, researcher):
    factories.pairs(project, 1)
    for name in ("summer.csv", "autumn.csv"):
        Import.objects.create(project=project, file_name=name, state=ImportState.CHECKED, good=12)
    assert whys(project) == [ProjectNeed.IMPORT_CHECKED]
    page = text_of(researcher)
    assert ("“autumn.csv”" in page, "“summer.csv”" in page) == (True, False)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04" + b"\0" * 60, b"\x89PNG\r\n\x1a\n", b"prompt,remark\na,b\n"])
def test_a_file_with_nothing_to_store_leaves_nothing_to_decide(project, annotator, content):
    factories.pairs(project, 1)
    assert factories.checked(project, content, "pairs.csv").good == 0
    assert whys(project) == []


def test_projects_of_one_title_are_told_apart_by_their_short_names(project, researcher):
    assert "(weibo)" not in text_of(researcher)
    projects.create(slug="weibo-2", title=project.title, kind="rating", by=researcher)
    for path in ("/", reverse("people")):
        page = page_of(researcher, path).content.decode()
        assert "(weibo)" in page
        assert "(weibo-2)" in page


def failed_job(project) -> Job:
    job = jobs.ask_for(kind="freeze_release", arguments={}, scope=project, by=None)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, ended_at=timezone.now() - timedelta(hours=2))
    return job


def test_a_failed_job_waits_until_somebody_starts_it_again(project, annotator, researcher):
    factories.pairs(project, 1)
    job = failed_job(project)
    page = text_of(researcher)
    assert "Freezing a release stopped" in page
    assert reverse("job", args=[job.pk]) in page
    jobs.ask_for(kind="check_import", arguments={}, scope=project, by=researcher)
    assert whys(project) == [ProjectNeed.JOB_FAILED]
    jobs.ask_for(kind="freeze_release", arguments={}, scope=project, by=researcher)
    assert whys(project) == []


def test_open_flags_wait_until_they_are_resolved(project, annotator, researcher):
    factories.pairs(project, 3)
    for assignment in factories.take(project, annotator, 2):
        flags.raise_flag(assignment=assignment, comment="cut off?", by=annotator)
    page = text_of(researcher)
    assert "2 flags are open" in page
    assert f'href="{reverse("flags", args=["weibo"])}"' in page
    first, second = Flag.objects.order_by("pk")
    flags.resolve(flag=first, note="it is kept", by=researcher)
    assert "One flag is open" in text_of(researcher)
    flags.resolve(flag=second, note="it is kept", by=researcher)
    assert whys(project) == []


@pytest.mark.parametrize("count", [1, 12])
def test_a_researchers_home_costs_the_same_with_many_projects(researcher, count, django_assert_num_queries):
    for number in range(count):
        project = projects.create(slug=f"p{number}", kind="rating", by=researcher)
        factories.pairs(project, 5 * count)
        failed_job(project)
    client = Client()
    client.force_login(researcher)
    with django_assert_num_queries(15):  # one of them for studies
        client.get("/")


@pytest.fixture
def well(tmp_path, settings):
    """Set up an installation whose worker, beat and trainer have just given a sign of life."""
    settings.DATA_DIR = tmp_path
    for name in ("worker", "beat", "trainer"):
        last_times.note(name)


@pytest.mark.parametrize("has_project", [True, False])
def test_an_administrator_is_told_that_the_worker_is_silent(has_project, well, administrator, request):
    if has_project:
        request.getfixturevalue("project")
    assert page_of(administrator).context["concerns"] == []
    last_times.note("worker", at=time.time() - 90)
    page = page_of(administrator)
    assert len(page.context["concerns"]) == 1
    assert "The worker has not been seen" in page.content.decode()


def test_a_researcher_is_not_told_of_the_installation(project, researcher, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    assert "has not been seen" not in text_of(researcher)


def test_an_administrator_is_told_of_a_full_disk(well, administrator, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=10**9))
    assert "The disk has less than" in text_of(administrator)


@pytest.mark.parametrize(("made", "backup", "is_told"), [(6, None, 0), (8, None, 1), (30, 6, 0), (30, 8, 1)])
def test_an_administrator_is_told_that_a_backup_is_due(made, backup, is_told, well, administrator):
    """`made` and `backup` are how many days ago the first account and the last backup were made."""
    User.objects.update(created_at=timezone.now() - timedelta(days=made))
    if backup:
        last_times.note("backup", at=time.time() - backup * 86400)
    assert len(page_of(administrator).context["concerns"]) == is_told
