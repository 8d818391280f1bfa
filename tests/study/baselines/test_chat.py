"""The chat model: what it asks, which replies it reads, and what becomes of those that it cannot read."""

import json
from collections import Counter

import pytest

from study.baselines.asking import REPLIES, ChatReply, ServerFailure, replies_in
from study.baselines.base import RankingInstance
from study.baselines.chat import Chat
from study.baselines.chat_prompts import option_in, prompt_for
from study.baselines.evaluate import evaluate_run
from tests.chat_servers import longest, options_in

OPTIONS = ("Beside the stove.", "Trains run late.", "Nobody knows.", "Yes.")
INSTANCE = RankingInstance("i", ("Where is the salt?", "Look around."), OPTIONS, 0, speakers=("F", ""))


class Says:
    """A server that replies as a function of the prompt says; it counts what it is asked."""

    address = "http://nowhere"

    def __init__(self, says) -> None:
        self.says, self.asked = says, []

    def ask(self, requests):
        self.asked += requests
        said = [self.says(request.body["messages"][0]["content"]) for request in requests]
        return [each if isinstance(each, ChatReply) else ChatReply(each) for each in said]


def letter_of(text):
    return lambda prompt: next(letter for letter, option in options_in(prompt).items() if option == text)


def chat(says, **settings) -> Chat:
    model = Chat({"model": "m", **settings}, server=Says(says))
    model.fit(())
    return model


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("B", 1),
        (" b. ", 1),
        ("**(C)**", 2),
        ("A\n\nBecause it answers the question.", 0),
        ("D) Yes.", 3),
        ("The answer is B.", 1),
        ("I choose option C, as the others are off.", 2),
        ("The best next turn is D", 3),
        ("答案：B", 1),
        ("选A。", 0),
        ("<think>Is it A? Option B?</think>\nC", 2),
        ("Trains run late.", 1),
        ("“nobody knows”", 2),
        ("Yes.", 3),
        ("E", None),
        ("A or B", None),
        ("Option A is wrong, the answer is B.", None),
        ("The answer is A. The answer is B.", None),
        ("A dog barks", None),
        ("<think>The answer is B", None),
        ("", None),
        ("I cannot help with that.", None),
        ("AB", None),
        ("1", None),
    ],
)
def test_a_reply_is_read_where_it_names_one_option(said, read):
    assert option_in(said, OPTIONS) == read


def test_more_than_26_options_are_numbered():
    options = [f"It is {hour} h" for hour in range(30)]
    assert (option_in("27", options), option_in("Answer: 3.", options), option_in("31", options)) == (26, 2, None)


def test_the_prompt_has_the_turns_with_speakers_and_each_option_on_a_line_of_its_own():
    odd = RankingInstance("i", ("Where\nis it?", "Look."), ("here\nB. there", "there"), 0, speakers=("F", ""))
    prompt = prompt_for(odd, (1, 0), "en-1")
    assert "F: Where is it?\n- Look.\n\n" in prompt
    assert "\nA. there\nB. here B. there\n" in prompt
    assert "dialogue that you do not see" in prompt_for(RankingInstance("i", (), OPTIONS), (0, 1, 2, 3), "en-1")
    assert "{" not in prompt_for(odd, (0, 1), "zh-1")


def test_each_question_is_asked_in_orders_in_which_no_candidate_keeps_its_place():
    model = chat(longest, orders=4)
    model.score([INSTANCE])
    orders = [request.order for request in model.server.asked]
    assert len(orders) == 4
    for place in zip(*orders, strict=True):
        assert sorted(place) == [0, 1, 2, 3]
    again = chat(longest, orders=4)
    again.score([INSTANCE])
    assert [request.order for request in again.server.asked] == orders


def test_the_score_is_the_share_of_replies_that_choose_the_candidate():
    assert chat(letter_of("Yes.")).score([INSTANCE]) == [[0, 0, 0, 1]]
    [scores] = chat(lambda _prompt: "A", orders=4).score([INSTANCE])
    assert scores == [0.25] * 4, "one that always takes the first letter takes each candidate once"


def test_a_reply_that_cannot_be_read_is_no_vote_and_an_instance_without_one_has_no_scores():
    silent = RankingInstance("j", ("Silence?",), OPTIONS, 0)
    model = chat(lambda prompt: "Hm." if "Silence?" in prompt else longest(prompt))
    scores = model.score([INSTANCE, silent])
    assert scores == [[1, 0, 0, 0], []]
    figures = evaluate_run([INSTANCE, silent], scores, seed=0)
    assert (figures["R@1"], figures["R@2"], figures["MRR"], figures["n"]) == (0.5, 0.5, (1 + 1 / 4) / 2, 2)
    assert (figures["unanswered"], figures["answered"]["R@1"], figures["answered"]["n"]) == (1, 1, 1)
    own = model.figures([INSTANCE, silent])
    assert own["replies"] == {"asked": 6, "unreadable": 3, "failed": 0}
    assert (own["consistency"]["n"], own["consistency"]["same"]) == (1, 1)


def test_where_grades_are_known_no_answer_puts_the_worst_first():
    rated = RankingInstance("r", ("p",), ("x", "y", "z"), grades=(1, 5, 4))
    assert evaluate_run([rated], [[]], seed=0)["cuts"]["4"]["P@1"] == 0
    assert evaluate_run([rated], [[]], seed=0)["cuts"]["4"]["MRR"] == 0.5


def test_consistency_is_the_share_of_questions_with_one_choice_in_all_orders():
    """By hand: of 4 questions 3 by the text and 1 by the letter; Wilson's interval of 3 in 4."""
    asked = [RankingInstance(f"i{number}", (f"Question {number}?",), OPTIONS, 0) for number in range(4)]
    model = chat(lambda prompt: "A" if "Question 3?" in prompt else longest(prompt))
    model.score(asked)
    consistency = model.figures(asked)["consistency"]
    assert (consistency["n"], consistency["same"], consistency["share"]) == (4, 3, 0.75)
    assert consistency["ci"] == pytest.approx((0.3006, 0.9544), abs=1e-4)
    once = chat(longest, orders=1)
    once.score(asked)
    assert once.figures(asked)["consistency"]["share"] is None


def test_a_candidate_without_others_is_not_asked_about_and_equal_ones_share_their_votes():
    model = chat(longest)
    alone, twins = RankingInstance("a", (), ("yes",)), RankingInstance("t", (), ("yes, twice", "yes, twice", "no"))
    assert model.score([alone, twins]) == [[1.0], [1.0, 1.0, 0.0]]
    assert Counter(request.instance for request in model.server.asked) == {"t": 3}


def test_replies_are_kept_as_they_came_and_are_not_asked_for_again(tmp_path):
    model = chat(longest)
    scores = model.score([INSTANCE])
    model.save(tmp_path)
    lines = [json.loads(line) for line in (tmp_path / REPLIES).read_text().splitlines()]
    assert [(line["id"], line["number"], len(line["order"]), line["text"] in "ABCD") for line in lines] == [
        ("i", 0, 4, True),
        ("i", 1, 4, True),
        ("i", 2, 4, True),
    ]
    again = Chat(model.settings, server=Says(longest))
    again.load(tmp_path)
    assert (again.score([INSTANCE]), again.server.asked) == (scores, [])
    other = Chat({**model.settings, "prompt": "zh-1"}, server=Says(longest))
    other.load(tmp_path)
    other.score([INSTANCE])
    assert len(other.server.asked) == 3, "what was answered to other words is no answer to these"


def test_half_a_line_and_failures_are_asked_again(tmp_path):
    model = chat(lambda prompt: ChatReply(failure=ServerFailure.SLOW) if "Where" in prompt else "A")
    other = RankingInstance("j", ("Who?",), OPTIONS, 0)
    assert model.score([INSTANCE, other])[0] == []
    assert model.figures([INSTANCE, other])["replies"] == {"asked": 6, "unreadable": 0, "failed": 3}
    model.save(tmp_path)
    whole = (tmp_path / REPLIES).read_text()
    (tmp_path / REPLIES).write_text(whole[:-20])
    assert len(replies_in(tmp_path)) == 2


def test_tokens_and_cost_are_told_where_server_and_prices_tell_them():
    def counted(prompt):
        return ChatReply(longest(prompt), model="m-2", prompt_tokens=1_000, completion_tokens=10)

    priced = chat(counted, price_in=2, price_out=10)
    priced.score([INSTANCE])
    told = priced.expenses()["asking"]
    assert (told["requests"], told["tries"], told["models"]) == (3, 3, ["m-2"])
    assert told["tokens"] == {"prompt": 3_000, "completion": 30}
    assert told["cost"] == pytest.approx((3_000 * 2 + 30 * 10) / 1e6)
    unpriced, uncounted = chat(counted), chat(longest, price_in=2)
    for model in (unpriced, uncounted):
        model.score([INSTANCE])
        assert model.expenses()["asking"]["cost"] is None
    assert uncounted.expenses()["asking"]["tokens"] == {"prompt": None, "completion": None}


def test_the_prompt_is_stored_with_what_it_learned():
    assert "{options}" in chat(longest, prompt="zh-1").learned["prompt_text"]
