"""TREC's files as pytrec_eval, which is trec_eval itself, reads them."""

import json

import pytest
import pytrec_eval

from annotation.domain.rating.rating import Scale
from annotation.exporters import trec
from tests.annotation.exporters.test_exporters import PAIR
from tests.annotation.exporters.test_mutual import instance

ABOUT = {"settings": {"grades": "1..5"}}


def pair(id, prompt, grade, split="train"):
    return PAIR | {"id": id, "prompt": prompt, "response": f"回答 {id}", "grade": grade, "split": split}


def written(folder, *pairs, about=ABOUT):
    trec.write(pairs, folder, about)
    with (folder / "train.qrels").open() as qrels, (folder / "train.run").open() as run:
        return pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)


PAIRS = [
    pair("a", "你好吗", 2.0),
    pair("b", "你好吗", 5.0),
    pair("c", "你好吗", 3.5),
    pair("d", "几点了", 4.0),
    pair("e", "几点了", 1.0),
]


def test_relevance_is_twice_the_grade_above_the_lowest(tmp_path):
    qrels, _run = written(tmp_path, *PAIRS)
    hello, clock = map(trec.topic_of, ("你好吗", "几点了"))
    assert qrels == {hello: {"a": 2, "b": 8, "c": 5}, clock: {"d": 6, "e": 0}}


@pytest.mark.parametrize(
    ("grade", "scale", "expected"),
    [(1, "1..5", 0), (2.5, "1..5", 3), (5, "1..5", 8), (-2, "-2..2", 0), (-0.5, "-2..2", 3), (0, "-2..2", 4)],
)
def test_no_scale_has_a_negative_relevance(grade, scale, expected):
    assert trec.relevance(grade, Scale.parse(scale)) == expected


@pytest.mark.parametrize("cut", [2, 3, 4, 5])
@pytest.mark.parametrize("raters", [2, 3, 7, 19])
def test_a_level_is_a_cut_of_the_study_whatever_the_number_of_raters(cut, raters):
    scale = Scale(1, 5)
    for total in range(raters, 5 * raters + 1):
        assert (trec.relevance(total / raters, scale) >= 2 * (cut - 1)) == (total >= cut * raters)


def test_the_figures_of_trec_eval_are_those_of_the_release_s_order(tmp_path):
    qrels, run = written(tmp_path, *PAIRS)
    hello, clock = map(trec.topic_of, ("你好吗", "几点了"))
    evaluated = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank", "map", "P_1"}, relevance_level=4).evaluate(run)
    assert evaluated[hello]["recip_rank"] == 1 / 2, "the first of three is no response of grade 3 or more"
    assert evaluated[hello]["map"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert evaluated[clock]["P_1"] == 1


def test_each_prompt_s_responses_are_ranked_from_1(tmp_path):
    written(tmp_path, *PAIRS)
    lines = [line.split(" ") for line in (tmp_path / "train.run").read_text().splitlines()]
    assert [(document, rank, score) for _topic, _q0, document, rank, score, _tag in lines] == [
        ("a", "1", "-1"),
        ("b", "2", "-2"),
        ("c", "3", "-3"),
        ("d", "1", "-1"),
        ("e", "2", "-2"),
    ]
    assert {(line[1], line[5]) for line in lines} == {("Q0", "release-order")}


def test_an_id_with_white_space_is_still_one_field_and_stays_apart_from_others(tmp_path):
    ids = ["a b", "a%20b", "a\u3000b", "a\tb", "题 1", "题1"]
    qrels, run = written(tmp_path, *(pair(id, "你好吗", 3.0) for id in ids))
    [documents] = qrels.values()
    assert len(documents) == len(ids)
    assert [set(of_topic) for of_topic in run.values()] == [set(documents)]
    assert "题1" in documents, "what needs no change has none"


def test_the_words_behind_the_names_are_there(tmp_path):
    written(tmp_path, *PAIRS)
    texts = [json.loads(line) for line in (tmp_path / "train.texts.jsonl").read_text().splitlines()]
    assert texts[0] == {"topic": trec.topic_of("你好吗"), "document": "a", "prompt": "你好吗", "response": "回答 a"}
    assert len(texts) == len(PAIRS)


def test_every_split_has_its_files_and_the_same_pairs_give_the_same_bytes(tmp_path):
    pairs = [*PAIRS, pair("f", "再见", 3.0, "dev")]
    first, second = (trec.write(pairs, tmp_path / name, ABOUT) for name in "ab")
    assert {path.name for path in first} == {
        f"{split}.{suffix}" for split in ("train", "dev", "test") for suffix in ("qrels", "run", "texts.jsonl")
    }
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert (tmp_path / "a/dev.qrels").read_text() == f"{trec.topic_of('再见')} 0 f 4\n"
    assert (tmp_path / "a/test.qrels").read_text() == ""


def test_a_context_is_a_topic_whose_right_candidate_alone_is_relevant(tmp_path):
    instances = [instance(1, id="q 1", answer=2), instance(2, id="q2", answer=0)]
    qrels, run = written(tmp_path, *instances, about={"settings": {"inspectors": 1}})
    assert qrels == {
        "q%201": {"q%201-A": 0, "q%201-B": 0, "q%201-C": 1, "q%201-D": 0},
        "q2": {"q2-A": 1, "q2-B": 0, "q2-C": 0, "q2-D": 0},
    }
    evaluated = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert [evaluated[topic]["recip_rank"] for topic in ("q%201", "q2")] == [pytest.approx(1 / 3), 1]
    first = json.loads((tmp_path / "train.texts.jsonl").read_text("utf-8").splitlines()[0])
    assert (first["document"], first["candidate"]) == ("q%201-A", instances[0]["candidates"][0])
    assert first["context"] == instances[0]["context"]


def test_the_order_of_keys_that_a_database_gives_back_changes_no_byte(tmp_path):
    one = instance()
    turned = one | {"context": [dict(reversed(turn.items())) for turn in one["context"]]}
    for name, each in (("one", one), ("other", turned)):
        trec.write([each], tmp_path / name, {"settings": {}})
    files = [sorted((tmp_path / name).iterdir()) for name in ("one", "other")]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]
