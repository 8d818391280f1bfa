"""A survey on its pages: without a script, in the study's language, each outcome with its page."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from study.actions.survey import drafts, participants, studies
from study.models import Answer, Identity, Participant, Presentation, Question, StudyGroup
from study.selectors.runs.sources import source_of
from study.selectors.survey.pay import pay_rows
from tests.pages import on_one_line
from tests.study import study_cases

CONSENT = {"is_adult": "on", "agrees": "on"}


@pytest.fixture
def study(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": None, "lab": 1}, title="Which line comes next?")


@pytest.fixture
def link(study):
    return f"/take/{study.groups.get(name='crowd').token}/"


def read(answer) -> str:
    return answer.content.decode()


def take_part(client: Client, link: str, **parameters: str) -> Participant:
    """Go to the first question and return the participant."""
    client.post(f"{link}join/", CONSENT, query_params=parameters)
    client.post(f"{link}about/", {"age": "21-30"})
    practice(client, link)
    client.post(f"{link}begin/")
    return Participant.objects.latest("pk")


def practice(client: Client, link: str, first: int = 0, second: int = 1):
    presentation = Presentation.objects.filter(position=0).latest("pk")
    return client.post(f"{link}practice/", {"first": presentation.tokens[first], "second": presentation.tokens[second]})


def send(client: Client, link: str, person: Participant, position: int, /, *lines: int, **more: str):
    """Send the lines by their position on the page, as the form does."""
    presentation = person.presentations.get(position=position)
    tokens = dict(zip(("first", "second"), (presentation.tokens[line] for line in lines), strict=False))
    return client.post(f"{link}questions/{position}/answer/", {**tokens, **more})


def test_a_survey_is_taken_without_a_script(client, study, link):
    assert "Which line comes next?" in read(client.get(link))
    person = take_part(client, link)
    for position in range(1, 6):
        assert client.get(f"{link}questions/", follow=True).context["position"] == position
        send(client, link, person, position, 0, 1)
    page = client.get(f"{link}questions/", follow=True)
    assert "All 5 answers have arrived" in read(page)
    assert "go back and change" in read(page)
    client.post(f"{link}finish/")
    person.refresh_from_db()
    assert person.state in {"complete", "failed_checks"}
    assert study.codes[person.state] in read(client.get(f"{link}on/"))
    assert Answer.objects.filter(depth=2).count() == 5


def test_who_does_not_tick_both_has_not_joined(client, link):
    answer = client.post(f"{link}join/", {"is_adult": "on"})
    assert answer.status_code == 400
    assert "tick both" in read(answer)
    assert not Participant.objects.exists()


def test_practice_tells_which_line_was_right_and_begins_the_clock_only_afterwards(client, link):
    client.post(f"{link}join/", CONSENT)
    client.post(f"{link}about/", {})
    presentation = Presentation.objects.get()
    assert read(client.post(f"{link}practice/", {"first": presentation.tokens[0]})).count("Choose a first and a second")
    wrong = next(index for index, number in enumerate(presentation.order) if number)
    practice(client, link, wrong, (wrong + 1) % 4)
    page = read(client.get(f"{link}on/"))
    assert "Another line came next" in page
    assert presentation.question.candidates[0] in page
    assert Participant.objects.get().started_at is None
    client.post(f"{link}begin/")
    assert Participant.objects.get().started_at


def test_moving_on_needs_both_choices_or_saying_that_one_goes_without(client, link):
    person = take_part(client, link)
    page = client.get(send(client, link, person, 1, 2).url)
    assert "A first and a second choice are required." in read(page)
    assert page.context["position"] == 1
    assert Answer.objects.get().depth == 1
    assert send(client, link, person, 1, 2, without="1").url.endswith("/questions/2/")
    assert send(client, link, person, 2).url.endswith("missing=1")
    assert send(client, link, person, 2, without="1").url.endswith("/questions/3/")
    assert client.get(f"{link}questions/3/").status_code == 200
    assert client.get(f"{link}finish/").context["open"] == [1, 2, 3, 4, 5]


def test_back_stores_what_is_chosen_and_leads_to_the_question_before_without_a_script_too(client, link):
    person = take_part(client, link)
    send(client, link, person, 1, 0, 1)
    answer = send(client, link, person, 2, 0, back="1")
    assert answer.url == f"{link}questions/1/"
    assert person.presentations.get(position=2).answer.depth == 1
    assert send(client, link, person, 1, 1, 0, back="1").url == f"{link}questions/1/"  # there is none before


def test_the_same_line_twice_is_told_on_the_page(client, link):
    person = take_part(client, link)
    answer = send(client, link, person, 1, 2, 2)
    assert answer.status_code == 409
    assert "are the same line" in read(answer)
    assert not Answer.objects.exists()


@pytest.mark.parametrize("token", ["", "nonsense", "0", "1"])
def test_a_line_that_is_none_is_refused(client, link, token):
    person = take_part(client, link)
    other = person.presentations.get(position=2).tokens[0]
    for wrong in {token, other} - {""}:
        answer = client.post(
            f"{link}questions/1/answer/",
            {"first": wrong, "key": "6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3aa"},
            content_type="application/json",
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "no_choice")
    assert not Answer.objects.exists()


@pytest.mark.parametrize("body", ["{", "[]", "null", '{"first": 3, "key": "x"}', '{"first": null}', '{"key": "x"}'])
def test_json_that_cannot_be_read_is_told(client, link, body):
    take_part(client, link)
    answer = client.post(f"{link}questions/1/answer/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_question_of_somebody_else_cannot_be_reached(client, link):
    take_part(client, link)
    stranger = Client()
    body = {"first": None, "key": "6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3aa"}
    answer = stranger.post(f"{link}questions/1/answer/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "unknown")
    assert client.get(f"{link}questions/99/").status_code == 302
    assert client.post(f"{link}questions/0/answer/", body, content_type="application/json").status_code == 404
    stranger.cookies[next(iter(client.cookies))] = "guessed"
    assert stranger.get(f"{link}questions/1/").url == f"{link}on/"
    assert stranger.get(f"{link}on/").url == link


def test_questions_further_on_are_not_opened_before_their_turn(client, link):
    take_part(client, link)
    assert client.get(f"{link}questions/1/").status_code == 200
    assert client.get(f"{link}questions/4/").status_code == 302


def shown(person: Participant) -> list[int]:
    return list(person.presentations.exclude(shown_at=None).values_list("position", flat=True))


def test_only_the_question_whose_turn_it_is_counts_as_shown(client, link):
    person = take_part(client, link)
    client.get(f"{link}questions/1/")
    body = {"first": person.presentations.get(position=4).tokens[0], "key": "6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3aa"}
    sent = client.post(f"{link}questions/4/answer/", body, content_type="application/json")
    assert sent.status_code == 200
    assert shown(person) == [1]
    assert send(client, link, person, 5, 2, 2).url == f"{link}questions/"  # refused, and led back to its turn
    assert shown(person) == [1]
    send(client, link, person, 1, 0, 1)
    assert client.get(f"{link}questions/3/").status_code == 302
    client.get(f"{link}questions/2/")
    send(client, link, person, 3, 0, 1)
    assert shown(person) == [1, 2, 3]
    assert Answer.objects.filter(presentation__position=4).exists()


def test_a_second_choice_alone_is_told_to_be_no_answer(client, link):
    person = take_part(client, link)
    answer = client.post(f"{link}questions/1/answer/", {"second": person.presentations.get(position=1).tokens[0]})
    assert answer.status_code == 409
    assert "Choose a first line too." in read(answer)


def test_after_the_deadline_the_page_says_so_and_gives_the_code(client, study, link):
    person = take_part(client, link)
    for position in (1, 2):  # one of them may be the check
        send(client, link, person, position, 0, 1)
    Participant.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    assert "Time is up." in read(client.get(f"{link}questions/3/", follow=True))
    Participant.objects.update(deadline_at=timezone.now() - timedelta(seconds=4))
    assert send(client, link, person, 3, 0, 1).url == f"{link}on/"
    participants.close_overdue()
    page = read(client.get(f"{link}on/"))
    assert "2 answers are stored" in page
    assert study.codes["timed_out"] in page
    assert Answer.objects.count() == 2


def test_the_last_five_minutes_are_amber(client, link):
    take_part(client, link)
    assert "time-short" not in read(client.get(f"{link}questions/1/"))
    Participant.objects.update(deadline_at=timezone.now() + timedelta(seconds=290))
    page = read(client.get(f"{link}questions/1/"))
    assert "time-short" in page
    assert "5 min left" in page


def test_who_comes_back_is_told_where_they_were(client, link):
    person = take_part(client, link)
    send(client, link, person, 1, 0, 1)
    page = read(client.get(f"{link}on/", follow=True))
    assert "You were at question 2; 40 min are left." in page
    other_group = Participant.objects.get().study.groups.get(name="lab")
    assert client.get(f"/take/{other_group.token}/on/").url == f"{link}on/"


def test_whoever_has_ended_may_withdraw_but_is_not_asked_to_go_on(client, study, link):
    person = take_part(client, link)
    assert "Continue the survey" in read(client.get(f"{link}withdraw/"))
    Participant.objects.filter(pk=person.pk).update(deadline_at=timezone.now() - timedelta(minutes=5))
    page = read(client.get(f"{link}withdraw/"))
    assert ("Withdraw and delete my answers" in page, "Continue the survey" in page) == (True, False)


def test_withdrawing_is_asked_for_twice_and_then_deletes(client, study, link):
    person = take_part(client, link, PROLIFIC_PID="5f3a")
    send(client, link, person, 1, 0, 1)
    assert "cannot be undone" in read(client.get(f"{link}withdraw/"))
    assert Answer.objects.exists()
    page = read(client.post(f"{link}withdraw/", follow=True))
    assert "You have withdrawn." in page
    assert study.codes["withdrawn"] in page
    assert not (Answer.objects.exists() or Identity.objects.exists())
    assert client.post(f"{link}join/", CONSENT).url == f"{link}on/"
    assert Participant.objects.count() == 1


def test_full_closed_and_not_begun_have_their_pages(client, study, researcher):
    lab = f"/take/{study.groups.get(name='lab').token}/"
    take_part(Client(), lab)
    assert "Enough people have taken part." in read(client.get(lab))
    answer = client.post(f"{lab}join/", CONSENT)
    assert answer.status_code == 409
    assert study.codes["full"] in read(answer)
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert "This survey is over." in read(client.get(lab))
    draft = study_cases.study("draft", by=researcher, is_open=False)
    assert "has not begun yet" in read(client.get(f"/take/{draft.groups.get().token}/"))
    assert client.get("/take/nowhere/").status_code == 404


def test_one_person_of_a_platform_is_told_that_they_took_it_already(client, link):
    take_part(Client(), link, PROLIFIC_PID="5f3a", STUDY_ID="s", SESSION_ID="x")
    answer = client.post(f"{link}join/", CONSENT, query_params={"PROLIFIC_PID": "5f3a"})
    assert answer.status_code == 409
    assert "You have taken part already." in read(answer)


def test_the_platforms_parameters_outlive_the_consent_page_and_no_other(client, link):
    page = read(client.get(f"{link}?PROLIFIC_PID=5f3a&STUDY_ID=s1&SESSION_ID=x9"))
    action = re.search(r'action="([^"]*join/[^"]*)"', page)
    assert action
    answer = client.post(action[1].replace("&amp;", "&"), CONSENT)
    assert answer.url == f"{link}on/"
    stored = Identity.objects.get()
    assert (stored.platform, stored.person, stored.details) == (
        "prolific",
        "5f3a",
        {"STUDY_ID": "s1", "SESSION_ID": "x9"},
    )
    assert "5f3a" not in read(client.get(f"{link}on/"))


def test_an_identifier_that_no_platform_gives_is_refused_and_never_cut(client, link):
    """Cut to what the column holds, two people would be one, and the second of them would be turned away."""
    longest = {"PROLIFIC_PID": "p" * 200, "SESSION_ID": "s" * 300}
    take_part(Client(), link, **longest)
    stored = Identity.objects.get()
    assert (stored.person, stored.details["SESSION_ID"]) == ("p" * 200, "s" * 300)
    answer = client.post(f"{link}join/", CONSENT, query_params={"PROLIFIC_PID": "p" * 201})
    assert answer.status_code == 409
    assert "This link is damaged." in read(answer)
    assert Participant.objects.count() == 1


@pytest.mark.parametrize(("seconds", "is_short"), [(290, True), (330, False)])
def test_the_last_five_minutes_are_said(client, link, seconds, is_short):
    person = take_part(client, link)
    Participant.objects.filter(pk=person.pk).update(deadline_at=timezone.now() + timedelta(seconds=seconds))
    assert client.get(f"{link}questions/1/").context["is_short"] is is_short


def others(answer) -> list[int]:
    return [int(position) for position in re.findall(r'<div class="one-question" data-position="(\d+)"', read(answer))]


def test_a_page_has_its_question_alone_and_its_script_is_given_the_others(client, link):
    person = take_part(client, link)
    send(client, link, person, 1, 0, 3)
    assert others(client.get(f"{link}questions/2/")) == [2]
    answer = client.get(f"{link}questions/2/others/", {"person": person.public_id})
    assert others(answer) == [3, 4, 5, 1]
    chosen = re.findall(r'value="([^"]+)"[^>]* checked', read(answer))  # former choices are marked
    assert chosen == [person.presentations.get(position=1).tokens[line] for line in (0, 3)]
    assert client.get(f"{link}questions/6/others/").status_code == 302


def test_the_page_of_each_person_of_a_browser_is_given_their_own_questions_alone(client, link):
    first, second = take_part(client, link, PROLIFIC_PID="q1"), take_part(client, link, PROLIFIC_PID="q2")
    address = f"{link}questions/1/others/"
    pages = []
    for each in (first, second):
        client.post(f"{link}own/", whose(each))
        pages.append(read(client.get(address, whose(each))))
    for own, page, another in ((first, pages[0], pages[1]), (second, pages[1], pages[0])):
        token = own.presentations.get(position=2).tokens[0]
        assert (token in page, token in another) == (True, False)
    client.post(f"{link}withdraw/", {"person": second.public_id})
    assert client.get(address, {"person": second.public_id}).status_code == 302
    assert client.get(address).status_code == 302


def test_a_stranger_and_another_participant_are_given_no_questions(client, link):
    person = take_part(client, link)
    address, stranger, another = f"{link}questions/1/others/", Client(), Client()
    own = {token for each in person.presentations.all() for token in each.tokens}
    for query in ({}, {"person": person.public_id}):
        assert stranger.get(address, query).url == f"{link}on/"
    take_part(another, link)
    assert another.get(address, {"person": person.public_id}).url == f"{link}on/"
    assert not any(token in read(another.get(address)) for token in own)  # it is given its own


def test_after_the_end_no_questions_are_given(client, link):
    finished, timed_out = take_part(client, link, PROLIFIC_PID="q1"), take_part(other := Client(), link)
    client.post(f"{link}finish/", {"without": "1"})
    Participant.objects.filter(pk=timed_out.pk).update(deadline_at=timezone.now() - timedelta(seconds=1))
    for browser, person in ((client, finished), (other, timed_out)):
        answer = browser.get(f"{link}questions/1/others/", {"person": person.public_id})
        assert (answer.status_code, answer.url) == (302, f"{link}on/")


def test_what_one_page_said_of_an_answer_the_next_page_does_not_say(client, link):
    person = take_part(client, link)
    client.get(f"{link}questions/1/")
    says = "Not saved: the first and the second choice are the same line."
    for _time in range(2):
        assert says in read(send(client, link, person, 1, 0, 0)).replace("&#x27;", "'")
        page = read(client.get(f"{link}questions/1/"))
        assert says not in page
        assert re.search(r'data-notice="missing"\s+hidden', page)
        assert not re.search(r'data-notice="missing"\s+hidden', read(client.get(f"{link}questions/1/?missing=1")))


def test_a_long_survey_carries_the_questions_that_come_next(client, researcher):
    """The page is given the next questions, so that a participant can go on without a connection."""
    long = study_cases.study("long", by=researcher, questions=80, settings={"forms": 1, "per_form": 80})
    link = f"/take/{long.groups.get().token}/"
    person = take_part(client, link)
    person.presentations.filter(position__lte=70).update(shown_at=timezone.now())
    carried = others(client.get(f"{link}questions/70/others/"))
    assert carried == [*range(71, 82), *range(1, 50)]  # 80 questions, the check, and no more than 60 beside this one


def test_who_came_from_prolific_is_led_back_with_the_code(client, study, link):
    person = take_part(client, link, PROLIFIC_PID="5f3a")
    client.post(f"{link}finish/", {"without": "1"})
    person.refresh_from_db()
    assert f"complete?cc={person.code}" in read(client.get(f"{link}on/"))


def test_a_group_may_have_an_address_of_its_own_to_go_back_to(client, study, link):
    address = "https://sona.example.org/credit?code={code}"
    StudyGroup.objects.filter(study=study, name="crowd").update(return_url=address)
    person = take_part(client, link)
    client.post(f"{link}finish/", {"without": "1"})
    person.refresh_from_db()
    page = client.get(f"{link}on/")
    assert page.context["back"].address == f"https://sona.example.org/credit?code={person.code}"
    assert f'href="https://sona.example.org/credit?code={person.code}"' in read(page)


def test_who_withdrew_is_led_back_by_the_groups_address_alone(client, study, link):
    StudyGroup.objects.filter(study=study, name="crowd").update(return_url="https://sona.example.org/?c={code}")
    take_part(client, link, PROLIFIC_PID="5f3a")
    client.post(f"{link}withdraw/")
    page = client.get(f"{link}on/")
    assert page.context["back"].address == f"https://sona.example.org/?c={study.codes['withdrawn']}"
    assert "return.js" not in read(page)  # not by itself: nothing is left that could say whose end this is


MTURK = {"workerId": "A1B2", "assignmentId": "3TEST0ASSIGNMENT0ID0OF030CHARS", "hitId": "h"}


def test_mturk_is_sent_the_form_where_it_said_whereto_and_else_asks_for_the_code(client, study, link):
    take_part(client, link, **MTURK, turkSubmitTo="https://workersandbox.mturk.com")
    client.post(f"{link}finish/", {"without": "1"})
    page = client.get(f"{link}on/")
    host = "https://workersandbox.mturk.com"
    assert f'action="{host}/mturk/externalSubmit"' in read(page)
    assert f'name="assignmentId" value="{MTURK["assignmentId"]}"' in read(page)
    assert f"form-action 'self' {host}" in page.headers["Content-Security-Policy"]
    assert host not in client.get(link).headers["Content-Security-Policy"]
    other = Client()
    take_part(other, link, **(MTURK | {"workerId": "A2"}), turkSubmitTo="https://evil.example")
    other.post(f"{link}finish/", {"without": "1"})
    page = other.get(f"{link}on/")
    assert page.context["back"] is None
    assert page.context["code"] == study.codes["too_few_answers"]
    assert "evil" not in read(page) + page.headers["Content-Security-Policy"]


def test_who_finds_no_place_is_led_back_to_prolific_with_the_code_for_it(client, study):
    lab = f"/take/{study.groups.get(name='lab').token}/"
    take_part(Client(), lab, PROLIFIC_PID="5f3a")
    page = read(client.get(lab, {"PROLIFIC_PID": "5f3b"}))
    assert f"complete?cc={study.codes['full']}" in page


def test_a_preview_of_mturk_shows_and_does_not_start(client, link):
    query = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "h"}
    page = read(client.get(link, query_params=query))
    assert "This is a preview." in page
    assert "I take part" not in page
    client.post(f"{link}join/", CONSENT, query_params=query)
    assert not Participant.objects.exists()


def test_the_survey_speaks_the_studys_language_whatever_the_browser_asks_for(researcher):
    chinese = study_cases.study("zh", by=researcher, language="zh-hans")
    link = f"/take/{chinese.groups.get().token}/"
    answer = Client(headers={"accept-language": "en"}).get(link)
    assert answer.headers["Content-Language"] == "zh-hans"
    assert '<html lang="zh-Hans"' in on_one_line(answer.content)
    english = study_cases.study("en", by=researcher)
    answer = Client(headers={"accept-language": "zh-CN"}).get(f"/take/{english.groups.get().token}/")
    assert '<html lang="en"' in on_one_line(answer.content)


def test_no_page_of_a_participant_leads_to_the_products_own(client, link):
    pages = [client.get(link)]
    take_part(client, link)
    pages += [client.get(f"{link}{name}") for name in ("questions/1/", "finish/", "withdraw/")]
    for page in pages:
        links = re.findall(r'href="([^"#]*)"', read(page))
        assert [each for each in links if not each.startswith(("/take/", "/static/"))] == []


def test_a_participant_is_in_no_log(client, link, caplog):
    take_part(client, link, PROLIFIC_PID="5f3a")
    client.post(f"{link}questions/1/answer/", "{", content_type="application/json")
    assert "5f3a" not in caplog.text


# ---- several people at one browser ----

ANOTHERS = ("Withdraw", "code", "answers are stored")


def shows_nothing_of_another(page: str, study) -> bool:
    return not any(word in page for word in (*ANOTHERS, *study.codes.values()))


def finish_all(client: Client, link: str, person: Participant) -> Participant:
    for position in range(1, 6):
        send(client, link, person, position, 0, 1)
    client.post(f"{link}finish/", {"without": "1"})
    person.refresh_from_db()
    return person


def test_another_id_in_the_link_is_another_person_and_each_finds_their_own_way_back(client, study, link):
    first = finish_all(client, link, take_part(client, link, PROLIFIC_PID="q1"))
    page = read(client.get(f"{link}?PROLIFIC_PID=q2"))
    assert "I take part" in page
    assert shows_nothing_of_another(page, study)
    second = take_part(client, link, PROLIFIC_PID="q2")
    send(client, link, second, 1, 0, 1)
    assert "I take part" in read(client.get(f"{link}?PROLIFIC_PID=q3"))
    third = take_part(client, link, PROLIFIC_PID="q3")
    assert len({first.pk, second.pk, third.pk}) == Participant.objects.count() == Identity.objects.count() == 3
    assert first.code in read(client.get(f"{link}?PROLIFIC_PID=Q1", follow=True))
    assert "You were at question 2" in read(client.get(f"{link}?PROLIFIC_PID=q2", follow=True))
    assert client.get(f"{link}?PROLIFIC_PID=q3", follow=True).context["position"] == 1
    assert client.post(f"{link}join/", CONSENT, query_params={"PROLIFIC_PID": "q1"}).status_code == 302
    assert Participant.objects.count() == 3


@pytest.mark.parametrize("has_ended", [False, True])
def test_a_plain_link_asks_who_it_is_and_lets_another_person_begin(client, study, link, has_ended):
    first = take_part(client, link)
    if has_ended:
        finish_all(client, link, first)
    page = read(client.get(link))
    assert "That is not me" in page
    assert shows_nothing_of_another(page, study)
    assert client.post(f"{link}another/").url == link
    page = read(client.get(link))
    assert "I take part" in page
    assert shows_nothing_of_another(page, study)
    assert client.get(f"{link}on/").url == link
    second = take_part(client, link)
    assert second != first
    client.post(f"{link}withdraw/", {"person": second.public_id})
    first.refresh_from_db()
    assert first.state != "withdrawn"
    assert Participant.objects.get(pk=second.pk).state == "withdrawn"
    assert "That is not me" in read(client.get(link))


def test_a_second_tab_is_led_to_the_end_once_its_person_has_withdrawn(client, link):
    person = take_part(client, link)
    body = {
        "first": person.presentations.get(position=1).tokens[0],
        "key": "6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3aa",
        "person": str(person.public_id),
    }
    client.post(f"{link}withdraw/", {"person": str(person.public_id)})
    address = f"{link}questions/1/answer/"
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "withdrawn")
    assert "You have withdrawn." in read(client.post(address, body, follow=True))
    for another in ("0b8f2c11-4c3e-4d62-8f09-9e1d53a1f3aa", "anything"):  # of another person of this browser
        answer = client.post(address, {**body, "person": another}, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (403, "unknown")


def two_people(client: Client, link: str) -> tuple[Participant, Participant]:
    """Let a second person begin by a plain link in the browser of a first one, who is under way."""
    first = take_part(client, link)
    client.get(f"{link}questions/1/")
    client.post(f"{link}another/")
    return first, take_part(client, link)


def send_json(client: Client, link: str, person: Participant, position: int, name: str = ""):
    """Send an answer as the script of a person's page does, which names this person or the one given."""
    token = person.presentations.get(position=position).tokens[0]
    body = {"first": token, "key": str(uuid4()), "person": name or str(person.public_id)}
    return client.post(f"{link}questions/{position}/answer/", body, content_type="application/json")


def choices_of(person: Participant) -> int:
    return Answer.objects.filter(presentation__participant=person).count()


def whose(person: Participant) -> dict[str, str]:
    return {"person": str(person.public_id)}


def test_each_open_page_goes_on_as_its_own_persons_while_another_one_takes_the_survey(client, link):
    first, second = two_people(client, link)
    assert send_json(client, link, first, 1).status_code == 200
    assert send_json(client, link, second, 1).status_code == 200
    for person, another in ((first, second), (second, first)):
        next_page = send(client, link, person, 1, 0, 1, **whose(person)).url
        assert client.get(next_page).context["participant"] == person
        sent = send(client, link, person, 2, 0, **whose(person)).url  # a second choice is missing
        page = client.get(sent)
        assert (page.context["participant"], page.context["position"]) == (person, 2)
        links = re.findall(r'href="(/take/[^"]+)"', read(page))
        assert any("withdraw/" in each for each in links)
        assert all(str(person.public_id) in each for each in links if each != link)
        assert str(another.public_id) not in read(page)
    assert (choices_of(first), choices_of(second)) == (2, 2)


def test_each_of_a_browser_finishes_and_withdraws_alone(client, study, link):
    first, second = two_people(client, link)
    for position in range(1, 6):
        send(client, link, first, position, 0, 1, **whose(first))
    end = client.post(f"{link}finish/", {"without": "1", **whose(first)}).url
    first.refresh_from_db()
    assert first.code in read(client.get(end))
    second.refresh_from_db()
    assert second.state == "answering"
    send(client, link, second, 1, 0, 1, **whose(second))
    assert "You have withdrawn." in read(client.post(f"{link}withdraw/", whose(first), follow=True))
    assert (choices_of(first), choices_of(second)) == (0, 1)
    assert send_json(client, link, second, 2).status_code == 200
    page = read(client.get(link))
    assert str(second.public_id) in page
    assert str(first.public_id) not in page


def test_a_second_tab_of_who_withdrew_beside_another_person_is_led_to_the_end(client, link):
    first, second = two_people(client, link)
    token = first.presentations.get(position=1).tokens[0]
    client.post(f"{link}withdraw/", whose(first))
    body = {"first": token, "key": str(uuid4()), **whose(first)}
    answer = client.post(f"{link}questions/1/answer/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "withdrawn")
    assert "You have withdrawn." in read(client.post(f"{link}questions/1/answer/", body, follow=True))
    assert client.post(f"{link}own/", whose(second), follow=True).context["participant"] == second


PAGES = ["on/", "questions/", "questions/1/", "questions/1/others/", "finish/", "withdraw/"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("has_ended", [False, True])
def test_back_shows_no_page_of_a_person_after_another_one_came(client, study, link, path, has_ended):
    first, second = two_people(client, link)
    send(client, link, second, 1, 0, 1, **whose(second))
    if has_ended:
        client.post(f"{link}finish/", {"without": "1", **whose(second)})
    shown_before = client.get(f"{link}on/", whose(second), follow=True)
    assert shown_before.context["participant"] == second
    client.post(f"{link}another/")
    for _third in range(2):  # who is asked to consent, and who has joined
        for person in (first, second):
            page = client.get(f"{link}{path}", whose(person), follow=True)
            assert page.redirect_chain[-1][0] == link
            assert shows_nothing_of_another(read(page), study)
            assert not any(token in read(page) for each in Presentation.objects.all() for token in each.tokens)
        third = take_part(client, link)
    page = client.post(f"{link}own/", whose(first), follow=True)
    assert page.context["participant"] == first
    assert client.get(f"{link}on/", whose(third), follow=True).redirect_chain[-1][0] == link


@pytest.mark.parametrize("path", PAGES)
def test_a_page_that_names_nobody_asks_who_of_the_browser_it_is(client, study, link, path):
    first, second = two_people(client, link)
    for person in (first, second):
        for position in (1, 2):
            send(client, link, person, position, 0, 1, **whose(person))
    client.post(f"{link}finish/", {"without": "1", **whose(first)})
    page = client.get(f"{link}{path}", follow=True)
    assert page.redirect_chain[-1][0] == link
    assert shows_nothing_of_another(read(page), study)
    assert not any(token in read(page) for each in Presentation.objects.all() for token in each.tokens)
    assert read(page).count("That is me") == 2


def test_people_of_a_browser_are_told_apart_by_when_they_began_and_how_far_they_are(client, link):
    first, second = two_people(client, link)
    at = timezone.localtime().replace(hour=0, minute=2)
    Participant.objects.filter(pk=first.pk).update(ended_at=at, state="complete")
    Participant.objects.filter(pk=second.pk).update(started_at=at + timedelta(minutes=1))
    send(client, link, second, 1, 0, 1, **whose(second))
    page = read(client.get(link))
    assert "Finished at 00:02" in page
    assert "Started at 00:03, 1 of 5 answered" in page
    assert page.count(f'action="{link}own/"') == 2
    for person in (first, second):
        assert f'name="person" value="{person.public_id}"' in page
        assert client.post(f"{link}own/", whose(person), follow=True).context["participant"] == person
    client.post(f"{link}another/")
    assert "I take part" in read(client.get(link))
    third = take_part(client, link)
    assert read(client.get(link)).count("That is me") == Participant.objects.count() == 3
    assert third not in (first, second)


def test_who_is_asked_to_consent_after_another_person_finds_the_way_back_to_their_own(client, link):
    person = take_part(client, link)
    client.post(f"{link}another/")
    assert send_json(client, link, person, 1).status_code == 200
    assert client.get(f"{link}questions/1/", follow=True).redirect_chain[-1][0] == link
    page = read(client.get(link))
    assert "Have you begun in this browser before?" in page
    assert f'href="{link}?again=1"' in page
    assert f'value="{person.public_id}"' in read(client.get(f"{link}?again=1"))
    assert client.post(f"{link}own/", whose(person), follow=True).context["participant"] == person
    assert "Have you begun" not in read(Client().get(link))


def test_the_page_of_who_was_erased_shows_nothing_of_the_one_who_is_left(client, study, link):
    first, second = two_people(client, link)
    participants.withdraw(participant=first)  # by the researchers, on request
    for query in ({}, whose(first)):
        page = client.get(f"{link}questions/1/", query, follow=True)
        assert page.redirect_chain[-1][0] == link
        assert shows_nothing_of_another(read(page), study)
    assert send_json(client, link, second, 1, str(first.public_id)).status_code == 403
    assert send_json(client, link, second, 1).status_code == 200


def test_someone_who_is_not_of_this_browser_is_a_stranger(client, link):
    stranger = take_part(Client(), link)
    first, second = two_people(client, link)
    for name in (str(stranger.public_id), "anything"):
        for path in ("on/", "questions/1/", "finish/", "withdraw/"):
            page = client.get(f"{link}{path}", {"person": name}, follow=True)
            assert page.redirect_chain[-1][0] == link
        answer = send_json(client, link, second, 1, name)
        assert (answer.status_code, answer.json()["code"]) == (403, "unknown")
        for path in ("withdraw/", "finish/", "questions/1/answer/"):
            client.post(f"{link}{path}", {"person": name})
    assert set(Participant.objects.values_list("state", flat=True)) == {"answering"}
    assert not Answer.objects.exists()
    alone = Client()
    take_part(alone, link)
    page = alone.get(f"{link}withdraw/", whose(first), follow=True)
    assert page.redirect_chain[-1][0] == link
    assert "Is that you?" in read(page)


def test_a_browser_of_one_person_has_no_person_in_its_addresses(client, link):
    person = take_part(client, link)
    addresses = [client.get(f"{link}on/").url, send(client, link, person, 1, 0, 1, **whose(person)).url]
    page = read(client.get(addresses[-1]))
    addresses += re.findall(r'href="(/take/[^"]+)"', page)
    assert send_json(client, link, person, 2).json()["whose"] == ""
    assert not any(str(person.public_id) in each for each in addresses)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("{{%PROLIFIC_PID%}}", "This link was not filled in."),
        ("x" * 500, "This link is damaged."),
    ],
)
def test_a_link_without_a_proper_id_is_told_before_the_consent(client, link, typed, told):
    page = read(client.get(link, query_params={"PROLIFIC_PID": typed}))
    assert told in page
    assert "I take part" not in page


def test_a_group_for_people_of_a_platform_turns_others_away(client, study, link):
    study.groups.update(requires_id=True)
    assert "This link lacks your number on the platform." in read(client.get(link))
    assert client.post(f"{link}join/", CONSENT).status_code == 409
    assert "I take part" in read(client.get(f"{link}?PROLIFIC_PID=5f3a"))


def test_an_id_that_withdrew_is_told_so_in_another_browser(client, study, link):
    person = take_part(client, link, PROLIFIC_PID="5f3a")
    assert "Only a fingerprint of that number is kept" in read(client.get(f"{link}withdraw/"))
    participants.withdraw(participant=person)
    page = read(Client().get(f"{link}?PROLIFIC_PID=5f3a"))
    assert "has withdrawn" in page
    assert study.codes["withdrawn"] in page


def test_switching_the_theme_keeps_the_platforms_id(client, link):
    page = read(client.get(f"{link}?PROLIFIC_PID=5f3a"))
    assert f'name="next" value="{link}?PROLIFIC_PID=5f3a"' in page


@pytest.mark.parametrize(("parameters", "pay"), [({}, ""), ({"PROLIFIC_PID": "5f3a"}, ""), ({}, "5")])
@pytest.mark.parametrize("outcome", ["complete", "timed_out", "failed_checks"])
def test_pay_is_promised_only_to_whom_a_platform_sent_or_the_study_pays(client, researcher, parameters, pay, outcome):
    study = study_cases.study("cats", by=researcher, settings={"pay": pay, "currency": "GBP" if pay else ""})
    link = f"/take/{study.groups.get().token}/"
    person = take_part(client, link, **parameters)
    for asked in study_cases.counting(person)[:2]:
        study_cases.answer(asked, *asked.order[:2])
    check = study_cases.check_of(person)
    right = check.question.answer
    study_cases.answer(check, next(line for line in check.order if (line == right) == (outcome != "failed_checks")))
    if outcome == "timed_out":
        Participant.objects.update(deadline_at=timezone.now() - timedelta(minutes=5))
        participants.close_overdue()
    else:
        client.post(f"{link}finish/", {"without": "1"})
    answer = client.get(f"{link}on/")
    assert answer.context["outcome"] == outcome
    assert answer.context["is_about_pay"] == bool(parameters or pay)
    assert ("paid" in read(answer)) == bool(parameters or pay)


def test_finishing_with_empty_questions_is_asked_once_more(client, link):
    person = take_part(client, link)
    assert client.post(f"{link}finish/").url == f"{link}finish/?without=1"
    page = client.get(f"{link}finish/?without=1")
    assert (page.context["asks"], page.context["next"]) == (True, 1)
    assert 'name="without"' in read(page)
    person.refresh_from_db()
    assert person.state == "answering"
    client.post(f"{link}finish/", {"without": "1"})
    person.refresh_from_db()
    assert person.state == "too_few_answers"


def test_where_a_seen_question_is_empty_the_main_button_leads_back_to_it(client, link):
    person = take_part(client, link)
    for position in range(1, 6):
        client.get(f"{link}questions/{position}/")
        if position != 2:
            send(client, link, person, position, 0, 1)
    page = client.get(f"{link}finish/")
    assert (page.context["open"], page.context["to_come"]) == ([2], 0)
    main = re.search(r'button-main"\s+href="([^"]+)"', read(page))
    assert main and main[1] == f"{link}questions/2/"


# ---- without answers ----


@pytest.mark.parametrize("parameters", [{}, {"PROLIFIC_PID": "5f3a"}])
def test_a_survey_without_answers_never_pays(client, study, link, parameters):
    take_part(client, link, **parameters)
    assert "the survey might not count" in read(client.get(f"{link}finish/"))
    client.post(f"{link}finish/", {"without": "1"})
    page = read(client.get(f"{link}on/"))
    assert "Too few questions are answered." in page
    assert study.codes["too_few_answers"] in page
    assert study.codes["complete"] not in page
    assert "paid" not in page
    assert ("The researchers decide about payment." in page) == bool(parameters)  # no one else expects any


def test_an_unanswered_check_promises_no_pay_and_refuses_none(client, study, link):
    person = take_part(client, link, PROLIFIC_PID="5f3a")
    study_cases.answer(study_cases.counting(person)[0], 1, 2)
    client.post(f"{link}finish/", {"without": "1"})
    page = read(client.get(f"{link}on/"))
    assert study.codes["unanswered_check"] in page
    assert ("paid" in page, "Thank you" in page) == (False, False)
    assert "The researchers decide about payment." in page
    assert [row.owed.decision for row in pay_rows(study)] == ["approve"]


@pytest.mark.parametrize(("checks", "owed"), [(1, "approve"), (2, "reject")])
def test_who_fails_checks_is_told_what_the_plan_says_of_their_pay_and_not_which_they_were(
    client, researcher, checks, owed
):
    study = study_cases.study("cats", by=researcher, settings={"checks": checks})
    link = f"/take/{study.groups.get().token}/"
    person = take_part(client, link, PROLIFIC_PID="5f3a")
    for asked in person.presentations.filter(position__gt=0).select_related("question"):
        right = asked.question.answer
        wrong = next(number for number in asked.order if number != right)
        study_cases.answer(asked, wrong if asked.question.purpose == "check" else right)
    client.post(f"{link}finish/", {"without": "1"})
    answer = client.get(f"{link}on/")
    page = read(answer)
    [row] = pay_rows(study)
    assert (answer.context["owed"], row.owed.decision) == (owed, owed)
    assert study.codes["failed_checks"] in page
    assert ("You will be paid" in page) == (owed == "approve")
    assert ("to be paid" in page, "Thank you" in page) == (False, False)
    assert not any(f"questions/{asked.position}/" in page for asked in person.presentations.all())


@pytest.mark.parametrize("unanswered_check", [True, False])
def test_what_is_said_before_the_end_of_empty_questions_fits_the_rules(client, researcher, unanswered_check):
    study = study_cases.study("cats", by=researcher, settings={"unanswered_check": unanswered_check})
    link = f"/take/{study.groups.get().token}/"
    person = take_part(client, link)
    for asked in person.presentations.filter(position__gt=0).order_by("position"):
        page = read(client.get(f"{link}finish/"))
        assert ("What is empty stays empty" in page) == (not unanswered_check)
        is_last = not person.presentations.filter(position__gt=asked.position).exists()
        left = "without it the survey" if is_last else "without them the survey"
        assert (left in page) == unanswered_check  # whichever of them is the check
        assert ("needed for the survey to count" in page) == (not unanswered_check)
        study_cases.answer(asked, *asked.order[:2])


def test_an_answer_about_oneself_can_be_left_out_again(client, link):
    client.post(f"{link}join/", CONSENT)
    for field in client.get(f"{link}on/").context["form"]:
        [left_out] = [choice for choice in field.subwidgets if choice.data["value"] == ""]
        assert left_out.data["selected"]
    client.post(f"{link}about/", {"age": "21-30"})
    client.post(f"{link}about/", {"age": ""})
    assert set(Participant.objects.get().demographics.values()) == {""}


def test_a_time_that_ran_out_without_answers_does_not_pay_either(client, study, link):
    take_part(client, link)
    Participant.objects.update(deadline_at=timezone.now() - timedelta(minutes=1))
    for _time in range(2):
        page = read(client.get(f"{link}on/"))
        assert study.codes["too_few_answers"] in page
        assert "paid" not in page
        participants.close_overdue()


def test_an_answer_given_offline_in_time_is_taken_late_and_told(client, link):
    person = take_part(client, link)
    Participant.objects.update(deadline_at=timezone.now() - timedelta(minutes=5))
    token = person.presentations.get(position=1).tokens[0]
    body = {"first": token, "key": "6f1c8a52-4c3e-4d62-8f09-9e1d53a1f3aa", "seconds_left": 40}
    answer = client.post(f"{link}questions/1/answer/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["seconds_left"]) == (200, 0)
    assert not Answer.objects.exists()
    assert "1 answer arrived after the time limit." in read(client.get(f"{link}on/"))


# ---- what is shown ----


def test_people_read_what_models_score_and_the_label_becomes_the_speaker(client, researcher):
    spoken = study_cases.study("spoken", by=researcher, questions=4, is_open=False, settings={"forms": 1})
    asked = [
        {"speaker": "m", "text": "where is it ?"},
        {"speaker": "f", "text": "over there ."},
    ]
    lines = ["f : come and see .", "f : no , not yet .", "f : i do n't know .", "f : ask him .", "f : why ?"]
    Question.objects.filter(question_set__studies=spoken).update(context=asked, candidates=lines)
    models = source_of("spoken", by=researcher).instances()
    studies.open_(study=spoken, by=researcher)
    link = f"/take/{spoken.groups.get().token}/"
    person = take_part(client, link)
    position = study_cases.counting(person)[0].position
    person.presentations.filter(position__lt=position).update(shown_at=timezone.now())
    shown = client.get(f"{link}questions/{position}/").context["question"]
    assert [turn.text for turn in shown.turns] == list(models[0].context)
    assert sorted(line.text for line in shown.lines) == sorted(models[0].candidates)
    assert [turn.letter for turn in shown.turns] == ["A", "B"]
    assert shown.gap.letter == "B"  # the woman goes on, and the man does not answer her


def test_the_check_is_written_like_its_neighbours(researcher):
    made = study_cases.study("lower", by=researcher, is_open=False)
    drawn = made.question_sets.get()
    lines = [f"it is {minute} minutes , i think ." for minute in range(5)]
    turns = [{"speaker": "a", "text": "when is it here ?"}]
    drawn.questions.update(context=turns, candidates=lines)
    other = study_cases.question_set("ordinary", 3, by=researcher)
    drafts.change(study=made, title=made.title, settings={}, question_sets=[other], by=researcher)
    drafts.change(study=made, title=made.title, settings={}, question_sets=[drawn], by=researcher)
    check = made.own_questions.get(purpose="check")
    texts = [*(turn["text"] for turn in check.context), *check.candidates]
    assert texts == [text.lower() for text in texts]
    assert all(text.endswith(" .") for text in texts)
