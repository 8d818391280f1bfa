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
from core.models import Job
from tests.cleaning import MARKED, decide, marked_pairs, put_words, scan, take
from tests.pages import closed_up, without_tokens

pytestmark = pytest.mark.django_db


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
        found = client.get(reverse("cleaning", args=["weibo"]), query).context["page"].object_list
        return [each.assignment.person.username for each in found]

    assert listed() == ["bo", "an"]
    assert listed(rule="weather") == listed(person="an") == listed(verdict="keep") == ["an"]
    assert listed(rule="wechat", person="an") == []
    assert listed(rule="nonsense", page="x") == ["bo", "an"]


def test_inspectors_change_no_rules(project, pairs, inspector):
    client = client_of(inspector)
    page = client.get(reverse("cleaning", args=["weibo"])).content.decode()
    assert "Switch off" not in page
    for name in ("scan_pairs", "put_words", "switch_rule"):
        assert client.post(reverse(name, args=["weibo"])).status_code == 403
    assert f'href="{reverse("board", args=["weibo"])}"' not in page


def test_a_rule_is_switched_off_and_the_pairs_are_looked_through_again(project, pairs, researcher):
    client = client_of(researcher)
    client.post(reverse("switch_rule", args=["weibo"]), {"rule": "weather", "to": "off"})
    assert Job.objects.get(kind="scan").scope == project
    assert [
        rule.key for rule, *_ in client.get(reverse("cleaning", args=["weibo"])).context["rules"] if not rule.is_on
    ] == ["weather"]


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
        (None, "ours", "Choose a file first."),
        (SimpleUploadedFile("x.txt", b""), "ours", "No word stands in this list"),
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
        assert f"{MARKED} pairs wait for a decision" in page


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
    page = client.get(reverse("pairs", args=["weibo"]), {"state": "cleaned"}).context["page"]
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
