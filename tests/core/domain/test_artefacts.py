"""Shortcuts: every planted one is found by its check, and none where none was planted."""

import random
from math import isclose

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from core.domain.artefacts import FEWEST, ArtefactQuestion, CheckFinding, equal_options, shortcuts

WORDS = [f"{first}{middle}{last}" for first in "bdfgklm" for middle in "aeiou" for last in "nrst"]


def clean(count: int, seed: int = 0) -> list[ArtefactQuestion]:
    """Four options of six to nine words, drawn like the context's: nothing tells the right one."""
    lots = random.Random(seed)
    return [
        ArtefactQuestion(
            context=[" ".join(lots.choices(WORDS, k=30))],
            options=[" ".join(lots.choices(WORDS, k=lots.randint(6, 9))) for _option in range(4)],
            answer=lots.randrange(4),
            group=number,
        )
        for number in range(count)
    ]


def with_right(question: ArtefactQuestion, text: str) -> ArtefactQuestion:
    options = [text if position == question.answer else each for position, each in enumerate(question.options)]
    return ArtefactQuestion(question.context, options, question.answer, question.group)


def with_wrong(question: ArtefactQuestion, change) -> ArtefactQuestion:
    options = [each if position == question.answer else change(each) for position, each in enumerate(question.options)]
    return ArtefactQuestion(question.context, options, question.answer, question.group)


def right_first(question: ArtefactQuestion) -> ArtefactQuestion:
    return ArtefactQuestion(question.context, question.options, 0, question.group)


def longer(question: ArtefactQuestion) -> ArtefactQuestion:
    return with_right(question, " ".join([*question.options[question.answer].split(), *WORDS[-4:]]))


def shorter(question: ArtefactQuestion) -> ArtefactQuestion:
    return with_right(question, " ".join(question.options[question.answer].split()[:4]))


def from_context(question: ArtefactQuestion) -> ArtefactQuestion:
    return with_right(question, " ".join(question.context[0].split()[3:10]))


def strange_to_context(question: ArtefactQuestion) -> ArtefactQuestion:
    known = set(question.context[0].split())
    own = [word if word not in known else "zzz" for word in question.options[question.answer].split()]
    return with_right(question, " ".join(own))


def alike(question: ArtefactQuestion) -> ArtefactQuestion:
    """Each wrong one was written from another part of the right one."""
    right = question.options[question.answer].split()
    parts = iter([right[:2], right[2:4], right[4:6]])
    return with_wrong(question, lambda wrong: " ".join(next(parts) + wrong.split()[2:]))


def with_not(question: ArtefactQuestion) -> ArtefactQuestion:
    """A word that nearly only wrong ones have, in the place of another."""
    return with_wrong(question, lambda wrong: " ".join(["not", *wrong.split()[1:]]))


def with_capital(question: ArtefactQuestion) -> ArtefactQuestion:
    return with_right(question, question.options[question.answer].capitalize())


def with_end_mark(question: ArtefactQuestion) -> ArtefactQuestion:
    return with_right(question, f"{question.options[question.answer]}.")


def found(questions) -> set[str]:
    checks, _level = shortcuts(questions)
    return {name for name, check in checks.items() if check.finding is CheckFinding.LOOK}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_a_clean_set_has_none(seed):
    checks, _level = shortcuts(clean(600, seed))
    assert {check.finding for check in checks.values()} == {CheckFinding.EXPECTED}


@pytest.mark.parametrize(
    ("plant", "by"),
    [
        (right_first, {"position_A", "position_B", "position_C", "position_D"}),
        (longer, {"length", "longest", "shortest", "linear"}),
        (shorter, {"length", "longest", "shortest"}),
        (from_context, {"overlap", "most_overlap"}),
        (strange_to_context, {"overlap", "least_overlap"}),
        (alike, {"most_alike"}),
        (with_not, {"linear"}),
        (with_capital, {"capital"}),
        (with_end_mark, {"end_mark"}),
    ],
)
@pytest.mark.parametrize("part", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_a_planted_shortcut_is_found(plant, by, part):
    """The check finds a shortcut in every instance, and one in every fourth."""
    questions = [plant(each) if number % part == 0 else each for number, each in enumerate(clean(1200))]
    assert by <= found(questions)


def test_a_planted_position_is_no_length():
    assert found([right_first(each) for each in clean(600)]) == {f"position_{letter}" for letter in "ABCD"}


def test_the_share_is_counted_and_its_interval_is_wilson_s_at_the_level_of_all_together():
    checks, level = shortcuts([right_first(each) if number < 30 else each for number, each in enumerate(clean(100))])
    assert isclose(level, 1 - 0.05 / len(checks))
    first = checks["position_A"]
    right = round(first.value * 100)
    assert (first.n, first.chance) == (100, 0.25)
    assert first.interval == pytest.approx(proportion_confint(right, 100, alpha=1 - level, method="wilson"))


def test_a_guess_is_shown_by_instances_that_it_gets_right():
    questions = [longer(each) if number % 3 == 0 else shorter(each) for number, each in enumerate(clean(120))]
    checks, _level = shortcuts(questions)
    assert checks["longest"].examples == list(range(0, 30, 3))
    assert not set(checks["shortest"].examples) & set(checks["longest"].examples)
    assert checks["position_A"].examples == ()


def test_of_equally_long_options_each_counts_in_part():
    """Two of three are longest, the right one is among them in every second instance: 1/2 of 1/2."""
    context = ["a b c"]
    questions = [
        ArtefactQuestion(context, ["one two", "three four", "five"], 0 if number % 2 else 2, number)
        for number in range(60)
    ]
    checks, _level = shortcuts(questions)
    assert checks["longest"].value == pytest.approx(0.25)
    assert checks["shortest"].value == pytest.approx(0.5)
    assert checks["longest"].chance == pytest.approx(1 / 3)


def test_differences_are_right_minus_wrong():
    questions = [ArtefactQuestion(["a b"], ["a b c d", "e f", "a g"], 0, number) for number in range(60)]
    checks, _level = shortcuts(questions)
    assert checks["length"].value == pytest.approx(2)  # 4 words against 2
    assert checks["overlap"].value == pytest.approx(0.25)  # 2 of 4 against 0 of 2 and 1 of 2
    assert checks["length"].interval == pytest.approx((2, 2))


@pytest.mark.parametrize(
    ("text", "capital", "end_mark"),
    [
        ("Yes.", 1, 1),
        ("yes", 0, 0),
        ("“Yes!”", 1, 1),
        ("(So?)", 1, 1),
        ("Éclair …", 1, 1),
        ("好的。", 0, 1),
        ("好的？”", 0, 1),
        ("3 Pears,", 0, 0),
        ("", 0, 0),
    ],
)
def test_capital_letters_and_end_marks(text, capital, end_mark):
    """The wrong ones have neither, so that the difference is what the right one has."""
    questions = [ArtefactQuestion(["a"], [text, "b", "c"], 0, number) for number in range(60)]
    checks, _level = shortcuts(questions)
    assert (checks["capital"].value, checks["end_mark"].value) == (capital, end_mark)


def test_the_linear_model_is_never_asked_about_a_context_it_was_taught():
    """Each context occurs twice with the same right option, so a model that learns it by heart would be right every
    time.
    """
    once = clean(300)
    twice, _level = shortcuts([*once, *once])
    assert twice["linear"].finding is CheckFinding.EXPECTED


def test_instances_of_one_context_count_as_what_they_are_worth():
    """Repeat the password is no news: the interval stays as wide."""
    once, thrice = clean(200), [each for each in clean(200) for _time in range(3)]
    one, three = (shortcuts(questions)[0]["longest"] for questions in (once, thrice))
    assert three.value == pytest.approx(one.value)
    assert three.interval == pytest.approx(one.interval, abs=0.01)
    apart = [shortcuts(questions)[0]["length"].interval for questions in (once, thrice)]
    assert apart[1] == pytest.approx(apart[0], abs=0.01)


def test_too_few_have_no_verdict_but_their_figures():
    checks, _level = shortcuts([right_first(each) for each in clean(FEWEST - 1)])
    assert {check.finding for check in checks.values()} == {CheckFinding.TOO_FEW}
    assert checks["position_A"].value == 1
    assert checks["linear"].value is None


@pytest.mark.parametrize("contexts", [1, 19])
def test_too_few_contexts_have_no_verdict_however_many_instances(contexts):
    many = [
        ArtefactQuestion(each.context, each.options, 0, number % contexts) for number, each in enumerate(clean(200))
    ]
    checks, _level = shortcuts(many)
    assert {check.finding for check in checks.values()} == {CheckFinding.TOO_FEW}


def test_a_difference_has_student_s_interval_over_contexts():
    """Of 25 contexts every other one has a right option that is one word longer: 12 of 25."""
    questions = [
        ArtefactQuestion(["x"], ["a b c" if number % 2 else "a b", "c d", "e f"], 0, number // 2)
        for number in range(50)
    ]
    uneven = [ArtefactQuestion(each.context, each.options, 0, number) for number, each in enumerate(questions[:25])]
    checks, level = shortcuts([*uneven, *uneven])
    length = checks["length"]
    share, groups = 12 / 25, 25
    error = (share * (1 - share) / (groups - 1)) ** 0.5
    half = stats.t.ppf((1 + level) / 2, groups - 1) * error
    assert length.value == pytest.approx(share)
    assert length.interval == pytest.approx((share - half, share + half))


def test_without_instances_nothing_breaks():
    checks, _level = shortcuts([])
    assert {check.finding for check in checks.values()} == {CheckFinding.TOO_FEW}


def test_places_after_the_tenth_are_one_check_of_the_one_furthest_from_chance():
    """Every place still counts in the level: what is said of the furthest one of many holds with 95 %, too."""
    options = [f"word {position}" for position in range(100)]
    even = [ArtefactQuestion(["a b"], options, number % 100, number) for number in range(200)]
    checks, level = shortcuts(even)
    assert [name for name in checks if name.startswith("position_")] == [
        *(f"position_{letter}" for letter in "ABCDEFGHIJ"),
        "position_beyond",
    ]
    assert level == pytest.approx(1 - 0.05 / (100 + 4 + 5 + 1))
    assert (checks["position_beyond"].finding, checks["position_beyond"].chance) == (CheckFinding.EXPECTED, 0.01)
    planted = [
        ArtefactQuestion(["a b"], options, 56 if number % 4 == 0 else number % 100, number) for number in range(200)
    ]
    beyond = shortcuts(planted)[0]["position_beyond"]
    assert (beyond.finding, beyond.value) == (CheckFinding.LOOK, 0.25)
    assert beyond.examples == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36]


def test_as_many_places_as_have_a_check_of_their_own_have_no_other():
    options = [f"word {position}" for position in range(10)]
    checks, _level = shortcuts([ArtefactQuestion(["a b"], options, number % 10, number) for number in range(60)])
    assert (checks["position_J"].value, "position_beyond" in checks) == (0.1, False)


def test_candidates_may_be_few_here_and_many_there():
    """Judge a position only some instances have by those that have it: of 30 with three options, 10 are right at C."""
    few = [ArtefactQuestion(["a"], ["x 1", "y 2"], number % 2, number) for number in range(60)]
    more = [ArtefactQuestion(["a"], ["x 1", "y 2", "z 3"], number % 3, 60 + number) for number in range(60)]
    checks, _level = shortcuts([*few, *more])
    assert (checks["position_C"].n, checks["position_C"].value) == (60, pytest.approx(1 / 3))
    assert checks["position_C"].chance == pytest.approx(1 / 3)
    assert checks["position_A"].chance == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_options_without_a_word_are_no_trouble():
    questions = [ArtefactQuestion(["?"], ["…", "", "!", "a"], number % 4, number) for number in range(60)]
    checks, _level = shortcuts(questions)
    assert checks["overlap"].value == 0


def test_where_no_option_has_a_word_nothing_can_be_learned():
    checks, _level = shortcuts([ArtefactQuestion(["?"], ["…", "!"], number % 2, number) for number in range(60)])
    assert checks["linear"].finding is CheckFinding.TOO_FEW
    assert checks["length"].finding is CheckFinding.EXPECTED


@pytest.mark.parametrize(
    ("options", "are"),
    [(["Yes.", "yes", "no"], True), (["Yes.", "Yes, sir", "no"], False), (["ｙｅｓ", "YES!"], True), ([], False)],
)
def test_equal_options(options, are):
    assert equal_options(options) is are
