"""A study is deleted as long as it was never opened and nothing was made of it."""

import pytest

from core.actions import jobs
from core.actions.refusals import Refused
from core.models import Event, Name
from study.actions.runs import baselines
from study.actions.survey import copies, deleting, studies
from study.models import Question, QuestionSet, Study, StudyMembership
from tests.factories import no_progress
from tests.study import study_cases
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def held(study: Study, by) -> dict[str, int]:
    """Try to delete a study, and return what holds it, by code."""
    with pytest.raises(Refused) as refused:
        deleting.delete(study=study, by=by)
    assert refused.value.code == "has_work"
    assert Study.objects.filter(pk=study.pk).exists()
    return {hold.code: hold.number for hold in deleting.holds_of(study)}


def test_a_draft_goes_with_what_is_its_own_and_its_questions_stay(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    pk = study.pk
    deleting.delete(study=study, by=researcher)
    assert not Study.objects.exists()
    assert not StudyMembership.objects.exists()
    assert not Question.objects.filter(question_set=None).exists()
    assert QuestionSet.objects.get().questions.count() == 12
    assert Event.objects.get(subject="study", subject_id=pk, became="deleted").why == "lines"
    assert not Name.objects.filter(name="lines").exists()


def test_a_study_that_was_opened_stays_with_or_without_people(researcher):
    study = study_cases.study("lines", by=researcher)
    assert held(study, researcher) == {"opened": 1}
    study_cases.joined(study)
    assert held(study, researcher) == {"opened": 1, "participants": 1}


def test_a_copy_a_run_and_a_waiting_job_hold_a_draft(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    copies.duplicate(study=study, slug="lines-pilot", is_pilot=True, by=researcher)
    baselines.run_now(model="random", on="lines", train="", seed=0, report=no_progress, by=researcher)
    jobs.ask_for(kind="export_study", arguments={"format": "csv"}, scope=study, by=researcher)
    assert held(study, researcher) == {"runs": 1, "copies": 1, "jobs": 1}


def test_files_that_are_being_imported_for_a_study_hold_it(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    for kind, names in (("import_predictions", {"on": "lines"}), ("import_answers", {"study": "lines"})):
        jobs.ask_for(kind=kind, arguments={**names, "file": "f"}, scope=None, by=researcher)
    jobs.ask_for(kind="import_predictions", arguments={"on": "others", "file": "f"}, scope=None, by=researcher)
    assert held(study, researcher) == {"jobs": 2}


def test_a_study_that_has_just_been_deleted_is_not_copied(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    gone = Study.objects.get()
    deleting.delete(study=study, by=researcher)
    with pytest.raises(Refused) as refused:
        copies.duplicate(study=gone, slug="lines-2", by=researcher)
    assert (refused.value.code, Name.objects.filter(name="lines-2").exists()) == ("deleted_meanwhile", False)


@pytest.mark.django_db(transaction=True)
def test_of_two_copies_of_one_name_at_once_one_is_refused(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    refused = []

    def copy() -> None:
        try:
            copies.duplicate(study=study, slug="lines-2", by=researcher)
        except Refused as refusal:
            refused.append(refusal.code)

    at_once([copy, copy])
    assert (refused, Study.objects.filter(slug="lines-2").count()) == (["slug_taken"], 1)


def test_a_copy_is_deleted_and_the_first_is_then_free(researcher):
    study = study_cases.study("lines", by=researcher, is_open=False)
    copy = copies.duplicate(study=study, slug="lines-2", by=researcher)
    deleting.delete(study=copy, by=researcher)
    deleting.delete(study=study, by=researcher)
    assert not Study.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_opening_a_draft_and_deleting_it_at_once_one_happens(researcher, turn):
    study = study_cases.study("lines", by=researcher, is_open=False)
    refused, gone = [], []

    def open_() -> None:
        try:
            studies.open_(study=study, reason="Written for tests.", by=researcher)
        except Study.DoesNotExist:
            gone.append(study)

    def delete() -> None:
        try:
            deleting.delete(study=study, by=researcher)
        except Refused as refusal:
            refused.append(refusal.code)

    at_once([open_, delete])
    assert len(refused) + len(gone) == 1
    assert Study.objects.filter(state="open").exists() == (refused == ["has_work"])
    assert Study.objects.exists() == (not gone)
