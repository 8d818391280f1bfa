"""A person who withdraws: a walk through every table, every file and all that was logged finds the tombstone alone."""

import json
import logging
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from core.models import Event, StoredFigure
from study.actions.survey import exports, keys, participants, studies
from study.domain.survey.keys import digest_of, resume_secret
from study.domain.survey.platforms import Visitor
from study.models import Behaviour, Exclusion, Identity, LateAnswer, Participant, Study
from tests.study import study_cases

PERSON, VISIT = "5f3a0c77d1e2b4a69988aabb", "zzvisit-5f3a0c77d1e2"
SUBMISSION, CODE, MILLISECONDS = "zzsubmission", "ZZCODE", 86_421
REASONS = ["zzreason one: is her sister", "zzreason two: is not", "zzreason three: is"]
OTHERS_REASON = "zzother: said so"
BEGINNING = {"is_adult": "on", "agrees": "on"}

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Told:
    """A person who did all that a person can do, and about whom all was done; `texts` are what is stored of them."""

    study: Study
    person: Participant
    client: Client
    link: str
    texts: list[str] = field(default_factory=list)


@pytest.fixture
def told(researcher, settings, tmp_path, caplog, capfd) -> Told:
    caplog.set_level(logging.DEBUG)
    settings.DATA_DIR = tmp_path
    study = study_cases.study("lines", by=researcher)
    other = study_cases.finished(study)
    own = Client()
    own.force_login(researcher)
    told = taken_by_a_person(study)
    decided_about(told, own, other)
    made_of_the_study(study, own, researcher)
    return told


def taken_by_a_person(study: Study) -> Told:
    """Let a person in a platform take the survey on its pages."""
    client, link = Client(), f"/take/{study.groups.get().token}/"
    client.post(f"{link}join/?PROLIFIC_PID={PERSON}&SESSION_ID={VISIT}", BEGINNING)
    person = Participant.objects.latest("pk")
    client.post(f"{link}about/", {"age": "31-40", "homepage": "zztrap"})
    practice = person.presentations.get()
    client.post(f"{link}practice/", dict(zip(("first", "second"), practice.tokens, strict=False)))
    client.post(f"{link}begin/")
    asked, key = list(person.presentations.exclude(position=0)), uuid4()
    study_cases.spend(person, seconds=200)
    body = {"ranking": asked[0].tokens[:2], "key": str(key), "milliseconds": MILLISECONDS, "noted": {"blur": 1}}
    client.post(f"{link}questions/1/answer/", json.dumps(body), content_type="application/json")
    LateAnswer.objects.create(presentation=asked[1], first=0, depth=1, milliseconds=MILLISECONDS + 1)
    secret = client.cookies[f"survey-{study.pk}"].value
    another = keys.give(participant=person)
    client.post(f"{link}finish/", {"without": "1"})
    person.refresh_from_db()
    digests = map(digest_of, (secret, resume_secret(secret), another))
    tokens = [token for each in asked for token in each.tokens]
    numbers = [str(MILLISECONDS), str(MILLISECONDS + 1)]
    texts = [PERSON, VISIT, '"age": "31-40"', *forms_of(key), *digests, *tokens, *numbers]
    return Told(study, person, client, link, texts)


def forms_of(key: UUID) -> tuple[str]:
    """Return a key as the present database writes it."""
    return (key.hex if connection.vendor == "sqlite" else str(key),)


def decided_about(told: Told, own: Client, other: Participant) -> None:
    """Exclude the person, take them back, exclude them again; read the platform's list and decide about their pay."""
    header = "Submission id,Participant id,Status,Completion code"
    file = SimpleUploadedFile("list.csv", f"{header}\n{SUBMISSION},{PERSON},AWAITING REVIEW,{CODE}\n".encode())
    own.post(reverse("reconcile_study", args=["lines"]), {"file": file})
    own.post(reverse("decide_pay", args=["lines"]))
    exclude = reverse("exclude_participants", args=["lines"])
    for number, why in enumerate(REASONS):
        own.post(exclude, {"row": told.person.pk, "why": why, **({"take_back": "1"} if number == 1 else {})})
    own.post(exclude, {"row": other.pk, "why": OTHERS_REASON})
    told.texts += [SUBMISSION, CODE, *REASONS]


def made_of_the_study(study: Study, own: Client, researcher) -> None:
    """Close the study; compute its results and write its export, which has the person's row."""
    studies.close(study=study, why="Written for tests.", by=researcher)
    exports.export(exports.ask_for(study=study, format="csv", by=researcher), lambda *_told: None)
    own.get(reverse("results", args=["lines"]))


# ---- the walk -------------------------------------------------------------------------------------------------------
def rows_with(*texts: str) -> set[tuple[str, object]]:
    """Return the rows of all tables of the database in which one of the texts is: by table and first column."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found |= {(table, row[0]) for row in cursor.fetchall() if any(text in str(row) for text in texts)}
    return found


def files_with(*texts: str) -> list[str]:
    """Return the files under DATA_DIR, of this test and of all, and those of the database, in which a text is."""
    name = Path(str(connection.settings_dict["NAME"]))
    roots = [Path(django_settings.DATA_DIR), *(name.parent.glob(f"{name.name}*") if name.is_absolute() else [])]
    files = [path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()]
    return [path.name for path in files if any(text.encode() in content_of(path) for text in texts)]


def content_of(path: Path) -> bytes:
    """Return what is in a file; in an archive, what is in its files."""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def test_a_walk_through_every_table_and_file_finds_the_tombstone_alone(told):
    person, public_id = told.person, (str(told.person.public_id), told.person.public_id.hex)
    assert [text for text in told.texts if not rows_with(text)] == [], "they were there"
    assert {table for table, _row in rows_with(*public_id)} == {"study_participant", "study_deviation"}
    assert [name for name in files_with(*public_id) if name.endswith(".zip")]
    assert StoredFigure.objects.exists()
    assert Behaviour.objects.get(participant=person).trap == 1

    told.client.post(f"{told.link}withdraw/")

    assert [(text, rows_with(text)) for text in told.texts if rows_with(text)] == []
    assert files_with(*told.texts) == []
    assert rows_with(*public_id, repr(person.public_id)) == {("study_participant", person.pk)}
    assert [name for name in files_with(*public_id) if "sqlite3" not in name] == []
    assert not StoredFigure.objects.exists()
    for each in Participant._meta.related_objects:
        assert not each.related_model.objects.filter(**{each.field.name: person}).exists(), each.name
    tombstone = Participant.objects.values().get(pk=person.pk)
    kept = {"id", "study_id", "public_id", "group_id", "form", "origin", "state", "consent_id", "joined_at", "ended_at"}
    assert {name for name, value in tombstone.items() if value not in (None, "", {}, False)} == kept
    events = Event.objects.filter(subject="participant", subject_id=person.pk)
    assert events.filter(became="excluded").count() == 2
    assert set(events.values_list("why", flat=True)) == {""}


def test_nothing_of_a_person_was_ever_logged_or_printed(told, caplog, capfd):
    logging.getLogger("study").warning("zzheard")
    told.client.post(f"{told.link}withdraw/")
    records = [record for phase in ("setup", "call") for record in caplog.get_records(phase)]
    said = "\n".join([*(record.getMessage() for record in records), *capfd.readouterr()])
    assert "zzheard" in said
    assert [text for text in (*told.texts, str(told.person.public_id), told.link) if text in said] == []


def test_every_table_that_points_to_a_person_is_one_of_which_the_withdrawal_knows():
    of_person = {each.name for each in Participant._meta.related_objects}
    assert of_person == {"presentations", "keys", "behaviour", "identity", "exclusion", "pay_record"}
    of_identity = {each.name for each in Identity._meta.related_objects}
    assert of_identity == {"submission"}


# ---- what was decided about them ------------------------------------------------------------------------------------
def test_deviations_count_a_person_who_has_withdrawn_since_without_an_id_and_a_reason(told):
    before = list(told.study.deviations.values_list("what", "created_at", "created_by"))
    told.client.post(f"{told.link}withdraw/")
    assert list(told.study.deviations.values_list("what", "created_at", "created_by")) == before
    [*of_person, of_other] = told.study.deviations.values_list("what", "subject", "why")
    assert of_person == [("excluded", "", ""), ("taken back", "", ""), ("excluded", "", "")]
    assert of_other[2] == OTHERS_REASON
    assert Exclusion.objects.count() == 1


def test_the_plan_says_of_them_that_one_person_has_withdrawn_since(told, researcher):
    told.client.post(f"{told.link}withdraw/")
    own = Client()
    own.force_login(researcher)
    for address in (reverse("study", args=["lines"]), reverse("public_plan", args=[told.study.plan_checksum])):
        page = own.get(address).content.decode()
        assert page.count("one person, since withdrawn") == 3
        assert OTHERS_REASON in page
        assert not any(why in page for why in REASONS)


def test_the_withdrawal_of_a_person_who_only_joined_leaves_nothing_either(researcher):
    study = study_cases.study("lines", by=researcher)
    visitor = Visitor("prolific", PERSON, {"SESSION_ID": VISIT})
    person, _secret = participants.join(group=study.groups.get(), visitor=visitor)
    assert rows_with(PERSON)
    participants.withdraw(participant=person)
    assert rows_with(PERSON, VISIT) == set()
    assert files_with(PERSON, VISIT) == []
