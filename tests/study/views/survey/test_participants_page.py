"""Participants of a study for its researchers: both statuses, whom to pay, exclusions by hand, a platform's list."""

import csv
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.models import Event
from study.actions.survey import participants, studies
from study.domain.survey.pay import owed_to
from study.domain.survey.phases import ParticipantState
from study.domain.survey.platforms import Visitor
from study.models import Answer, Exclusion, Participant, QuestionPurpose, Submission
from study.selectors.results.results import results_of
from study.selectors.survey.own_questions import own_questions_of
from study.selectors.survey.pay import pay_rows
from tests.study import study_cases

HEADER = "Submission id,Participant id,Status,Time taken,Completion code"


@pytest.fixture
def lines(researcher):
    return study_cases.study("lines", by=researcher)


def sent(study, name: str, state: str = "complete", platform: str = "prolific") -> Participant:
    """Return a person whom a platform sent, in a state."""
    person, _secret = participants.join(group=study.groups.get(), visitor=Visitor(platform, name, {}))
    Participant.objects.filter(pk=person.pk).update(state=state, code=study.codes.get(state, ""))
    person.refresh_from_db()
    return person


def upload(client, *rows: str, header: str = HEADER):
    file = SimpleUploadedFile("list.csv", "\n".join([header, *rows]).encode())
    return client.post(reverse("reconcile_study", args=["lines"]), {"file": file}, follow=True)


def post(client, name: str, **fields: object):
    return client.post(reverse(name, args=["lines"]), fields, follow=True)


def decisions(study) -> dict[str, str]:
    rows = pay_rows(study, study.participants.exclude(state=ParticipantState.WITHDRAWN))
    return {row.person.identity.person: str(row.owed.decision) for row in rows}


def page(client, **query: str):
    return client.get(reverse("study_participants", args=["lines"]), query)


# ---- the list ----


def test_the_list_shows_a_random_id_and_never_the_platforms(own, lines):
    person = sent(lines, "5f3a0c77d1e2")
    shown = page(own).content.decode()
    assert person.public_id.hex[:8] in shown
    assert "5f3a0c77d1e2" not in shown


def test_people_are_found_by_either_id_and_by_group_and_status(own, lines):
    first, second = sent(lines, "aaa1"), sent(lines, "aaa2", "timed_out")

    def found(**query: str) -> list[int]:
        return [row.pay.person.pk for row in page(own, **query).context["rows"]]

    assert found() == [first.pk, second.pk]
    assert found(find="AAA2") == found(find=str(second.public_id)) == found(status="timed_out") == [second.pk]
    assert found(group="crowd") == [first.pk, second.pk]
    assert found(find="aaa") == []


def test_a_list_of_many_takes_as_many_queries_as_one_of_few(own, lines, django_assert_max_num_queries):
    for number in range(12):
        sent(lines, f"id{number}")
    with django_assert_max_num_queries(22):
        assert len(page(own).context["rows"]) == 12


def test_a_stranger_finds_no_participants(stranger, lines):
    assert page(stranger).status_code == 404
    for name in ("exclude_participants", "reconcile_study", "decide_pay"):
        assert stranger.post(reverse(name, args=["lines"])).status_code == 404


# ---- exclusion by hand ----


def test_an_excluded_person_leaves_the_results_is_still_paid_and_can_be_taken_back(own, lines, researcher):
    kept, out = (study_cases.finished(lines) for _person in range(2))
    post(own, "exclude_participants", person=[out.pk], why="One person took part twice.")
    studies.close(study=lines, why="Written for tests.", by=researcher)
    assert Exclusion.objects.get().participant == out
    results = results_of(lines, draws=10)
    assert (results["people"], [row["people"] for row in results["rules"] if row["rule"] == "excluded_by_hand"]) == (
        1,
        [1],
    )
    assert results_of(lines, without=["excluded_by_hand"], draws=10)["people"] == 2
    assert {row.person.pk: row.owed.decision for row in pay_rows(lines)} == {kept.pk: "approve", out.pk: "approve"}
    post(own, "exclude_participants", person=[out.pk], why="It was another one.", take_back="1")
    assert results_of(lines, draws=10)["people"] == 2
    events = Event.objects.filter(subject="participant", subject_id=out.pk, by=researcher)
    assert list(events.values_list("became", "why")) == [
        ("excluded", "One person took part twice."),
        ("counted again", "It was another one."),
    ]


def test_an_exclusion_needs_a_reason(own, lines):
    person = study_cases.finished(lines)
    answer = post(own, "exclude_participants", person=[person.pk], why=" ")
    assert (answer.status_code, Exclusion.objects.exists()) == (422, False)


def test_nobody_of_another_study_is_excluded(own, lines, colleague):
    other = study_cases.finished(study_cases.study("others", by=colleague))
    post(own, "exclude_participants", person=[other.pk], why="Why not.")
    assert not Exclusion.objects.exists()


def test_who_withdraws_leaves_no_exclusion(own, lines):
    person = study_cases.finished(lines)
    post(own, "exclude_participants", person=[person.pk], why="Both accounts are hers.")
    participants.withdraw(participant=person)
    assert not Exclusion.objects.exists()


# ---- the platform's list ----


def test_a_list_of_prolific_tells_whom_to_approve_reject_and_pay_in_part(own, lines):
    for name, state in [("p1", "complete"), ("p2", "timed_out"), ("p3", "too_few_answers"), ("p4", "failed_checks")]:
        sent(lines, name, state)
    sent(lines, "p5", "answering")
    gone = sent(lines, "p6")
    participants.withdraw(participant=gone)
    statuses = ["AWAITING REVIEW", "TIMED-OUT", "AWAITING REVIEW", "AWAITING REVIEW", "ACTIVE", "RETURNED"]
    rows = [f"s{index},P{index},{status},9," for index, status in enumerate(statuses, start=1)]
    answer = upload(own, *rows, "s9,p9,RETURNED,9,")
    found = answer.context["reconciliation"]
    assert (found.rows, found.withdrew, found.without_record) == (7, 1, 1)
    assert decisions(lines) == {
        "p1": "approve",
        "p2": "approve",
        "p3": "pay_in_part",
        "p4": "approve",  # one failed check is no ground to reject
        "p5": "wait",
    }
    differing = [row for row in pay_rows(lines) if row.differs]
    assert [row.person.identity.person for row in differing] == ["p2"]


def test_what_the_platform_has_settled_needs_no_decision(own, lines):
    for name in ("p1", "p2", "p3"):
        sent(lines, name)
    upload(own, "s1,p1,APPROVED,9,", "s2,p2,RETURNED,9,", "s3,p3,AWAITING REVIEW,9,")
    assert decisions(lines) == {"p1": "nothing", "p2": "nothing", "p3": "approve"}
    assert page(own).context["to_decide"] == 1


def test_decisions_are_recorded_once_and_come_as_a_file_for_the_platform(own, lines, researcher):
    sent(lines, "p1")
    sent(lines, "p2", "too_few_answers")
    upload(own, "=s1,p1,AWAITING REVIEW,9,", "s2,p2,AWAITING REVIEW,9,")
    answer = own.post(reverse("decide_pay", args=["lines"]))
    rows = list(csv.DictReader(StringIO(answer.content.decode())))
    assert [(row["Submission id"], row["Participant id"], row["Decision"]) for row in rows] == [
        ("'=s1", "p1", "approve"),
        ("s2", "p2", "pay in part"),
    ]
    assert set(Submission.objects.values_list("decision", "decided_by__username")) == {
        ("approve", researcher.username),
        ("pay_in_part", researcher.username),
    }
    again = post(own, "decide_pay")
    assert "No decision is open" in again.content.decode()
    assert own.get(reverse("pay_decisions_csv", args=["lines"])).content == answer.content
    assert not Event.objects.filter(why__contains="p1").exists()


MTURK = "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.topic,Answer.surveycode,Approve,Reject"


def batch(*rows: str, header: str = MTURK) -> SimpleUploadedFile:
    return SimpleUploadedFile("Batch_1_results.csv", "\n".join([header, *rows]).encode())


def fill_in(client, file: SimpleUploadedFile | None = None):
    return client.post(reverse("decide_pay", args=["lines"]), {"file": file} if file else {})


@pytest.fixture
def workers(own, researcher) -> list[str]:
    """Return the rows of a list of MTurk that is read: one to approve, one to reject, one under way, one not known."""
    lines = study_cases.study("lines", by=researcher, settings={"checks": 2}, language="zh-hans")
    for name, state in (("A1", "complete"), ("A2", "failed_checks"), ("A3", "answering")):
        sent(lines, name, state, platform="mturk")
    person = Participant.objects.get(identity__person="A2")
    for number, check in enumerate(own_questions_of(lines, QuestionPurpose.CHECK), start=1):
        shown = person.presentations.create(question=check, position=number)
        Answer.objects.create(presentation=shown, first=1, depth=1)
    rows = [
        'h1,a1,a1,Submitted,"cats, dogs",,,',
        "h1,a2,A2,Submitted,=SUM(A1:A9),,,",
        "h1,a3,A3,Submitted,,x,,",
        'h1,a4,A9,Submitted,"two\nlines",,,no code',
    ]
    upload(own, *rows, header=MTURK)
    return rows


def test_the_batch_results_of_mturk_come_back_whole_with_approve_and_reject_filled_in(own, workers):
    before = list(csv.reader(StringIO("\n".join([MTURK, *workers]))))
    answer = fill_in(own, batch(*workers))
    header, *after = list(csv.reader(StringIO(answer.content.decode())))
    assert header == before[0]
    assert [row[:4] for row in after] == [row[:4] for row in before[1:]]  # ids as they were, a1 in small letters too
    assert [row[4] for row in after] == ["cats, dogs", "'=SUM(A1:A9)", "", "two\nlines"]
    assert [row[6:] for row in after] == [
        ["x", ""],
        ["", "两道注意力检查题未通过"],  # in the language of the study: the person reads it
        ["", ""],  # still under way
        ["", "no code"],  # of no one here: as it was
    ]
    assert set(Submission.objects.values_list("identity__person", "decision")) == {
        ("A1", "approve"),
        ("A2", "reject"),
        ("A3", ""),
    }
    assert fill_in(own, batch(*workers)).content == answer.content  # once more, with nothing left to record


def test_columns_that_mturks_list_lacks_are_added(own, workers):
    header, rows = MTURK.removesuffix(",Approve,Reject"), [row.rsplit(",", 2)[0] for row in workers[:2]]
    [first, second] = csv.DictReader(StringIO(fill_in(own, batch(*rows, header=header)).content.decode()))
    assert (first["Approve"], first["Reject"]) == ("x", "")
    assert (second["Approve"], second["WorkerId"]) == ("", "A2")


@pytest.mark.parametrize(
    "file",
    [
        None,
        batch("s1,a1,AWAITING REVIEW,9,", header=HEADER),
        batch("h1,b7,A7,Submitted,,,,"),
        batch("h1,a1,A1,Submitted,,,,", header=MTURK.replace("Input.topic", "hitid")),
        batch("h1,a1"),
    ],
)
def test_another_file_in_its_place_is_refused_beside_its_field_and_nothing_is_recorded(own, workers, file):
    answer = fill_in(own, file)
    assert answer.status_code == 422
    assert answer.context["batch_form"].errors["file"]
    assert not Submission.objects.exclude(decision="").exists()


def test_the_ids_to_approve_on_prolific_are_a_line_each(own, lines):
    for name, state in (("p1", "complete"), ("p2", "too_few_answers"), ("p3", "timed_out"), ("p4", "complete")):
        sent(lines, name, state)
    waiting = [f"s{number},p{number},AWAITING REVIEW,9," for number in (1, 2, 3, 4)]
    upload(own, *waiting)
    assert approvals(own) == ""
    post(own, "decide_pay")
    assert approvals(own) == "p1\np3\np4\n"
    upload(own, "s1,p1,APPROVED,9,", *waiting[1:])
    assert approvals(own) == "p3\np4\n"


def approvals(client) -> str:
    return client.get(reverse("pay_approvals", args=["lines"])).content.decode()


@pytest.mark.parametrize(
    ("header", "row"),
    [("name,age", "Kim,4"), (HEADER, "s1,unknown,AWAITING REVIEW,9,"), ("Participant id", "p1"), (HEADER, "")],
)
def test_what_is_no_list_of_this_study_is_refused_and_changes_nothing(own, lines, header, row):
    sent(lines, "p1")
    answer = upload(own, row, header=header)
    assert (answer.status_code, Submission.objects.exists(), lines.reconciliations.exists()) == (422, False, False)


def test_a_list_of_another_study_is_refused_by_its_name(own, lines, researcher):
    sent(lines, "p1")
    sent(study_cases.study("others", by=researcher, title="Next turn, autumn"), "p2")
    answer = upload(own, "s2,p2,AWAITING REVIEW,9,")
    assert answer.status_code == 422
    assert "this list is of the study “Next turn, autumn”" in answer.content.decode()


def test_two_failed_checks_are_ground_to_reject(lines):
    assert owed_to(ParticipantState.FAILED_CHECKS, failed_checks=2) == ("reject", "two_checks")
    assert owed_to(ParticipantState.FAILED_CHECKS, failed_checks=1) == ("approve", "one_check")


def test_a_withdrawal_takes_the_platforms_row_along(own, lines):
    person = sent(lines, "p1")
    upload(own, "s1,p1,AWAITING REVIEW,9,")
    participants.withdraw(participant=person)
    assert not Submission.objects.exists()
