"""Revisions: another set without some questions, or with edited texts; the first one stays as it is."""

import pytest

from annotation.importers.dialogues import LONGEST_TEXT
from core.actions.refusals import Refused
from study.actions.questions import questions, revisions
from study.actions.questions.question_rows import checksum, stored_rows
from study.actions.survey import drafts, studies
from study.models import Question, QuestionSet
from tests.corpora import dialogue, stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db

WHY = "Two responses may be true."


@pytest.fixture
def evening(researcher):
    stored("talk", [dialogue(number) for number in range(12)], by=researcher)
    return questions.build(
        name="evening",
        sources=["talk"],
        count=8,
        conditions=["shuffle", "all"],
        report=no_progress,
        by=researcher,
    )


def row(question_set, id):
    return question_set.questions.get(external_id=id)


def test_a_question_is_left_out_in_every_condition(evening, researcher):
    before = checksum(stored_rows(evening))
    gone = [each.external_id for each in evening.questions.whole()[:2]]
    made = revisions.leave_out(question_set=evening, name="evening-2", ids=gone, why=WHY, by=researcher)
    assert made.parent == evening
    assert (made.recipe["count"], made.recipe["conditions"]) == (6, {"shuffle": 6, "all": 6})
    assert made.recipe["changes"] == [{"id": id, "change": "left_out", "why": WHY} for id in sorted(gone)]
    kept = [each.external_id for each in evening.questions.order_by("position") if each.name not in gone]
    assert [each.external_id for each in made.questions.order_by("position")] == kept
    assert [each.position for each in made.questions.order_by("position")] == list(range(18))
    assert made.checksum == checksum(stored_rows(made)) != evening.checksum
    assert evening.checksum == before == checksum(stored_rows(evening))


def test_texts_are_edited_in_every_condition(evening, researcher):
    first = evening.questions.whole().order_by("position").first()
    wrong = 1 if first.answer == 0 else 0
    made = revisions.edit(
        question_set=evening,
        name="evening-2",
        id=first.external_id,
        turns={1: " Line 1, again. "},
        candidates={wrong: "Another response."},
        why=WHY,
        by=researcher,
    )
    for condition in ("", "@shuffle", "@all"):
        old, new = row(evening, first.external_id + condition), row(made, first.external_id + condition)
        assert new.candidates[wrong] == "Another response."
        assert new.answer == old.answer
        was = first.context[1]["text"]
        edited = ["Line 1, again." if turn["text"] == was else turn["text"] for turn in old.context]
        assert [turn["text"] for turn in new.context] == edited
    others = Question.objects.filter(question_set=made).exclude(external_id__startswith=f"{first.external_id}")
    assert all(each.candidates == row(evening, each.external_id).candidates for each in others)


def test_a_revision_of_a_revision_keeps_all_reasons(evening, researcher):
    first, second = (each.external_id for each in evening.questions.whole().order_by("position")[:2])
    once = revisions.leave_out(question_set=evening, name="evening-2", ids=[first], why="One.", by=researcher)
    twice = revisions.leave_out(question_set=once, name="evening-3", ids=[second], why="Two.", by=researcher)
    assert (twice.parent, [change["why"] for change in twice.recipe["changes"]]) == (once, ["One.", "Two."])


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"ids": ["nowhere"]}, "no_such_question"),
        ({"ids": "all"}, "none_left"),
        ({"why": " "}, "reason_missing"),
        ({"why": "x" * 501}, "reason_missing"),
        ({"name": "evening"}, "questions_exist"),
        ({"name": "two words"}, "name_wrong"),
        ({"name": "talk"}, "slug_taken"),
    ],
)
def test_what_cannot_be_left_out_is_refused(evening, researcher, wrong, code):
    ids = [each.external_id for each in evening.questions.whole()]
    asked = {"name": "evening-2", "ids": ids[:1], "why": WHY} | wrong
    if asked["ids"] == "all":
        asked["ids"] = ids
    with pytest.raises(Refused) as refused:
        revisions.leave_out(question_set=evening, **asked, by=researcher)
    assert refused.value.code == code
    assert QuestionSet.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"id": "nowhere"}, "no_such_question"),
        ({"candidates": {9: "So."}}, "no_such_text"),
        ({"turns": {9: "So."}}, "no_such_text"),
        ({"candidates": {0: " \n"}}, "text_empty"),
        ({"candidates": {0: "So.", 1: "so"}}, "candidates_equal"),
        ({"candidates": {0: "x" * (LONGEST_TEXT + 1)}}, "text_long"),
        ({"turns": {0: "x" * (LONGEST_TEXT + 1)}}, "text_long"),
        ({}, "nothing_edited"),
    ],
)
def test_what_cannot_be_edited_is_refused(evening, researcher, wrong, code):
    first = evening.questions.whole().order_by("position").first()
    asked = {"id": first.external_id, "turns": {}, "candidates": {}} | wrong
    with pytest.raises(Refused) as refused:
        revisions.edit(question_set=evening, name="evening-2", why=WHY, **asked, by=researcher)
    assert refused.value.code == code
    assert QuestionSet.objects.count() == 1


def test_an_edited_candidate_says_so_and_keeps_where_it_came_from(evening, researcher):
    first = evening.questions.whole().order_by("position").first()
    wrong = 1 if first.answer == 0 else 0
    edit = {"question_set": evening, "id": first.external_id, "why": WHY, "by": researcher}
    made = revisions.edit(name="evening-2", turns={}, candidates={wrong: "So."}, **edit)
    for condition in ("", "@shuffle", "@all"):
        new = row(made, first.external_id + condition)
        assert new.pick == "edited"
        expected = [[*origin, "edited"] if place == wrong else origin for place, origin in enumerate(first.origins)]
        assert new.origins == expected
    assert {each.pick for each in made.questions.exclude(external_id__startswith=first.external_id)} == {"uniform"}
    of_turns = revisions.edit(name="evening-3", turns={0: "Well."}, candidates={}, **edit)
    assert row(of_turns, first.external_id).pick == "uniform"
    again = revisions.edit(**edit | {"question_set": made}, name="evening-4", turns={}, candidates={wrong: "Or so."})
    assert row(again, first.external_id).origins[wrong] == [*first.origins[wrong], "edited"]


def test_a_shuffled_question_is_never_edited_into_its_own_order(evening, researcher):
    first = evening.questions.whole().order_by("position").first()
    one = "So it goes."
    same = dict.fromkeys(range(len(first.context)), one)
    with pytest.raises(Refused) as refused:
        revisions.edit(
            question_set=evening,
            name="evening-2",
            id=first.external_id,
            turns=same,
            candidates={},
            why=WHY,
            by=researcher,
        )
    assert refused.value.code == "order_kept"


def test_no_study_asks_a_set_beside_one_that_was_made_of_it(evening, researcher):
    gone = evening.questions.whole()[0].external_id
    made = revisions.leave_out(question_set=evening, name="evening-2", ids=[gone], why=WHY, by=researcher)
    both = {"slug": "winter", "question_sets": [evening, made], "by": researcher}
    with pytest.raises(Refused) as refused:
        studies.create(**both)
    assert refused.value.code == "questions_shared"
    study = studies.create(**both | {"question_sets": [made]})
    with pytest.raises(Refused) as refused:
        drafts.change(study=study, title=study.title, settings={}, question_sets=[evening, made], by=researcher)
    assert refused.value.code == "questions_shared"
    assert list(study.question_sets.all()) == [made]
