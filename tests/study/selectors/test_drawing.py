"""What the page for drawing shows before anything is drawn: sources, an example, what will be drawn."""

import pytest

from annotation.selectors.corpora.corpora import named, rows_of
from core.domain.words import words_of
from study.actions.questions import questions
from study.domain.questions.sampling import SamplingSettings
from study.selectors.questions import drawing
from study.selectors.questions.drawing import Drawing
from study.selectors.questions.material import material_of
from tests.corpora import dialogue, stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db

SETTINGS = SamplingSettings(count=10)


@pytest.fixture
def talk(researcher):
    rows = [*(dialogue(n) for n in range(60)), *(dialogue(n, turns=2) for n in range(60, 70))]
    return stored("talk", [*rows, *(dialogue(n, split="test") for n in range(70, 76))], by=researcher)


def shown(by, sources=("talk:dev",), settings=SETTINGS, example=0, conditions=(), seed=0) -> Drawing:
    return drawing.drawing_of(sources, settings, conditions=conditions, seed=seed, example=example, by=by)


def test_a_part_of_a_corpus_is_read_from_all_over_it(talk):
    corpus, split = talk, "dev"
    positions = [position for (position,) in rows_of(corpus, ("position",), split, most=20)]
    assert len(set(positions)) == len(positions) <= 20
    assert min(positions) < 10
    assert max(positions) > 50
    assert len(list(rows_of(corpus, ("position",), split, most=70))) == 70
    assert {each for (each,) in rows_of(corpus, ("position",), "test", most=3)} <= set(range(70, 76))


def test_how_many_dialogues_can_be_used_is_counted_or_of_a_large_source_estimated(talk, researcher, monkeypatch):
    [source] = shown(researcher).sources
    assert (source.dialogues, source.usable, source.left_out, source.is_estimate) == (70, 60, {"short": 10}, False)
    monkeypatch.setattr(drawing, "MOST_READ", 35)
    [source] = shown(researcher).sources
    assert source.dialogues == 70
    assert source.is_estimate
    assert source.usable + sum(source.left_out.values()) == pytest.approx(70, abs=1)


def test_flagged_dialogues_are_counted_even_where_a_part_is_read(researcher, monkeypatch):
    rows = [dialogue(n, split="test" if n == 70 else "dev") for n in range(71)]
    for number in (1, 2, 3, 70):
        rows[number]["turns"][0]["text"] = f"is it shit? {number}"
    stored("rude", rows, by=researcher)
    monkeypatch.setattr(drawing, "MOST_READ", 35)
    [source] = shown(researcher, ["rude:dev"]).sources
    assert (source.is_estimate, source.left_out["flagged"]) == (True, 3)
    assert source.usable + sum(source.left_out.values()) == pytest.approx(70, abs=1)


def test_sources_that_give_no_question_say_why(talk, researcher):
    [source] = shown(researcher, ["talk:train"]).sources
    assert (source.dialogues, source.usable) == (0, 0)
    assert shown(researcher, ["nowhere"]).sources == []


def test_an_example_is_the_same_question_three_ways(talk, researcher):
    example = shown(researcher).example
    assert example is not None
    assert list(example.drawn) == ["uniform", "similar", "length"]
    assert len({tuple(each.context[0]["text"] for each in example.drawn.values())}) == 1
    for pick, question in example.drawn.items():
        assert (question.pick, question.id, len(question.candidates)) == (pick, example.id, 5)
        assert question.candidates[question.answer] == example.truth
    assert shown(researcher).example == example
    assert len({shown(researcher, example=number).example.id for number in range(6)}) > 1


def test_an_example_is_one_of_the_questions_that_would_be_drawn(talk, researcher):
    """Of a source that is read whole it is the very question of the set."""
    example = shown(researcher, seed=5).example
    made = questions.build(
        name="evening", sources=["talk:dev"], count=60, distractors=4, seed=5, report=no_progress, by=researcher
    )
    question = made.questions.get(external_id=example.id)
    drawn = example.drawn["uniform"]
    assert [turn["text"] for turn in question.context] == [turn["text"] for turn in drawn.context]
    assert set(question.candidates) == set(drawn.candidates)


def test_a_pick_that_finds_too_few_has_no_example(researcher):
    rows = [dialogue(n, turns=3) for n in range(2)]
    stored("small", [*rows, dialogue(8, turns=2)], by=researcher)
    example = shown(researcher, ["small"], SamplingSettings(count=2, distractors=9)).example
    assert example is not None
    assert set(example.drawn.values()) == {None}


def test_conditions_are_told_with_how_many_contexts_are_long_enough(talk, researcher):
    found = shown(researcher, settings=SamplingSettings(count=60), conditions=["all", "first:2", "shuffle"], seed=3)
    made = questions.build(
        name="evening",
        sources=["talk:dev"],
        count=60,
        conditions=["all", "first:2", "shuffle"],
        seed=3,
        report=no_progress,
        by=researcher,
    )
    assert {row.name: row.long_enough for row in found.conditions if row.name in made.recipe["conditions"]} == (
        made.recipe["conditions"]
    )
    assert found.rows_to_ask == made.questions.count()


def test_a_set_of_the_same_settings_and_seed_is_found(talk, researcher):
    how = {"sources": ["talk:dev"], "count": 10, "pick": "length", "conditions": ["all"], "seed": 4}
    made = questions.build(name="evening", **how, report=no_progress, by=researcher)
    settings = SamplingSettings(count=10, pick="length")
    assert shown(researcher, settings=settings, conditions=["all"], seed=4).same == made
    assert shown(researcher, settings=settings, conditions=["all"], seed=5).same is None
    assert shown(researcher, settings=settings, seed=4).same is None
    assert shown(researcher, settings=SamplingSettings(count=10), conditions=["all"], seed=4).same is None


def test_the_example_of_a_large_corpus_reads_a_part_of_it_alone(
    talk, researcher, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(drawing, "MOST_READ", 30)
    read = material_of("talk:dev", by=researcher, most=30)
    assert (len(read.entries) <= 30, read.dialogues, named("talk:dev", by=researcher)[0]) == (True, 70, talk)
    with django_assert_max_num_queries(60):
        assert shown(researcher).example is not None


def test_words_are_shared_as_the_audit_counts_them():
    assert drawing.shared_share("The train left.", {"the", "train"}) == pytest.approx(2 / 3)
    assert drawing.shared_share("…", set()) == 0
    assert words_of("The train left.") == ["the", "train", "left"]
