"""Figures of annotation beside those of a study: how well inspectors and experts answered the same material."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from django.core.exceptions import ObjectDoesNotExist

from annotation.selectors.releases import releases
from core.domain.statistics import Interval
from core.models.people import User
from study.domain.survey.phases import StudyState
from study.models import Question, Study
from study.permissions import studies_of
from study.selectors.results.cells import LABELS
from study.selectors.survey.plans import counting_questions

FiguresOf = Callable[[Study], dict[str, Any] | None]


class AccuracyElsewhere(NamedTuple):
    """How often people were right on material: `answers` of a release's inspectors, or of the experts of a `study`.

    `share` is from 0 to 1: of inspectors R@1 before they saw the key, "cannot decide" being wrong; of experts R@1.
    """

    material: str
    study: Study | None
    answers: int
    share: float
    interval: Interval | None


def accuracy_elsewhere(study: Study, figures_of: FiguresOf, *, by: User) -> list[AccuracyElsewhere]:
    """Return the accuracy of inspectors and experts on what the study's questions come from, as far as one may see it.

    Of a release it is what it was frozen with; experts are those of other studies that are closed. `figures_of` gives
    the results of such a study under its own rules, or None while they are being computed: it is then left out.
    """
    corpora = sorted(set(counting_questions(study).order_by().values_list("corpus", flat=True)) - {""})
    return [*_of_inspectors(corpora, by), *_of_experts(study, corpora, figures_of, by)]


def _of_inspectors(corpora: Collection[str], by: User) -> Iterator[AccuracyElsewhere]:
    for name in corpora:
        try:
            blind = releases.named(name, by=by).agreement.get("blind", {})
        except ObjectDoesNotExist:
            continue
        if blind.get("share") is not None:
            answers = blind["answers"] + blind["undecided"]
            yield AccuracyElsewhere(name, None, answers, blind["share"], blind["share_ci"])


def _of_experts(study: Study, corpora: Collection[str], figures_of: FiguresOf, by: User) -> Iterator[AccuracyElsewhere]:
    asked = Question.objects.counting().filter(corpus__in=corpora).values("question_set")
    others = studies_of(by).filter(state=StudyState.CLOSED, question_sets__in=asked).exclude(pk=study.pk).distinct()
    for other in others.order_by("pk"):
        if other.survey.is_signed_in and not other.survey.pilot:
            found = figures_of(other)
            of_corpora = {cell["corpus"]: cell for cell in found["cells"] if _is_of_all(cell)} if found else {}
            for corpus in corpora:
                if (cell := of_corpora.get(corpus)) and cell["n"]:
                    yield AccuracyElsewhere(corpus, other, cell["n"], cell["p"], cell["headline"])


def _is_of_all(cell: dict[str, Any]) -> bool:
    """Return whether a cell is R@1 of all answers on its corpus."""
    return cell["metric"] == "R@1" and all(cell[label] is None for label in LABELS if label != "corpus")
