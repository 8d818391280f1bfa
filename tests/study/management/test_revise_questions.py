"""Revisions of a question set from the shell."""

import pytest

from study.models import QuestionSet
from tests.corpora import dialogue, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(shell, administrator):
    stored("talk", [*map(dialogue, range(9))], by=administrator)
    shell("build_questions", "evening", "--from", "talk", "--count", 6)
    return QuestionSet.objects.get(name="evening")


def test_questions_are_left_out(shell, evening):
    ids = [each.external_id for each in evening.questions.all()[:2]]
    printed = shell("revise_questions", "evening", "night", "--leave-out", *ids, "--why", "Too easy.", "--json")
    assert (printed.code, printed.json["questions"]) == (0, 4)
    assert [change["id"] for change in printed.json["recipe"]["changes"]] == sorted(ids)


def test_texts_are_edited(shell, evening):
    first = evening.questions.get(position=0)
    edit = ["--edit", first.external_id, "--candidate", 2, "Or so.", "--turn", 1, "Well?"]
    assert shell("revise_questions", "evening", "night", *edit, "--why", "A name was in it.").code == 0
    edited = QuestionSet.objects.get(name="night").questions.get(external_id=first.external_id)
    assert (edited.candidates[1], edited.context[0]["text"]) == ("Or so.", "Well?")


def test_wrong_usage_and_refusals_are_told_apart(shell, evening):
    assert shell("revise_questions", "evening", "night", "--why", "So.").code == 2
    assert shell("revise_questions", "evening", "night", "--edit", "d1", "--turn", "x", "So.", "--why", "So.").code == 2
    twice = ["--edit", "d1", "--turn", 1, "So.", "--turn", 1, "Or so.", "--why", "So."]
    assert shell("revise_questions", "evening", "night", *twice).code == 2
    refused = shell("revise_questions", "evening", "night", "--leave-out", "x", "--why", "So.", "--json")
    assert (refused.code, refused.json["code"]) == (1, "no_such_question")
