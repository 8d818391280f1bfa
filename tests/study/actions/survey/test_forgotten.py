"""Data of a person who withdraws is deleted from the disk too, if the database is a readable file."""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from study.actions.survey import keys, participants
from study.domain.survey.keys import digest_of, resume_secret
from study.domain.survey.platforms import Visitor
from study.models import Behaviour, Exclusion, Identity, LateAnswer, Participant
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


def rows_with(text: str) -> set[tuple[str, int]]:
    """Return the rows of all tables in whose values a text is: by table and key."""
    rows = ((model, row) for model in apps.get_models() for row in model.objects.values())
    return {(model._meta.model_name, row["id"]) for model, row in rows if text in str(row)}


@pytest.mark.django_db
def test_a_walk_through_every_table_finds_the_tombstone_alone(researcher):
    study = study_cases.study("lines", by=researcher)
    visitor = Visitor("prolific", PERSON, {"SESSION_ID": f"s{PERSON}"})
    person, secret = participants.join(group=study.groups.get(), visitor=visitor)
    study_cases.begun(study)  # another one, whose rows stay
    participants.describe(participant=person, demographics={"age": "31-40"})
    participants.practise(participant=person, first=0, second=1)
    person = participants.start(participant=person)
    asked = study_cases.counting(person)
    study_cases.answer(asked[0], 0, 1, noted={"blur": 1})
    LateAnswer.objects.create(presentation=asked[1], first=0, depth=1)
    Exclusion.objects.create(participant=person, why="took part twice")
    other = keys.give(participant=person)
    told = [PERSON, *map(digest_of, (secret, other, resume_secret(secret))), *asked[0].tokens]
    assert all(rows_with(text) for text in told)
    assert Behaviour.objects.exists()
    of_person = list(Participant._meta.related_objects)
    assert {each.name for each in of_person} == {"presentations", "keys", "behaviour", "identity", "exclusion"}
    participants.withdraw(participant=person)
    assert [text for text in told if rows_with(text)] == []
    for each in of_person:
        assert not each.related_model.objects.filter(**{each.field.name: person}).exists(), each.name
    assert rows_with(str(person.public_id)) | rows_with(repr(person.public_id)) == {("participant", person.pk)}
    tombstone = Participant.objects.values().get(pk=person.pk)
    kept = {"id", "study_id", "public_id", "group_id", "form", "origin", "state", "consent_id", "joined_at", "ended_at"}
    assert {name for name, value in tombstone.items() if value not in (None, "", {}, False)} == kept
