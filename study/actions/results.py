"""Results of a study, computed once for all who look at them."""

from collections.abc import Callable, Collection
from typing import Any

from core.actions import stored_figures
from core.actions.jobs import ProgressReport
from core.actions.stored_figures import Arguments, FigureKind
from study.domain.results.exclusions import RuleSwitches
from study.models import Study
from study.selectors.results import choices, comparisons, results, times
from study.selectors.runs.model_answers import fingerprint_of_models, models_beside, runs_beside

MANY_MODELS = 3  # more take too long for a page to be compared with people, and each with each


def _registered(
    name: str,
    compute: Callable[[Study, Arguments, ProgressReport], Any],
    page: str,
    is_long: Callable[[Study], bool] = results.is_large,
) -> FigureKind:
    """Register a kind of figure that follows from the answers of a study, with the name of its page."""
    return stored_figures.register(
        FigureKind(
            name,
            compute=compute,
            fingerprint=results.fingerprint,
            is_long=is_long,
            page=lambda study: (page, [study.slug]),
            withdrawn=results.people_withdrawn,
        )
    )


def _compute(study: Study, arguments: Arguments, report: ProgressReport) -> dict[str, Any]:
    return results.figures_of(study, RuleSwitches(**arguments), report=report)


RESULTS = _registered("results", _compute, "results")
COMPARISONS = _registered(
    "comparisons",
    lambda study, arguments, report: comparisons.comparisons_of(study, []),
    "results",
    lambda study: results.is_large(study) or runs_beside(study).count() > MANY_MODELS,
)
MODELS_BESIDE = _registered(
    "models_beside", lambda study, arguments, report: results.people_minus_models(study), "study_models"
)
CHOICES = _registered("choices", lambda study, arguments, report: choices.choices_of(study), "study_questions")
MODELS = stored_figures.register(
    FigureKind(
        "models",
        compute=lambda study, arguments, report: models_beside(study),
        fingerprint=fingerprint_of_models,
        is_long=lambda study: False,
        page=lambda study: ("study_models", [study.slug]),
    )
)
TIMES = _registered("times", lambda study, arguments, report: times.times_of(study), "study_times")


def models_in_force(study: Study) -> int:
    """Return how many models predict the answer to a question of the study, computed here unless it is stored."""
    count: int = stored_figures.computed(MODELS, study).content
    return count


def results_in_force(study: Study, *, without: Collection[str] = (), also: Collection[str] = ()) -> dict[str, Any]:
    """Return what `results --json` prints, computed here unless it is stored."""
    found = stored_figures.computed(RESULTS, study, RuleSwitches(without, also).as_arguments())
    return results.in_words(study, found.content)
