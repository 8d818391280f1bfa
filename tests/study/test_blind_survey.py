"""All that a participant's browser receives; nothing of it depends on which line is right or which question is the
check.

Everything is requested twice: as it is, and with other lines right and another question for the check. The responses
must be the same bytes, except for the form's own secret, which differs from page to page, and the time.
"""

import json
import re
from collections import Counter
from uuid import uuid4

import pytest
from django.db.models import F
from django.test import Client

from study.actions.survey.presentations import present_questions
from study.models import Participant, Presentation, Question, QuestionPurpose
from tests.study import study_cases

LINES = 5


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher, questions=24, settings={"forms": 4, "per_form": 6})


def begin(study) -> tuple[Client, str, Participant]:
    """Return a participant before the first question, with their browser and link."""
    client, link = Client(), f"/take/{study.groups.get().token}/"
    client.post(f"{link}join/", {"is_adult": "on", "agrees": "on"})
    client.post(f"{link}about/", {})
    person = Participant.objects.latest("pk")
    tokens = person.presentations.get().tokens
    client.post(f"{link}practice/", {"first": tokens[0], "second": tokens[1]})
    client.post(f"{link}begin/")
    return client, link, person


def crawl(client: Client, link: str, person: Participant) -> list[bytes]:
    """Return every page and response from the first question to the last, with the headers."""
    received = []
    for presentation in person.presentations.filter(position__gt=0):
        address = f"{link}questions/{presentation.position}/"
        received += [client.get(address), client.get(f"{address}others/")]
        for first, second in ((0, None), (0, 1), (None, None), (3, 2)):
            chosen = [None if line is None else presentation.tokens[line] for line in (first, second)]
            body = {"first": chosen[0], "second": chosen[1], "milliseconds": 900, "key": str(uuid4())}
            received.append(client.post(f"{address}answer/", json.dumps(body), content_type="application/json"))
        form = dict(zip(("first", "second"), presentation.tokens, strict=False))
        received.append(client.post(f"{address}answer/", form))
    received += [client.get(f"{link}{page}") for page in ("", "on/", "questions/", "finish/", "withdraw/")]
    return [masked(answer) for answer in received]


def pages(client: Client, link: str) -> str:
    """Return what the browser receives before the first answer: the page of the first question, and the others."""
    return "".join(client.get(f"{link}questions/1/{name}").content.decode() for name in ("", "others/"))


def masked(answer) -> bytes:
    changing = rb'(csrfmiddlewaretoken" value="|csrftoken=|saved_at": "|seconds(?:_l|L)eft": )[^";,}]*'
    headers = "\n".join(f"{name}: {value}" for name, value in sorted(answer.items()) if name != "Expires")
    return re.sub(changing, rb"\1", headers.encode() + b"\n\n" + answer.content)


def test_other_right_lines_and_another_check_change_nothing_that_is_received(study):
    client, link, person = begin(study)
    crawl(client, link, person)  # from here on every question has been seen and answered
    before = crawl(client, link, person)
    check, work = QuestionPurpose.CHECK, QuestionPurpose.WORK
    own = Question.objects.get(study=study, purpose=check)
    other = study_cases.counting(person)[0].question
    Question.objects.update(answer=(F("answer") + 2) % LINES)
    Question.objects.filter(pk=own.pk).update(purpose=work)
    Question.objects.filter(pk=other.pk).update(purpose=check)
    after = crawl(client, link, person)
    assert len(before) == 7 * 7 + 5
    assert before == after


def test_the_check_has_the_same_shape_as_any_question(study):
    client, link, _person = begin(study)
    page = pages(client, link)
    blocks = page.split('<div class="one-question"')[1:]
    assert len(blocks) == 7
    shapes = {tuple(re.findall(r'<\w+|class="[^"]*"', block.split("</ol>")[1])[:60]) for block in blocks}
    assert len(shapes) == 1


def test_nothing_received_names_the_question_or_its_purpose(study):
    client, link, person = begin(study)
    page = pages(client, link)
    for presentation in person.presentations.select_related("question"):
        assert f'"{presentation.question.external_id}"' not in page
    for word in ("purpose", "is_check", "practice", "better", "external", "correct"):
        assert word not in page.replace("/practice/", "")


def test_the_right_line_stands_anywhere_and_its_token_sorts_anywhere(study):
    indices, ranks, checks = Counter(), Counter(), Counter()
    for _person in range(60):
        study_cases.begun(study)
    for each in Presentation.objects.select_related("question").exclude(position=0):
        right = each.order.index(each.question.answer)
        indices[right] += 1
        ranks[sorted(each.tokens).index(each.tokens[right])] += 1
        if each.question.purpose == QuestionPurpose.CHECK:
            checks[each.position] += 1
    # 420 draws into five: 84 each; a deviation of 45 happens about once in a hundred million.
    assert all(abs(indices[index] - 84) < 45 and abs(ranks[index] - 84) < 45 for index in range(LINES))
    assert len(checks) == 7


def test_tokens_follow_from_nothing_that_is_known_of_a_person_and_a_question(study):
    person = study_cases.begun(study)
    drawn = []
    for _time in range(2):
        drawn.append(list(person.presentations.filter(position__gt=0).values_list("order", "tokens")))
        person.presentations.filter(position__gt=0).delete()
        present_questions(person)
    assert [order for order, _tokens in drawn[0]] == [order for order, _tokens in drawn[1]]  # these are of a secret
    first, second = ({token for _order, tokens in rows for token in tokens} for rows in drawn)
    assert len(first) == len(second) == 7 * LINES
    assert not first & second


def test_the_last_page_of_who_failed_the_check_tells_neither_which_it_was_nor_what_was_wrong(study):
    pages, places = set(), set()
    for misses in (1, 2, 3, 1, 2, 3):
        client, link, person = begin(study)
        check = study_cases.check_of(person)
        study_cases.answer(study_cases.counting(person)[0], 0)
        study_cases.answer(check, (check.question.answer + misses) % LINES)
        client.post(f"{link}finish/", {"without": "1"})
        person.refresh_from_db()
        page = masked(client.get(f"{link}on/")).decode()
        page = re.sub(r"/back/[0-9a-f]{40}/", "", page)  # the resume link is each person's own
        pages.add(page.replace(person.code, "").replace(str(person.public_id), ""))
        places.add(check.position)
        assert person.code == study.codes[person.state]
    assert Participant.objects.filter(state="failed_checks").count() == 6
    assert (len(pages), len(places) > 1) == (1, True)
