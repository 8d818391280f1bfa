"""Scores of a trained model: of what it is asked, with changed contexts, and over orders of the candidates."""

from collections.abc import Callable, Sequence
from typing import Any

from core.domain.batches import batched
from study.actions.runs.plans import RunPlan
from study.baselines.ablation import ablated
from study.baselines.analyses import Scores, change_of
from study.baselines.base import Baseline, RankingInstance, SeesCandidates
from study.baselines.evaluate import evaluate_run
from study.baselines.orders import ORDERS, figures_over_orders

Instances = Sequence[RankingInstance]


def times_asked(plan: RunPlan) -> int:
    """Return how often a run scores each instance: as it is, in drawn orders, and with changed contexts."""
    return 1 + ORDERS * (plan.model.sees == SeesCandidates.ORDER) + len(plan.ablations)


def scores_of(
    model: Baseline, instances: Instances, report: Callable[[int], None], *, together: int = 1
) -> list[list[float]]:
    """Return the scores of each instance; tell how many are scored, batch by batch.

    So many instances that follow each other count as one of a batch.
    """
    scores: list[list[float]] = []
    for batch in batched(instances, model.batch * together):
        report(len(scores))
        scores += model.score(batch)
    return scores


def with_changed_contexts(
    model: Baseline, plan: RunPlan, instances: Instances, whole: Scores, report: Callable[[int], None]
) -> dict[str, Any]:
    """Return the figures with contexts taken away or shuffled, by the name of the change, and by how much they differ.

    `whole` are the scores with the whole contexts.
    """
    found: dict[str, Any] = {}
    for name in plan.ablations:
        before, changed = len(found) * len(instances), ablated(instances, name, plan.seed)
        scores = scores_of(model, changed, lambda done, before=before: report(before + done))  # type: ignore[misc]
        found[name] = evaluate_run(changed, scores, seed=plan.seed) | change_of(instances, whole, scores)
    return {"ablation": found} if found else {}


def over_orders(model: Baseline, instances: Instances, report: Callable[[int], None]) -> dict[str, Any]:
    """Return the figures over drawn orders of the candidates, for a model that depends on their order."""
    if model.sees != SeesCandidates.ORDER:
        return {}

    def scored(asked: Instances) -> list[list[float]]:
        return scores_of(model, asked, report, together=ORDERS)

    return {"over_orders": figures_over_orders(scored, instances, model.seed)}
