"""Which system wrote a response, and its topic, reach those who grade, clean or decide only where it is switched on."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions.projects import projects
from annotation.models import Assignment, Item, Project, Step
from core.models import User
from tests import cleaning, factories
from tests.annotation.views.rating.rating_page import first_assignment, send, signed_in

pytestmark = pytest.mark.django_db

SOURCE, TOPIC = "system-b", "kitchens"
NEVER = "system-b-17"  # an id that names the system


@pytest.fixture
def asking(project: Project) -> Project:
    """Return a project with pairs to clean, to rate and to decide about, all by one system and on one topic."""
    cleaning.marked_pairs(project)
    factories.pairs(project, 8)
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=project.created_by)
    for item in Item.objects.all():
        Item.objects.filter(pk=item.pk).update(source=SOURCE, topic=TOPIC, external_id=f"{NEVER}-{item.pk}")
    return project


def received(project: Project, annotator: User, partner: User, inspector: User) -> dict[str, str]:
    """Let two people grade apart, clean and decide. Return what their browsers received, each with a pair in it."""
    rater, cleaner, judge = signed_in(annotator), signed_in(partner), signed_in(inspector)
    read = {"rating": rater.get(reverse("rate", args=["weibo"]))}
    read["graded"] = send(rater, first_assignment(rater), grade=1, reason="nonsense")
    read["next"] = rater.post(reverse("next_pairs", args=["weibo"]), "{}", content_type="application/json")
    graded = Assignment.objects.get(person=annotator, state="submitted")
    for assignment in factories.take(project, partner, 20):
        if assignment.slot_id == graded.slot_id:
            factories.grade(assignment, 5)
    read["own progress"] = rater.get(reverse("own_progress", args=["weibo"]))
    read["cleaning"] = cleaner.get(reverse("clean", args=["weibo"]))
    held = Assignment.objects.filter(person=partner, slot__queue__step=Step.CLEAN, state="held").first()
    body = {"content_type": "application/json"}
    read["cleaned"] = cleaner.post(
        reverse("decide_cleaning", args=["weibo", held.pk]), '{"verdict": "keep", "key": ""}', **body
    )
    read["marked"] = judge.get(reverse("marked_pairs", args=["weibo"]))
    read["asked of many"] = judge.post(reverse("bulk_marked_pairs", args=["weibo"]), {"all": "on", "act": "knowledge"})
    read["ledger"] = judge.get(reverse("cleaning", args=["weibo"]))
    read["deciding"] = judge.get(reverse("adjudicate", args=["weibo"]))
    assert {name: answer.status_code for name, answer in read.items() if answer.status_code != 200} == {}
    return {name: answer.content.decode() for name, answer in read.items()}


WITH_A_PAIR = {"rating", "graded", "next", "cleaning", "cleaned", "deciding"}


@pytest.mark.parametrize(
    ("switched", "told"),
    [
        ({}, set()),
        ({"show_source": "on"}, {SOURCE}),
        ({"show_topic": "on"}, {TOPIC}),
        ({"show_source": "on", "show_topic": "on"}, {SOURCE, TOPIC}),
    ],
    ids=["neither", "source", "topic", "both"],
)
def test_people_who_grade_read_of_source_and_topic_what_is_switched_on(
    asking, annotator, partner, inspector, researcher, switched, told
):
    projects.change_settings(project=asking, settings=switched, by=researcher)
    for name, text in received(asking, annotator, partner, inspector).items():
        assert NEVER not in text, name
        assert {word for word in (SOURCE, TOPIC) if word in text} == (told if name in WITH_A_PAIR else set()), name


def test_with_gold_between_the_pairs_neither_is_read(asking, annotator, partner, inspector, researcher):
    switched = {"show_source": "on", "show_topic": "on", "gold_first": 10}
    projects.change_settings(project=asking, settings=switched, by=researcher)
    for name, text in received(asking, annotator, partner, inspector).items():
        assert SOURCE not in text and TOPIC not in text, name


def test_a_researcher_reads_both_in_any_case(asking, researcher):
    client = Client()
    client.force_login(researcher)
    for name in ("pairs", "project-items"):
        text = client.get(reverse(name, args=["weibo"])).content.decode()
        assert SOURCE in text and TOPIC in text, name
