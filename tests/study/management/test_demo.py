"""The command that loads the samples."""

import json
from io import StringIO

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from annotation.actions.demo.demo import CAST
from core.models import Account, User

pytestmark = pytest.mark.django_db


def test_a_first_start_makes_no_administrator_beside_the_one_of_the_sample(settings: LazySettings, tmp_path):
    settings.DATA_DIR = tmp_path
    out = StringIO()
    call_command("demo", "--json", stdout=out)
    administrators = User.objects.filter(account=Account.ADMINISTRATOR).values_list("username", flat=True)
    assert list(administrators) == ["admin"]
    assert {person["username"] for person in json.loads(out.getvalue())["people"]} == set(CAST)
