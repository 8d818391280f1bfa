"""The page on which authors rewrite an item: what it shows, what it stores, what it refuses."""

import json
import re
from datetime import datetime, timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone as clock
from django.utils import translation

from annotation.actions.projects import projects
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, Item, Rewrite, Step
from tests import factories
from tests.annotation.views.rewriting.rewriting_page import WRITE, author, draft, dream, form_of, judge, send, signed_in
from tests.dialogues import ACCEPT, CANDIDATES, CHOICES, QUESTION, RETURN, TURNS, items, judge_next, write_next
from tests.pages import without_tokens

__all__ = ["author", "dream", "judge"]


@pytest.fixture
def client(dream, author):
    """The author's browser, with two items to write."""
    items(dream, 2)
    return signed_in(author)


@pytest.fixture
def base(client):
    """Return the address of the held item."""
    client.get(WRITE)
    return f"{WRITE}{Assignment.objects.get().pk}/"


def page_state_of(client, path=WRITE):
    html = client.get(path).content.decode()
    return json.loads(re.search(r'<script id="page_state" type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def text_of(answer) -> str:
    """Return the visible text, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


# ---- what is shown --------------------------------------------------------------------------------------------------


def test_the_page_shows_the_dialogue_the_question_and_what_each_text_must_be(client):
    page = text_of(client.get(WRITE))
    assert all(text in page for text in [QUESTION, *CHOICES, *(text for _speaker, text in TURNS)])
    assert re.findall(r"(Right|Wrong) ?, (from choice [A-C]|choice [A-C] negated)", page) == [
        ("Right", "from choice B"),
        ("Wrong", "from choice A"),
        ("Wrong", "from choice C"),
        ("Wrong", "choice B negated"),
    ]


def test_the_script_knows_who_speaks_after_every_cut(client):
    assert page_state_of(client)["speakers"] == [speaker for speaker, _text in TURNS]


def test_an_item_in_hand_is_shown_again_with_its_draft(client, base):
    send(client, f"{base}save/", draft())
    assert page_state_of(client)["candidates"] == CANDIDATES
    assert Assignment.objects.count() == 1


def test_nothing_to_write_is_told_from_nothing_left(dream, author):
    client = signed_in(author)
    assert "There is nothing to write yet" in text_of(client.get(WRITE))
    items(dream, 1)
    write_next(dream, author)
    assert "Nothing is left to write" in text_of(client.get(WRITE))


def test_what_came_back_is_shown_first_with_the_comments_of_the_round(dream, author, judge, client):
    write_next(dream, author)
    client.get(WRITE)  # the second item is held now
    judge_next(dream, judge, RETURN)
    page = client.get(WRITE).content.decode()
    assert "This fits as well." in page[page.index('data-editor="2"') : page.index('data-editor="3"')]
    assert "Round 1" in page
    assert "Ivo" not in without_tokens(page)
    second = Assignment.objects.get(state=AssignmentState.HELD, slot__round=1)
    assert page_state_of(client, f"{WRITE}?assignment={second.pk}")["base"] == f"{WRITE}{second.pk}/"


def test_the_means_are_those_of_what_was_submitted_in_the_project(dream, author, client):
    page = client.get(WRITE).content.decode()
    assert "this project&#x27;s mean" not in page and "this project's mean" not in page
    write_next(dream, author)
    # 3 of 13 words of the right one are in the context; 7 of 12, 1 of 11 and 6 of 10 of the wrong ones.
    assert "23 % for right ones, 42 % for wrong ones" in text_of(client.get(WRITE))


# ---- drafts ---------------------------------------------------------------------------------------------------------


def test_a_draft_is_stored_as_one_and_answered_with_its_time_and_revision(client, base):
    answer = send(client, f"{base}save/", draft())
    stored = Rewrite.objects.get()
    told = datetime.fromisoformat(answer.json()["saved_at"])
    assert told.replace(microsecond=0) == stored.saved_at.replace(microsecond=0)
    assert answer.json()["revision"] == stored.revision == 1
    assert (stored.cut, stored.candidates) == (4, CANDIDATES)


def test_characters_that_no_text_holds_are_left_out_and_lose_nothing(client, base):
    pasted = ["It\0 is\x07 \u202etoo\u202c small.", *CANDIDATES[1:]]
    assert send(client, f"{base}save/", draft(candidates=pasted)).status_code == 200
    assert Rewrite.objects.get().candidates == ["It is too small.", *CANDIDATES[1:]]


def test_a_draft_of_an_older_page_is_refused_with_the_time_of_the_newer_one(client, base):
    send(client, f"{base}save/", draft())
    answer = send(client, f"{base}save/", draft(candidates=["Another text.", "", "", ""]))
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["revision"]) == ("stale", 1)
    assert "saved_at" in answer.json()
    assert Rewrite.objects.get().candidates == CANDIDATES


def test_a_draft_whose_answer_was_lost_is_stored_once(client, base):
    for _time in range(2):
        assert send(client, f"{base}save/", draft()).json()["revision"] == 1


@pytest.mark.parametrize(
    "body",
    [
        "no json",
        "[]",
        "{}",
        {"cut": 1, "revision": 0},
        {**draft(), "cut": "4"},
        {**draft(), "revision": None},
        {**draft(), "candidates": ["a", "b", "c"]},
        {**draft(), "candidates": ["a", "b", "c", 4]},
        {**draft(), "cut": 2**40},
        {**draft(), "cut": -1},
    ],
)
def test_what_cannot_be_read_is_refused_and_changes_nothing(body, client, base):
    answer = send(client, f"{base}save/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert Rewrite.objects.get().revision == 0


# ---- submitting -----------------------------------------------------------------------------------------------------


def test_a_submission_goes_to_the_inspectors_and_the_next_item_comes(client, base):
    answer = send(client, f"{base}submit/", draft())
    assert answer.json()["next"] == WRITE
    assert Item.objects.get(position=1).state == ItemState.WRITTEN
    page = text_of(client.get(WRITE))
    assert "Submitted: an inspector judges it next." in page
    assert "Number 2." in page


# ---- the next item, asked for ahead ----------------------------------------------------------------------------------


@pytest.fixture
def both(client, base, dream):
    """Return the assignments of the item that is written and of the next one, whose page the script asked for."""
    items(dream, 1)
    assert "Number 2." in text_of(client.get(page_state_of(client)["next"]))
    return Assignment.objects.order_by("pk")


def test_the_page_after_an_item_is_that_of_another_or_says_that_none_is_left(client, base, both):
    assert [assignment.state for assignment in both] == [AssignmentState.HELD] * 2
    send(client, f"{WRITE}{both[0].pk}/submit/", draft())
    last = client.get(WRITE, {"after": both[1].pk})
    assert "Number 1." not in text_of(last)
    assert 'id="writing"' not in last.content.decode()


def test_who_sees_the_next_item_already_is_told_of_the_submission_by_its_answer_and_not_again(client, both):
    answer = send(client, f"{WRITE}{both[0].pk}/submit/", draft() | {"goes_on": both[1].pk})
    assert answer.json()["said"] == "Submitted: an inspector judges it next."
    assert Item.objects.get(position=1).state == ItemState.WRITTEN
    assert "Submitted:" not in text_of(client.get(WRITE))


def test_the_time_at_work_on_the_next_item_begins_when_it_is_shown(client, both):
    Rewrite.objects.update(saved_at=clock.now() - timedelta(minutes=4))
    send(client, f"{WRITE}{both[0].pk}/submit/", draft() | {"goes_on": both[1].pk})
    send(client, f"{WRITE}{both[1].pk}/save/", draft())
    first, second = Rewrite.objects.order_by("pk")
    assert (round(first.seconds / 60), round(second.seconds / 60)) == (4, 0)


def test_saving_one_item_keeps_the_next_one_held_too(client, both):
    Assignment.objects.update(lease_until=clock.now() + timedelta(minutes=5))
    send(client, f"{WRITE}{both[0].pk}/save/", draft())
    assert all(assignment.lease_until > clock.now() + timedelta(minutes=6) for assignment in both.all())


@pytest.mark.parametrize("goes_on", ["2", True, -1, 10**10, [2]])
def test_an_odd_next_item_changes_nothing(client, both, goes_on):
    answer = send(client, f"{WRITE}{both[0].pk}/submit/", draft() | {"goes_on": goes_on})
    assert answer.status_code in (200, 400)
    assert Rewrite.objects.order_by("pk")[1].revision == 0


def test_an_author_is_told_the_same_of_what_is_inspected_and_of_what_is_not(client, base, dream, researcher):
    only_the_first = {"inspected_percent": 1, "first_in_full": 1}
    projects.change_settings(project=dream, settings=only_the_first, by=researcher)
    items(dream, 1)
    told = []
    for number in (1, 2):
        base = f"{WRITE}{Assignment.objects.get(state=AssignmentState.HELD).pk}/"
        answers = [send(client, f"{base}submit/", draft(candidates=texts)) for texts in (CANDIDATES, CANDIDATES[::-1])]
        words = [{**answer.json(), "saved_at": None} for answer in answers]
        page = re.sub(r"\d+", "", text_of(client.get(WRITE)))  # the next item has numbers of its own
        home = text_of(client.get("/")).split("Your rewriting written")[1]
        told.append([[answer.status_code for answer in answers], words, page, home.replace(str(number), "", 1)])
    assert list(Item.objects.order_by("position").values_list("state", flat=True)) == ["written", "kept", "open"]
    assert told[0] == told[1]
    assert "Submitted: an inspector may judge it next." in told[0][2]


def test_flaws_are_told_by_field_and_the_text_is_kept_as_a_draft(client, base):
    written = ["", "W: As you like.", CANDIDATES[2], CANDIDATES[2].upper()]
    answer = send(client, f"{base}submit/", draft(candidates=written))
    assert answer.status_code == 409
    told = answer.json()
    assert [flaw["field"] for flaw in told["flaws"]] == ["0", "1", "3"]
    assert told["flaws"][0]["sentence"] == "Nothing is written here yet."
    assert (told["kept"], told["revision"]) == (True, 1)
    assert Rewrite.objects.get().candidates == written
    assert Item.objects.get(position=1).state == ItemState.OPEN


def test_flaws_are_told_in_the_readers_language(client, base, author):
    author.language = "zh-hans"
    author.save()
    sentence = "Nothing is written here yet."
    with translation.override("zh-hans"):
        expected = translation.gettext(sentence)
    answer = send(client, f"{base}submit/", draft(candidates=["", *CANDIDATES[1:]]))
    assert answer.json()["flaws"][0]["sentence"] == expected


def test_a_refused_page_learns_which_save_is_stored_and_may_take_over_from_there(client, base):
    key = str(uuid4())
    send(client, f"{base}save/", draft() | {"save_key": key})
    refusal = send(client, f"{base}save/", draft(candidates=["Another text.", "", "", ""])).json()
    assert (refusal["code"], refusal["save_key"]) == ("stale", key)
    over = draft(refusal["revision"], ["Another text.", "", "", ""]) | {"takes_over": True}
    assert send(client, f"{base}save/", over).status_code == 200
    assert [version.candidates for version in Rewrite.objects.get().versions.all()] == [CANDIDATES]


def test_a_submission_from_an_older_page_is_refused(client, base):
    send(client, f"{base}save/", draft())
    other = ["Something else altogether.", *CANDIDATES[1:]]
    answer = send(client, f"{base}submit/", draft(candidates=other))
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert Item.objects.get(position=1).state == ItemState.OPEN


def test_what_was_submitted_takes_no_further_draft(client, base):
    send(client, f"{base}submit/", draft())
    answer = send(client, f"{base}save/", draft(1, ["Too late.", *CANDIDATES[1:]]))
    assert (answer.status_code, answer.json()["code"]) == (409, "submitted")
    assert Rewrite.objects.get().candidates == CANDIDATES


# ---- skipping -------------------------------------------------------------------------------------------------------


def test_a_skip_with_a_reason_brings_the_next_item(client, base):
    assert send(client, f"{base}skip/", {**draft(), "reason": "no_clue"}).json()["next"] == WRITE
    assert Assignment.objects.get().state == AssignmentState.SKIPPED
    assert "Number 2." in text_of(client.get(WRITE))


@pytest.mark.parametrize(("reason", "status"), [("", 400), (7, 400), ("tired", 409)])
def test_a_skip_without_one_of_the_reasons_is_refused(reason, status, client, base):
    assert send(client, f"{base}skip/", {**draft(), "reason": reason}).status_code == status
    assert Assignment.objects.get().state == AssignmentState.HELD


# ---- without a script -----------------------------------------------------------------------------------------------


def test_the_plain_form_saves_moves_the_cut_submits_and_skips(client, base):
    assert (
        client.post(f"{base}save/", {**form_of(draft()), "cut": ["4", "2"]}).status_code == 302
    )  # hidden, then clicked
    assert Rewrite.objects.get().cut == 2
    assert client.post(f"{base}submit/", form_of(draft(1))).url == WRITE
    client.get(WRITE)
    second = Assignment.objects.get(state=AssignmentState.HELD)
    client.post(f"{WRITE}{second.pk}/skip/", {"reason": "other"})
    second.refresh_from_db()
    assert second.state == AssignmentState.SKIPPED


def test_the_plain_form_comes_back_with_its_text_and_what_is_wrong(client, base):
    answer = client.post(f"{base}submit/", form_of(draft(candidates=["Only this one.", "", "", ""])))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Only this one." in page
    assert page.count('aria-invalid="true"') == 3
    assert 'href="#candidate-1"' in page


def test_the_plain_form_of_an_older_page_comes_back_with_its_text(client, base):
    send(client, f"{base}save/", draft())
    answer = client.post(f"{base}save/", form_of(draft(candidates=["Written in the other window.", "", "", ""])))
    assert answer.status_code == 409
    assert "Written in the other window." in answer.content.decode()
    assert Rewrite.objects.get().candidates == CANDIDATES


# ---- rights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["save", "submit", "skip"])
def test_nobody_writes_on_another_persons_assignment(act, client, base, dream):
    other = signed_in(factories.person("bo", project=dream))
    assert send(other, f"{base}{act}/", {**draft(), "reason": "other"}).status_code == 404
    assert Rewrite.objects.get().revision == 0


def test_an_author_who_left_the_project_finds_nothing_and_their_page_is_told(client, base, author):
    author.memberships.all().delete()
    assert client.get(WRITE).status_code == 404
    answer = send(client, f"{base}save/", draft())
    assert (answer.status_code, answer.json()["code"]) == (403, "role_ended")


def test_a_rating_project_has_nothing_to_write(project, annotator):
    assert signed_in(annotator).get("/projects/weibo/write/").status_code == 404


def test_an_assignment_to_inspect_is_none_to_write_on(dream, author, judge, client):
    write_next(dream, author)
    judge_next(dream, judge, ACCEPT)
    assignment = Assignment.objects.get(slot__queue__step=Step.INSPECT)
    assert send(client, f"{WRITE}{assignment.pk}/save/", draft()).status_code == 404


# ---- versions -------------------------------------------------------------------------------------------------------


OTHER_TEXTS = ["Opening the windows would help.", *CANDIDATES[1:]]


@pytest.fixture
def version(client, base):
    """Return the address of a version with the four candidates, cut after turn 4; the present draft has another first
    one and is cut after turn 2.
    """
    send(client, f"{base}save/", draft())
    send(client, f"{base}save/", draft(1, OTHER_TEXTS, cut=2))
    return f"{base}versions/1/"


def versions_of(client) -> str:
    page = client.get(WRITE).content.decode()
    return page[page.index('id="version-list"') : page.index("</details>", page.index('id="version-list"'))]


def test_before_there_is_a_version_the_page_says_when_one_is_kept(client):
    assert "No earlier versions yet." in versions_of(client)


def test_a_version_is_listed_with_what_is_another_in_it_word_by_word(client, version):
    listed = versions_of(client)
    assert "changed: the cut, A" in listed
    assert "Cut after turn 4 instead of turn 2." in listed
    [gone] = re.findall(r"<del>(.*?)</del>", listed.split("<ol", 1)[1], re.DOTALL)
    assert re.sub(r"<span.*?</span>", "", gone, flags=re.DOTALL) == "windows"
    assert "would be removed:" in gone
    come_back = [
        re.sub(r"<span.*?</span>", "", each, flags=re.DOTALL)
        for each in re.findall(r"<ins>(.*?)</ins>", listed, re.DOTALL)
    ]
    assert come_back[1:] == ["courtyard", ", or twelve people will have nowhere to sit"]
    assert f'formaction="{version}"' in listed


def test_a_version_equal_to_what_stands_now_offers_nothing(client, base, version):
    send(client, f"{base}save/", draft(2))
    assert "Identical to the current text." in versions_of(client)
    assert f'formaction="{version}"' not in versions_of(client)


def test_what_a_person_wrote_is_text_in_a_difference_too(client, base, version):
    send(client, f"{base}save/", draft(2, ["<script>alert(1)</script>", "", "", ""]))
    send(client, f"{base}save/", draft(3, ["<b>bold</b>", "", "", ""]))
    assert "alert(1)" in re.sub(r"<.*?>", "", versions_of(client))
    assert "<script" not in versions_of(client)


def test_the_script_brings_a_version_back_and_opens_the_page_anew(client, base, version):
    answer = send(client, version, draft(2, OTHER_TEXTS, cut=2)).json()
    assert answer["next"] == f"{WRITE}?assignment={Assignment.objects.get().pk}"
    assert page_state_of(client, answer["next"])["candidates"] == CANDIDATES
    assert page_state_of(client)["cut"] == 4


def test_the_plain_form_brings_a_version_back_and_keeps_what_stood_on_it(client, base, version):
    answer = client.post(version, form_of(draft(2, ["Not saved yet.", "", "", ""], cut=2)), follow=True)
    assert "Version restored." in text_of(answer)
    assert Rewrite.objects.get().candidates == CANDIDATES
    assert "Not saved yet" in re.sub(r"<.*?>", "", versions_of(client))


def test_from_an_older_page_no_version_comes_back(client, version):
    answer = send(client, version, draft(1, ["Something else.", "", "", ""]))
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    plain = client.post(version, form_of(draft(1, ["Something else.", "", "", ""])))
    assert plain.status_code == 409
    assert "Something else." in plain.content.decode()
    assert Rewrite.objects.get().candidates == OTHER_TEXTS


def test_of_what_was_submitted_no_version_comes_back(client, base, version):
    send(client, f"{base}submit/", draft(2, OTHER_TEXTS, cut=2))
    answer = send(client, version, draft(2, OTHER_TEXTS, cut=2))
    assert (answer.status_code, answer.json()["code"]) == (409, "submitted")
    assert Rewrite.objects.get(submitted_at__isnull=False).candidates == OTHER_TEXTS


def test_nobody_else_sees_a_version_or_brings_one_back(client, base, version, dream, judge):
    other = signed_in(factories.person("bo", project=dream))
    assert send(other, version, draft(2)).status_code == 404
    assert "courtyard" not in versions_of(other)  # of their own item
    send(client, f"{base}submit/", draft(2, OTHER_TEXTS, cut=2))
    inspector = signed_in(judge)
    assert "nowhere to sit" not in inspector.get("/projects/dream/inspect/").content.decode()
    assert send(inspector, version, draft(2)).status_code == 403


def test_the_page_costs_the_same_with_many_versions(client, base, version, django_assert_num_queries):
    with CaptureQueriesContext(connection) as captured:
        client.get(WRITE)
        count = len(captured)
    for revision in range(2, 12):
        send(client, f"{base}save/", draft(revision, [f"{revision}, {revision} and {revision}.", *CANDIDATES[1:]]))
    with django_assert_num_queries(count):
        assert client.get(WRITE).content.count(b"data-version") == 11
