"""Results of a study, computed once for all who look at them."""

from collections.abc import Callable, Collection
from typing import Any

from core.actions import stored_figures
from core.actions.jobs import ProgressReport
from core.actions.stored_figures import Arguments, FigureKind
from study.domain.results.exclusions import RuleSwitches
from study.models import Study
from study.selectors.results import choices, results, times


def _registered(name: str, compute: Callable[[Study, Arguments, ProgressReport], Any], page: str) -> FigureKind:
    """Register a kind of figure that follows from the answers of a study, with the name of its page."""
    return stored_figures.register(
        FigureKind(
            name,
            compute=compute,
            fingerprint=results.fingerprint,
            is_long=results.is_large,
            page=lambda study: (page, [study.slug]),
            withdrawn=results.people_withdrawn,
        )
    )


def _compute(study: Study, arguments: Arguments, report: ProgressReport) -> dict[str, Any]:
    return results.figures_of(study, RuleSwitches(**arguments), report=report)


RESULTS = _registered("results", _compute, "results")
MODELS_BESIDE = _registered(
    "models_beside", lambda study, arguments, report: results.people_minus_models(study), "study_models"
)
CHOICES = _registered("choices", lambda study, arguments, report: choices.choices_of(study), "study_questions")
TIMES = _registered("times", lambda study, arguments, report: times.times_of(study), "study_times")


def results_in_force(study: Study, *, without: Collection[str] = (), also: Collection[str] = ()) -> dict[str, Any]:
    """Return what `results --json` prints, computed here unless it is stored."""
    found = stored_figures.computed(RESULTS, study, RuleSwitches(without, also).as_arguments())
    return results.in_words(study, found.content)
