"""Files of questions about dialogues: the same import as for pairs, with items of another kind."""

import json

import pytest

from annotation.actions.imports import imports
from annotation.domain.corpora.dialogue import conversation
from annotation.domain.workflow import ImportState
from annotation.models import Import, Project, Slot, Step
from core.models import User
from tests.factories import checked, stored
from tests.rewriting import file_of, question, rewriting_project


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher)


def counts(file: Import) -> tuple[int, int, int, int]:
    return file.rows, file.good, file.duplicate, file.refused


def test_an_item_has_its_dialogue_question_three_choices_and_answer(project):
    file = stored(project, file_of([question(source="book", topic="halls")]), "items.jsonl")
    item = project.items.get()
    assert [turn["speaker"] for turn in item.content["turns"]] == ["W", "M", "W", "M"]
    assert item.content["choices"][item.content["answer"]] == "It is too small."
    assert (item.external_id, item.source, item.topic, item.origin, item.line) == ("q1", "book", "halls", file, 1)
    assert item.group == conversation(item.content["turns"])
    slot = Slot.objects.get()
    assert (slot.queue.step, slot.required, slot.free, slot.round) == (Step.WRITE, 1, 1, 1)


def test_every_question_of_a_file_is_accounted_for(project):
    """Import a duplicate in the file with another order of choices, a duplicate of an earlier file, a refused row, and
    others.
    """
    stored(project, file_of([question(1)]), "first.jsonl")
    turned = question(
        2, choices=question(2)["choices"][::-1], answer="It is taken.", id="other", turns=["A: x", "B: y"]
    )
    equal = question(3, choices=["It is too small.", "It is too small.", "It is taken."])
    file = stored(project, file_of([question(1), question(2), turned, equal, question(4)]), "second.jsonl")
    assert counts(file) == (5, 2, 2, 1)
    assert file.refused_rows.get().code == "few_choices"
    assert project.items.count() == 3


def test_the_same_dream_file_again_adds_nothing(project):
    record = [
        ["M: a", "W: b"],
        [{"question": f"{n}?", "choice": ["x", "y", "z"], "answer": "x"} for n in range(3)],
        "d",
    ]
    for expected in ((3, 3, 0, 0), (3, 0, 3, 0)):
        file = checked(project, json.dumps([record]), "dream.json")
        assert counts(file) == expected
        if file.good:
            imports.store(received=file, partial=False, report=lambda *_: None, by=file.created_by)
    assert project.items.count() == Slot.objects.count() == 3
    assert {item.external_id for item in project.items.all()} == {"d-1", "d-2", "d-3"}


def test_which_wrong_choices_stay_depends_on_the_project_s_seed_alone(researcher):
    line = question(choices=["It is too small.", *(f"Wrong {n}." for n in range(9))])
    kept = []
    for slug, seed in (("one", 1), ("two", 1), ("three", 2)):
        project = rewriting_project(researcher, slug)
        Project.objects.filter(pk=project.pk).update(seed=seed)
        project.refresh_from_db()
        stored(project, file_of([line]), "items.jsonl")
        kept.append(project.items.get().content["choices"])
    assert kept[0] == kept[1] != kept[2]


def test_a_file_of_pairs_brings_no_item(project):
    file = checked(project, "prompt\tresponse\na\tb\n", "pairs.tsv")
    assert (counts(file), file.state) == ((0, 0, 0, 1), ImportState.CHECKED)
    assert file.refused_rows.get().code == "missing_columns"
    whole = checked(project, '{"prompt": "a", "response": "b"}\n', "pairs.jsonl")
    assert [(row.line, row.code) for row in whole.refused_rows.all()] == [(None, "missing_columns")]
