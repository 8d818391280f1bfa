"""The board of a study: counts by group and form that add up, and what of the plan is not met yet."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from study.actions.survey import participants, studies
from study.models import Participant
from tests.study import study_cases
from tests.study.results_cases import run_of


@pytest.fixture
def lines(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": 5, "lab": 3})


def board(client):
    answer = client.get(reverse("study_board", args=["lines"]))
    assert answer.status_code == 200
    return answer


def test_every_row_adds_up_to_those_who_joined(own, lines):
    study_cases.finished(lines)
    participants.withdraw(participant=study_cases.begun(lines))
    study_cases.begun(lines)
    study_cases.joined(lines, "lab")
    fieldwork = board(own).context["fieldwork"]
    rows = [fieldwork.total, *fieldwork.groups, *fieldwork.groups[0].forms, *fieldwork.groups[1].forms]
    assert [sum(row.outcomes.values()) for row in rows] == [row.joined for row in rows]
    crowd, lab = fieldwork.groups
    assert (crowd.joined, sum(form.joined for form in crowd.forms)) == (3, 3)
    assert (lab.joined, sum(form.joined for form in lab.forms)) == (1, 1)
    assert crowd.outcomes["withdrawn"] == crowd.finished == crowd.outcomes["active"] == 1


def test_the_board_says_how_many_each_group_still_needs(own, lines):
    study_cases.finished(lines)
    rows = board(own).context["fieldwork"].groups
    assert [(row.name, row.missing) for row in rows] == [("crowd", 4), ("lab", 3)]
    titles = [each.title for each in board(own).context["unmet"]]
    assert [title for title in titles if "still needed" in title] == [
        "lab: 3 people still needed",
        "crowd: 4 people still needed",
    ]


def test_a_model_that_was_asked_is_no_longer_missing(own, lines, researcher):
    assert any("No model" in each.title for each in board(own).context["unmet"])
    run_of(lines.question_sets.get(), "1", by=researcher)
    assert not any("No model" in each.title for each in board(own).context["unmet"])


def test_a_group_whose_median_nears_the_limit_is_named(own, lines):
    person = study_cases.finished(lines, "lab")
    Participant.objects.filter(pk=person.pk).update(started_at=person.ended_at - timedelta(minutes=37))
    assert any(each.title == "lab is close to the time limit" for each in board(own).context["unmet"])


def test_arrivals_are_counted_by_the_hour(own, lines):
    study_cases.joined(lines)
    person = study_cases.joined(lines)
    Participant.objects.filter(pk=person.pk).update(joined_at=timezone.now() - timedelta(hours=3))
    drawn = board(own).context["arrivals"]
    assert (len(drawn.columns), drawn.total) == (2, 2)
    assert [column.is_under_way for column in drawn.columns] == [False, True]


def test_a_draft_sends_to_its_plan(own, researcher):
    study_cases.study("lines", by=researcher, is_open=False)
    assert "No one can join before the study opens." in board(own).content.decode()


PAGES = (
    "study",
    "study_questions",
    "study_groups",
    "study_board",
    "study_participants",
    "study_times",
    "study_models",
    "results",
    "study_export",
    "study_settings",
    "study_people",
)


@pytest.mark.parametrize("name", PAGES)
def test_each_page_of_a_study_has_its_rail_and_marks_itself(own, lines, researcher, name):
    studies.close(study=lines, why="Written for tests.", by=researcher)
    shown = own.get(reverse(name, args=["lines"])).content.decode()
    assert f'<a href="{reverse(name, args=["lines"])}" aria-current="page">' in shown
    assert re.search(r'href="/studies/"[^>]*aria-current', shown), "in the main navigation"


def test_the_list_leads_to_the_board_of_an_open_study(own, lines):
    assert f'href="{reverse("study_board", args=["lines"])}"' in own.get(reverse("studies")).content.decode()
