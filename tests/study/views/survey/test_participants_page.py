"""Participants of a study for its researchers: both statuses, whom to pay, exclusions by hand, a platform's list."""

import csv
from datetime import timedelta
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from core.actions.refusals import Refused
from core.models import Event
from study.actions.survey import participants, reconciling, studies
from study.domain.survey.pay import owed_to
from study.domain.survey.phases import ParticipantState
from study.domain.survey.platforms import Visitor
from study.models import (
    Answer,
    Behaviour,
    Exclusion,
    Identity,
    Participant,
    PayRecord,
    QuestionPurpose,
    Study,
    Submission,
)
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
        return [row.pay.person.pk for row in page(own, order="joined", **query).context["rows"]]

    assert found() == [first.pk, second.pk]
    assert found(find="AAA2") == found(find=str(second.public_id)) == found(status="timed_out") == [second.pk]
    assert found(group="crowd") == [first.pk, second.pk]
    assert found(find="aaa") == []


def test_a_list_of_many_takes_as_many_queries_as_one_of_few(own, lines, django_assert_max_num_queries):
    for number in range(12):
        sent(lines, f"id{number}")
    page(own)  # counts the models
    with django_assert_max_num_queries(30):
        assert len(page(own).context["rows"]) == 12


def test_a_stranger_finds_no_participants(stranger, lines):
    assert page(stranger).status_code == 404
    for name in ("exclude_participants", "reconcile_study", "decide_pay"):
        assert stranger.post(reverse(name, args=["lines"])).status_code == 404


# ---- how they behaved ----


@pytest.fixture
def behaved(own, researcher):
    """Return people by name: the fast one, one of straight lines, one long away, a program, one who failed a check."""
    rules = {"too_fast": 4, "straight_lines": 4, "checks": 1}
    lines = study_cases.study("lines", by=researcher, settings=rules, questions=8)
    people = {name: study_cases.begun(lines) for name in ("sound", "fast", "straight", "away", "program", "failed")}
    for name, person in people.items():
        study_cases.spend(person, seconds=600)
        for number, asked in enumerate(study_cases.counting(person)):
            place = 0 if name == "straight" else number % 5
            study_cases.answer(asked, asked.order[place], milliseconds=2_900 if name == "fast" else 9_000)
        check = study_cases.check_of(person)
        right = check.question.answer
        study_cases.answer(check, right if name != "failed" else (right + 1) % 3, milliseconds=9_000)
        participants.finish(participant=person)
    Behaviour.objects.create(participant=people["away"], away_ms=7 * 60_000, blur=3)
    Behaviour.objects.create(participant=people["program"], webdriver=1, paste=2)
    return people


def test_each_person_is_shown_with_checks_passed_and_what_is_worth_a_look(own, behaved):
    rows = {row.pay.person.pk: row for row in page(own).context["rows"]}
    told = {name: rows[person.pk] for name, person in behaved.items()}
    assert {name: row.flags for name, row in told.items()} == {
        "sound": [],
        "fast": ["under 4 s"],
        "straight": ["same position 4 times"],
        "away": ["away 7 min"],
        "program": ["signs of automation", "pasted"],
        "failed": [],
    }
    assert {name: (row.conduct.passed, row.conduct.checks) for name, row in told.items()} == {
        **dict.fromkeys(behaved, (1, 1)),
        "failed": (0, 1),
    }


def test_the_seconds_of_a_person_who_was_too_fast_are_told_once_the_study_is_closed(own, behaved, researcher):
    study = behaved["fast"].study
    assert "2.9 s" not in page(own).content.decode()
    studies.close(study=study, why="Written for tests.", by=researcher)
    assert "under 4 s (2.9 s)" in page(own).content.decode()


def test_the_worst_come_first_unless_the_order_of_joining_is_asked_for(own, behaved):
    names = {person.pk: name for name, person in behaved.items()}

    def order(**query: str) -> list[str]:
        return [names[row.pay.person.pk] for row in page(own, **query).context["rows"]]

    assert order() == ["failed", "program", "fast", "straight", "away", "sound"]
    assert order(order="joined") == list(behaved)
    assert order(show="flagged") == ["program", "fast", "straight", "away"]
    assert order(show="by_rule") == ["failed", "fast", "straight"]


def test_people_are_found_by_form_and_by_the_platforms_status(own, lines):
    first, second = sent(lines, "p1"), sent(lines, "p2")
    upload(own, "s1,p1,APPROVED,9,", "s2,p2,TIMED-OUT,9,")

    def found(**query: str) -> list[int]:
        return [row.pay.person.pk for row in page(own, order="joined", **query).context["rows"]]

    assert found(form=str(first.form)) == [row.pk for row in (first, second) if row.form == first.form]
    assert found(status="there:TIMED OUT") == [second.pk]


def test_a_rule_that_leaves_people_out_is_not_told_of_people_still_answering(own, researcher):
    study_cases.begun(study_cases.study("lines", by=researcher, settings={"minimum_answers": 3}))
    [row] = page(own).context["rows"]
    assert (row.rules, row.conduct.checks) == ("", 0)


# ---- exclusion by hand ----


def test_an_excluded_person_leaves_the_results_is_still_paid_and_can_be_taken_back(own, lines, researcher):
    kept, out = (study_cases.finished(lines) for _person in range(2))
    post(own, "exclude_participants", row=[out.pk], why="One person took part twice.")
    studies.close(study=lines, why="Written for tests.", by=researcher)
    assert Exclusion.objects.get().participant == out
    results = results_of(lines, draws=10)
    assert (results["people"], [row["people"] for row in results["rules"] if row["rule"] == "excluded_by_hand"]) == (
        1,
        [1],
    )
    assert results_of(lines, without=["excluded_by_hand"], draws=10)["people"] == 2
    assert {row.person.pk: row.owed.decision for row in pay_rows(lines)} == {kept.pk: "approve", out.pk: "approve"}
    post(own, "exclude_participants", row=[out.pk], why="It was another one.", take_back="1")
    assert results_of(lines, draws=10)["people"] == 2
    events = Event.objects.filter(subject="participant", subject_id=out.pk, by=researcher)
    assert list(events.values_list("became", "why")) == [
        ("excluded", "One person took part twice."),
        ("counted again", "It was another one."),
    ]


def test_an_exclusion_needs_a_reason(own, lines):
    person = study_cases.finished(lines)
    answer = post(own, "exclude_participants", row=[person.pk], why=" ")
    assert (answer.status_code, Exclusion.objects.exists()) == (422, False)


def test_nobody_of_another_study_is_excluded(own, lines, colleague):
    other = study_cases.finished(study_cases.study("others", by=colleague))
    post(own, "exclude_participants", row=[other.pk], why="Why not.")
    assert not Exclusion.objects.exists()


def test_who_withdraws_leaves_no_exclusion(own, lines):
    person = study_cases.finished(lines)
    post(own, "exclude_participants", row=[person.pk], why="Both accounts are hers.")
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
    found = answer.context["platforms"][0].newest
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
    assert page(own).context["platforms"][0].to_decide == 1


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
    assert set(PayRecord.objects.values_list("decision", "why", "decided_by__username")) == {
        ("approve", "complete", researcher.username),
        ("pay_in_part", "too_few_answers", researcher.username),
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
    assert set(PayRecord.objects.values_list("participant__identity__person", "decision")) == {
        ("A1", "approve"),
        ("A2", "reject"),
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
    assert not PayRecord.objects.exists()


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
    assert "this list belongs to the study “Next turn, autumn”" in answer.content.decode()


def test_two_failed_checks_are_ground_to_reject(lines):
    assert owed_to(ParticipantState.FAILED_CHECKS, failed_checks=2) == ("reject", "two_checks")
    assert owed_to(ParticipantState.FAILED_CHECKS, failed_checks=1) == ("approve", "one_check")


def test_a_withdrawal_takes_the_platforms_row_along(own, lines):
    person = sent(lines, "p1")
    upload(own, "s1,p1,AWAITING REVIEW,9,")
    post(own, "decide_pay")
    participants.withdraw(participant=person)
    assert (Submission.objects.exists(), PayRecord.objects.exists()) == (False, False)


# ---- two platforms in one study ----


@pytest.fixture
def both(own, lines):
    """Read a list of each platform, of a person each; another person in each platform is in no list."""
    for name in ("p1", "p2"):
        sent(lines, name)
    for name in ("A1", "A2"):
        sent(lines, name, platform="mturk")
    upload(own, "s1,p1,AWAITING REVIEW,9,")
    upload(own, "h1,a1,A1,Submitted,,,,", header=MTURK)
    return lines


def test_each_platform_has_its_own_counts_and_misses_only_its_own_people(own, both):
    shown = {each.platform: each for each in page(own).context["platforms"]}
    assert list(shown) == ["prolific", "mturk"]
    for each in shown.values():
        assert [(row.decision, row.people) for row in each.summary] == [("approve", 1)]
        assert (each.total, each.to_decide, each.unlisted) == (1, 1, 1)


def test_what_is_recorded_and_written_for_one_platform_leaves_the_other_alone(own, both):
    answer = own.post(reverse("decide_pay", args=["lines"]), {"platform": "prolific"})
    header, *rows = csv.reader(StringIO(answer.content.decode()))
    assert (header[:2], [row[:2] for row in rows]) == (["Submission id", "Participant id"], [["s1", "p1"]])
    assert list(PayRecord.objects.values_list("participant__identity__person", flat=True)) == ["p1"]
    filled = own.post(
        reverse("decide_pay", args=["lines"]), {"platform": "mturk", "file": batch("h1,a1,A1,Submitted,,,,")}
    )
    assert "WorkerId" in filled.content.decode()
    assert PayRecord.objects.count() == 2
    assert approvals(own) == "p1\n"
    again = own.get(reverse("pay_decisions_csv", args=["lines"]), {"platform": "mturk"}).content.decode()
    assert ("A1" in again, "p1" in again) == (True, False)


def test_a_list_with_the_columns_of_both_platforms_is_refused(own, lines):
    sent(lines, "p1")
    answer = upload(own, "p1,AWAITING REVIEW,A1,Submitted", header="Participant id,Status,WorkerId,AssignmentStatus")
    assert (answer.status_code, Submission.objects.exists()) == (422, False)


def test_the_table_adds_up_to_the_people_of_the_list(own, lines):
    sent(lines, "p1")
    sent(lines, "p2", "too_few_answers")
    participants.withdraw(participant=sent(lines, "p3"))
    rows = [f"s{number},p{number},AWAITING REVIEW,9," for number in (1, 2, 3, 4)]
    upload(own, *rows)
    [shown] = page(own).context["platforms"]
    assert shown.total == 4


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{bare}", "{spaced}", "{dashed}"])
def test_a_code_that_is_typed_in_another_way_is_the_same(own, lines, typed):
    code = sent(lines, "p1").code
    forms = {"lower": code.lower(), "bare": code.replace("-", ""), "spaced": code.replace("-", " ")}
    upload(own, f"S1,P1,AWAITING REVIEW,9,{typed.format(code, **forms, dashed=code.replace('-', '–'))}")
    assert [row.differs for row in pay_rows(lines)] == [False]
    upload(own, "s1,p1,AWAITING REVIEW,9,ABCD-EFGH")
    assert [row.differs for row in pay_rows(lines)] == [True]


# ---- a refusal keeps what was chosen ----


@pytest.mark.parametrize("why", ["", "It is p22."])
def test_a_refusal_keeps_the_chosen_people_their_page_and_the_reason(own, lines, why):
    people = [sent(lines, f"p{number}") for number in range(25)]
    address = reverse("exclude_participants", args=["lines"]) + "?page=2&order=joined"
    answer = own.post(address, {"row": [people[22].pk, people[24].pk], "why": why})
    shown = answer.content.decode()
    assert (answer.status_code, Exclusion.objects.exists(), shown.count(" checked")) == (422, False, 2)
    assert answer.context["reason_form"]["why"].value() == why
    assert f'value="{people[22].pk}"' in shown


# ---- parts of the pay ----


@pytest.fixture
def paid(own, researcher):
    """Return an open study that pays 6.00 for up to 40 minutes."""
    return study_cases.study("lines", by=researcher, settings={"pay": "6.00", "currency": "GBP", "minutes": 40})


def stopped(study, name: str, *, after: int | None) -> Participant:
    """Return a person whose time ran out, with too few answers: the last one after so many minutes."""
    person = sent(study, name, "too_few_answers")
    started = timezone.now() - timedelta(minutes=40)
    Participant.objects.filter(pk=person.pk).update(started_at=started, ended_at=timezone.now())
    if after is not None:
        question = study.question_sets.get().questions.first()
        shown = person.presentations.create(question=question, position=1)
        Answer.objects.create(presentation=shown, first=1, depth=1, answered_at=started + timedelta(minutes=after))
    return person


def test_who_is_paid_in_part_has_the_amount_of_the_time_up_to_the_last_answer(own, paid):
    for name, after in (("p1", 11), ("p2", None)):
        stopped(paid, name, after=after)
    sent(paid, "p3")
    upload(own, *(f"s{number},p{number},AWAITING REVIEW,9," for number in (1, 2, 3)))
    shown = page(own, show="in_part", order="joined")
    assert [row.amount for row in shown.context["rows"]] == ["GBP 1.65", "GBP 0.00"]
    assert "GBP 1.65 in all" in shown.content.decode()
    rows = list(csv.DictReader(StringIO(own.post(reverse("decide_pay", args=["lines"])).content.decode())))
    assert [(row["Participant id"], row["Amount"], row["Currency"]) for row in rows] == [
        ("p1", "1.65", "GBP"),
        ("p2", "0.00", "GBP"),
        ("p3", "", ""),
    ]


@pytest.mark.parametrize("settings", [{"pay": ""}, {"minutes": 0}])
def test_no_amount_is_told_without_a_pay_or_a_limit_to_take_a_share_of(own, researcher, settings):
    stopped(study_cases.study("lines", by=researcher, settings={"pay": "6.00", **settings}), "p1", after=11)
    [row] = page(own).context["rows"]
    assert (row.pay.owed.decision, row.amount) == ("pay_in_part", "")


# ---- many at once ----


def approve(client, *people: Participant, **fields: object):
    return post(client, "approve_participants", row=[person.pk for person in people], **fields)


def test_chosen_people_are_approved_by_hand_and_it_can_be_taken_back(own, paid, researcher):
    complete, failed, under_way = sent(paid, "p1"), stopped(paid, "p2", after=1), sent(paid, "p3", "answering")
    upload(own, "s2,p2,AWAITING REVIEW,9,")
    approve(own, complete, failed, under_way)
    records = PayRecord.objects.order_by("participant").values_list("participant", "platform", "decision", "why")
    assert list(records) == [
        (complete.pk, "prolific", "approve", "complete"),
        (failed.pk, "prolific", "approve", "by_hand"),
    ]
    assert decisions(paid) == {"p1": "approve", "p2": "approve", "p3": "wait"}
    assert page(own).context["platforms"][0].to_decide == 0  # the decision by hand is not proposed away
    assert approvals(own) == "p2\n"
    approve(own, complete, failed, take_back="1")
    assert (PayRecord.objects.exists(), decisions(paid)["p2"]) == (False, "pay_in_part")
    events = Event.objects.filter(subject="participant", subject_id=failed.pk, by=researcher)
    assert list(events.values_list("was", "became")) == [("", "approve"), ("approve", "undecided")]


def test_one_act_is_for_the_people_of_all_pages_where_that_is_chosen(own, lines):
    people = [sent(lines, f"p{number}") for number in range(22)]
    out, gone = sent(lines, "other", "timed_out"), sent(lines, "gone", "withdrawn")
    shown = page(own, status="complete")
    assert (len(shown.context["rows"]), 'name="all"' in shown.content.decode()) == (20, True)
    address = reverse("approve_participants", args=["lines"])
    own.post(f"{address}?status=complete&page=2", {"all": "on"})
    assert set(PayRecord.objects.values_list("participant", flat=True)) == {person.pk for person in people}
    own.post(reverse("exclude_participants", args=["lines"]), {"all": "on", "why": "The study was stopped."})
    assert set(Exclusion.objects.values_list("participant", flat=True)) == {each.pk for each in [*people, out]}
    assert gone.pk not in Exclusion.objects.values_list("participant", flat=True)


@pytest.mark.parametrize("chosen", [{"all": "on"}, {"row": ["1"]}])
def test_what_was_chosen_stays_chosen_where_an_approval_is_refused(own, lines, chosen):
    person = sent(lines, "p1", "answering")
    chosen = {**chosen, "row": [person.pk]} if "row" in chosen else chosen
    answer = post(own, "approve_participants", **chosen)
    assert (answer.status_code, PayRecord.objects.exists()) == (422, False)
    assert "None of the chosen participants can be approved" in answer.content.decode()
    assert person.pk in answer.context["chosen"]
    assert answer.context["chose_all"] == ("all" in chosen)


def test_what_is_not_recorded_is_not_taken_back(own, lines, researcher):
    with pytest.raises(Refused) as refused:
        reconciling.take_back(study=lines, people=[study_cases.finished(lines)], by=researcher)
    assert refused.value.code == "nothing_recorded"


def test_a_person_without_a_platform_is_approved_too(own, lines):
    person = study_cases.finished(lines)
    approve(own, person)
    [row] = page(own).context["rows"]
    assert (row.pay.record.decision, row.pay.record.platform) == ("approve", "")


@pytest.mark.parametrize("status", ["APPROVED", "RETURNED"])
def test_no_one_is_approved_whose_pay_is_settled_there_or_who_left(own, lines, status):
    settled, gone = sent(lines, "p1"), sent(lines, "p2")
    upload(own, f"s1,p1,{status},9,")
    participants.withdraw(participant=gone)
    for chosen in ([settled, gone], []):
        approve(own, *chosen)
        assert not PayRecord.objects.exists()


def test_nothing_is_decided_by_hand_about_people_of_another_study_or_once_ids_are_deleted(own, lines, colleague):
    other = study_cases.finished(study_cases.study("others", by=colleague))
    approve(own, other)
    person = study_cases.finished(lines)
    approve(own, person)
    Study.objects.filter(pk=lines.pk).update(forgotten_at=timezone.now())
    approve(own, person, take_back="1")
    assert list(PayRecord.objects.values_list("participant", flat=True)) == [person.pk]


# ---- the list as a file ----


def listed(client, **query: str) -> list[dict[str, str]]:
    answer = client.get(reverse("study_participants_csv", args=["lines"]), query)
    return list(csv.DictReader(StringIO(answer.content.decode())))


def test_the_list_is_a_file_of_all_pages_as_filtered_and_sorted(own, paid):
    part = stopped(paid, "p1", after=11)
    people = [sent(paid, f"q{number}") for number in range(22)]
    approve(own, people[0])
    upload(own, "s1,p1,=cmd,9,")
    assert [row["person"] for row in listed(own, order="joined")] == [str(each.public_id) for each in (part, *people)]
    [row] = listed(own, show="in_part")
    assert (row["pay"], row["amount"], row["currency"], row["decided"]) == ("pay_in_part", "1.65", "GBP", "")
    assert row["platform_status"] == "'=CMD"
    [first] = listed(own, find=str(people[0].public_id))
    assert (first["status"], first["code"], first["decided"]) == ("complete", people[0].code, "approve")


def test_the_file_has_no_id_of_a_platform_and_says_no_more_than_the_page(own, behaved):
    Identity.objects.create(
        participant=behaved["fast"], study=behaved["fast"].study, platform="prolific", person="5f3a0c77d1e2"
    )
    rows = {row["person"]: row for row in listed(own)}
    assert "5f3a0c77d1e2" not in str(rows)
    fast = rows[str(behaved["fast"].public_id)]
    assert (fast["flags"], fast["excluded_by_rule"]) == ("too_fast", "too_fast")
    assert "2.9" not in str(rows)
