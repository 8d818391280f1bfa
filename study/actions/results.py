"""Results of a study, computed once for all who look at them."""

from collections.abc import Collection
from typing import Any

from core.actions import stored_figures
from core.actions.jobs import ProgressReport
from core.actions.stored_figures import Arguments, FigureKind
from study.domain.results.exclusions import RuleSwitches
from study.models import Study
from study.selectors.results import choices, results


def _compute(study: Study, arguments: Arguments, report: ProgressReport) -> dict[str, Any]:
    return results.figures_of(study, RuleSwitches(**arguments), report=report)


RESULTS = stored_figures.register(
    FigureKind(
        "results",
        compute=_compute,
        fingerprint=results.fingerprint,
        is_long=results.is_large,
        page=lambda study: ("results", [study.slug]),
        withdrawn=results.people_withdrawn,
    )
)


def _compare(study: Study, arguments: Arguments, report: ProgressReport) -> list[dict[str, Any]]:
    return results.people_minus_models(study)


MODELS_BESIDE = stored_figures.register(
    FigureKind(
        "models_beside",
        compute=_compare,
        fingerprint=results.fingerprint,
        is_long=results.is_large,
        page=lambda study: ("study_models", [study.slug]),
        withdrawn=results.people_withdrawn,
    )
)


def _choose(study: Study, arguments: Arguments, report: ProgressReport) -> dict[str, Any]:
    return choices.choices_of(study)


CHOICES = stored_figures.register(
    FigureKind(
        "choices",
        compute=_choose,
        fingerprint=results.fingerprint,
        is_long=results.is_large,
        page=lambda study: ("study_questions", [study.slug]),
        withdrawn=results.people_withdrawn,
    )
)


def results_in_force(study: Study, *, without: Collection[str] = (), also: Collection[str] = ()) -> dict[str, Any]:
    """Return what `results --json` prints, computed here unless it is stored."""
    found = stored_figures.computed(RESULTS, study, RuleSwitches(without, also).as_arguments())
    return results.in_words(study, found.content)
