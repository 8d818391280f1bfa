"""A lost or changed secret key: the start says so and what it costs, and it costs no more than that."""

from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from annotation.selectors.qualification.gold import stream_of
from config import env
from config.secret_key import WHAT_IT_COSTS, secret_key_is_the_same
from core.models import SecretKeyDigest
from tests.study import study_cases
from tests.study.test_blind_survey import begin

pytestmark = pytest.mark.django_db


def start() -> str:
    """Run the part of a start that looks at the key. Return what it says."""
    said = StringIO()
    call_command("migrate", verbosity=0, skip_checks=False, stderr=said)
    return said.getvalue()


@pytest.mark.every_database
def test_the_first_start_with_another_key_says_so_and_what_it_costs(settings):
    start()
    assert start() == ""
    settings.SECRET_KEY = "another"
    [warning] = secret_key_is_the_same(["default"])
    assert (warning.id, warning.hint) == ("config.W001", WHAT_IT_COSTS)
    said = start()
    assert "config.W001" in said
    assert str(settings.DATA_DIR / "secret_key") in said
    assert start() == ""


def test_a_start_after_the_file_of_the_key_was_lost_says_so(settings, tmp_path):
    kept_in = tmp_path / "secret_key"
    settings.SECRET_KEY = env.secret("NOT_SET", kept_in=kept_in)
    start()
    kept_in.unlink()
    settings.SECRET_KEY = env.secret("NOT_SET", kept_in=kept_in)
    assert "config.W001" in start()


@pytest.mark.parametrize("kept", ["", " \n", "a" * 31])
def test_a_file_of_the_key_that_is_empty_or_too_short_says_which_and_what_to_do(tmp_path, kept):
    kept_in = tmp_path / "secret_key"
    kept_in.write_text(kept)
    with pytest.raises(ImproperlyConfigured, match="delete it") as refused:
        env.secret("NOT_SET", kept_in=kept_in)
    assert str(kept_in) in str(refused.value)


def test_a_new_database_knows_no_other_key():
    SecretKeyDigest.objects.all().delete()
    assert secret_key_is_the_same(["default"]) == []


def test_the_database_does_not_keep_the_key(settings):
    start()
    assert settings.SECRET_KEY not in str(SecretKeyDigest.objects.values())


def test_another_key_signs_people_out_and_leaves_surveys_and_draws_as_they_are(
    settings, project, annotator, researcher
):
    rater = Client()
    rater.force_login(annotator)
    participant, link, _person = begin(study_cases.study("lines", by=researcher))
    assert rater.get("/").status_code == participant.get(f"{link}questions/1/").status_code == 200
    before = stream_of(project, annotator)
    settings.SECRET_KEY = "another"
    assert rater.get("/").status_code == 302
    assert participant.get(f"{link}questions/1/").status_code == 200
    assert stream_of(project, annotator) == before
