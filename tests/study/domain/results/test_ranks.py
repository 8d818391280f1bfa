"""Number of ranks in imported answers."""

import pytest

from study.domain.results.ranks import RanksGiven, ranks_given


@pytest.mark.parametrize(
    ("forms", "better", "tied", "candidates", "given"),
    [
        ({"correct"}, [0, None], 0, 0, RanksGiven(0, 1, False)),  # right or wrong is a first choice alone
        ({"rank"}, [0, 1, None], 0, 5, RanksGiven(5, 2, False)),  # two choices, and one that is in neither
        (
            {"rank"},
            [0, 3, 1],
            0,
            0,
            RanksGiven(4, 0, True, is_guessed=True),
        ),  # ranks up to the fourth and no gap: all were ranked
        ({"rank"}, [0, 3, 1], 0, 5, RanksGiven(5, 0, True)),  # the number was given
        ({"rank"}, [0, 2, None], 0, 0, RanksGiven(0, 3, False)),  # three ranks were given and not all
        ({"rank"}, [0, 1], 0, 2, RanksGiven(2, 1, True)),
        ({"rank"}, [0, None], 0, 2, RanksGiven(2, 1, False)),
        (
            {"better"},
            [0, 1],
            3,
            0,
            RanksGiven(4, 0, True, is_guessed=True),
        ),  # scores rank all; the true one and three others
        ({"better"}, [0], 0, 0, RanksGiven(2, 0, True, is_guessed=True)),
    ],
)
def test_the_ranks_are_read_off_all_answers_together(forms, better, tied, candidates, given):
    assert ranks_given(forms, better, tied, candidates) == given


def test_a_full_ranking_has_as_many_ranks_as_its_question_has_candidates():
    assert RanksGiven(5, 0, True).depth(4) == 4
    assert RanksGiven(5, 2, False).depth(4) == 2
