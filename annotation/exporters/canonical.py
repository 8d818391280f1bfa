"""The one way an instance is written down, from which the checksum of a release is computed."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from annotation.domain.releases.instances import PlusInstance, RatedPair, RewrittenInstance
from annotation.domain.releases.splitting import Split

FIELDS = tuple(field for field in RatedPair.__annotations__ if field in RatedPair.__required_keys__)
REWRITTEN_FIELDS = tuple(
    field for field in RewrittenInstance.__annotations__ if field in RewrittenInstance.__required_keys__
)


def fields_of(instance: Mapping[str, Any]) -> tuple[str, ...]:
    """The published order of the fields of this kind of instance."""
    if "candidates" in instance:
        return _with_optional(PlusInstance if "replaced" in instance else RewrittenInstance, instance)
    return _with_optional(RatedPair, instance)


def _with_optional(kind: Any, instance: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields that every such instance has, and of the others those that this one has."""
    return tuple(field for field in kind.__annotations__ if field in kind.__required_keys__ or field in instance)


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
        position = order.index(Split(instance["split"]))
        if position < reached:
            raise ValueError(f"{instance['split']} comes after {order[reached]}: a release is train, dev, then test.")
        reached = position
        digest.update(line(instance))
    return digest.hexdigest()
