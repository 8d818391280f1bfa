"""Groups and researchers of a study: each change with its line in the audit log, each refusal with its code."""

import pytest

from core.actions.refusals import Refused
from core.models import Event, Role
from study.actions.survey import groups, members, studies
from tests import factories
from tests.study import study_cases


def refusal(act, **arguments) -> str:
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


def events(subject: str) -> list[tuple[str, str]]:
    return list(Event.objects.filter(subject=subject).order_by("pk").values_list("was", "became"))


def test_a_group_comes_and_goes_while_the_study_is_a_draft(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    lab = groups.add(study=study, name="lab", quota=8, by=researcher)
    assert refusal(groups.add, study=study, name=" lab ", by=researcher) == "group_taken"
    assert refusal(groups.add, study=study, name="", by=researcher) == "group_wrong"
    groups.change(group=lab, quota=None, requires_id=True, by=researcher)
    assert refusal(groups.change, group=lab, quota=0, requires_id=True, by=researcher) == "group_wrong"
    groups.remove(group=lab, by=researcher)
    assert refusal(groups.remove, group=study.groups.get(), by=researcher) == "last_group"
    assert events("studygroup") == [
        ("", "added"),
        ("quota 8", "quota None"),
        ("", "platform id required"),
        ("added", "removed"),
    ]


@pytest.mark.parametrize("address", ["http://example.org", "javascript:alert(1)", "https://a@example.org/"])
def test_a_group_is_led_back_by_https_alone(researcher, address):
    group = study_cases.study("lines", by=researcher, is_open=False).groups.get()
    own = {"group": group, "quota": None, "requires_id": False, "by": researcher}
    groups.change(**own, return_url="https://example.org/?code={code}")
    assert refusal(groups.change, **own, return_url=address) == "address_wrong"
    group.refresh_from_db()
    assert group.return_url == "https://example.org/?code={code}"


def test_an_address_to_go_back_to_is_part_of_the_frozen_plan(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    address = "https://example.org/?code={code}"
    groups.change(group=study.groups.get(), quota=None, requires_id=False, return_url=address, by=researcher)
    opened = studies.open_(study=study, reason="Written for tests.", by=researcher)
    assert [each["return_url"] for each in opened.plan["groups"]] == [address]


def test_groups_are_part_of_the_frozen_plan(researcher):
    study = study_cases.study("lines", by=researcher, groups={"crowd": 3, "lab": 3})
    assert refusal(groups.add, study=study, name="late", by=researcher) == "plan_frozen"
    assert refusal(groups.remove, group=study.groups.first(), by=researcher) == "plan_frozen"
    assert (
        refusal(groups.change, group=study.groups.first(), quota=9, requires_id=False, by=researcher) == "plan_frozen"
    )


def test_a_researcher_belongs_to_a_study_once(researcher):
    study, kim = study_cases.study("lines", by=researcher), factories.person("kim", Role.RESEARCHER)
    members.add(study=study, person=kim, by=researcher)
    members.add(study=study, person=kim, by=researcher)
    assert study.memberships.filter(person=kim).count() == 1
    members.remove(study=study, person=kim, by=researcher)
    members.remove(study=study, person=kim, by=researcher)
    assert events("studymembership") == [("", "researcher"), ("researcher", "left")]


def test_only_researchers_with_an_account_belong_to_a_study(researcher):
    study, gone = study_cases.study("lines", by=researcher), factories.person("gus", Role.RESEARCHER)
    gone.is_active = False
    gone.save()
    for person in (gone, factories.person("ann", Role.ANNOTATOR)):
        assert refusal(members.add, study=study, person=person, by=researcher) == "no_researcher"
