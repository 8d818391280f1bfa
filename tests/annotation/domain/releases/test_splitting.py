from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.releases.splitting import STUDY_SHARES, Split, prompt_group, split_groups, split_sizes

names = st.sets(st.text(max_size=5), max_size=60)


@given(names, st.integers(), st.randoms(use_true_random=False))
def test_the_order_of_the_groups_changes_nothing(groups, seed, random):
    shuffled = sorted(groups)
    random.shuffle(shuffled)
    assert split_groups(shuffled, seed) == split_groups(sorted(groups), seed)


@given(names, st.integers())
def test_every_group_is_in_exactly_one_split(groups, seed):
    splits = split_groups(groups, seed)
    assert set(splits) == groups
    assert set(splits.values()) <= set(Split)


@given(st.integers(3, 100_000), st.integers(0, 100), st.integers(0, 100))
def test_sizes_add_up_and_lie_within_one_of_their_share_or_were_raised_to_one(groups, dev, test):
    shares = (1000 / (1000 + dev + test), dev / (1000 + dev + test), test / (1000 + dev + test))
    sizes = split_sizes(groups, shares)
    assert sum(sizes.values()) == groups
    for split, share in zip((Split.DEV, Split.TEST), shares[1:], strict=True):
        assert abs(sizes[split] - groups * share) < 1 + 1e-6 or sizes[split] == 1
        assert (sizes[split] > 0) == (share > 0)


@pytest.mark.parametrize(
    ("groups", "train", "dev", "test"),
    [
        (0, 0, 0, 0),
        (1, 1, 0, 0),
        (2, 1, 0, 1),
        (3, 1, 1, 1),
        (4, 2, 1, 1),
        (10, 8, 1, 1),
        (30, 24, 3, 3),
        (27_383, 21_907, 2_738, 2_738),
    ],
)
def test_small_sets_fill_test_and_dev_and_large_ones_follow_the_shares(groups, train, dev, test):
    assert split_sizes(groups) == {Split.TRAIN: train, Split.DEV: dev, Split.TEST: test}


def test_the_study_s_own_sizes_lie_near_its_shares_of_prompts():
    study = {Split.TRAIN: 21_964, Split.DEV: 2_669, Split.TEST: 2_750}
    assert sum(study.values()) == 27_383
    ours = split_sizes(27_383)
    assert all(abs(ours[split] - study[split]) < 0.003 * 27_383 for split in Split)


def test_shares_are_of_groups_whatever_their_number_of_items():
    items = {f"prompt {number}": 20 if number < 50 else 1 for number in range(100)}
    assert Counter(split_groups(items, seed=4).values()) == {Split.TRAIN: 80, Split.DEV: 10, Split.TEST: 10}


def test_another_seed_gives_another_split_of_the_same_sizes():
    groups = [str(number) for number in range(200)]
    first, second = split_groups(groups, 1), split_groups(groups, 2)
    assert first != second
    assert Counter(first.values()) == Counter(second.values())


def test_every_group_has_the_same_chance_of_the_test_split():
    groups = [str(number) for number in range(10)]
    tests = Counter(
        group for seed in range(2_000) for group, split in split_groups(groups, seed).items() if split == "test"
    )
    # Binomial with p 0.1: five standard errors are 67.
    assert all(abs(tests[group] - 200) < 67 for group in groups)


@pytest.mark.parametrize(
    "shares", [(0.8, 0.2, 0.1), (0.8, 0.3, -0.1), (0.0, 0.5, 0.5), (0.9, 0.1), (1, 0, float("nan"))]
)
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(ValueError, match="sum to 1"):
        split_groups(["a"], 0, shares)


def test_a_split_without_a_share_stays_empty():
    groups = Random(0).sample(range(10_000), 50)
    assert Counter(split_groups(map(str, groups), 0, (0.9, 0.0, 0.1)).values()) == {"train": 45, "test": 5}
    assert STUDY_SHARES == (0.8, 0.1, 0.1)


@pytest.mark.parametrize("other", ["晚安！", " 晚安 ", "晚　安", "晚安。"])
def test_prompts_that_differ_by_punctuation_or_space_alone_stay_together(other):
    assert prompt_group(other) == prompt_group("晚安")


def test_different_prompts_may_part():
    assert prompt_group("晚安") != prompt_group("早安")
