"""Bots choose by name, with the chances that their description promises."""

from study.domain.survey.simulation import chance_of_right, choices, milliseconds, ranking


def test_the_same_names_choose_the_same():
    once = choices(3, "bot 1", "q7", lines=5, right=2, is_check=False)
    assert once == choices(3, "bot 1", "q7", lines=5, right=2, is_check=False)
    assert milliseconds(3, "bot 1", "q7") == milliseconds(3, "bot 1", "q7")


def test_choices_are_two_different_lines_right_as_often_as_their_chances_say():
    given = {
        (bot, question): choices(0, f"b{bot}", f"q{question}", lines=5, right=1, is_check=False)
        for bot in range(100)
        for question in range(30)
    }
    assert all(first != second and {first, second} <= set(range(5)) for first, second in given.values())
    right = sum(first == 1 for first, _second in given.values())
    expected = sum(chance_of_right(0, f"b{bot}", f"q{question}") for bot, question in given)
    assert abs(right - expected) < 100  # more than four standard deviations of 3,000 draws
    candidates = sum(second == 1 for first, second in given.values() if first != 1)
    missed = len(given) - right
    assert abs(candidates - missed / 2) < 4 * (missed / 4) ** 0.5  # twice the chance of a guess among four


def test_two_lines_leave_the_other_one_for_the_second_choice():
    for bot in range(50):
        assert set(choices(0, f"b{bot}", "q", lines=2, right=0, is_check=False)) == {0, 1}


def test_few_bots_miss_the_check():
    missed = sum(choices(0, f"b{bot}", "check", lines=5, right=0, is_check=True)[0] != 0 for bot in range(1000))
    assert 4 < missed < 45


def test_a_ranking_goes_on_after_the_two_choices_and_has_every_line_once():
    for bot in range(50):
        order = ranking(0, f"b{bot}", "q", lines=6, right=2, is_check=False)
        assert tuple(order[:2]) == choices(0, f"b{bot}", "q", lines=6, right=2, is_check=False)
        assert sorted(order) == list(range(6))
