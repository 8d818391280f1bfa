"""Results with and without the people whom the behaviour log flags: both, and no one is left out unasked."""

import csv
import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from study.actions.survey import behaviour
from study.models import Behaviour, Participant, Study
from tests.pages import on_one_line
from tests.study.results_cases import answer_all, closed_study, question_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(researcher) -> Study:
    """Four people: the last one, who is always right, is the one to be flagged."""
    made = closed_study(researcher, question_set(researcher, 4))
    answer_all(made, ["1---", "1---", "11--", "1111"])
    return made


def note(study: Study, **counts: int) -> Participant:
    person = study.participants.latest("pk")
    Behaviour.objects.update_or_create(participant=person, defaults=counts)
    return person


@pytest.fixture
def get(client, researcher):
    client.force_login(researcher)
    return lambda study, name="results", **query: client.get(reverse(name, args=[study.slug]), query)


def printed(capsys, *more: str):
    call_command("results", "summer", *more, "--as", "rui", "--json")
    return json.loads(capsys.readouterr().out)


def whole(found):
    return next(cell for cell in found["cells"] if cell["metric"] == "R@1" and cell["corpus"] is cell["group"] is None)


def flagged(found):
    return next((rule for rule in found["rules"] if rule["rule"] == "flagged"), None)


@pytest.mark.parametrize(
    "counts", [{"webdriver": 1}, {"trap": 1}, {"paste": 1}, {"copy": 2}, {"away_ms": 300_000}, {"copy": 1, "paste": 1}]
)
def test_both_figures_stand_beside_each_other_and_everyone_counts(study, capsys, counts):
    note(study, **counts)
    found = printed(capsys)
    assert whole(found)["p"] == 8 / 16
    row = flagged(found)
    assert (row["people"], row["applied"], row["without"], row["with"]) == (1, False, 8 / 16, 4 / 12)
    assert {name: count for name, count in found["signs"].items() if count} == dict.fromkeys(counts, 1)


@pytest.mark.parametrize("counts", [{"blur": 40, "focus": 40}, {"away_ms": 299_999}])
def test_who_only_leaves_the_page_for_a_moment_is_not_flagged(study, capsys, counts):
    note(study, **counts)
    found = printed(capsys)
    assert flagged(found) is None
    assert not any(found["signs"].values())


def test_asked_for_the_figures_are_those_without_them_and_other_rules_stay(study, capsys):
    note(study, webdriver=3)
    found = printed(capsys, "--also", "flagged")
    assert (whole(found)["p"], whole(found)["people"]) == (4 / 12, 3)
    row = flagged(found)
    assert (row["applied"], row["without"], row["with"]) == (True, 8 / 16, 4 / 12)
    assert all(rule["applied"] for rule in found["rules"])
    both = printed(capsys, "--also", "flagged", "--without", "too_few_answers")
    assert {rule["rule"] for rule in both["rules"] if not rule["applied"]} == {"too_few_answers"}
    assert whole(both)["p"] == 4 / 12


def test_the_command_and_the_page_tell_both(study, get, capsys):
    note(study, copy=1)
    call_command("results", "summer", "--as", "rui")
    assert "1 person, R@1 0.500 without, 0.333 with, not applied" in capsys.readouterr().out
    said = on_one_line(get(study).content)
    assert "R@1 50.0 → 33.3" in said
    box = said[said.index('value="flagged"') :]
    assert "checked" not in box[: box.index(">")]


def test_the_switch_on_the_page_leaves_them_out_and_stays_in_its_addresses(study, get):
    note(study, trap=1)
    everyone, fewer = get(study), get(study, chosen=1, rule=["flagged", "failed_checks", "too_few_answers"])
    assert [page.context["results"]["people"] for page in (everyone, fewer)] == [4, 3]
    assert "also=flagged" in fewer.context["query"]
    assert get(study, also="flagged").context["results"]["people"] == 3
    assert get(study, chosen=1, rule=["failed_checks"]).context["results"]["people"] == 4


def test_the_api_knows_the_rule_and_no_other(study, get):
    note(study, trap=1)
    assert get(study, "study-results", also="flagged").json()["people"] == 3
    wrong = get(study, "study-results", also="failed_checks")
    assert (wrong.status_code, [*wrong.json()]) == (400, ["also"])


def test_a_study_without_a_log_has_no_signs(study, capsys):
    Study.objects.filter(pk=study.pk).update(notes_behaviour=False)
    behaviour.add(Study.objects.get(pk=study.pk).participants.latest("pk"), {"copy": 3})
    found = printed(capsys)
    assert (found["signs"], flagged(found)) == (None, None)


def test_the_export_marks_them_and_counts_them(study, tmp_path):
    person = note(study, paste=1)
    call_command("export_study", "summer", "--out", str(tmp_path), "--as", "rui")
    with (tmp_path / "people.csv").open() as file:
        rows = {row["person"]: row for row in csv.DictReader(file)}
    assert {name for name, row in rows.items() if row["flagged"] == "true"} == {str(person.public_id)}
    assert {row["counted"] for row in rows.values()} == {"true"}
