"""API of a rating project: the same figures as on its pages, page by page, in few queries."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.actions import flags
from annotation.actions.adjudication import adjudication
from annotation.actions.adjudication.adjudication import Decision
from annotation.actions.cleaning import cleaning as cleaning_actions
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.api import examples
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.models import Assignment, Flag, Project, Rating, Step
from annotation.selectors.rating.rating_rows import written
from core.models import Role, User
from core.permissions import PERMISSIONS
from tests import cleaning, factories
from tests.annotation.actions.qualification import gold_pairs
from tests.annotation.management.shell import Shell
from tests.annotation.views.rating.rating_page import signed_in


@pytest.fixture
def client(researcher: User) -> Client:
    return signed_in(researcher)


@pytest.fixture
def read(client: Client) -> Callable[..., dict]:
    def of_project(address: str, **asked: object) -> dict:
        answer = client.get(f"/api/v1/projects/weibo/{address}/", asked)
        assert answer.status_code == 200, answer.content
        return answer.json()

    return of_project


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[[str], dict]:
    return lambda command: Shell(capsys)(command, "weibo", "--json").json


def both_grade(project: Project, pairs: int, *people: User) -> None:
    """Far apart, so that every pair is in dispute where the project asks an adjudicator."""
    factories.pairs(project, pairs)
    for person, grade in zip(people, (1, 5), strict=True):
        factories.grade_next(project, person, *[grade] * pairs)


def decide_next(project: Project, by: User, *decisions: Decision) -> None:
    for decision in decisions:
        [assignment] = assignments.claim(project=project, step=Step.ADJUDICATE, by=by)
        adjudication.decide(assignment=assignment, decision=decision, by=by)


# ---- what it says ---------------------------------------------------------------------------------------------------


def test_the_ledger_of_cleaning_is_what_the_command_prints(project, annotator, administrator, read, printed):
    pairs = cleaning.marked_pairs(project)
    cleaning.decide(project, annotator, pairs["加我微信 lin_2024x 一起去。"], CleaningVerdict.SENSITIVE)
    report = read("cleaning")
    assert report == printed("cleaning_ledger")
    assert report["waiting"] == cleaning.MARKED - 1
    assert report["people"] == {"an": {"keep": 0, "sensitive": 1, "knowledge": 0, "undone": 0}}


def test_decisions_of_cleaning_come_with_what_was_found_the_newest_first(project, annotator, partner, read):
    pairs = cleaning.marked_pairs(project)
    first = cleaning.decide(project, annotator, pairs["加我微信 lin_2024x 一起去。"], CleaningVerdict.SENSITIVE)
    cleaning.decide(project, partner, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    cleaning_actions.undo(decision=first, by=annotator)
    newest, oldest = read("cleaning/decisions")["results"]
    assert (newest["user"], newest["verdict"], newest["removed"]) == ("bo", "knowledge", 3)
    assert (newest["prompt"], newest["response"]) == (cleaning.WEATHER, "我这边在下雨。")
    assert newest["undone_at"] is None and oldest["undone_at"] is not None
    assert oldest["rules"] == sorted(first.findings)
    assert read("cleaning/decisions", verdict="sensitive")["results"] == [oldest]
    assert read("cleaning/decisions", person="bo")["results"] == [newest]
    assert read("cleaning/decisions", rule=oldest["rules"][0])["results"] == [oldest]


def test_gold_comes_with_what_is_known_of_it(project, read):
    gold_pairs.import_rows(
        project, ["问题,回复,2,echoing,只是重复", "问题二,回复二,4,,"], columns="prompt,response,grade,type,explanation"
    )
    found = {row["prompt"]: row for row in read("gold")["results"]}
    assert {name: found["问题"][name] for name in ("response", "grade", "type", "explanation")} == {
        "response": "回复",
        "grade": 2,
        "type": "echoing",
        "explanation": "只是重复",
    }
    assert (found["问题二"]["grade"], found["问题二"]["type"], len(found)) == (4, None, 2)


def test_qualification_and_quality_are_what_the_commands_print(
    project, annotator, partner, administrator, read, printed
):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=4, gold_misses=2)
    gold_pairs.import_rows(project, gold_pairs.known(8))
    factories.pairs(project, 12)
    gold_pairs.grade_all(project, annotator)
    gold_pairs.grade_all(project, partner, off=3)
    status = {each["user"]: each["status"] for each in read("qualification")["raters"]}
    assert status == {"an": "free", "bo": "paused"}
    assert read("qualification") == printed("qualification")
    assert read("quality") == printed("quality")


def test_flags_are_the_open_ones_unless_the_resolved_are_asked_for(project, annotator, researcher, read):
    factories.pairs(project, 2)
    first, second = factories.take(project, annotator, 2)
    for assignment, comment in ((first, "Who is 小马?"), (second, "")):
        flags.raise_flag(assignment=assignment, comment=comment, by=annotator)
    flags.resolve(flag=Flag.objects.get(assignment=first), note="A horse.", by=researcher)
    [open_one] = read("flags")["results"]
    [resolved] = read("flags", state="resolved")["results"]
    assert (open_one["item"], open_one["comment"], open_one["note"]) == (second.slot.item.key, "", None)
    assert (resolved["user"], resolved["comment"], resolved["note"]) == ("an", "Who is 小马?", "A horse.")


@pytest.mark.parametrize(
    ("address", "asked", "known"),
    [
        ("items", "state", "recorded, corrected, open"),
        ("flags", "state", "open, resolved"),
        ("cleaning/decisions", "verdict", "keep, sensitive, knowledge"),
        ("cleaning/decisions", "rule", "coarse, telephone"),
        ("cleaning/decisions", "person", ""),
    ],
)
def test_a_misspelt_filter_is_answered_with_what_there_is(project, client, address, asked, known):
    answer = client.get(f"/api/v1/projects/weibo/{address}/", {asked: "opne"})
    assert answer.status_code == 400
    assert f"'opne' is unknown. Known: {known}" in answer.json()[asked][0]


def test_what_can_be_paid_is_counted_over_the_days_asked_for(project, annotator, client, read):
    factories.pairs(project, 3)
    for assignment in factories.grade_next(project, annotator, 3, 3):
        Assignment.objects.filter(pk=assignment.pk).update(ended_at=datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC))
    Rating.objects.update(milliseconds=36_000)
    [row] = read("payable", since="2026-03-01", until="2026-03-31")["people"]
    assert row == {
        "user": "an",
        "name": "An",
        "since": "2026-03-01",
        "until": "2026-03-31",
        "counted": 2,
        "other": 0,
        "voided": 0,
        "skipped": 0,
        "hours": 0.02,  # 36 s each
    }
    assert read("payable", since="2026-04-01", until="2026-04-30") == {"people": []}
    for wrong in ({"since": "2026-03-31", "until": "2026-03-01"}, {"since": "yesterday"}):
        answer = client.get("/api/v1/projects/weibo/payable/", wrong)
        assert (answer.status_code, "until" in answer.json()) == (400, True)


def test_all_grades_are_streamed_as_the_page_hands_them_out(project, annotator, partner, client):
    both_grade(project, 3, annotator, partner)
    for format in ("csv", "jsonl"):
        answer = client.get(f"/api/v1/projects/weibo/ratings/{format}/")
        assert answer.streaming
        assert answer.getvalue() == b"".join(written(project, format=format))
        assert answer.headers["Content-Disposition"].endswith(f'"weibo-ratings.{format}"')
    assert client.get("/api/v1/projects/weibo/ratings/xml/").status_code == 404


def test_what_a_third_person_decided_stands_there(project, annotator, partner, inspector, read):
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=project.created_by)
    both_grade(project, 2, annotator, partner)
    decide_next(project, inspector, Decision(4, ""), Decision(None, "ambiguous"))
    removed, kept = read("adjudications")["results"]
    assert [(row["user"], row["grade"], row["reason"], row["state"]) for row in (kept, removed)] == [
        ("ines", 4, "", "kept"),
        ("ines", None, "ambiguous", "removed"),
    ]


def test_a_rewriting_project_has_none_of_it(researcher, client, project):
    projects.create(slug="dream", kind="rewriting", by=researcher)
    for address in ("cleaning", "gold", "quality", "ratings/csv", "adjudications"):
        assert client.get(f"/api/v1/projects/weibo/{address}/").status_code == 200
        assert client.get(f"/api/v1/projects/dream/{address}/").status_code == 404, address


# ---- how much it costs ----------------------------------------------------------------------------------------------


def some_cleaning(project: Project, people: list[User]) -> None:
    new = project.items.count()
    factories.stored(project, "".join(f"周末{n}去哪儿？\t加我微信 lin_2024x{n}\n" for n in range(new, new + 5)))
    cleaning.scan(project)
    for assignment in cleaning.take(project, people[0], 5):
        cleaning_actions.decide(assignment=assignment, verdict=CleaningVerdict.KEEP, by=people[0])


def some_flags(project: Project, people: list[User]) -> None:
    factories.pairs(project, 5)
    for assignment in factories.take(project, people[0], 5):
        flags.raise_flag(assignment=assignment, comment="Why?", by=people[0])


def some_decisions(project: Project, people: list[User]) -> None:
    both_grade(project, 5, *people)
    decide_next(project, User.objects.get(username="ines"), *[Decision(4, "")] * 5)


def some_gold(project: Project, people: list[User]) -> None:
    known = project.items.filter(purpose="gold").count()
    gold_pairs.import_rows(project, gold_pairs.known(known + 5)[known:])


@pytest.mark.parametrize(
    ("address", "grow"),
    [
        ("cleaning/decisions", some_cleaning),
        ("cleaning", some_cleaning),
        ("flags", some_flags),
        ("gold", some_gold),
        ("adjudications", some_decisions),
        ("quality", some_decisions),
        ("payable", some_decisions),
        ("qualification", some_decisions),
    ],
)
def test_more_rows_take_no_more_queries(project, annotator, partner, inspector, read, address, grow):
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=project.created_by)
    taken = []
    for _times in range(2):
        grow(project, [annotator, partner])
        with CaptureQueriesContext(connection) as queries:
            read(address)
        taken.append(len(queries))
    assert taken[0] == taken[1]


def test_long_answers_come_in_pages(project, annotator, read, client):
    some_flags(project, [annotator])
    first = read("flags", page_size=3)
    second = client.get(first["next"]).json()
    found = [row["flag"] for row in first["results"] + second["results"]]
    assert (len(first["results"]), second["next"]) == (3, None)
    assert found == sorted(Flag.objects.values_list("pk", flat=True), reverse=True)


# ---- its reference --------------------------------------------------------------------------------------------------


def shape(value: object) -> object:
    """Keys and types of what is inside; the keys of a table by name (grades, types, rules, people) say nothing."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def test_the_examples_have_the_fields_of_the_answers(project, annotator, partner, inspector, read, client):
    gold_pairs.choose(project, gold_first=50, gold_lowest=50, gold_window=100, gold_misses=100)
    projects.change_settings(project=project, settings={"adjudicate": "on"}, by=project.created_by)
    gold_pairs.import_rows(project, ["问题,回复,5,interesting,说明"], columns="prompt,response,grade,type,explanation")
    both_grade(project, 90, annotator, partner)  # every other one gold: drift takes thirty others
    for grade, agreed in zip((2, 4), project.items.counting()[:2], strict=True):  # for an interval, something varies
        Rating.objects.filter(assignment__slot__item=agreed).update(grade=grade)
    Rating.objects.update(milliseconds=8_200)
    decide_next(project, inspector, Decision(4, ""))
    some_flags(project, [annotator])
    some_cleaning(project, [annotator])
    for address, example in (
        ("cleaning/decisions", examples.CLEANING_DECISION),
        ("gold", examples.GOLD),
        ("flags", examples.FLAG),
        ("adjudications", examples.ADJUDICATION),
    ):
        assert shape(read(address)["results"][0]) == shape(example), address
    assert shape(read("payable")) == shape(examples.PAYABLE)
    assert shape(read("quality")["pairs"]) == shape(examples.QUALITY["pairs"])
    person, shown = read("quality")["people"][0], dict(examples.QUALITY["people"][0])
    assert shape({**person, "types": {}}) == shape({**shown, "types": {}})
    rows = client.get("/api/v1/projects/weibo/ratings/jsonl/").getvalue().splitlines()
    assert json.loads(rows[0]).keys() == examples.RATING.keys()
    report = read("cleaning")
    assert report.keys() == examples.CLEANING.keys()
    [rule], [tally] = examples.CLEANING["rules"].values(), examples.CLEANING["people"].values()
    assert {frozenset(each) for each in report["rules"].values()} == {frozenset(rule)}
    assert {frozenset(each) for each in report["people"].values()} == {frozenset(tally)}
    status = read("qualification")
    assert status.keys() == examples.QUALIFICATION.keys()
    assert status["raters"][0].keys() == examples.QUALIFICATION["raters"][0].keys()


def test_the_reference_shows_an_example_of_each(client, db):
    page = client.get("/api-reference/").content.decode()
    for part in ("It invites an answer.", "Which mountain?", "partners_kappa_quadratic", "r1"):
        assert part in page


# ---- who may read it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "permission"),
    [
        ("cleaning", "cleaning.oversee"),
        ("cleaning/decisions", "cleaning.oversee"),
        ("gold", "pairs.import"),
        ("qualification", "raters.judge"),
        ("flags", "project.view"),
        ("quality", "raters.judge"),
        ("payable", "project.manage"),
        ("ratings/csv", "project.view"),
        ("adjudications", "project.view"),
    ],
)
def test_an_answer_asks_for_the_right_to_its_page(project, client, monkeypatch, address, permission):
    assert client.get(f"/api/v1/projects/weibo/{address}/").status_code == 200
    monkeypatch.setitem(PERMISSIONS, permission, frozenset({Role.ADMINISTRATOR}))
    assert client.get(f"/api/v1/projects/weibo/{address}/").status_code == 403
