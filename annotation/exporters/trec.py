"""The files of TREC's evaluations: a topic is a prompt, a document is a response to it.

For rewritten instances a topic is a context, with its four candidates as documents, the right one relevant (1) and the
others not (0).

For each split `train.qrels` (topic, 0, document, relevance), `train.run` (topic, Q0, document, rank, score, tag) and
`train.texts.jsonl` with the texts of topics and documents. Relevance is a whole number, so it is twice the final grade
above the scale's lowest, rounded down: on 1 to 5 it runs from 0 to 8, and a level of 4, 6 or 8 is the study's Cut@3, 4
or 5. The run is a baseline: each topic's documents in the order of the release, which does not depend on grades.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from math import floor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from annotation.domain.rating.rating import Scale
from annotation.domain.rewriting.rewriting import LETTERS
from annotation.exporters.canonical import record
from annotation.exporters.files import split_files, split_paths
from core.domain.text import digest

SUFFIXES = ("qrels", "run", "texts.jsonl")
TAG = "release-order"


class Document(NamedTuple):
    """A possible response to a topic, its relevance, and the texts of both."""

    topic: str
    name: str
    relevance: int
    words: Mapping[str, Any]


def write(instances: Iterable[Mapping[str, Any]], folder: Path, about: Mapping[str, Any]) -> list[Path]:
    """Write the files of every split; instances may come in any order of splits."""
    grades = about["settings"].get("grades")
    scale = Scale.parse(grades) if grades else None
    ranks: Counter[str] = Counter()
    with ExitStack() as stack:
        qrels, runs, texts = (stack.enter_context(split_files(folder, suffix)) for suffix in SUFFIXES)
        for instance in instances:
            split = instance["split"]
            for topic, document, relevant, words in _pair(instance, scale) if scale else _candidates(record(instance)):
                ranks[topic] += 1
                qrels[split].write(_line(topic, 0, document, relevant))
                runs[split].write(_line(topic, "Q0", document, ranks[topic], -ranks[topic], TAG))
                texts[split].write(_json({"topic": topic, "document": document, **words}))
    return [path for suffix in SUFFIXES for path in split_paths(folder, suffix)]


def _pair(instance: Mapping[str, Any], scale: Scale) -> Iterator[Document]:
    """Yield a prompt and one of its responses."""
    words = {name: instance[name] for name in ("prompt", "response")}
    topic, document = topic_of(instance["prompt"]), document_of(instance["id"])
    yield Document(topic, document, relevance(instance["grade"], scale), words)


def _candidates(instance: Mapping[str, Any]) -> Iterator[Document]:
    """Yield a context with each of its four candidates, of which one is right."""
    topic = document_of(instance["id"])
    for number, (letter, candidate) in enumerate(zip(LETTERS, instance["candidates"], strict=True)):
        words = {"context": instance["context"], "speaker": instance["speaker"], "candidate": candidate}
        yield Document(topic, f"{topic}-{letter}", int(number == instance["answer"]), words)


def relevance(grade: float, scale: Scale) -> int:
    """Return twice the grade above the scale's lowest, rounded down."""
    return floor(2 * grade) - 2 * scale.lowest


def topic_of(prompt: str) -> str:
    """Return a name for a prompt that is the same in every release."""
    return digest(prompt)[:16]


def document_of(id: str) -> str:
    """Return an instance's id without white space, which separates the fields: percent-encoded, as in addresses."""
    return re.sub(r"[\s%]", lambda found: quote(found[0]), id)


def _line(*fields: object) -> bytes:
    return f"{' '.join(map(str, fields))}\n".encode()


def _json(texts: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(texts, ensure_ascii=False, separators=(',', ':'))}\n".encode()
