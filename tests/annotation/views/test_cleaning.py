"""The pages of cleaning, as a form and as their script uses them."""

import json
import re
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import ItemState
from annotation.models import Assignment, CleaningDecision
from core.models import Event, Job
from tests.cleaning import MARKED, decide, marked_pairs, put_words, scan, take, take_pair
from tests.pages import closed_up, without_tokens

pytestmark = pytest.mark.django_db

CONTACT = "加我微信 lin_2024x 一起去。"


@pytest.fixture
def pairs(project):
    return marked_pairs(project)


def client_of(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def send(client: Client, name: str, *arguments: object, **body: str):
    """Send a request as the page's script does."""
    return client.post(reverse(name, args=["weibo", *arguments]), json.dumps(body), content_type="application/json")


def page_of(person, name: str, **query: str) -> str:
    return client_of(person).get(reverse(name, args=["weibo"]), query).content.decode()


def test_the_page_marks_what_was_found_and_names_the_rule(project, pairs, annotator):
    page = page_of(annotator, "clean")
    assert "<mark>" in page
    assert "Removes this prompt and its" in page
    assert page.count("Weather") + page.count("WeChat number") >= 1


def test_a_text_of_tags_is_shown_as_text(project, annotator):
    from tests.factories import stored

    stored(project, "<b>今天天气怎么样</b>\t<script>alert(1)</script>\n")
    scan(project)
    page = page_of(annotator, "clean")
    assert "<script>alert" not in page
    assert "&lt;b&gt;" in page


def test_a_form_decides_and_goes_on(project, pairs, annotator):
    client, [assignment] = client_of(annotator), take(project, annotator)
    answer = client.post(reverse("decide_cleaning", args=["weibo", assignment.pk]), {"verdict": "sensitive"})
    assert answer.url == reverse("clean", args=["weibo"])
    assert CleaningDecision.objects.get().verdict == CleaningVerdict.SENSITIVE
    client.post(reverse("take_back_cleaning", args=["weibo", assignment.pk]))
    assert not CleaningDecision.objects.in_force().exists()


def test_a_script_gets_the_pairs_in_hand_and_the_last_decisions(project, pairs, annotator):
    client, [assignment] = client_of(annotator), take(project, annotator)
    key = str(uuid4())
    answer = send(client, "decide_cleaning", assignment.pk, verdict="keep", key=key).json()
    assert [each["assignment"] for each in answer["past"]] == [assignment.pk]
    assert answer["left"] == len(answer["pairs"]) == MARKED - 1
    assert send(client, "decide_cleaning", assignment.pk, verdict="keep", key=key).status_code == 200
    assert CleaningDecision.objects.count() == 1
    answer = send(client, "take_back_cleaning", assignment.pk, key=str(uuid4())).json()
    assert answer["past"] == []
    assert answer["pairs"][0]["assignment"] == assignment.pk


@pytest.mark.parametrize("body", [{}, {"verdict": "burn"}, {"verdict": 1}, {"verdict": "keep", "key": "x"}])
def test_what_is_no_verdict_is_refused(project, pairs, annotator, body):
    [assignment] = take(project, annotator)
    answer = send(client_of(annotator), "decide_cleaning", assignment.pk, **body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_nobody_reaches_the_assignment_of_another(project, pairs, annotator, partner):
    [assignment] = take(project, annotator)
    assert send(client_of(partner), "decide_cleaning", assignment.pk, verdict="keep").status_code == 404
    assert send(client_of(partner), "take_back_cleaning", assignment.pk).status_code == 404


def test_an_assignment_of_rating_is_none_of_cleaning(project, pairs, annotator):
    from tests.factories import take as take_to_rate

    [assignment] = take_to_rate(project, annotator)
    assert send(client_of(annotator), "decide_cleaning", assignment.pk, verdict="sensitive").status_code == 404


def test_annotators_see_no_other_persons_figures_and_inspectors_do(project, pairs, annotator, partner, inspector):
    decide(project, partner, pairs["我这边在下雨。"], CleaningVerdict.KEEP)
    assert "Bo" not in without_tokens(page_of(annotator, "clean"))
    assert "Bo" in page_of(inspector, "clean")
    assert client_of(annotator).get(reverse("cleaning", args=["weibo"])).status_code == 403


def test_the_ledger_lists_decisions_and_undoes_them(project, pairs, annotator, inspector):
    decision = decide(project, annotator, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    page = page_of(inspector, "cleaning")
    assert "3 pairs removed" in page
    client_of(inspector).post(reverse("undo_cleaning", args=["weibo", decision.pk]))
    assert not project.items.filter(state=ItemState.CLEANED).exists()
    assert "undone" in page_of(inspector, "cleaning")


def test_the_ledger_finds_by_rule_person_and_decision(project, pairs, annotator, partner, researcher):
    decide(project, annotator, pairs["我这边在下雨。"], CleaningVerdict.KEEP)
    decide(project, partner, pairs["加我微信 lin_2024x 一起去。"], CleaningVerdict.SENSITIVE)
    client = client_of(researcher)

    def listed(**query: str) -> list[str]:
        found = client.get(reverse("cleaning", args=["weibo"]), query).context["list"].rows
        return [each.assignment.person.username for each in found]

    assert listed() == ["bo", "an"]
    assert listed(rule="weather") == listed(person="an") == listed(verdict="keep") == ["an"]
    assert listed(rule="wechat", person="an") == []
    assert listed(rule="nonsense", page="x") == ["bo", "an"]


def test_inspectors_change_no_rules(project, pairs, inspector):
    client = client_of(inspector)
    page = client.get(reverse("cleaning", args=["weibo"])).content.decode()
    assert 'form="switches"' not in page
    for name in ("scan_pairs", "put_words", "switch_rules"):
        assert client.post(reverse(name, args=["weibo"])).status_code == 403
    assert f'href="{reverse("board", args=["weibo"])}"' not in page


def switched_off(client: Client) -> list[str]:
    rules = client.get(reverse("cleaning", args=["weibo"])).context["rules"]
    return [rule.key for rule, *_ in rules if not rule.is_on]


def test_rules_are_switched_by_one_form_with_one_event_each_and_one_scan(project, pairs, researcher):
    client = client_of(researcher)
    page = client.get(reverse("cleaning", args=["weibo"])).content.decode()
    shown = re.findall(r'form="switches" name="was_on" value="([^"]+)"', closed_up(page.encode()))
    assert len(shown) == page.count('name="on"') > 10
    left_on = [key for key in shown if key not in ("weather", "wechat")]
    client.post(reverse("switch_rules", args=["weibo"]), {"was_on": shown, "on": left_on})
    assert Job.objects.get(kind="scan").scope == project
    assert set(switched_off(client)) == {"weather", "wechat"}
    events = Event.objects.filter(subject="cleaningrule")
    assert [(event.was, event.became, event.by) for event in events] == [("on", "off", researcher)] * 2
    Job.objects.all().delete()
    client.post(reverse("switch_rules", args=["weibo"]), {"was_on": left_on, "on": [*left_on, "weather"]})
    assert switched_off(client) == ["wechat"]


def test_switches_that_no_one_moved_stay_as_another_person_switched_them(project, pairs, researcher):
    client, address = client_of(researcher), reverse("switch_rules", args=["weibo"])
    both = ["weather", "wechat"]
    client.post(address, {"was_on": both, "on": ["wechat"]})
    client.post(address, {"was_on": both, "on": ["weather"]})  # from a page that was made before the first
    assert set(switched_off(client)) == set(both)
    assert Event.objects.filter(subject="cleaningrule").count() == 2
    client.post(address, {"was_on": both, "on": ["weather"]})  # sent twice
    assert Event.objects.filter(subject="cleaningrule").count() == 2


def test_without_a_moved_switch_nothing_is_scanned(project, pairs, researcher):
    client = client_of(researcher)
    client.post(reverse("switch_rules", args=["weibo"]), {"was_on": ["weather"], "on": ["weather"]})
    assert not Job.objects.filter(kind="scan").exists()


def test_an_unknown_rule_switches_none(project, pairs, researcher):
    client = client_of(researcher)
    client.post(reverse("switch_rules", args=["weibo"]), {"was_on": ["weather", "nonsense"], "on": []})
    assert switched_off(client) == []
    assert not Job.objects.filter(kind="scan").exists()


def listed(client: Client, **query: str) -> list[str]:
    """The responses in the list of marked pairs."""
    rows = client.get(reverse("marked_pairs", args=["weibo"]), query).context["list"].rows
    return [row["item"].content["response"] for row in rows]


def test_the_list_has_what_waits_with_its_rule_and_the_piece_that_matched(project, pairs, partner, inspector):
    client = client_of(inspector)
    decide(project, partner, pairs["你自己看窗外。"], CleaningVerdict.KEEP)
    assert set(listed(client)) == {"我这边在下雨。", "挺好的，出去走走。", CONTACT}
    assert listed(client, rule="wechat") == [CONTACT]
    assert listed(client, rule="nonsense") == listed(client)
    assert listed(client, search="下雨") == ["我这边在下雨。"]
    assert listed(client, rule="wechat", search="下雨") == []
    assert listed(client, sort="-order") == listed(client)[::-1]
    take_pair(project, partner, pairs[CONTACT])
    page = closed_up(client.get(reverse("marked_pairs", args=["weibo"]), {"rule": "wechat"}).content)
    assert "加我<mark>微信 lin_2024x</mark> 一起去。" in page or "<mark>微信 lin_2024x" in page
    assert "WeChat number" in page
    assert "held by Bo" in page
    assert reverse("marked_pairs", args=["weibo"]) + "?rule=wechat" in page_of(inspector, "cleaning")


def test_a_long_text_shows_what_is_around_the_mark(project, inspector):
    from tests.factories import stored

    stored(project, f"去哪儿\t{'前' * 400}微信 lin_2024x，{'后' * 400}\n")
    scan(project)
    page = closed_up(client_of(inspector).get(reverse("marked_pairs", args=["weibo"])).content)
    [part] = re.findall(r"<summary>…(.*?)</summary>", page)
    assert "<mark>" in part
    assert len(part) < 200


def test_the_list_costs_the_same_queries_however_long_it_is(project, inspector, django_assert_max_num_queries):
    from tests.factories import stored

    stored(project, "".join(f"今天天气{n}怎么样\t第{n}条。\n" for n in range(60)))
    scan(project)
    client = client_of(inspector)
    with django_assert_max_num_queries(26):
        assert len(listed(client)) == 50


def bulk(client: Client, act: str, items=(), query: str = "", **sent: object):
    rows = {"act": act, "row": [item.pk for item in items], **sent}
    return client.post(reverse("bulk_marked_pairs", args=["weibo"]) + query, rows)


def said(client: Client, answer) -> str:
    return " ".join(re.findall(r"page-message.*?<p>(.*?)</p>", client.get(answer.url).content.decode(), re.S))


def test_removing_many_is_asked_once_with_what_follows_and_then_done(project, pairs, inspector):
    client, chosen = client_of(inspector), [pairs[CONTACT], pairs["我这边在下雨。"], pairs["吃面。"]]
    answer = bulk(client, "sensitive", chosen)
    assert answer.status_code == 200
    assert set(answer.context["items"]) == set(chosen[:2])
    assert "1 pair that you chose" in answer.context["left_out"]
    assert not CleaningDecision.objects.exists()
    assert bulk(client, "sensitive", chosen[:2], text=" ").status_code == 422
    answer = bulk(client, "sensitive", chosen[:2], query="?rule=wechat&page=1", text="adverts")
    assert answer.url == "/projects/weibo/cleaning/pairs/?rule=wechat&page=1"
    assert "2 pairs were removed." in said(client, answer)
    assert project.items.filter(state=ItemState.CLEANED).count() == 2
    assert set(Event.objects.filter(subject="cleaningdecision").values_list("why", flat=True)) == {"adverts"}
    assert page_of(inspector, "cleaning").count("adverts") == 2


def test_all_that_match_a_rule_are_removed_with_their_prompts(project, pairs, inspector):
    client = client_of(inspector)
    answer = bulk(client, "knowledge", query="?rule=weather", all="on")
    assert "3 pairs are removed" in answer.context["consequences"]
    answer = bulk(client, "knowledge", answer.context["items"], query="?rule=weather", text="outside knowledge")
    assert "3 pairs were removed." in said(client, answer)
    assert listed(client) == [CONTACT]


def test_keeping_many_needs_no_reason(project, pairs, inspector):
    client = client_of(inspector)
    page = bulk(client, "keep", [pairs[CONTACT]]).content.decode()
    assert re.search(r'<input type="hidden" name="text"', page)
    assert "1 pair was kept." in said(client, bulk(client, "keep", [pairs[CONTACT]], text=""))
    assert CleaningDecision.objects.get().verdict == CleaningVerdict.KEEP


def test_what_another_person_took_in_between_is_left_out_and_said(project, pairs, inspector, partner, monkeypatch):
    client, items = client_of(inspector), [pairs[CONTACT], pairs["我这边在下雨。"]]
    from annotation.presenters.projects import bulk as acts

    def at_first(items, *, verdict, person):
        return {item.pk: 1 for item in items}  # what was free when the page looked

    monkeypatch.setattr(acts, "numbers_to_clean", at_first)
    theirs = take_pair(project, partner, pairs[CONTACT])
    words = said(client, bulk(client, "sensitive", items, text="adverts"))
    assert "1 pair was removed." in words and "1 pair that you chose" in words
    theirs.refresh_from_db()
    assert theirs.state == "held"
    words = said(client, bulk(client, "sensitive", items, text="adverts"))
    assert "removed." not in words and "2 pairs that you chose" in words


@pytest.mark.parametrize("act", ["", "void", "resolve", "__class__"])
def test_only_the_verdicts_are_known(act, project, pairs, inspector):
    assert bulk(client_of(inspector), act, [pairs[CONTACT]]).status_code == 404


def test_annotators_have_no_list(project, pairs, annotator):
    client = client_of(annotator)
    assert client.get(reverse("marked_pairs", args=["weibo"])).status_code == 403
    assert bulk(client, "keep", [pairs[CONTACT]]).status_code == 403


def test_several_decisions_are_undone_at_once(project, pairs, annotator, inspector):
    first = decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    decide(project, annotator, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    client, address = client_of(inspector), reverse("undo_many_cleaning", args=["weibo"])
    answer = client.post(address + "?verdict=sensitive&page=1", {"row": [first.pk], "act": "undo"})
    assert answer.url == "/projects/weibo/cleaning/?verdict=sensitive&page=1#decisions"
    assert "1 decision was undone." in said(client, answer)
    assert project.items.filter(state=ItemState.CLEANED).count() == 3
    answer = client.post(address + "?verdict=knowledge", {"all": "on", "act": "undo"})
    assert not project.items.filter(state=ItemState.CLEANED).exists()
    assert "undone already" in said(client, client.post(address, {"row": [first.pk], "act": "undo"}))
    assert "Choose the rows" in said(client, client.post(address, {"act": "undo"}))


def test_decisions_of_another_project_are_not_undone(project, pairs, annotator, researcher):
    from tests.factories import another_project

    first = decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    another_project("other", researcher)
    client_of(researcher).post(reverse("undo_many_cleaning", args=["other"]), {"row": [first.pk]})
    assert CleaningDecision.objects.in_force().get() == first


def test_a_list_is_uploaded_under_its_own_name_or_the_files(project, pairs, researcher):
    client = client_of(researcher)
    address = reverse("put_words", args=["weibo"])
    client.post(address, {"file": SimpleUploadedFile("脏话.v2.txt", "坏蛋\n".encode())})
    assert project.cleaning_rules.get().key == "脏话.v2"
    client.post(address, {"file": SimpleUploadedFile("x.txt", "坏蛋\n".encode()), "name": "ours"})
    assert set(project.cleaning_rules.values_list("key", flat=True)) == {"脏话.v2", "ours"}
    assert Job.objects.filter(kind="scan").count() == 1


@pytest.mark.parametrize(
    ("file", "name", "says"),
    [
        (None, "ours", "Choose a file, or type the words."),
        (SimpleUploadedFile("x.txt", b""), "ours", "This list has no words"),
        (SimpleUploadedFile("x.txt", ("x" * 60).encode()), "ours", "Line 1 has 60 characters"),
        (SimpleUploadedFile("x.txt", "坏".encode()), "weather", "comes with the product"),
        (SimpleUploadedFile("x.txt", b"word\n" * 300_000), "ours", "larger than 1 MiB"),
    ],
)
def test_a_list_that_cannot_be_taken_is_said_at_its_field(file, name, says, project, pairs, researcher):
    sent = {"name": name, **({"file": file} if file else {})}
    answer = client_of(researcher).post(reverse("put_words", args=["weibo"]), sent)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not project.cleaning_rules.exists()


def test_a_short_list_is_typed(project, pairs, researcher):
    client, address = client_of(researcher), reverse("put_words", args=["weibo"])
    client.post(address, {"typed": "吃面\r\n\r\nFree Gift\r\n", "name": "ours"})
    assert project.cleaning_rules.get().words == ["吃面", "free gift"]
    assert Job.objects.filter(kind="scan").count() == 1


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"typed": "坏"}, "name"),
        ({"typed": " \r\n"}, "file"),
        ({"typed": "x" * 60, "name": "ours"}, "typed"),
        ({"typed": "坏\r\n" * 1_001, "name": "ours"}, "typed"),
        ({"typed": "坏", "name": "ours", "file": SimpleUploadedFile("x.txt", "坏".encode())}, "typed"),
    ],
)
def test_typed_words_that_cannot_be_taken_are_said_at_their_field(sent, field, project, pairs, researcher):
    answer = client_of(researcher).post(reverse("put_words", args=["weibo"]), sent)
    assert answer.status_code == 422
    assert list(answer.context["words_form"].errors) == [field]
    assert not project.cleaning_rules.exists()


def test_a_list_can_be_read_as_a_file_and_brought_back(project, pairs, researcher):
    put_words(project, "吃面", "睡觉", name="A/B 词表")
    client = client_of(researcher)
    [address] = re.findall(
        r'href="([^"]+)">2 words<', closed_up(client.get(reverse("cleaning", args=["weibo"])).content)
    )
    answer = client.get(address)
    assert answer.content.decode() == "吃面\n睡觉\n"
    assert "attachment" in answer["Content-Disposition"]
    assert client.get(reverse("word_list", args=["weibo", "none"])).status_code == 404


def test_before_the_first_scan_the_pages_say_what_to_do(project, annotator, researcher):
    assert "No pair is marked yet" in page_of(annotator, "clean")
    page = page_of(researcher, "cleaning")
    assert "Import pairs first" in page
    assert reverse("imports", args=["weibo"]) in page


def test_the_home_pages_lead_to_marked_pairs(project, pairs, annotator, inspector):
    for person in (annotator, inspector):
        page = client_of(person).get("/").content.decode()
        assert reverse("clean", args=["weibo"]) in page
        assert f"{MARKED} pairs are waiting for a decision" in page
        assert f'data-unsent="clean/{person.pk}/weibo"' in page  # what this browser has not sent yet


def test_the_board_has_a_line_for_what_cleaning_removed(project, pairs, annotator, researcher):
    assert "removed by cleaning" not in page_of(researcher, "board")
    decide(project, annotator, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    assert "removed by cleaning" in page_of(researcher, "board")
    assert (
        '"funnel","cleaned","pairs",3'
        in client_of(researcher).get(reverse("board_csv", args=["weibo"])).content.decode()
    )


def test_removed_pairs_can_be_looked_at(project, pairs, annotator, researcher):
    decide(project, annotator, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    client = client_of(researcher)
    page = client.get(reverse("pairs", args=["weibo"]), {"state": "cleaned"}).context["list"]
    assert {row.item.content["prompt"] for row in page.rows} == {"今天天气怎么样？"}


def test_the_page_costs_the_same_queries_however_much_is_marked(
    project, pairs, annotator, django_assert_max_num_queries
):
    put_words(project, "吃面", "睡觉")
    scan(project)
    client = client_of(annotator)
    client.get(reverse("clean", args=["weibo"]))
    assert Assignment.objects.filter(person=annotator).count() == 6
    with django_assert_max_num_queries(24):
        client.get(reverse("clean", args=["weibo"]))
