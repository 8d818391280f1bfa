"""MuTual-plus: a safe reply in the place of one candidate."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.releases.instances import RewrittenInstance
from annotation.domain.releases.plus import FEWEST, SAFE_REPLIES, checked_replies, with_safe_reply
from core.domain.text import fold
from core.domain.wording import ChoiceError

CANDIDATES = ["The hall is free.", "The hall is taken.", "The choir sings.", "The room is small."]


def instance(id: str = "q1", answer: int = 2, candidates: list[str] = CANDIDATES) -> RewrittenInstance:
    return RewrittenInstance(
        id=id,
        split="dev",
        context=[{"speaker": "M", "text": "Is it free?"}],
        speaker="W",
        candidates=candidates,
        answer=answer,
        parts=[1, 2, 0, 3],
        question="?",
        conversation="c",
        author="r1",
        source="",
        topic="",
    )


def test_one_candidate_gives_way_and_the_rest_stays():
    plus = with_safe_reply(instance(), SAFE_REPLIES, seed=0)
    changed = [position for position in range(4) if plus["candidates"][position] != CANDIDATES[position]]
    assert changed == [plus["replaced"]]
    assert plus["candidates"][plus["replaced"]] in SAFE_REPLIES
    same = ("id", "split", "context", "speaker", "answer", "parts", "question")
    assert {name: plus[name] for name in same} == {name: instance()[name] for name in same}


def test_neither_a_slot_nor_the_safe_reply_is_right_more_often_than_chance():
    made = [with_safe_reply(instance(f"q{number}", number % 4), SAFE_REPLIES, seed=0) for number in range(4000)]
    right = sum(plus["replaced"] == plus["answer"] for plus in made)
    assert 920 < right < 1080  # 1,000 expected, standard deviation 27
    replies = Counter(plus["candidates"][plus["replaced"]] for plus in made)
    assert set(replies) == set(SAFE_REPLIES)
    assert max(replies.values()) < 800  # 667 expected, standard deviation 24


def test_the_seed_decides():
    drawn = [
        [with_safe_reply(instance(f"q{number}"), SAFE_REPLIES, seed) for number in range(20)] for seed in (0, 0, 1)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


@given(
    st.lists(st.sampled_from(SAFE_REPLIES[:FEWEST]), min_size=4, max_size=4, unique=True),
    st.integers(0, 3),
    st.integers(0, 10**6),
)
def test_candidates_that_are_safe_replies_themselves_are_never_doubled(candidates, answer, seed):
    spelled = [text.upper() for text in candidates]
    plus = with_safe_reply(instance(answer=answer, candidates=spelled), SAFE_REPLIES[:FEWEST], seed)
    assert len({fold(text) for text in plus["candidates"]}) == 4


def test_the_list_is_cleaned_of_empty_lines_and_outer_space():
    assert checked_replies(["", " Pardon? ", *SAFE_REPLIES[:4], "  "]) == ["Pardon?", *SAFE_REPLIES[:4]]


def test_a_reply_has_no_speaker_in_front():
    with pytest.raises(ChoiceError, match="Leave out “W:” in “W: hm”"):
        checked_replies([*SAFE_REPLIES, "W: hm"])
    assert checked_replies([*SAFE_REPLIES, "Sorry: once more?"])[-1] == "Sorry: once more?"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([*SAFE_REPLIES, "?!"], "has no word"),
        (SAFE_REPLIES[:4], "Between 5 and 100 safe replies"),
        ([*SAFE_REPLIES, "sorry could you say that again"], "appears twice"),
        ([*SAFE_REPLIES, SAFE_REPLIES[0]], "appears twice"),
        ([*SAFE_REPLIES, "a" * 1001], "at most 1000 characters"),
    ],
)
def test_a_list_that_does_not_do_says_why(lines, said):
    with pytest.raises(ChoiceError, match=said):
        checked_replies(lines)
