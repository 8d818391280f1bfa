"""The board of a study: counts by group and form that add up, and what of the plan is not met yet."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from core.actions.refusals import Refused
from study.actions.survey import participants, studies
from study.models import Participant, Study
from study.selectors.survey.fieldwork import rows_of
from study.selectors.survey.pay import pay_rows
from study.tasks import close_due_studies
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
    assert crowd.outcomes["withdrawn"] == crowd.finished == crowd.outcomes["answering"] == 1
    assert (lab.outcomes["agreed"], lab.outcomes["answering"], lab.under_way) == (1, 0, 1)


def test_who_agreed_and_never_began_is_under_way_no_longer_once_the_study_is_closed(own, lines, researcher):
    study_cases.joined(lines, "lab")
    study_cases.begun(lines)
    lines = studies.close(study=lines, why="Written for tests.", by=researcher)
    total = board(own).context["fieldwork"].total
    assert (total.under_way, total.outcomes["agreed"], total.outcomes["answering"]) == (1, 1, 1)
    [row] = rows_of(Study.objects.filter(pk=lines.pk))
    assert row.people.under_way == 1
    assert {row.person.state: str(row.owed.decision) for row in pay_rows(lines)} == {
        "consented": "nothing",
        "answering": "wait",
    }
    assert own.get(reverse("archive_study", args=["lines"])).context["under_way"] == 1


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
    assert re.search(rf'<a\s+href="{reverse(name, args=["lines"])}"[^>]*aria-current="page"', shown)
    assert re.search(r'href="/studies/"[^>]*aria-current', shown), "in the main navigation"


def test_the_list_leads_to_the_board_of_an_open_study(own, lines):
    assert f'href="{reverse("study_board", args=["lines"])}"' in own.get(reverse("studies")).content.decode()


# ---- extended, with a closing day ----


def extend(client, study, **fields: object):
    quotas = {f"quota_{group.pk}": group.quota for group in study.groups.all()}
    return client.post(reverse("extend_study", args=["lines"]), {**quotas, "day": "", "why": "", **fields})


def test_quota_and_closing_day_are_extended_on_the_board_and_listed(own, lines):
    crowd, today = lines.groups.get(name="crowd"), timezone.now().date()
    day = today + timedelta(days=2)
    answer = extend(own, lines, **{f"quota_{crowd.pk}": 7}, day=day, why="Four are away until Thursday.")
    assert answer.status_code == 302
    lines.refresh_from_db()
    assert (lines.closes_on, lines.groups.get(name="crowd").quota) == (day, 7)
    rows = lines.deviations.values_list("what", "subject", "planned", "now", "planned_on", "now_on", "why")
    assert list(rows) == [
        ("quota", "crowd", 5, 7, None, None, "Four are away until Thursday."),
        ("closing day", "", None, None, None, day, "Four are away until Thursday."),
    ]
    assert f"closes after {day}" in board(own).content.decode()
    plan = own.get(reverse("public_plan", args=[lines.plan_checksum])).content.decode()
    assert f"Closing day: {day} (not set in the plan)" in plan


@pytest.mark.parametrize(
    ("fields", "is_before"),
    [
        ({"why": "More time."}, False),
        ({"day": 3}, False),
        ({"day": -1, "why": "x"}, False),
        ({"day": 3, "why": "x"}, True),
    ],
    ids=["nothing new", "no reason", "past", "earlier than before"],
)
def test_what_extends_nothing_is_refused_beside_what_was_typed(own, lines, fields, is_before):
    today = timezone.now().date()
    if is_before:
        Study.objects.update(closes_on=today + timedelta(days=9))
    sent = dict(fields) | ({"day": today + timedelta(days=fields["day"])} if "day" in fields else {})
    answer = extend(own, lines, **sent)
    assert (answer.status_code, lines.deviations.exists()) == (422, False)
    assert answer.context["extending"].is_bound


def test_a_study_closes_when_its_closing_day_is_over_and_lists_the_quotas_that_are_not_filled(own, lines):
    study_cases.begun(lines)
    Study.objects.update(closes_on=timezone.now().date())
    close_due_studies()
    lines.refresh_from_db()
    assert lines.state == "open"
    Study.objects.update(closes_on=timezone.now().date() - timedelta(days=1))
    with pytest.raises(Refused) as refused:
        study_cases.joined(lines)
    assert refused.value.code == "closed"
    close_due_studies()
    close_due_studies()
    lines.refresh_from_db()
    assert (lines.state, lines.participants.get().state) == ("closed", "answering")
    rows = lines.deviations.values_list("what", "subject", "planned", "now", "why", "created_by")
    assert list(rows) == [("closed early", "crowd", 5, 1, "", None), ("closed early", "lab", 3, 0, "", None)]
    assert "Closed with 1 of 5 people in crowd" in own.get(reverse("study", args=["lines"])).content.decode()


def test_the_closing_day_is_set_in_a_draft_and_is_in_its_plan(own, researcher):
    study = study_cases.study("draft", by=researcher, is_open=False)
    address, today = reverse("study_closing_day", args=["draft"]), timezone.now().date()
    assert own.post(address, {"closes_on": today - timedelta(days=1)}).status_code == 422
    assert own.post(address, {"closes_on": today}).status_code == 302
    opened = studies.open_(study=study, reason="Written for tests.", by=researcher)
    assert opened.plan["closes_on"] == str(today)
    assert own.post(address, {"closes_on": today + timedelta(days=1)}).status_code == 422
    assert str(today) in own.get(reverse("study_settings", args=["draft"])).content.decode()
    assert str(today) in own.get(reverse("public_plan", args=[opened.plan_checksum])).content.decode()
