"""The predictions of a run, stored with the content of their instances, by which they serve wherever it is asked."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from core.models.bulk import insert
from study.baselines.analyses import Instances, Scores
from study.baselines.evaluate import Scored, worst_scores
from study.models import Prediction, Run

FIELDS = ("run", "position", "external_id", "content", "places", "condition", "scores", "better", "tied")


def store(run: Run, instances: Instances, scores: Scores) -> None:
    """Store a prediction for each instance of a run that is stored."""
    insert(Prediction, FIELDS, _rows(run, instances, scores))


def checksum(instances: Instances, scores: Scores) -> str:
    """Return the SHA-256 of one line of JSON for each instance, [id, scores], in this order."""
    digest = sha256()
    for instance, own in zip(instances, scores, strict=True):
        line = json.dumps([instance.id, own], ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _rows(run: Run, instances: Instances, scores: Scores) -> Iterator[tuple[Any, ...]]:
    """Yield the FIELDS of each prediction."""
    for position, (instance, own) in enumerate(zip(instances, scores, strict=True)):
        ranked = Scored(own or worst_scores(instance), instance.answer).ranked
        better, tied = (ranked.better, ranked.tied) if ranked else (None, 0)
        asked = (instance.id, instance.content, json.dumps(instance.places), instance.condition)
        yield run.pk, position, *asked, json.dumps(own), better, tied
