"""Made-up files for benchmarks/releases_of_two_versions.py; each run writes the same."""

import csv
import io
import json
import random
import wave
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ENGLISH = "we could meet at the station before noon because the library is closed and my sister lost her key"
CHINESE = "今天 天气 很好 我们 一起 去 图书馆 看书 然后 吃 午饭 你 觉得 怎么样 他 昨天 没有 来"
# What spreadsheets, Markdown, tab-separated files and Unicode treat in ways of their own.
ODD = (
    "=1+1",
    "'quoted'",
    "-3 degrees",
    'say "no"',
    "cafe\u0301 ｆｕｌｌ",
    "| pipe * star",
    "Zoë, 12:30",
    "@here",
    "🙂 yes",
)

Row = dict[str, Any]


def write(folder: Path) -> None:
    dice = random.Random(13)
    of_rating(folder, dice)
    of_rewriting(folder, dice)
    of_studies(folder, dice)


def of_rating(folder: Path, dice: random.Random) -> None:
    rows = list(pairs(dice, 60))
    table(folder / "pairs.csv", rows)
    lines(folder / "few.jsonl", rows[:9])
    tabs = "".join(f"{row['prompt']}\t{row['response']}\n" for row in rows)
    (folder / "pairs.tsv").write_text(f"{tabs}a row without a response\n", encoding="utf-8")
    (folder / "words.txt").write_text("sister\n午饭\n", encoding="utf-8")
    gold = (
        {"prompt": f"gold {number}", "response": sentence(dice, ENGLISH), "grade": number % 5 + 1}
        for number in range(24)
    )
    table(folder / "gold.csv", gold)
    table(folder / "grades.csv", grades(dice, rows))


def pairs(dice: random.Random, prompts: int) -> Iterator[Row]:
    for prompt in range(prompts):
        words = CHINESE if prompt % 3 == 0 else ENGLISH
        asked = f"{sentence(dice, words)} {prompt}"
        for number in range(dice.randint(1, 6)):
            said = f"{dice.choice(ODD)} {sentence(dice, words)}" if number == 2 else f"{sentence(dice, words)} {number}"
            names = {"source": ("weibo", "retrieval", "")[number % 3], "topic": ("sports", "films")[prompt % 2]}
            yield {"prompt": asked, "response": said, "id": f"p{prompt}-{number}", **names}


def grades(dice: random.Random, rows: list[Row]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        texts = {"prompt": row["prompt"], "response": row["response"]}
        for rater in range(2 + number % 4):
            yield {"item": row["id"], "rater": f"person {rater}", "grade": dice.choice((2, 3, 3, 4)), **texts}


def of_rewriting(folder: Path, dice: random.Random) -> None:
    lines(folder / "questions.jsonl", (question(dice, number) for number in range(60)))
    lines(folder / "practice.jsonl", (question(dice, number) for number in range(200, 206)))
    replies = (
        "I am not sure.",
        "Could you say that again?",
        "Let me think.",
        "Why?",
        "I have no idea.",
        "Sorry, what?",
    )
    (folder / "replies.txt").write_text("\n".join(replies), encoding="utf-8")
    dream = []
    for number in range(40):
        asked = {"question": f"Who goes to {number}?", "choice": ["he", "she", "they"], "answer": "she"}
        utterances = [f"{turn['speaker']}: {turn['text']}" for turn in talk(dice, number)]
        dream.append([utterances, [asked], f"d{number}"])
    (folder / "dream.json").write_text(json.dumps(dream), encoding="utf-8")
    tape = io.BytesIO()
    with wave.open(tape, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"\0\1" * 4000)
    with zipfile.ZipFile(folder / "tapes.zip", "w") as archive:
        rows = [question(dice, number) | {"audio": "a.wav"} for number in range(300, 316)]
        archive.writestr("items.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
        archive.writestr("a.wav", tape.getvalue())


def question(dice: random.Random, number: int) -> Row:
    """Return a question about a dialogue that the next one asks about too."""
    names = {"id": f"q{number}", "source": "tapes", "topic": ("travel", "work")[number % 2]}
    choices = [f"{sentence(dice, ENGLISH)} {number}{letter}" for letter in "abc"]
    turns = talk(random.Random(number // 2), number // 2)
    return {"turns": turns, "question": f"What of {number}?", "choices": choices, "answer": "ABC"[number % 3], **names}


def talk(dice: random.Random, number: int) -> list[dict[str, str]]:
    people = ("M", "W", "Guide") if number % 9 == 0 else ("M", "F") if number % 2 else ("Anna", "Tom")
    said = [f"{sentence(dice, ENGLISH, 5)} {number}." for _turn in range(dice.randint(3, 8))]
    return [{"speaker": people[at % len(people)], "text": text} for at, text in enumerate(said)]


def of_studies(folder: Path, dice: random.Random) -> None:
    splits = ("train", "train", "dev", "test")
    lines(folder / "talks.jsonl", ({"id": f"t{n}", "split": splits[n % 4], "turns": talk(dice, n)} for n in range(240)))
    lines(folder / "chinese.jsonl", ({"id": f"z{number}", "turns": chinese(dice)} for number in range(80)))
    with zipfile.ZipFile(folder / "school.zip", "w") as archive:
        for number in range(120):
            split = splits[1:][number % 3]
            article = "".join(f"{'mf'[turn % 2]} : {sentence(dice, ENGLISH)} . " for turn in range(4))
            for variant in ("", "_plus"):
                options = [f"m : {sentence(dice, ENGLISH)} ." for _option in "ABCD"]
                names = {"answers": "ABCD"[number % 4], "id": f"{split}_{number}"}
                record = json.dumps({"options": options, "article": article, **names})
                archive.writestr(f"school{variant}/{split}/{split}_{number}.txt", record)
    people = ({"participant": f"a{person}", "group": ("crowd", "experts")[person % 2]} for person in range(40))
    ranks = ("1", "1", "2", "3", "")
    table(
        folder / "answers.csv",
        (
            person | {"question": f"q{asked}", "corpus": ("one", "two")[asked % 2], "rank": dice.choice(ranks)}
            for person in people
            for asked in range(30)
        ),
    )


def chinese(dice: random.Random) -> list[dict[str, str]]:
    return [{"speaker": "AB"[turn % 2], "text": sentence(dice, CHINESE)} for turn in range(5)]


def sentence(dice: random.Random, words: str, least: int = 3) -> str:
    return ("" if words == CHINESE else " ").join(dice.choices(words.split(), k=dice.randint(least, 12)))


def table(path: Path, rows: Iterable[Row]) -> None:
    listed = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, listed[0])
        writer.writeheader()
        writer.writerows(listed)


def lines(path: Path, rows: Iterable[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
