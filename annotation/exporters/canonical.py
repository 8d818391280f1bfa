"""The one way an instance is written down, from which the checksum of a release is computed."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from annotation.domain.instances import RatedPair, RewrittenInstance
from annotation.domain.splitting import Split

ADJUDICATED_FIELDS = tuple(RatedPair.__annotations__)
FIELDS = tuple(field for field in ADJUDICATED_FIELDS if field in RatedPair.__required_keys__)
REWRITTEN_FIELDS = tuple(RewrittenInstance.__annotations__)


def fields_of(instance: Mapping[str, Any]) -> tuple[str, ...]:
    """The published order of the fields of this kind of instance."""
    if "candidates" in instance:
        return REWRITTEN_FIELDS
    return ADJUDICATED_FIELDS if "adjudicated" in instance else FIELDS


def record(instance: Mapping[str, Any]) -> dict[str, Any]:
    """The instance with its fields in the published order; ValueError where one is missing or unknown."""
    fields = fields_of(instance)
    if instance.keys() != set(fields):
        raise ValueError(f"An instance has exactly the fields {', '.join(fields)}, not {', '.join(instance)}.")
    ordered = {field: instance[field] for field in fields}
    # What databases change in JSON: a mean comes back as the integer 3, the keys of an object in another order.
    if "grade" in ordered:
        ordered["grade"] = float(ordered["grade"])
    else:
        ordered["context"] = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in ordered["context"]]
    return ordered


def line(instance: Mapping[str, Any]) -> bytes:
    """The instance as one line of JSON: UTF-8, fixed order of fields, no spaces, ended by a line feed."""
    text = json.dumps(record(instance), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"{text}\n".encode()


def checksum(instances: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 in hexadecimal of the lines of train, dev and test: ``cat train.jsonl dev.jsonl test.jsonl | sha256sum``.

    Read as a stream, so the instances must come in this order of splits (ValueError otherwise); their order within
    a split is the release's own and is part of what the checksum covers.
    """
    digest, order, reached = sha256(), list(Split), 0
    for instance in instances:
        place = order.index(Split(instance["split"]))
        if place < reached:
            raise ValueError(f"{instance['split']} comes after {order[reached]}: a release is train, dev, then test.")
        reached = place
        digest.update(line(instance))
    return digest.hexdigest()
