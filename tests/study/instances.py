"""Corpora on which models are run in tests."""

from typing import Any

from annotation.models import Corpus
from core.models import User
from tests import corpora

TALK = ["Where is the salt?", "Beside the stove, as ever.", "And the pepper?"]
RESPONSES = ["The pepper stands beside the salt.", "My stove is cold.", "Trains run late.", "Nobody knows."]


def row(
    id: str,
    split: str = "dev",
    answer: int | None = 0,
    *,
    turns: list[str] | None = None,
    candidates: list[str] | None = RESPONSES,
) -> dict[str, Any]:
    """Return a row of a corpus: an instance, or without candidates a dialogue."""
    said = [{"speaker": "FM"[index % 2], "text": text} for index, text in enumerate(TALK if turns is None else turns)]
    instance = {"id": id, "split": split, "turns": said}
    if candidates is not None:
        instance |= {"candidates": candidates} | ({} if answer is None else {"answer": answer})
    return instance


def corpus(name: str, *rows: dict[str, Any], by: User) -> Corpus:
    return corpora.stored(name, rows, by=by)


def kitchen(by: User, *, dev: int = 3, unknown: int = 0) -> Corpus:
    """Store three dialogues to learn from, `dev` instances with a known answer and `unknown` others in test."""
    train = [
        row("t1", "train", turns=["Trains run late today.", "Nobody knows why."]),
        row("t2", "train", turns=["Is the stove cold?", "My stove is never cold."]),
        row("t3", "train", 3, turns=["Where is the bus?"]),
    ]
    asked = [row(f"d{number}", answer=number % 4, turns=[*TALK, f"It is {number}."]) for number in range(dev)]
    kept_back = [row(f"u{number}", "test", None) for number in range(unknown)]
    return corpus("kitchen", *train, *asked, *kept_back, by=by)
