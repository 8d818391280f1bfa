"""Prepared reads say the same as the queries that they are made of."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.forms import model_to_dict
from django.test import Client
from django.utils import timezone

from study.actions.survey import participants
from study.domain.survey.keys import digest_of
from study.models import Answer, LateAnswer, Participant, Presentation, Study
from study.selectors.survey import visits
from tests.study import study_cases

pytestmark = pytest.mark.every_database


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher)


def joined(study) -> tuple[Participant, str]:
    person, secret = participants.join(group=study.groups.get())
    participants.practise(participant=person, first=0, second=1)
    return participants.start(participant=person), digest_of(secret)


def test_every_call_reads_anew_with_its_own_values(study, django_assert_num_queries):
    (first, one), (second, other) = joined(study), joined(study)
    link = study.groups.get().token
    with django_assert_num_queries(4):
        assert visits.people_at(link=link, digests=(one,)) == [first]
        assert visits.people_at(link=link, digests=(other,)) == [second]
        assert {*visits.people_at(link=link, digests=(one, other))} == {first, second}
        assert visits.people_at(link="nowhere", digests=(one,)) == []
        assert visits.people_at(link=link, digests=()) == []
    participants.finish(participant=first)
    [again] = visits.people_at(link=link, digests=(one,))
    assert again.state != first.state
    with django_assert_num_queries(0):
        assert (again.study.title, again.group.token) == (study.title, link)


def test_rows_are_those_of_the_query_with_all_that_they_select(study, django_assert_num_queries):
    person, digest = joined(study)
    study_cases.answer(person.presentations.get(position=2), 1, 2)
    person.presentations.filter(position=1).update(shown_at=person.started_at)
    [asked] = visits.asked_at(link=study.groups.get().token, position=2, digests=(digest,))
    plain = Presentation.objects.select_related("participant", "question", "answer").get(pk=asked.pk)
    with django_assert_num_queries(0):
        for name in ("participant", "question", "answer"):
            assert model_to_dict(getattr(asked, name)) == model_to_dict(getattr(plain, name))
        assert model_to_dict(asked) == model_to_dict(plain)
        assert asked.participant.study.language == study.language
    assert (asked.asked_count, asked.shown_count) == (5, 1)
    [unanswered] = visits.asked_at(link=study.groups.get().token, position=3, digests=(digest,))
    assert not hasattr(unanswered, "answer")


def test_answers_are_those_of_the_query_in_time_and_late(study, django_assert_num_queries):
    person, _digest = joined(study)
    given, late, empty = (person.presentations.get(position=position) for position in (1, 2, 3))
    study_cases.answer(given, 0, 1)
    LateAnswer.objects.create(presentation=late, first=1, second=2, depth=2)
    for presentation in (given, late, empty):
        [read] = visits.answers_at(pk=presentation.pk)
        plain = Presentation.objects.select_related("answer", "late_answer").get(pk=presentation.pk)
        with django_assert_num_queries(0):
            for name in ("answer", "late_answer"):
                assert fields_of(getattr(read, name, None)) == fields_of(getattr(plain, name, None))
            counts = (read.asked_count, read.shown_count)
            assert (read.position, read.shown_at, read.participant_id) == (plain.position, plain.shown_at, person.pk)
        assert counts == (5, 1)
    assert visits.answers_at(pk=empty.pk + 1_000) == []


def fields_of(answer: Answer | LateAnswer | None) -> dict[str, Any] | None:
    return answer and model_to_dict(answer, exclude=[])


def test_a_locked_row_is_that_of_the_query_and_locked_where_the_database_locks_rows(study):
    person, _digest = joined(study)
    said: list[str] = []
    for end in (lambda: None, lambda: participants.finish(participant=person)):
        end()
        with (
            transaction.atomic(),
            connection.execute_wrapper(lambda run, sql, *rest: (said.append(sql), run(sql, *rest))[1]),
        ):
            [read] = visits.locked_row(pk=person.pk)
        plain = Participant.objects.get(pk=person.pk)
        facts = ("pk", "state", "deadline_at", "ended_at")
        assert [getattr(read, name) for name in facts] == [getattr(plain, name) for name in facts]
    assert all(("FOR NO KEY UPDATE" in sql) == connection.features.has_select_for_no_key_update for sql in said)
    assert plain.ended_at is not None


def test_an_answer_takes_seven_statements_at_most(study, client):
    """Savepoints and both ends of the transaction are counted; inside a test these ends are a savepoint's."""
    link, person = begun(study, client)
    for position in (1, 2):
        first, second, third = person.presentations.get(position=position).tokens[:3]
        address = f"{link}questions/{position}/answer/"
        assert statements(client, address, {"first": first, "second": "", "key": str(uuid4())}) == 7
        for choices in ((first, second), (second, third)):  # changed
            body = dict(zip(("first", "second"), choices, strict=True)) | {"key": str(uuid4())}
            assert statements(client, address, body) == 6


def test_an_answer_without_a_script_takes_six_statements_and_its_page_two(study, client):
    link, person = begun(study, client)
    client.get(f"{link}questions/1/")
    for position in (1, 2):
        first, second = person.presentations.get(position=position).tokens[:2]
        choices = {"first": first, "second": second}
        for to_show in (2, 1):  # seen for the first time, and sent again
            assert statements(client, f"{link}questions/{position}/answer/", choices, is_form=True) == 6
            assert statements(client, f"{link}questions/{position + 1}/") == to_show


def test_that_a_person_was_seen_takes_no_further_statement_and_is_stored_once_a_minute(study, client):
    link, person = begun(study, client)
    client.get(f"{link}questions/1/")
    first, second = person.presentations.get(position=1).tokens[:2]
    for ago, is_due in ((timedelta(seconds=70), True), (timedelta(seconds=20), False), (None, True)):
        before = ago and timezone.now() - ago
        Participant.objects.update(seen_at=before)
        body = {"first": first, "second": second, "key": str(uuid4())}
        assert statements(client, f"{link}questions/1/answer/", body) == 6
        person.refresh_from_db()
        assert (person.seen_at != before) == is_due
    participants.withdraw(participant=person)
    study_cases.begun(study)
    assert client.post(f"{link}questions/1/answer/", {"first": first}).status_code in (302, 404)
    person.refresh_from_db()
    assert person.seen_at is None


def begun(study: Study, client: Client) -> tuple[str, Participant]:
    """Let a person in this browser begin; return the link and them."""
    person, secret = participants.join(group=study.groups.get())
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    client.cookies[f"survey-{study.pk}"] = secret
    return f"/take/{study.groups.get().token}/", person


def statements(client: Client, address: str, sent: dict[str, str] | None = None, *, is_form: bool = False) -> int:
    """Return how many statements a request takes."""
    said: list[str] = []
    with connection.execute_wrapper(lambda run, sql, *rest: (said.append(sql), run(sql, *rest))[1]):
        if sent is None:
            answer = client.get(address)
        else:
            answer = client.post(address, sent, **({} if is_form else {"content_type": "application/json"}))
    assert answer.status_code == (302 if is_form else 200)
    return len(said)
