"""R@1 of models in each condition that people were asked in, beside what people have there."""

from collections.abc import Sequence
from typing import Any

from study.domain.results.comparison import model_figures
from study.domain.results.labels import WHOLE
from study.selectors.results.answered import StudyAnswers
from study.selectors.runs.model_answers import Model, described


def models_in_conditions(given: StudyAnswers, models: Sequence[Model], *, draws: int) -> list[dict[str, Any]]:
    """Return a row for each model and condition over the questions that people answered in it; [] for one condition."""
    answered = set(given.table.asked.occurring)
    asked: dict[str, list[str]] = {}
    for one in given.questions.values():
        if one.key in answered:
            asked.setdefault(one.condition or WHOLE, []).append(one.key)
    if len(asked) < 2:
        return []
    rows = []
    for model in models:
        for condition, keys in sorted(asked.items()):
            ranked = [[model.in_conditions[key]] for key in sorted(keys) if key in model.in_conditions]
            figures = model_figures(ranked, seed=model.run.seed, draws=draws)
            [figure] = [one for one in figures if one.metric == "R@1"]
            ends = figure.interval and list(figure.interval)
            own = {"condition": condition, "metric": "R@1", "k": figure.k, "n": figure.n, "p": figure.p, "ci": ends}
            rows.append({**described(model.run), **own})
    return rows
