"""The files of TREC's evaluations: a topic is a prompt, a document is a response to it.

For each split `train.qrels` (topic, 0, document, relevance), `train.run` (topic, Q0, document, rank, score, tag) and
`train.texts.jsonl` with the words behind the names. Relevance is a whole number, so it is twice the final grade above
the scale's lowest, rounded down: on 1 to 5 it runs from 0 to 8, and a level of 4, 6 or 8 is the study's Cut@3, 4 or 5.
The run is a floor to compare with: each prompt's responses in the order of the release, which says nothing of grades.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from math import floor
from pathlib import Path
from typing import Any
from urllib.parse import quote

from annotation.domain.rating import Scale
from annotation.domain.text import digest
from annotation.exporters.files import split_files, split_paths

SUFFIXES = ("qrels", "run", "texts.jsonl")
TAG = "release-order"


def write(instances: Iterable[Mapping[str, Any]], folder: Path, about: Mapping[str, Any]) -> list[Path]:
    """The files of every split; instances may come in any order of splits."""
    scale = Scale.parse(about["settings"]["grades"])
    ranks: Counter[str] = Counter()
    with ExitStack() as stack:
        qrels, runs, texts = (stack.enter_context(split_files(folder, suffix)) for suffix in SUFFIXES)
        for instance in instances:
            split, topic, document = instance["split"], topic_of(instance["prompt"]), document_of(instance["id"])
            ranks[topic] += 1
            qrels[split].write(_line(topic, 0, document, relevance(instance["grade"], scale)))
            runs[split].write(_line(topic, "Q0", document, ranks[topic], -ranks[topic], TAG))
            said = {name: instance[name] for name in ("prompt", "response")}
            texts[split].write(_json({"topic": topic, "document": document, **said}))
    return [path for suffix in SUFFIXES for path in split_paths(folder, suffix)]


def relevance(grade: float, scale: Scale) -> int:
    return floor(2 * grade) - 2 * scale.lowest


def topic_of(prompt: str) -> str:
    """A name for a prompt that is the same in every release."""
    return digest(prompt)[:16]


def document_of(id: str) -> str:
    """The id of an instance without white space, which separates the fields: percent-encoded, as in addresses."""
    return re.sub(r"[\s%]", lambda found: quote(found[0]), id)


def _line(*fields: object) -> bytes:
    return f"{' '.join(map(str, fields))}\n".encode()


def _json(texts: Mapping[str, str]) -> bytes:
    return f"{json.dumps(texts, ensure_ascii=False, separators=(',', ':'))}\n".encode()
