"""The number of models beside the people in a study, as its side navigation tells it."""

import re

import pytest
from django.urls import reverse

from study.actions.imported_answers import import_answers
from study.actions.results import models_in_force
from study.models import Study
from study.selectors.results.results import results_of
from tests import factories
from tests.study.results_cases import answer_all, closed_study, example_a_file, question_set, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher) -> Study:
    study = closed_study(researcher, question_set(researcher, 4))
    answer_all(study, ["1121", "1112"])
    return study


def test_only_runs_that_predict_an_answer_of_the_study_are_counted(study, researcher):
    run_of(question_set(researcher, 2, name="others", corpora=["ubuntu"]), "11", by=researcher)
    questions = study.question_sets.get()
    assert models_in_force(study) == len({row["run"] for row in results_of(study)["models"]})
    before = models_in_force(study)
    run_of(questions, "1101", model="bm25", by=researcher)
    run_of(questions, "1101", model="bm25", by=researcher)  # the same again
    assert models_in_force(study) == before + 1
    assert models_in_force(study) == len({row["run"] for row in results_of(study)["models"]})


def test_runs_on_other_material_are_no_models_of_imported_answers(tmp_path, researcher, client):
    run_of(question_set(researcher, 4), "1101", by=researcher)
    import_answers(slug="a", path=example_a_file(tmp_path), report=factories.no_progress, by=researcher)
    study = Study.objects.get(slug="a")
    assert models_in_force(study) == 0
    client.force_login(researcher)
    page = client.get(reverse("study", args=["a"])).content.decode()
    link = re.search(rf'href="{reverse("study_models", args=["a"])}"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert link and re.findall(r"\d+", link[1]) == ["0"]
