"""The sample of a study: its participants, that it is the same everywhere, and that loading it again
changes nothing.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.db.models import F
from pytest_django import DjangoDbBlocker

from annotation.actions.demo import demo as annotation_demo
from annotation.permissions import projects_of
from core.models import Event, Role, User
from study.actions.demo import demo
from study.models import Answer, Presentation, QuestionSet, Run, Study
from study.models.people import Origin
from study.permissions import runs_of, studies_of
from tests import factories

pytestmark = pytest.mark.django_db


def answers_of(study: Study) -> list[object]:
    """Return all that was drawn for the study and in it, without what is random in every database."""
    given = Answer.objects.filter(presentation__participant__study=study).values_list(
        "presentation__participant__group__name",
        "presentation__participant__form",
        "presentation__question__external_id",
        "first",
        "second",
        "milliseconds",
    )
    sets = study.question_sets.values_list("checksum", flat=True)
    return [study.plan["forms"], sorted(sets), sorted(map(str, given)), *Run.objects.values_list("checksum", flat=True)]


@dataclass
class Loaded:
    """The sample, the person who loaded it, and the answers it had in another database."""

    study: Study
    by: User
    answers_elsewhere: list[object]


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Loaded]:
    """Load the sample once for all tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        with transaction.atomic():
            elsewhere = answers_of(demo.load())
            transaction.set_rollback(True)
        loader = factories.person("somebody", Role.RESEARCHER)
        yield Loaded(demo.load(by=loader), loader, elsewhere)
        transaction.set_rollback(True)


@pytest.fixture
def study(loaded: Loaded) -> Study:
    return loaded.study


def test_forty_people_of_two_groups_took_the_closed_study(study):
    people = study.participants.all()
    assert Counter(people.values_list("group__name", flat=True)) == {"crowd": 28, "lab": 12}
    assert Counter(people.values_list("state", flat=True)) == {
        "complete": 35,
        "timed_out": 3,
        "failed_checks": 1,
        "withdrawn": 1,
    }
    assert set(people.values_list("origin", flat=True)) == {Origin.SIMULATED}
    assert study.state == "closed"


def test_both_corpora_are_asked_and_every_form_has_takers(study):
    assert set(QuestionSet.objects.values_list("questions__corpus", flat=True)) == {"sample-talk", "sample-dialogues@1"}
    forms = Counter(study.form_questions.values_list("form", flat=True))
    assert forms == {1: 12, 2: 12, 3: 12}
    assert set(study.participants.values_list("form", flat=True)) == {1, 2, 3}


def test_times_are_those_of_people(study):
    ended = study.participants.filter(state="complete")
    assert all(
        person.opened < person.started_at < person.ended_at < person.deadline_at
        for person in ended.annotate(opened=F("study__opened_at"))
    )
    for person in study.participants.filter(state="timed_out"):
        assert person.ended_at == person.deadline_at
        assert 0 < Answer.objects.filter(presentation__participant=person).count() < 13


def test_of_who_withdrew_nothing_is_left(study):
    [gone] = study.participants.filter(state="withdrawn")
    assert not Presentation.objects.filter(participant=gone).exists()
    assert gone.demographics == {}


def test_people_are_better_than_both_models_and_the_lab_than_the_crowd(study):
    def share_right(group: str) -> float:
        answers = Answer.objects.filter(
            presentation__participant__group__name=group, presentation__question__purpose="work"
        )
        return answers.filter(better=0).count() / answers.count()

    figures = {run.model: run.metrics for run in Run.objects.filter(study=study)}
    assert figures["random"]["n"] == figures["tfidf"]["n"] == 36
    assert figures["tfidf"]["R@1"] < share_right("crowd") < share_right("lab") < 1


def test_loading_it_again_changes_nothing(study):
    before = Event.objects.count(), Answer.objects.count(), Run.objects.count()
    assert demo.load() == study
    assert (Event.objects.count(), Answer.objects.count(), Run.objects.count()) == before


def test_whoever_loads_it_may_look_at_all_of_it(loaded):
    projects = set(projects_of(loaded.by, "project.view").values_list("slug", flat=True))
    assert projects == {annotation_demo.SLUG, annotation_demo.DIALOGUES}
    assert studies_of(loaded.by).get() == loaded.study
    assert runs_of(loaded.by).count() == 2


def test_its_answers_are_the_same_wherever_it_is_loaded(loaded):
    assert answers_of(loaded.study) == loaded.answers_elsewhere
