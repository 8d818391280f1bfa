"""The folder format of MuTual: train/, dev/ and test/ with one JSON file an instance, two speakers called m and f.

An article is one text in which every turn begins with " m : " or " f : ", so a dialogue of more than two people does
not fit: such instances are left out and listed in left_out.csv. ids.csv maps each file to our id and says whether it
was inspected.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.domain.releases.splitting import Split
from core.domain.text import fold
from core.exporters.csv import row

LETTERS = "ABCD"
GENDERS = {"m": "m", "man": "m", "male": "m", "w": "f", "woman": "f", "f": "f", "female": "f"}
OTHER = {"m": "f", "f": "m"}
SPOKEN = re.compile(r"(?<!\S)([mf]) (?=:)")  # within a text this would look like the beginning of a turn


def left_out(instance: Mapping[str, Any]) -> str:
    """Return the reason why an instance does not fit; empty where it does."""
    return "" if len(_speakers(instance)) <= 2 else "more than two speakers"


def write(instances: Iterable[Mapping[str, Any]], folder: Path, _about: Mapping[str, Any]) -> list[Path]:
    """Write a file for each instance that fits, numbered within its split in the order of the release."""
    for split in Split:
        (folder / split).mkdir(parents=True, exist_ok=True)
    files = [folder / "ids.csv", folder / "left_out.csv"]
    numbers: Counter[str] = Counter()
    with files[0].open("wb") as ids, files[1].open("wb") as out:
        ids.write(row(["file", "id", "inspected"]))
        out.write(row(["id", "reason"]))
        for instance in instances:
            if reason := left_out(instance):
                out.write(row([instance["id"], reason]))
                continue
            numbers[instance["split"]] += 1
            name = f"{instance['split']}_{numbers[instance['split']]}"
            files.append(folder / instance["split"] / f"{name}.txt")
            files[-1].write_text(json.dumps(_mutual(instance, name), ensure_ascii=False), encoding="utf-8")
            ids.write(row([name, instance["id"], str(instance.get("inspected", True)).lower()]))
    return files


def _mutual(instance: Mapping[str, Any], name: str) -> dict[str, Any]:
    letter_of = _letters(_speakers(instance))
    letter = {label: letter_of[fold(label)] for label in _labels(instance)}
    return {
        "answers": LETTERS[instance["answer"]],
        "options": [_said(letter[instance["speaker"]], text) for text in instance["candidates"]],
        "article": " ".join(_said(letter[turn["speaker"]], turn["text"]) for turn in instance["context"]),
        "id": name,
    }


def _speakers(instance: Mapping[str, Any]) -> list[str]:
    """Return the speakers in order of appearance, then the next one; one label in two spellings is one person."""
    return list(dict.fromkeys(fold(label) for label in _labels(instance)))


def _labels(instance: Mapping[str, Any]) -> list[str]:
    return [*(turn["speaker"] for turn in instance["context"]), instance["speaker"]]


def _letters(speakers: list[str]) -> dict[str, str]:
    """Map the speakers to m and f by gender where it is known; where unknown or equal, by order of appearance."""
    known = [GENDERS.get(speaker.rstrip("0123456789"), "") for speaker in speakers]
    first, second = (*known, "")[:2]
    if not first and second:
        first = OTHER[second]
    elif not first or first == second:
        first = "m"
    return dict(zip(speakers, (first, OTHER[first]), strict=False))


def _said(letter: str, text: str) -> str:
    spoken = SPOKEN.sub(r"\1", " ".join(text.split()))
    return f"{letter} : {spoken}"
