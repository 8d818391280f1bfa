"""Results of a study, computed once for all who look at them."""

from collections.abc import Collection
from typing import Any

from core.actions import stored_figures
from core.actions.jobs import ProgressReport
from core.actions.stored_figures import Arguments, FigureKind
from study.models import Study
from study.selectors.results import choices, results, times


def _compute(study: Study, arguments: Arguments, report: ProgressReport) -> dict[str, Any]:
    return results.figures_of(study, **arguments, report=report)


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


def _time(study: Study, arguments: Arguments, report: ProgressReport) -> dict[str, Any]:
    return times.times_of(study)


TIMES = stored_figures.register(
    FigureKind(
        "times",
        compute=_time,
        fingerprint=results.fingerprint,
        is_long=results.is_large,
        page=lambda study: ("study_times", [study.slug]),
        withdrawn=results.people_withdrawn,
    )
)


def under_rules(without: Collection[str], also: Collection[str]) -> Arguments:
    """Return the arguments of results in which some rules are switched off, and `also` some on that are of no plan."""
    return {"without": sorted(set(without))} | ({"also": sorted(set(also))} if also else {})


def results_in_force(study: Study, *, without: Collection[str] = (), also: Collection[str] = ()) -> dict[str, Any]:
    """Return what `results --json` prints, computed here unless it is stored."""
    found = stored_figures.computed(RESULTS, study, under_rules(without, also))
    return results.in_words(study, found.content)
