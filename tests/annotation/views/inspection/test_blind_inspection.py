"""All that an inspector's browser receives before the blind answer; nothing of it depends on which candidate is right.

The same four texts are shown at the same positions twice; the first time the one at the first position is the key, then
each of the others in turn. Anything that told them apart would show up as a difference.
"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Inspection, Rewrite
from tests.annotation.views.rewriting.rewriting_page import INSPECT, author, dream, judge, send, signed_in
from tests.dialogues import CHOICES, QUESTION, items, write_next

__all__ = ["author", "dream", "judge"]
SHOWN = ["The first text of all.", "A second one.", "Then a third.", "And the last."]
CHANGING = (
    r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|csrftoken=\w+|sessionid=\w+'
    r"|expires=[^;]+|nonce-[\w+/=-]+|\d\d:\d\d:\d\d"
)
ACTS = {
    "answer": [{}, {"answer": "9"}],
    "decide": [
        {"is_correct": "yes", "is_unique": "yes"},
        {"is_correct": "doubt", "is_unique": "yes", "is_revisable": "no"},
    ],
    "skip": [{"reason": "none"}],
}


@pytest.fixture
def inspection(dream, author, judge):
    items(dream, 1)
    write_next(dream, author)
    signed_in(judge).get(INSPECT)
    return Inspection.objects.get()


def make_right(inspection: Inspection, position: int) -> None:
    """Make the text shown at this position the key; what is shown stays the same."""
    order = [number if number else position for number in range(4)]
    order[0], order[position] = order[position] if position else 0, 0
    candidates = [""] * 4
    for shown, number in enumerate(order):
        candidates[number] = SHOWN[shown]
    Rewrite.objects.filter(pk=inspection.rewrite_id).update(candidates=candidates)
    Inspection.objects.filter(pk=inspection.pk).update(order=order)


def everything(judge, inspection: Inspection) -> dict[str, str]:
    """Return every response the browser can get: pages, what they link to, and refused acts, as a form and as JSON."""
    client = signed_in(judge)
    received: dict[str, str] = {}
    waiting = [
        "/",
        INSPECT,
        "/account/",
        "/projects/dream/",
        "/projects/dream/items/",
        "/projects/dream/write/",
        "/projects/dream/releases/",
        "/projects/dream/board.csv",
        "/api/v1/projects/dream/items/",
    ]
    while waiting:
        path = waiting.pop()
        if path in received:
            continue
        received[path] = whole(client.get(path))
        waiting += [
            link
            for link in re.findall(r'(?:href|src|action|formaction)="(/[^"#]*)"', received[path])
            if not link.startswith("/static/")
        ]
    base = f"{INSPECT}{inspection.assignment_id}/"
    for act, bodies in ACTS.items():
        for number, body in enumerate(bodies):
            received[f"{act} {number} as JSON"] = whole(send(client, f"{base}{act}/", body))
            received[f"{act} {number} as a form"] = whole(client.post(f"{base}{act}/", body))
    return received


def whole(answer) -> str:
    """Return status, headers, cookies and body, without what changes every time."""
    said = [str(answer.status_code), *(f"{name}: {value}" for name, value in sorted(answer.headers.items()))]
    said += [answer.cookies.output(), answer.content.decode()]
    return re.sub(CHANGING, "…", "\n".join(said))


def test_nothing_that_is_received_before_the_answer_depends_on_the_key(judge, inspection):
    received = []
    for position in range(4):
        make_right(inspection, position)
        received.append(everything(judge, inspection))
    assert len(received[0]) > 12
    assert all(text in received[0][INSPECT] for text in SHOWN)
    assert Inspection.objects.get().answered_at is None
    for position in (1, 2, 3):
        assert received[position] == received[0]


def test_nothing_of_the_source_items_question_is_received_before_the_answer(judge, inspection):
    said = "".join(everything(judge, inspection).values())
    assert QUESTION not in said
    assert not any(choice in said for choice in CHOICES)


def test_the_crawl_would_notice_a_key(judge, inspection):
    """Check that the same crawl finds a difference after the answer."""
    received = []
    for position in (0, 1):
        make_right(inspection, position)
        send(signed_in(judge), f"{INSPECT}{inspection.assignment_id}/answer/", {"answer": "1"})
        received.append(whole(signed_in(judge).get(INSPECT)))
        Inspection.objects.update(answer=None, answered_at=None)
    assert received[0] != received[1]


def test_the_item_that_is_asked_for_ahead_comes_blind_and_is_another_one(dream, author, judge):
    items(dream, 4)
    for _item in range(4):
        write_next(dream, author)
    client = signed_in(judge)
    client.get(INSPECT)
    first = Inspection.objects.get()
    answer = client.post(f"{INSPECT}{first.assignment_id}/answer/", {"answer": "1"})
    assert answer.status_code == 302
    page = client.get(INSPECT, {"after": first.assignment_id})
    ahead = Inspection.objects.exclude(pk=first.pk).get()
    html = page.content.decode()
    assert f"/{ahead.assignment_id}/answer/" in html
    assert f"/{first.assignment_id}/" not in html
    assert "is-key" not in html and ahead.answered_at is None
    assert f"/{first.assignment_id}/decide/" in client.get(INSPECT).content.decode()  # the page itself stays


def test_time_before_an_item_asked_for_ahead_was_shown_does_not_count(dream, author, judge, inspection):
    long_ago = timezone.now() - timedelta(minutes=10)
    Inspection.objects.update(opened_at=long_ago)
    address = f"{INSPECT}{inspection.assignment_id}/answer/"
    sent = {"answer": "1", "milliseconds": "5000"}
    signed_in(judge).post(address, sent, content_type="application/json")
    inspection.refresh_from_db()
    assert inspection.answered_at - inspection.opened_at == timedelta(seconds=5)


def test_an_item_was_not_shown_before_it_was_opened(dream, author, judge, inspection):
    opened = inspection.opened_at
    sent = {"answer": "1", "milliseconds": "5000000"}
    signed_in(judge).post(f"{INSPECT}{inspection.assignment_id}/answer/", sent, content_type="application/json")
    inspection.refresh_from_db()
    assert inspection.opened_at == opened
