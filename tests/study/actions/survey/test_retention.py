"""What is personal in a study is deleted on the day that was set, and nothing else is."""

from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from core.actions.refusals import Refused
from core.models import Event
from study.actions.survey import exclusions, participants, reconciling, retention, studies
from study.domain.survey.platforms import Visitor
from study.models import Answer, Exclusion, Identity, Participant, PayRecord, Reconciliation, Study, Submission
from study.selectors.survey.pay import pay_rows
from study.tasks import delete_personal_data
from tests.study import study_cases

SAID = {"age": "31-40"}


@pytest.fixture
def lines(researcher) -> Study:
    study = answering(researcher)
    participants.finish(participant=study.participants.get())
    return study


def answering(researcher) -> Study:
    study = study_cases.study("lines", by=researcher)
    person, _secret = participants.join(group=study.groups.get(), visitor=Visitor("prolific", uuid4().hex, {}))
    participants.describe(participant=person, demographics=SAID)
    participants.practise(participant=person, first=0, second=1)
    participants.start(participant=person)
    study_cases.answer(study_cases.counting(person)[0], 0, 1)
    Submission.objects.create(identity=person.identity, status="AWAITING REVIEW")
    return study


def keep(study: Study, by, *, days: int = 1, with_demographics: bool = False) -> Study:
    day = timezone.now().date() + timedelta(days=days)
    return retention.keep_until(study=study, day=day, with_demographics=with_demographics, by=by)


def day_comes(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(forgets_on=timezone.now().date())
    delete_personal_data()


def test_ids_of_platforms_go_on_the_day_and_answers_stay(lines, researcher):
    keep(lines, researcher)
    studies.close(study=lines, why="Written for tests.", by=researcher)
    delete_personal_data()
    assert Identity.objects.exists()
    day_comes(lines)
    assert (Identity.objects.exists(), Submission.objects.exists(), Answer.objects.count()) == (False, False, 1)
    assert Participant.objects.get().demographics["age"] == "31-40"
    event = Event.objects.get(subject="study", subject_id=lines.pk, became="personal data deleted")
    assert event.by is None
    lines.refresh_from_db()
    assert lines.forgotten_at is not None


def test_what_people_said_about_themselves_goes_too_if_asked(lines, researcher):
    keep(lines, researcher, with_demographics=True)
    studies.close(study=lines, why="Written for tests.", by=researcher)
    day_comes(lines)
    assert Participant.objects.get().demographics == {}


def test_an_open_study_is_waited_for(lines, researcher):
    keep(lines, researcher)
    day_comes(lines)
    assert Identity.objects.exists()
    studies.close(study=lines, why="Written for tests.", by=researcher)
    delete_personal_data()
    assert not Identity.objects.exists()


def test_another_study_and_one_without_a_day_keep_theirs(lines, researcher):
    studies.close(study=lines, why="Written for tests.", by=researcher)
    day_comes(study_cases.study("others", by=researcher))
    assert Identity.objects.exists()


def test_it_happens_once(lines, researcher):
    keep(lines, researcher)
    studies.close(study=lines, why="Written for tests.", by=researcher)
    day_comes(lines)
    delete_personal_data()
    assert Event.objects.filter(became="personal data deleted").count() == 1
    with pytest.raises(Refused):
        keep(lines, researcher)


@pytest.mark.parametrize("days", [0, -1])
def test_a_day_that_is_past_is_refused(lines, researcher, days):
    with pytest.raises(Refused):
        keep(lines, researcher, days=days)


def test_each_change_of_the_day_is_in_the_audit_log(lines, researcher):
    keep(lines, researcher, days=30)
    keep(lines, researcher, days=30)
    retention.keep_until(study=lines, day=None, with_demographics=False, by=researcher)
    day = timezone.now().date() + timedelta(days=30)
    changes = Event.objects.filter(subject="study", became__startswith="kept").values_list("was", "became")
    assert list(changes) == [("kept", f"kept to {day}"), (f"kept to {day}", "kept")]


def test_it_waits_until_no_one_is_answering_any_more(researcher):
    study = answering(researcher)
    studies.close(study=study, why="Written for tests.", by=researcher)
    day_comes(study)
    assert Identity.objects.exists()
    participants.finish(participant=study.participants.get())
    delete_personal_data()
    assert not Identity.objects.exists()


def test_afterwards_no_one_is_proposed_for_pay_once_more(lines, researcher):
    Submission.objects.update(status="APPROVED")
    studies.close(study=lines, why="Written for tests.", by=researcher)
    day_comes(lines)
    lines.refresh_from_db()
    [row] = pay_rows(lines)
    assert (row.owed.decision, row.owed.why, row.is_open) == ("nothing", "forgotten", False)


def test_reasons_of_exclusions_go_too_and_the_exclusions_stay(lines, researcher):
    person = lines.participants.get()
    exclusions.exclude(study=lines, people=[person], why="Her sister helped.", by=researcher)
    studies.close(study=lines, why="The money is spent.", by=researcher)
    day_comes(lines)
    assert (Exclusion.objects.get().why, lines.deviations.get(what="excluded").why) == ("", "")
    assert lines.deviations.get(what="excluded").subject == str(person.public_id)
    assert not Event.objects.filter(why__contains="sister").exists()
    assert Event.objects.filter(why="The money is spent.").exists()


def test_decisions_about_pay_stay_with_their_reasons_and_without_the_ids(lines, researcher, client):
    [row] = reconciling.record_decisions(study=lines, platform="prolific", by=researcher)
    Reconciliation.objects.create(study=lines, platform="prolific", rows=1, without_record=0, withdrew=0)
    keep(lines, researcher)
    studies.close(study=lines, why="Written for tests.", by=researcher)
    day_comes(lines)
    kept = PayRecord.objects.get()
    assert (kept.participant, kept.decision, kept.why) == (row.person, "approve", "unanswered_check")
    assert (kept.decided_by, Identity.objects.exists()) == (researcher, False)
    lines.refresh_from_db()
    [after] = pay_rows(lines)
    assert (after.owed, after.is_open, after.changed_after) == (("approve", "unanswered_check"), False, False)
    client.force_login(researcher)
    answer = client.get(reverse("study_participants", args=["lines"]))
    [shown] = answer.context["platforms"]
    assert [(str(each.decision), each.people) for each in shown.recorded] == [("approve", 1)]
    assert (shown.to_decide, shown.unlisted) == (0, 0)


def test_a_list_that_comes_after_the_ids_are_deleted_is_refused(lines, researcher):
    studies.close(study=lines, why="Written for tests.", by=researcher)
    day_comes(lines)
    lines.refresh_from_db()
    with pytest.raises(Refused) as refused:
        reconciling.read_list(
            study=lines, file=BytesIO(b"Participant id,Status\np1,AWAITING REVIEW"), name="l.csv", by=researcher
        )
    assert refused.value.code == "forgotten"
