"""A made-up file of Chinese pairs as large as the study's; equal seeds give equal files."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from openpyxl import Workbook

PAIRS = 105_825
SOURCES = ("tieba", "zhidao", "douban", "weibo")
TOPICS = ("生活", "饮食", "电影", "旅行", "学习", "运动")
HEADER = ("prompt", "response", "id", "source", "topic")
ENDS = ("", "。", "?", "!", "……", "~", "😀")


def write(path: Path, pairs: int = PAIRS, *, seed: int = 0) -> None:
    """Write a csv file with a header and the columns prompt, response, id, source, topic."""
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(HEADER) + "\n")
        file.writelines(",".join(row) + "\n" for row in _rows(pairs, np.random.default_rng(seed)))


def write_workbook(path: Path, pairs: int = PAIRS, *, seed: int = 0) -> None:
    """Write an xlsx file with the same header and pairs in its only sheet."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("pairs")
    sheet.append(HEADER)
    for row in _rows(pairs, np.random.default_rng(seed)):
        sheet.append(row)
    book.save(path)


def _rows(pairs: int, generator: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Yield prompts of about 7 characters with 1 to 20 responses of about 12 each, as in the study."""
    everyday = np.array([chr(code) for code in range(0x4E00, 0x4E00 + 3_000)])
    number = 0
    while number < pairs:
        source, topic = generator.choice(SOURCES), generator.choice(TOPICS)
        prompt = _text(generator, everyday, 7)
        for _response in range(min(int(generator.geometric(0.28)), 20, pairs - number)):
            number += 1
            yield prompt, _text(generator, everyday, 12), f"p{number}", source, topic


def _text(generator: np.random.Generator, characters: np.ndarray, length: int) -> str:
    size = 1 + generator.poisson(length - 1)
    return "".join(generator.choice(characters, size)) + generator.choice(ENDS)
