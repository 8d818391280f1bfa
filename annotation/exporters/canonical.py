"""The canonical form of an instance, from which the checksum of a release is computed."""

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
    """Return the fields of this kind of instance in the published order."""
    if "candidates" in instance:
        return _with_optional(PlusInstance if "replaced" in instance else RewrittenInstance, instance)
    return _with_optional(RatedPair, instance)


def _with_optional(kind: Any, instance: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields that every such instance has, and the optional ones that this one has."""
    return tuple(field for field in kind.__annotations__ if field in kind.__required_keys__ or field in instance)


def record(instance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the instance with its fields in the published order; ValueError where one is missing or unknown."""
    fields = fields_of(instance)
    if instance.keys() != set(fields):
        raise ValueError(f"An instance has exactly the fields {', '.join(fields)}, not {', '.join(instance)}.")
    ordered = {field: instance[field] for field in fields}
    # Databases change JSON: a mean can come back as the integer 3, and the keys of an object in another order.
    if "grade" in ordered:
        ordered["grade"] = float(ordered["grade"])
    else:
        ordered["context"] = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in ordered["context"]]
    return ordered


def line(instance: Mapping[str, Any]) -> bytes:
    """Return the instance as one line of JSON: UTF-8, fixed order of fields, no spaces, ended by a line feed."""
    text = json.dumps(record(instance), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"{text}\n".encode()


def checksum(instances: Iterable[Mapping[str, Any]]) -> str:
    """Return the SHA-256, in hexadecimal, of ``cat train.jsonl dev.jsonl test.jsonl``.

    Instances are read as a stream, so they must come in this order of splits (ValueError otherwise); their order within
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
