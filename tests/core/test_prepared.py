"""Prepared reads say the same as the queries that they are made of."""

import pytest
from django.db import connection
from django.forms import model_to_dict

from study.actions.survey import participants
from study.actions.survey.joining import digest_of
from study.models import Participant, Presentation
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


def test_an_answer_takes_seven_statements(study, client):
    """Savepoints and both ends of the transaction are counted; inside a test these ends are a savepoint's."""
    person, secret = participants.join(group=study.groups.get())
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    client.cookies[f"survey-{study.pk}"] = secret
    link, counts = f"/take/{study.groups.get().token}/", []
    for position in (1, 2):
        tokens = person.presentations.get(position=position).tokens
        said: list[str] = []
        body = {"first": tokens[0], "second": tokens[1], "key": f"6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3a{position}"}
        with connection.execute_wrapper(lambda run, sql, *rest, said=said: (said.append(sql), run(sql, *rest))[1]):
            sent = client.post(f"{link}questions/{position}/answer/", body, content_type="application/json")
        assert sent.status_code == 200
        counts.append(len(said))
    assert max(counts) <= 7
