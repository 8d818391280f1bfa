"""Who came and whom to pay, from the shell."""

import json

import pytest
from django.core.management import call_command

from study.actions.survey import participants
from study.domain.survey.platforms import Visitor
from study.models import Participant, PayRecord
from tests.study import study_cases


@pytest.fixture
def lines(researcher):
    return study_cases.study("lines", by=researcher, groups={"crowd": 4, "lab": 2})


def printed(capsys, *arguments: str) -> dict:
    call_command(*arguments, "--as", "rui", "--json")
    return json.loads(capsys.readouterr().out)


def test_fieldwork_is_told_by_group_and_form_with_whom_to_pay(capsys, lines):
    paid = study_cases.finished(lines)
    study_cases.begun(lines, "lab")
    told = printed(capsys, "fieldwork", "lines")
    crowd, lab = told["groups"]
    assert (crowd["group"], crowd["quota"], crowd["joined"], crowd["complete"], lab["answering"]) == (
        "crowd",
        4,
        1,
        1,
        1,
    )
    outcomes = ("agreed", "answering", "complete", "too_few_answers", "failed_checks", "timed_out", "withdrawn")
    for row in (crowd, lab, *crowd["forms"], *lab["forms"], told["total"]):
        assert sum(row[name] for name in outcomes) == row["joined"]
    assert {each["person"]: each["pay"] for each in told["pay"]}[str(paid.public_id)] == "approve"
    assert [each["pay"] for each in told["pay"]] == ["approve", "wait"]


def test_reconciling_tells_each_person_of_the_list(capsys, lines, tmp_path):
    group = lines.groups.get(name="crowd")
    for name, state in (("p1", "complete"), ("p2", "too_few_answers")):
        person, _secret = participants.join(group=group, visitor=Visitor("prolific", name, {}))
        Participant.objects.filter(pk=person.pk).update(state=state)
    file = tmp_path / "list.csv"
    rows = ("Participant id,Submission id,Status", "p1,s1,AWAITING REVIEW", "p2,s2,AWAITING REVIEW", "p9,s9,RETURNED")
    file.write_text("\n".join(rows))
    told = printed(capsys, "reconcile", "lines", str(file))
    assert [(each["platform_id"], each["submission"], each["decision"]) for each in told["people"]] == [
        ("p1", "s1", "approve"),
        ("p2", "s2", "pay_in_part"),
    ]
    assert (told["rows"], told["without_record"]) == (3, 1)
    person, _secret = participants.join(group=group, visitor=Visitor("mturk", "A1", {}))
    file.write_text("WorkerId,AssignmentId,AssignmentStatus\nA1,a1,Submitted\n")
    told = printed(capsys, "reconcile", "lines", str(file))
    assert [each["platform_id"] for each in told["people"]] == ["A1"]


def test_a_part_of_the_pay_is_told_as_an_amount(capsys, researcher, tmp_path):
    lines = study_cases.study("lines", by=researcher, settings={"pay": "6.00", "currency": "GBP"})
    person, _secret = participants.join(group=lines.groups.get(), visitor=Visitor("prolific", "p1", {}))
    Participant.objects.filter(pk=person.pk).update(state="too_few_answers")
    file = tmp_path / "list.csv"
    file.write_text("Participant id,Submission id,Status\np1,s1,AWAITING REVIEW\n")
    [told] = printed(capsys, "reconcile", "lines", str(file))["people"]
    assert (told["decision"], told["amount"], told["currency"]) == ("pay_in_part", "0.00", "GBP")
    assert printed(capsys, "fieldwork", "lines")["pay"][0]["amount"] == "0.00"
    call_command("reconcile", "lines", str(file), "--as", "rui")
    assert "p1  GBP 0.00  " in capsys.readouterr().out


def test_people_are_approved_by_hand_and_it_is_taken_back(capsys, lines):
    people = [str(study_cases.finished(lines).public_id) for _person in range(2)]
    assert printed(capsys, "approve_participant", "lines", *people)["changed"] == 2
    assert printed(capsys, "approve_participant", "lines", *people)["changed"] == 0
    assert printed(capsys, "approve_participant", "lines", people[0], "--back")["changed"] == 1
    assert str(PayRecord.objects.get().participant) == people[1]


def test_the_file_for_the_platform_is_written_with_what_is_owed_and_nothing_is_recorded(capsys, lines, tmp_path):
    group, out = lines.groups.get(name="crowd"), tmp_path / "out"
    for platform, name in (("prolific", "p1"), ("mturk", "A1")):
        person, _secret = participants.join(group=group, visitor=Visitor(platform, name, {}))
        Participant.objects.filter(pk=person.pk).update(state="complete")
    for text, written in (
        ("Participant id,Submission id,Status\np1,s1,AWAITING REVIEW", "p1\n"),
        (
            "WorkerId,AssignmentId,AssignmentStatus,Answer.q\nA1,a1,Submitted,yes",
            '"WorkerId","AssignmentId","AssignmentStatus","Answer.q","Approve","Reject"\n'
            '"A1","a1","Submitted","yes","x",""\n',
        ),
    ):
        file = tmp_path / "list.csv"
        file.write_text(text)
        printed(capsys, "reconcile", "lines", str(file), "--out", str(out))
        assert out.read_text() == written
    assert not PayRecord.objects.exists()


def test_what_is_no_list_is_refused_with_exit_code_1(capsys, lines, tmp_path):
    file = tmp_path / "list.csv"
    file.write_text("name\nKim\n")
    with pytest.raises(SystemExit) as ended:
        call_command("reconcile", "lines", str(file), "--as", "rui", "--json")
    assert (ended.value.code, json.loads(capsys.readouterr().out)["code"]) == (1, "no_list")
