"""The audit of questions from the shell, and opening with its findings."""

import pytest

from core.models import Role
from tests import factories
from tests.corpora import dialogue, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(shell, administrator):
    """Questions of which one has a false response that is nearly its true one."""
    said = "the ferry to the old harbour leaves at nine"
    near = [{"speaker": "A", "text": text} for text in ("so", "well", said, said.replace("nine", "ten"))]
    rows = [{"id": f"n{part}", "split": "dev", "turns": near[part:] + near[:part]} for part in range(2)]
    stored("talk", [dialogue(1, turns=2), *rows], by=administrator)
    shell("build_questions", "evening", "--from", "talk:dev", "--count", 2, "--distractors", 5)


def test_the_audit_is_printed_with_the_keys_of_the_manual(shell, evening):
    printed = shell("audit_questions", "evening", "--json")
    assert printed.code == 0
    assert {"questions", "findings", "checks"} <= printed.json.keys()
    assert printed.json["questions"] == 2
    for check in printed.json["checks"]:
        assert {"name", "value", "ci", "chance", "found"} <= check.keys()
        assert check["found"] == (check["name"] in printed.json["findings"])
    assert "near_true" in printed.json["findings"]
    assert shell("audit_questions", "evening", "--json").json == printed.json


def test_the_audit_is_printed_in_words(shell, evening):
    printed = shell("audit_questions", "evening")
    assert printed.code == 0
    assert "near_true" in printed.out
    assert "too few" in printed.out


def test_a_study_opens_with_findings_only_for_a_reason(shell, evening):
    shell("create_study", "winter", "--questions", "evening", "--forms", 1, "--per-form", 2)
    refused = shell("open_study", "winter", "--json")
    assert (refused.code, refused.json["code"]) == (1, "reason_missing")
    assert shell("open_study", "winter", "--reason", "Only a trial of the page.").code == 0


def test_another_person_s_set_and_a_role_without_the_right(shell, evening):
    factories.person("rui", Role.RESEARCHER)
    factories.person("an", Role.ANNOTATOR)
    assert shell("audit_questions", "morning").code == 2
    assert shell("audit_questions", "evening", "--as", "rui").code == 2
    assert shell("audit_questions", "evening", "--as", "an").code == 1
