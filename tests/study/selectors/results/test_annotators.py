"""Inspectors and experts on the material of a study: what its results name of them, and to whom."""

import pytest
from django.urls import reverse

from core.models import Role, StoredFigure
from study.actions.results import results_in_force
from study.models import Answer, Study, StudyMembership
from study.selectors.results import results
from study.selectors.results.annotators import accuracy_elsewhere
from tests import factories
from tests.study.instances import a_release
from tests.study.results_cases import EXAMPLE_A, answer_all, closed_study, question_set

pytestmark = pytest.mark.django_db
BLIND = {"answers": 18, "right": 17, "undecided": 2, "share": 0.85, "share_ci": [0.6, 0.95]}


@pytest.fixture
def asked(researcher, project):
    """Ten questions from a release whose inspectors answered blind."""
    release = a_release(project, {"id": "q", "split": "test"}, agreement={"blind": BLIND})
    return question_set(researcher, corpora=[str(release)])


@pytest.fixture
def study(researcher, asked) -> Study:
    study = closed_study(researcher, asked)
    answer_all(study, ["1" * 10, "1-" * 5])
    return study


def ceiling(by, questions, **settings) -> Study:
    study = closed_study(by, questions, slug="ceiling")
    study.settings = {"takers": "signed-in", "minutes": 0, "assign": "all", "answer": "ranking", **settings}
    study.save()
    answer_all(study, [row.replace("0", "2") for row in EXAMPLE_A])
    for given in Answer.objects.filter(presentation__participant__study=study).select_related("presentation__question"):
        right = given.presentation.question.answer
        others = [number for number in range(4) if number != right]
        given.ranking = [*others[: given.better], right, *others[given.better :]]
        given.save()
    return study


def test_the_blind_answers_of_inspectors_are_those_that_the_release_was_frozen_with(study, project, researcher):
    [found] = accuracy_elsewhere(study, results_in_force, by=researcher)
    assert found == (f"{project.slug}@1", None, 20, 0.85, [0.6, 0.95])


def test_experts_of_another_study_on_the_same_material_have_their_headline(study, asked, researcher):
    other = ceiling(researcher, asked)
    found = accuracy_elsewhere(study, results_in_force, by=researcher)[1]
    assert (found.study, found.answers, found.share) == (other, 80, pytest.approx(0.725))
    assert found.interval == pytest.approx((0.529069, 0.860853), abs=1e-6), "example A of METHODS"


def test_pilots_and_other_material_and_what_is_open_tell_nothing(study, asked, researcher):
    other = ceiling(researcher, asked, pilot=True)
    assert len(accuracy_elsewhere(study, results_in_force, by=researcher)) == 1
    Study.objects.filter(pk=other.pk).update(settings={**other.settings, "pilot": False}, state="open")
    assert len(accuracy_elsewhere(study, results_in_force, by=researcher)) == 1
    Study.objects.filter(pk=other.pk).update(state="closed")
    assert len(accuracy_elsewhere(study, results_in_force, by=researcher)) == 2
    other.question_sets.set([question_set(researcher, name="other", corpora=["movie"])])
    assert len(accuracy_elsewhere(study, results_in_force, by=researcher)) == 1


def test_who_may_not_read_the_release_or_the_other_study_is_told_of_neither(study, asked, researcher, client):
    ceiling(researcher, asked)
    stranger = factories.person("stranger", Role.RESEARCHER)
    StudyMembership.objects.create(study=study, person=stranger, role=Role.RESEARCHER)
    assert accuracy_elsewhere(study, results_in_force, by=stranger) == []
    for person, shown in ((researcher, True), (stranger, False)):
        client.force_login(person)
        page = client.get(reverse("results", args=[study.slug])).content.decode()
        assert ('id="elsewhere"' in page, reverse("results", args=["ceiling"]) in page) == (shown, shown)


def test_figures_of_another_study_are_computed_once(study, asked, researcher, client, monkeypatch):
    other = ceiling(researcher, asked)
    client.force_login(researcher)
    address = reverse("results", args=[study.slug])
    first = client.get(address).content
    assert StoredFigure.objects.filter(kind="results", scope_id=other.pk).count() == 1
    monkeypatch.setattr(results, "answers_given", None)  # nothing reads answers again
    assert b'id="elsewhere"' in client.get(address).content and b'id="elsewhere"' in first
