"""Studies are archived and taken back."""

import pytest
from django.test import Client
from django.urls import reverse

from core.actions.refusals import Refused
from study.actions.survey import archiving, studies
from study.models import Study
from tests.study import study_cases


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


def test_an_archived_study_is_at_the_foot_of_the_list_and_comes_back(client, researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    link = f'href="{reverse("study", args=[study.slug])}"'
    assert link in client.get(reverse("studies")).content.decode()
    client.post(reverse("archive_study", args=[study.slug]))
    listed = client.get(reverse("studies")).content.decode()
    assert link not in listed
    assert f'href="{reverse("archived_studies")}"' in listed
    assert link in client.get(reverse("archived_studies")).content.decode()
    assert client.get(reverse("study", args=[study.slug])).status_code == 200
    client.post(reverse("take_back_study", args=[study.slug]))
    assert link in client.get(reverse("studies")).content.decode()


def test_an_open_study_is_closed_before_it_is_archived(client, researcher):
    study = study_cases.study("lines", by=researcher)
    client.post(reverse("archive_study", args=[study.slug]))
    assert Study.objects.get(pk=study.pk).archived_at is None
    with pytest.raises(Refused) as refused:
        archiving.archive(study=study, by=researcher)
    assert refused.value.code == "open"


def test_an_archived_study_is_not_opened(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    archiving.archive(study=study, by=researcher)
    with pytest.raises(Refused) as refused:
        studies.open_(study=study, by=researcher)
    assert refused.value.code == "archived"
