"""Studies through the API: plan and counts, never an answer."""

import pytest
from django.test import Client

from study.domain.survey.survey import SurveySettings
from tests import factories
from tests.study import study_cases

ADDRESS = "/api/v1/studies/"


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def test_a_study_is_told_with_the_plan_that_opening_froze(client, researcher):
    draft = study_cases.study("lines", by=researcher, is_open=False)
    told = client.get(f"{ADDRESS}lines/").json()
    assert (told["state"], told["plan"], told["question_sets"]) == ("draft", None, ["lines-questions"])
    study_cases.studies.open_(study=draft, by=researcher)
    told = client.get(f"{ADDRESS}lines/").json()
    assert told["settings"] == SurveySettings(forms=2, per_form=4).as_mapping()
    assert [len(form) for form in told["plan"]["forms"]] == [4, 4]


def test_people_are_told_by_group_form_and_outcome(client, researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 5})
    study_cases.finished(study)
    study_cases.joined(study)
    told = client.get(f"{ADDRESS}lines/fieldwork/").json()
    [crowd] = told["groups"]
    assert (crowd["name"], crowd["quota"], crowd["people"]) == ("crowd", 5, 2)
    assert crowd["outcomes"] == {
        "consented": 1,
        "answering": 0,
        "complete": 1,
        "too_few_answers": 0,
        "failed_checks": 0,
        "unanswered_check": 0,
        "timed_out": 0,
        "withdrawn": 0,
    }
    assert sum(form["people"] for form in told["forms"]) == told["total"]["people"] == 2
    assert told.keys() == {"groups", "forms", "total", "median_minutes", "last_at"}


def test_the_list_takes_as_many_queries_for_many_studies_as_for_one(client, researcher, django_assert_num_queries):
    study_cases.study("lines", by=researcher)
    with django_assert_num_queries(5):
        client.get(ADDRESS)
    for number in range(3):
        study_cases.study(f"lines-{number}", by=researcher)
    with django_assert_num_queries(5):
        answer = client.get(ADDRESS)
    assert [each["slug"] for each in answer.json()["results"]] == ["lines-2", "lines-1", "lines-0", "lines"]
    assert "plan" not in answer.json()["results"][0]


def test_a_stranger_is_told_of_no_study(client, researcher):
    study_cases.study("lines", by=researcher)
    client.force_login(factories.person("kim", "researcher"))
    assert client.get(ADDRESS).json()["results"] == []
    assert client.get(f"{ADDRESS}lines/").status_code == 404
    assert client.get(f"{ADDRESS}lines/fieldwork/").status_code == 404
