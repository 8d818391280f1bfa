"""Parameters that recruiting platforms add to an address."""

from study.domain.survey.platforms import Visitor, is_preview, visitor_of


def test_each_platform_names_its_person_and_the_visit():
    prolific = {"PROLIFIC_PID": " 5f3a ", "STUDY_ID": "s1", "SESSION_ID": "x9", "utm": "y"}
    assert visitor_of(prolific) == Visitor("prolific", "5f3a", {"STUDY_ID": "s1", "SESSION_ID": "x9"})
    mturk = {"workerId": "A1", "assignmentId": "3B", "hitId": "h"}
    assert visitor_of(mturk) == Visitor("mturk", "A1", {"assignmentId": "3B", "hitId": "h"})


def test_a_link_without_a_person_comes_from_no_platform():
    assert visitor_of({"STUDY_ID": "s1"}) is None
    assert visitor_of({"PROLIFIC_PID": " "}) is None


def test_a_worker_who_only_looks_has_no_assignment():
    assert is_preview({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert not is_preview({"assignmentId": "3B"})
