"""The study's table, counted by hand."""

from annotation.domain.releases.instances import RewrittenInstance
from annotation.domain.releases.rewriting_statistics import rewriting_statistics
from annotation.domain.releases.splitting import joined


def instance(split: str, context: list[str], candidates: list[str], conversation: str = "c") -> RewrittenInstance:
    return RewrittenInstance(
        id="1",
        split=split,
        context=[{"speaker": "M", "text": text} for text in context],
        speaker="W",
        candidates=candidates,
        answer=1,
        parts=[1, 0, 2, 3],
        question="?",
        conversation=conversation,
        author="r1",
        source="",
        topic="",
    )


def test_the_table_of_the_study():
    found = rewriting_statistics(
        [
            instance("train", ["Is it open?", "No."], ["open no", "it is new", "x", "is is y z"]),
            instance("train", ["It is late, it is."], ["a", "late", "b", "c"], "d"),
            instance("dev", ["No"], ["one", "two", "three", "four"], "e"),
        ],
        dialogues=7,
        questions=9,
    )
    assert found["train"] == {
        "pairs": 2,
        "turns_mean": 1.5,
        "words_mean": 3.0,  # 3, 1 and 5
        # is it open no late; open no it is new x y z a late b c
        "vocabulary": {"context": 5, "response": 12, "both": 12},
        "conversations": 2,
        "candidates": 4,
        # right: 2 of 3, 1 of 1; wrong: 2 of 2, 0, 2 of 4, and three times 0
        "overlap": {"right": (2 / 3 + 1) / 2, "wrong": 1.5 / 6},
    }
    assert (found["all"]["pairs"], found["all"]["dialogues"], found["all"]["questions"]) == (3, 7, 9)
    assert found["test"]["turns_mean"] is None
    assert found["test"]["overlap"] == {"right": None, "wrong": None}


def test_rows_that_share_a_name_are_one_group_and_so_on_in_chains():
    rows = [("c", "x"), ("a",), ("y", "b"), ("x", "y"), ("z", "d"), ("e",), ("a",)]
    assert joined(rows) == ["b", "a", "b", "b", "d", "e", "a"]
    assert joined(rows[::-1]) == joined(rows)[::-1]
    assert joined([]) == []
