"""Members of a project, and voiding a person's work."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions.projects import bots, projects
from annotation.actions.queue import voiding
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment
from core import tasks as tasks
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Event, Job, Role
from tests import factories
from tests.pages import closed_up

pytestmark = pytest.mark.every_database


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def members(client: Client) -> list[str]:
    return [person.username for person in client.get(reverse("members", args=["weibo"])).context["members"]]


def today() -> str:
    return timezone.localdate().isoformat()


def test_somebody_with_an_account_is_added_and_removed(client, project, annotator, outsider):
    assert members(client) == ["an", "rui"]
    client.post(reverse("add_member", args=["weibo"]), {"person": outsider.pk, "role": "annotator"})
    assert members(client) == ["an", "olu", "rui"]
    client.post(reverse("remove_member", args=["weibo", outsider.pk]))
    assert members(client) == ["an", "rui"]
    became = Event.objects.filter(subject="user", subject_id=outsider.pk).values_list("became", flat=True)
    assert list(became) == ["annotator", "left"]


def test_only_people_who_do_not_belong_to_it_are_offered(client, project, annotator, outsider):
    outsider.is_active = False
    outsider.save()
    newcomer = factories.person("nia")
    form = client.get(reverse("members", args=["weibo"])).context["form"]
    assert list(form.fields["person"].queryset) == [newcomer]


def test_adding_nobody_is_refused_in_words(client, project, annotator):
    answer = client.post(reverse("add_member", args=["weibo"]), {"person": annotator.pk}, follow=True)
    assert "No one was added" in answer.content.decode()


def test_whoever_leaves_loses_the_project_and_their_work_counts(client, project, annotator):
    factories.pairs(project, 1)
    [assignment] = factories.grade_next(project, annotator, 4)
    client.post(reverse("remove_member", args=["weibo", annotator.pk]))
    theirs = Client()
    theirs.force_login(annotator)
    assert theirs.get(reverse("rate", args=["weibo"])).status_code == 404
    assignment.refresh_from_db()
    assert assignment.state == AssignmentState.SUBMITTED
    page = client.get(reverse("members", args=["weibo"]))
    assert [person.username for person in page.context["past_members"]] == ["an"]


def test_a_researcher_who_leaves_is_sent_home_unless_they_are_the_only_one(client, project, researcher):
    assert client.post(reverse("remove_member", args=["weibo", researcher.pk])).url == reverse(
        "members", args=["weibo"]
    )
    assert members(client) == ["rui"]
    factories.person("second", Role.RESEARCHER, project=project)
    assert client.post(reverse("remove_member", args=["weibo", researcher.pk])).url == reverse("home")


@pytest.mark.parametrize("count", [1, 15])
def test_the_list_costs_the_same_with_many_members(client, project, count, django_assert_num_queries):
    for number in range(count):
        factories.person(f"p{number}", project=project)
    with django_assert_num_queries(13):
        client.get(reverse("members", args=["weibo"]))


@pytest.fixture
def worked(project, annotator) -> list[Assignment]:
    """Return four grades by the annotator, one of three days ago and three of today, and one by another person."""
    factories.pairs(project, 5)
    assignments = factories.grade_next(project, annotator, 4, 4, 4, 4)
    Assignment.objects.filter(pk=assignments[0].pk).update(ended_at=timezone.now() - timedelta(days=3))
    factories.grade_next(project, factories.person("zoe", project=project), 4)
    return assignments


def void(client: Client, person, **typed):
    return client.post(reverse("void_work", args=["weibo", person.pk]), typed)


def test_the_number_is_said_before_anything_is_voided(client, worked, annotator):
    address = reverse("void_work", args=["weibo", annotator.pk])
    assert client.get(address).context["count"] is None
    answer = client.get(address, {"since": today()})
    assert answer.context["count"] == 3
    assert "Void 3 grades" in answer.content.decode()
    assert not Assignment.objects.filter(state=AssignmentState.VOIDED).exists()


def test_voiding_takes_what_was_given_since_that_day_and_says_how_many(client, worked, annotator):
    answer = void(client, annotator, since=today(), why="asleep")
    assert answer.url == reverse("members", args=["weibo"])
    assert (
        "3 grades were voided. Others will be asked for what is missing now." in client.get(answer.url).content.decode()
    )
    assert list(Assignment.objects.filter(person=annotator).order_by("pk").values_list("state", flat=True)) == [
        "submitted",
        "voided",
        "voided",
        "voided",
    ]
    assert set(Event.objects.filter(became="voided").values_list("why", flat=True)) == {"asleep"}


def test_what_a_page_should_not_wait_for_is_voided_by_a_job(client, worked, annotator, researcher, monkeypatch):
    monkeypatch.setattr(voiding, "AT_ONCE", 2)
    sent: list[int] = []
    monkeypatch.setattr("annotation.views.projects.members.dispatch", lambda job: sent.append(job.pk))
    answer = void(client, annotator, since=today(), why="asleep")
    assert answer.url == reverse("job", args=sent)
    assert "Voiding work" in client.get(answer.url).content.decode()
    assert not Assignment.objects.filter(state=AssignmentState.VOIDED).exists()
    for _twice in range(2):
        Job.objects.update(state=JobState.QUEUED)
        tasks.carry_out(jobs.start(job_pk=sent[0]), jobs.silent)
    assert Assignment.objects.filter(person=annotator, state=AssignmentState.VOIDED).count() == 3
    assert set(Event.objects.filter(became="voided").values_list("why", "by")) == {("asleep", researcher.pk)}


@pytest.mark.parametrize(
    "typed",
    [{"why": ""}, {"why": "   "}, {"since": ""}, {"since": "yesterday"}, {"since": "2999-01-01"}],
    ids=["no reason", "blanks", "no day", "no date", "the future"],
)
def test_without_a_day_and_a_reason_nothing_is_voided(client, worked, annotator, typed):
    assert void(client, annotator, **{"since": today(), "why": "asleep"} | typed).status_code == 200
    assert not Assignment.objects.filter(state=AssignmentState.VOIDED).exists()


def test_a_day_begins_where_the_researcher_is(client, worked, annotator):
    """04:00 of the first day in Shanghai is 20:00 of the day before in UTC."""
    moment = timezone.now().replace(hour=20, minute=0) - timedelta(days=5)
    Assignment.objects.filter(person=annotator).update(ended_at=moment)
    day = (moment + timedelta(hours=8)).date().isoformat()
    address = reverse("void_work", args=["weibo", annotator.pk])
    assert client.get(address, {"since": day}).context["count"] == 0
    client.cookies["timezone"] = "Asia/Shanghai"
    assert client.get(address, {"since": day}).context["count"] == 4


def test_work_of_somebody_who_left_can_be_voided(client, worked, annotator, project, researcher):
    projects.remove_member(project=project, person=annotator, by=researcher)
    void(client, annotator, since=today(), why="asleep")
    assert Assignment.objects.filter(person=annotator, state=AssignmentState.VOIDED).count() == 3


def test_people_without_work_there_have_no_such_page(client, project, outsider):
    assert client.get(reverse("void_work", args=["weibo", outsider.pk])).status_code == 404


def test_strangers_void_nothing(worked, annotator):
    stranger = Client()
    stranger.force_login(factories.person("stranger", Role.RESEARCHER))
    assert void(stranger, annotator, since=today(), why="envy").status_code == 404
    assert not Assignment.objects.filter(state=AssignmentState.VOIDED).exists()


def test_a_person_kept_as_a_name_is_not_called_deactivated(client, project, annotator, researcher):
    bots.without_sign_in(project=project, login="zoe", name="Zoe", by=researcher)
    annotator.is_active = False
    annotator.save()
    for address in (reverse("members", args=["weibo"]), reverse("people")):
        rows = re.findall(r"<tr.*?</tr>", client.get(address).content.decode(), re.DOTALL)
        (zoe,) = (row for row in rows if "weibo/zoe" in row)
        (ended,) = (row for row in rows if f">{annotator.username}<" in row)
        assert "name only, cannot sign in" in zoe
        assert not (">ended<" in closed_up(zoe) or "is-out" in zoe)
        assert (">ended<" in closed_up(ended), "is-out" in ended) == (True, True)
