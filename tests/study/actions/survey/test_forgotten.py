"""Data of a person who withdraws is deleted from the disk too, if the database is a readable file."""

from pathlib import Path

import pytest
from django.db import connection

from study.actions.survey import participants
from study.domain.survey.platforms import Visitor
from study.models import Identity, Participant
from tests.study import study_cases

PERSON = "5f3a0c77d1e2b4a69988aabb"


def on_the_disk(text: str) -> list[str]:
    """Return the database's files that contain a text: the file itself and its log."""
    name = Path(str(connection.settings_dict["NAME"]))
    files = [path for path in name.parent.glob(f"{name.name}*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_person_who_withdrew_is_left_in_the_files(researcher):
    group = study_cases.study("lines", by=researcher).groups.get()
    person, _secret = participants.join(group=group, visitor=Visitor("prolific", PERSON, {"SESSION_ID": f"s{PERSON}"}))
    participants.describe(participant=person, demographics={"age": "31-40"})
    assert Identity.objects.get().person == PERSON
    if connection.vendor == "sqlite":
        assert on_the_disk(PERSON), "it was there"
    participants.withdraw(participant=person)
    if connection.vendor == "sqlite":
        assert on_the_disk(PERSON) == []
    assert not Identity.objects.exists()
    assert Participant.objects.get().demographics == {}
