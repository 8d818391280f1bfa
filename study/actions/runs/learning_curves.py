"""Learning curves: one model, taught with more and more of the same material. Nothing is stored."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.actions.jobs import ProgressReport
from core.actions.refusals import Refused
from core.domain.batches import batched
from core.models.people import User
from study.actions.runs.plans import planned
from study.actions.runs.refusals import refusal
from study.baselines.analyses import part_of_training
from study.baselines.base import NothingToLearn
from study.baselines.evaluate import evaluate_run

HALVINGS = 4  # of the material, where no sizes are named


def learning_curve(*, sizes: Sequence[int], report: ProgressReport, by: User, **plan: Any) -> Iterator[dict[str, Any]]:
    """Yield the figures for each size of the training material, the smallest first. Raises Refused.

    `plan` is what `planned` takes. Without sizes they are the whole and its halvings.
    """
    made = planned(**plan, by=by)
    if made.train is None:
        raise Refused("learns_nothing", _("This model needs no training, so more material changes nothing."))
    asked = [instance for instance in made.on.instances() if not instance.condition]
    train, dev, _left_out = made.lessons(asked)
    if not asked:
        raise refusal("empty_source")
    sizes = sorted(set(sizes)) or sorted({max(1, len(train) >> halving) for halving in range(HALVINGS + 1)})
    if not 1 <= sizes[0] <= sizes[-1] <= len(train):
        text = _("Sizes must be from 1 to %(most)s, the instances of the training material.")
        raise Refused("wrong_size", text % {"most": f"{len(train):,}"})
    for number, size in enumerate(sizes):
        report(number, len(sizes))
        model, part = made.made(), part_of_training(train, size, seed=made.seed)
        made.must_have_places(part, (*asked, *dev))
        try:
            model.fit(part, dev)
        except NothingToLearn as empty:
            raise refusal(empty.lack) from empty
        scores = [own for batch in batched(asked, model.batch) for own in model.score(batch)]
        yield {"size": size, **evaluate_run(asked, scores, seed=made.seed)}
