"""Corpora on which models are run in tests."""

from typing import Any

from annotation.models import Corpus, Project, Release
from annotation.models.releases import Instance as Published
from core.models import User
from tests import corpora

# The models of the published tables, by family; on pages what is uploaded follows.
EIGHTEEN = ["random", "tfidf", "bm25", "svmrank", "gbdt", "dual-rnn", "dual-lstm", "bilstm", "cnn", "smn", "dam"]
EIGHTEEN += ["bert", "roberta", "bert-mc", "roberta-mc", "gpt2", "gpt2-ft", "chat"]
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


def a_release(
    project: Project, *contents: dict[str, Any], number: int = 1, agreement: dict[str, Any] | None = None
) -> Release:
    splits = {split: sum(content["split"] == split for content in contents) for split in ("train", "dev", "test")}
    release = Release.objects.create(
        project=project,
        number=number,
        seed=0,
        checksum="a" * 64,
        statistics={},
        agreement=agreement or {},
        settings={},
        counts={"instances": len(contents), "splits": splits, "left_out": {}},
    )
    for position, content in enumerate(contents):
        Published.objects.create(release=release, position=position, split=content["split"], content=content)
    return release


def graded(id: str, prompt: str, response: str, grade: float, split: str = "dev") -> dict[str, Any]:
    return {"id": id, "split": split, "prompt": prompt, "response": response, "grade": grade}


def forum(project: Project) -> Release:
    """Store a release of rated pairs: in each prompt the response that repeats its word is the best."""
    words = ("salt", "stove", "train", "bus", "lamp", "door", "rain", "tea", "soup", "key")
    rows = []
    for number, word in enumerate(words):
        split, prompt = ("train", "train", "train", "dev", "test")[number % 5], f"where is the {word}"
        rows += [
            graded(f"{word}1", prompt, f"the {word} is here", 4.5, split),
            graded(f"{word}2", prompt, "no", 1.5, split),
            graded(f"{word}3", prompt, "who knows that", 3, split),
        ]
    return a_release(
        project, *rows, graded("alone", "is it late", "yes", 4, "test"), graded("bad", "so", "so", 1, "test")
    )
