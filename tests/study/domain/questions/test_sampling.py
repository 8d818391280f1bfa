"""Questions drawn from dialogues: the study's rule for contexts, and what holds for every draw."""

from collections import Counter
from math import floor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.text import fold
from study.domain.questions.dialogues import SourceDialogue, entry_of
from study.domain.questions.sampling import (
    OWN,
    QuestionDraw,
    SamplingSettings,
    TooFew,
    arranged,
    context_length,
    shares,
)

SETTINGS = SamplingSettings(count=1, distractors=2, max_turns=6)


def talk(id: str, texts, split: str = "dev", group: str = "", **details) -> SourceDialogue:
    turns = [{"speaker": "AB"[position % 2], "text": text} for position, text in enumerate(texts)]
    return SourceDialogue(id, split, group or id, turns, **details)


def own(id: str, candidates, answer=0, **details) -> SourceDialogue:
    return talk(id, ["Is it cold?"], candidates=candidates, answer=answer, **details)


def story(number: int, turns: int = 6, **details) -> SourceDialogue:
    return talk(f"d{number}", [f"Line {turn} of story {number}." for turn in range(turns)], **details)


def draw(dialogues, settings=SETTINGS, seed=0, order=None, name="corpus") -> QuestionDraw:
    """Return the draw from dialogues that a database gives in some order."""
    rows = list(enumerate(dialogues))
    if order is not None:
        Random(order).shuffle(rows)
    stored = dict(rows)
    entries = [entry_of(dialogue, position) for position, dialogue in rows]
    return QuestionDraw(name, entries, lambda positions: {each: stored[each] for each in positions}, settings, seed)


def no_report(done: int) -> None:
    """Ignore the progress."""


def questions(dialogues, count=1, **how):
    return draw(dialogues, **how).questions(count, no_report)


@pytest.mark.parametrize("pick", ["uniform", "similar", "length"])
def test_a_flagged_dialogue_gives_no_question_and_no_false_response(pick):
    dialogues = [story(number) for number in range(8)] + [story(number, flagged=True) for number in range(8, 40)]
    dialogues.append(own("d40", ["Yes.", "No."], flagged=True))
    dialogues.append(story(41, split="test", flagged=True))
    drawn = draw(dialogues, settings=SamplingSettings(count=8, distractors=2, max_turns=6, pick=pick))
    made = drawn.questions(8, no_report)
    assert {question.id for question in made} == {f"d{number}" for number in range(8)}
    assert {origin.dialogue for question in made for origin in question.origins} <= {f"d{n}" for n in range(8)}
    assert drawn.left_out["flagged"] == 34
    with pytest.raises(TooFew) as few:
        questions(dialogues, count=9)
    assert few.value.left_out["flagged"] == 34


@pytest.mark.parametrize(
    ("turns", "most", "uniform", "length"),
    [
        # Computed by hand: eta = C/2 + u (9.5 C), n = 10 C / eta + 2, c = min(t - 1, floor(n) - 1, C).
        (20, 6, 0.0, 6),  # eta 3, n 22, 21 turns: the cap
        (20, 30, 0.0, 19),  # eta 15, n 22, 21 turns: the dialogue's end
        (50, 30, 0.0, 21),  # eta 15, n 22
        (20, 6, 0.5, 2),  # eta 31.5, n 3.905
        (20, 6, 0.2, 5),  # eta 14.4, n 6.1667
        (4, 6, 0.2, 3),
        (20, 6, 0.9999999999999999, 2),  # eta almost 60, n almost 3
        (3, 6, 0.0, 2),
        (3, 2, 0.0, 2),
    ],
)
def test_the_length_of_a_context_is_the_study_s(turns, most, uniform, length):
    assert context_length(turns, most, uniform) == length


def test_without_the_cap_an_eighth_of_contexts_would_be_longer_than_six():
    """SPEC: 12 %. C cancels out of n, so that n is the same for every C; here C is out of reach."""
    lengths = [context_length(1_000, 100, step / 10_000) for step in range(10_000)]
    assert sum(length > 6 for length in lengths) / 10_000 == pytest.approx(0.12, abs=0.005)
    assert {context_length(1_000, most, 0.03) for most in (30, 50, 100)} == {floor(10 / (0.5 + 0.03 * 9.5) + 2) - 1}


@given(st.integers(3, 200), st.integers(2, 100), st.floats(0, 1, exclude_max=True))
def test_a_context_has_at_least_two_turns_and_leaves_one(turns, most, uniform):
    assert 2 <= context_length(turns, most, uniform) <= min(turns - 1, most)


def test_a_question_is_the_first_turns_and_the_one_that_follows():
    dialogues = [story(number) for number in range(9)]
    for question in questions(dialogues, 9):
        texts = [turn["text"] for turn in dialogues[int(question.id[1:])].turns]
        length = len(question.context)
        assert [turn["text"] for turn in question.context] == texts[:length]
        assert question.candidates[question.answer] == texts[length]
        assert len(question.candidates) == 3


def test_no_context_is_longer_than_was_asked_for():
    dialogues = [story(number, turns=12) for number in range(40)]
    made = questions(dialogues, 40, settings=SamplingSettings(count=1, distractors=2, max_turns=3))
    assert {len(question.context) for question in made} == {2, 3}


def test_short_dialogues_are_left_out_and_counted():
    made = draw([story(1), story(2), story(3, turns=2), story(4, turns=1)])
    assert len(made.questions(2, no_report)) == 2
    assert made.left_out == {"short": 2}


def test_turns_of_short_dialogues_may_be_false_responses():
    texts = {text for question in questions([story(1), story(2, turns=2)]) for text in question.candidates}
    assert {"Line 0 of story 2.", "Line 1 of story 2."} <= texts


def test_what_was_not_needed_is_counted():
    made = draw([story(number) for number in range(9)])
    made.questions(4, no_report)
    assert made.left_out == {"not_drawn": 5}


def test_too_few_dialogues_are_told_with_how_many_there_are():
    with pytest.raises(TooFew) as few:
        questions([story(1), story(2), story(3, turns=2)], 3)
    assert (few.value.source, few.value.wanted, few.value.there) == ("corpus", 3, 2)
    assert few.value.left_out == {"short": 1}


def test_instances_keep_their_candidates_and_their_whole_context():
    long = talk("i1", [f"turn {n}" for n in range(12)], candidates=["no", "yes", "so", "tea"], answer=2)
    [question] = questions([long])
    assert sorted(question.candidates) == ["no", "so", "tea", "yes"]
    assert question.candidates[question.answer] == "so"
    assert len(question.context) == 12
    assert question.pick == OWN
    assert question.origins == [("i1", None)] * 4


def test_instances_without_a_known_answer_or_with_equal_candidates_are_left_out():
    dialogues = [
        own("i1", ["Yes.", "yes", "YES!", "Y e s"]),  # four equal ones
        own("i2", ["yes", "no", "no.", "tea"]),
        own("i3", ["yes", "no"], answer=None),
        own("i4", ["yes", "no"], answer=1),
    ]
    made = draw(dialogues)
    assert [question.id for question in made.questions(1, no_report)] == ["i4"]
    assert made.left_out == {"equal_candidates": 2, "no_answer": 1}


def test_a_split_without_other_responses_gives_no_question():
    same = [talk(f"same {n}", ["Hi.", "hi", "Bye."]) for n in range(4)]
    made = draw([*same, *(story(n, split="train") for n in range(3))])
    assert {question.id for question in made.questions(3, no_report)} == {"d0", "d1", "d2"}
    with pytest.raises(TooFew) as few:
        questions(same)
    assert few.value.left_out == {"no_distractors": 4}


def test_the_last_possible_responses_are_found_however_rare_they_are():
    many = talk("many", ["Hm."] * 4_000, group="g")
    rare = talk("rare", ["One.", "Two."])
    [question] = [made for made in questions([many, rare, story(7)], 2) if made.id == "d7"]
    assert len(question.candidates) == 3
    [other] = questions([many, rare])
    assert sorted(other.candidates) == ["Hm.", "One.", "Two."]


TEXTS = st.sampled_from(["Yes.", "yes", "No.", "Tea?", "It rains.", "Rain!", "rain", "Why?", "Go.", "Stay.", "Hm."])


@st.composite
def corpora(draw_from):
    """Small corpora full of equal texts, with groups and splits."""
    texts = st.lists(TEXTS, min_size=1, max_size=8)
    row = st.tuples(texts, st.sampled_from("abc"), st.sampled_from(["dev", "test"]))
    rows = draw_from(st.lists(row, min_size=2, max_size=14))
    return [talk(f"d{position}", texts, split, group) for position, (texts, group, split) in enumerate(rows)]


def as_many_as_there_are(dialogues, **how):
    try:
        return questions(dialogues, len(dialogues), **how)
    except TooFew as few:
        return questions(dialogues, few.there, **how)


@given(corpora(), st.integers(0, 50))
def test_false_responses_are_of_the_split_of_other_conversations_and_all_different(dialogues, seed):
    by_id = {dialogue.id: dialogue for dialogue in dialogues}
    for question in as_many_as_there_are(dialogues, seed=seed):
        dialogue = by_id[question.id]
        truth = question.candidates[question.answer]
        assert truth == dialogue.turns[len(question.context)]["text"]
        assert len({fold(text) for text in question.candidates}) == len(question.candidates) == 3
        elsewhere = {
            turn["text"]
            for other in dialogues
            if other.split == dialogue.split and other.group != dialogue.group
            for turn in other.turns
        }
        assert set(question.candidates) - {truth} <= elsewhere


@given(corpora(), st.integers(0, 50), st.integers())
def test_the_order_of_rows_changes_nothing(dialogues, seed, order):
    assert as_many_as_there_are(dialogues, seed=seed) == as_many_as_there_are(dialogues, seed=seed, order=order)


def test_another_seed_gives_other_questions():
    dialogues = [story(number) for number in range(30)]
    first, again, other = (questions(dialogues, 10, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert {question.id for question in first} != {question.id for question in other}


def test_more_questions_of_one_seed_begin_with_the_same():
    dialogues = [story(number) for number in range(30)]
    assert questions(dialogues, 20)[:10] == questions(dialogues, 10)


def test_every_turn_of_the_split_is_equally_likely():
    """Chi-squared of 2,000 draws over 30 turns: below the 99.9 % point of 29 degrees of freedom, 58.30."""
    asked = talk("q", ["How?", "Why?", "So."])
    others = [talk(f"p{n}", [f"{n}-{turn}" for turn in range(1 + n % 2)]) for n in range(20)]
    times: Counter[str] = Counter()
    for seed in range(1_000):
        [question] = questions([asked, *others], seed=seed)
        times.update(set(question.candidates) - {"So."})
    assert (len(times), times.total()) == (30, 2_000)
    assert sum((number - 2_000 / 30) ** 2 / (2_000 / 30) for number in times.values()) < 58.30


def test_the_right_response_stands_at_each_position_equally_often():
    drawn = questions([story(number) for number in range(40)], 31)
    drawn += questions([own(f"i{n}", ["a", "b", "c", "d"], answer=0) for n in range(20)], 20, name="other")
    made = arranged(drawn, seed=4)
    threes = Counter(question.answer for question in made if len(question.candidates) == 3)
    fours = Counter(question.answer for question in made if len(question.candidates) == 4)
    assert sorted(threes.values()) == [10, 10, 11]
    assert fours == dict.fromkeys(range(4), 5)
    truths = {(question.source, question.id): question.candidates[question.answer] for question in drawn}
    for question in made:
        assert question.candidates[question.answer] == truths[question.source, question.id]


def test_the_arrangement_does_not_depend_on_the_order_of_the_draw():
    drawn = questions([story(number) for number in range(20)], 20)
    assert arranged(drawn, 3) == arranged(reversed(drawn), 3)
    assert arranged(drawn, 3) != arranged(drawn, 4)


@pytest.mark.parametrize(
    ("count", "sources", "each"), [(10, 1, [10]), (10, 3, [4, 3, 3]), (3, 3, [1, 1, 1]), (1, 2, [1, 0])]
)
def test_sources_give_as_many_questions_each(count, sources, each):
    assert shares(count, sources) == each
