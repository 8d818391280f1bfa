import json
from random import Random

import pandas
import pytest

from annotation.domain.releases.statistics import rating_statistics


def pair(split, prompt, response, grades, types=None):
    return {
        "id": f"{prompt}/{response}",
        "split": split,
        "prompt": prompt,
        "response": response,
        "grade": sum(grades) / len(grades),
        "grades": grades,
        "raters": [f"r{number}" for number in range(1, len(grades) + 1)],
        "types": types or [None] * len(grades),
        "source": "weibo",
        "topic": "",
    }


PAIRS = [
    pair("train", "你好吗", "很好", [4, 4]),
    pair("train", "你好吗", "你好吗啊", [2, 2], ["echoing", "echoing"]),
    pair("train", "几点睡", "十一点", [2, 3], ["incoherent", "versatile"]),
    pair("train", "几点睡", "嗯", [3, 4], ["versatile", None]),
    pair("train", "几点睡", "看情况吧", [3, 3], ["versatile", "limited"]),
    pair("test", "吃了", "苹果是", [1, 1], ["nonsense", "nonsense"]),
]


def test_prompts_and_responses_are_counted_per_split_and_in_all():
    blocks = rating_statistics(PAIRS)
    assert {name: (block["prompts"], block["responses"]) for name, block in blocks.items()} == {
        "train": (2, 5),
        "dev": (0, 0),
        "test": (1, 1),
        "all": (3, 6),
    }


def test_a_prompt_s_length_counts_once_and_every_response_s_length():
    train = rating_statistics(PAIRS)["train"]
    assert train["prompt_characters_mean"] == (3 + 3) / 2
    assert train["response_characters_mean"] == (2 + 4 + 3 + 1 + 4) / 5
    assert train["responses_per_prompt"] == {"min": 2, "mean": 2.5, "max": 3, "counts": {"2": 1, "3": 1}}


def test_words_are_counted_with_their_punctuation_and_without_spaces():
    pairs = [
        pair("train", "你好吗？", "今天 天气，真好", [4, 4]),
        pair("train", "你好吗？", "OK OK", [4, 4]),
        pair("train", "再见", "今天", [4, 4]),
    ]
    train = rating_statistics(pairs)["train"]
    assert train["prompt_words_mean"] == (3 + 1) / 2, "你好 吗 ？ | 再见"
    assert train["response_words_mean"] == (5 + 2 + 1) / 3, "今天 天气 ， 真 好 | OK OK | 今天"
    assert train["vocabulary"] == len({"你好", "吗", "？", "再见", "今天", "天气", "，", "真", "好", "OK"})


def test_the_words_of_all_splits_are_those_of_each_together():
    blocks = rating_statistics([pair("train", "今天", "天气", [4, 4]), pair("test", "天气", "再见", [4, 4])])
    assert [blocks[name]["vocabulary"] for name in ("train", "dev", "test", "all")] == [2, 0, 2, 3]


def test_people_and_sources_are_counted():
    every = rating_statistics([*PAIRS, PAIRS[0] | {"source": "", "raters": ["r2", "r3"]}])["all"]
    assert every["raters"] == 3
    assert every["sources"] == {"": 1, "weibo": 6}


def test_a_final_grade_of_2_5_counts_in_both_shares_as_in_the_study():
    grades = rating_statistics(PAIRS)["train"]["final_grades"]
    assert grades["counts"] == {"2.0": 1, "2.5": 1, "3.0": 1, "3.5": 1, "4.0": 1}
    assert grades["share_to_2_5"] == 2 / 5
    assert grades["share_2_5_to_3_5"] == 3 / 5


def test_single_ratings_are_counted_by_grade_and_type():
    assert rating_statistics(PAIRS)["train"]["grades_by_type"] == [
        {"grade": 2, "type": "echoing", "count": 2},
        {"grade": 2, "type": "incoherent", "count": 1},
        {"grade": 3, "type": "limited", "count": 1},
        {"grade": 3, "type": "versatile", "count": 3},
        {"grade": 4, "type": None, "count": 3},
    ]


def test_what_an_empty_split_leaves_undefined_is_null_and_the_whole_is_json():
    blocks = rating_statistics(iter(PAIRS))
    assert json.loads(json.dumps(blocks, allow_nan=False)) == blocks
    assert blocks["dev"] == {
        "prompts": 0,
        "responses": 0,
        "prompt_characters_mean": None,
        "response_characters_mean": None,
        "prompt_words_mean": None,
        "response_words_mean": None,
        "vocabulary": 0,
        "responses_per_prompt": {"min": None, "mean": None, "max": None, "counts": {}},
        "final_grades": {"share_to_2_5": None, "share_2_5_to_3_5": None, "counts": {}},
        "grades_by_type": [],
        "raters": 0,
        "sources": {},
    }


def test_the_figures_are_those_of_pandas_on_random_pairs():
    random = Random(5)
    pairs = [
        pair(random.choice(["train", "dev", "test"]), "问" * random.randint(1, 30), "答" * random.randint(1, 9), grades)
        for grades in ([random.randint(1, 5), random.randint(1, 5)] for _ in range(500))
    ]
    block, table = rating_statistics(pairs)["all"], pandas.DataFrame(pairs)
    per_prompt = table.groupby("prompt").size()
    assert block["prompts"] == table["prompt"].nunique()
    assert block["prompt_characters_mean"] == pytest.approx(per_prompt.index.str.len().to_series().mean())
    assert block["response_characters_mean"] == pytest.approx(table["response"].str.len().mean())
    assert block["responses_per_prompt"] == {
        "min": per_prompt.min(),
        "mean": pytest.approx(per_prompt.mean()),
        "max": per_prompt.max(),
        "counts": {str(number): count for number, count in per_prompt.value_counts().sort_index().items()},
    }
    assert block["final_grades"]["share_to_2_5"] == pytest.approx((table["grade"] <= 2.5).mean())
    assert block["final_grades"]["share_2_5_to_3_5"] == pytest.approx(table["grade"].between(2.5, 3.5).mean())
