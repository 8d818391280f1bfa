"""Audits of question sets: stored once, read with the training material, needed for opening a study."""

import pytest

from core.actions.refusals import Refused
from core.models.frozen import Frozen
from study.actions.questions import audits
from study.actions.questions.questions import build
from study.actions.survey import studies
from study.management.commands import audit_questions
from study.models import QuestionAudit
from tests.corpora import dialogue, stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db

REASON = "It repeats the design of an earlier study."


def built(researcher, *sources, name="evening", count=10, **how):
    return build(name=name, sources=sources, count=count, report=no_progress, by=researcher, **how)


@pytest.fixture
def talk(researcher):
    """A corpus whose test split has one dialogue of the train split again."""
    said = "Line {} of a story that both splits have, I am afraid."
    twice = [{"speaker": "AB"[turn % 2], "text": said.format(turn)} for turn in range(6)]
    rows = [
        *(dialogue(number, split="test") for number in range(9)),
        *(dialogue(number, split="train") for number in range(50, 60)),
        {"id": "t", "split": "test", "turns": twice},
        {"id": "r", "split": "train", "turns": twice},
    ]
    return stored("talk", rows, by=researcher)


def test_a_set_is_audited_once_and_the_report_is_frozen(talk, researcher):
    evening = built(researcher, "talk:test")
    report = audits.report_of(evening, by=researcher)
    assert (report["of"], report["questions"], report["trainings"]) == ("evening", 10, ["talk:train"])
    assert audits.report_of(evening, by=researcher) == report
    kept = QuestionAudit.objects.get()
    assert kept.report == report
    for attempt in (kept.save, kept.delete):
        with pytest.raises(Frozen):
            attempt()


def test_texts_of_the_training_split_are_found(talk, researcher):
    report = audits.report_of(built(researcher, "talk:test"), by=researcher)
    checks = {check["name"]: check for check in report["checks"]}
    assert checks["context_in_training"]["examples"] == ["t"]
    assert checks["context_in_training"]["found"] is True
    assert "t" in checks["candidates_in_training"]["examples"]
    assert {"context_in_training", "candidates_in_training"} <= set(report["findings"])


@pytest.mark.parametrize("source", ["talk", "talk:train"])
def test_questions_of_no_other_split_are_not_compared_with_training(talk, researcher, source):
    report = audits.report_of(built(researcher, source), by=researcher)
    assert report["trainings"] == []
    assert not [check for check in report["checks"] if check["name"].endswith("in_training")]
    assert [each["source"] for each in report["not_checked"]] == [source]


@pytest.mark.parametrize(
    ("source", "why"), [("talk:train", "is_training"), ("talk", "no_training"), ("talk:test", None)]
)
def test_a_check_that_was_not_made_is_told_with_its_reason(talk, researcher, source, why):
    made = built(researcher, source)
    expected = [{"check": "training", "source": source, "why": why}] if why else []
    for _time in ("made", "stored"):
        report = audits.report_of(made, by=researcher)
        assert report["not_checked"] == expected
        lines = audit_questions.text(report).splitlines()
        assert sum(line.startswith("not checked: training") for line in lines) == len(expected)


def test_without_a_training_split_it_is_said_that_there_is_none(researcher):
    stored("alone", [dialogue(n) for n in range(12)], by=researcher)
    [told] = audits.report_of(built(researcher, "alone:dev"), by=researcher)["not_checked"]
    assert told["why"] == "no_training"


def test_a_question_in_several_conditions_is_audited_once(talk, researcher):
    plain = audits.report_of(built(researcher, "talk:test"), by=researcher)
    conditions = built(researcher, "talk:test", name="conditions", conditions=["all", "shuffle"])
    assert audits.report_of(conditions, by=researcher)["checks"] == plain["checks"]


def study_of(researcher, question_set):
    settings = {"forms": 1, "per_form": 5}
    return studies.create(slug="winter", question_sets=[question_set], settings=settings, by=researcher)


@pytest.mark.parametrize(
    ("reason", "code"),
    [("", "reason_missing"), (" \n", "reason_missing"), ("x" * 9, "reason_missing"), ("x" * 2_001, "reason_long")],
)
def test_a_study_with_a_finding_does_not_open_without_a_reason(talk, researcher, reason, code):
    study = study_of(researcher, built(researcher, "talk:test"))
    with pytest.raises(Refused) as refused:
        studies.open_(study=study, reason=reason, by=researcher)
    assert refused.value.code == code
    study.refresh_from_db()
    assert (study.state, study.plan) == ("draft", None)
    assert QuestionAudit.objects.exists(), "made for the opening, and kept"


def test_the_plan_keeps_the_findings_and_the_reason(talk, researcher):
    study = study_of(researcher, built(researcher, "talk:test"))
    opened = studies.open_(study=study, reason=REASON, by=researcher)
    [found] = opened.plan["findings"]
    assert found["question_set"] == "evening"
    assert "context_in_training" in found["findings"]
    assert opened.plan["reason"] == REASON


def test_a_study_without_a_finding_opens_and_its_plan_says_nothing(researcher):
    words = iter(f"{first}{vowel}{last}" for first in "bdfgk" for vowel in "aeiou" for last in "nrst")
    rows = [
        {"id": f"d{n}", "split": "dev", "turns": [{"speaker": "A", "text": next(words)} for _ in range(5)]}
        for n in range(12)
    ]
    stored("plain", rows, by=researcher)
    opened = studies.open_(study=study_of(researcher, built(researcher, "plain:dev")), reason=REASON, by=researcher)
    assert not {"findings", "reason"} & opened.plan.keys()


def test_a_job_audits_and_is_asked_for_once(talk, researcher):
    evening = built(researcher, "talk:test")
    job = audits.ask_for(question_set=evening, by=researcher)
    assert audits.ask_for(question_set=evening, by=researcher) == job
    first, again = (audits.run_audit(job, no_progress) for _time in range(2))
    assert first == again
    assert first["findings"] == QuestionAudit.objects.get().report["findings"]
