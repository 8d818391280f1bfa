"""All that a report says of a study, read by the selectors of its pages in one snapshot of the database."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from study.domain.results.exclusions import RuleSwitches
from study.models import Deviation, QuestionDecision, QuestionSet, Study
from study.selectors.results.answered import GivenAnswers, answers_given
from study.selectors.results.comparisons import comparisons_of
from study.selectors.results.results import figures_of, in_words
from study.selectors.results.times import times_of
from study.selectors.survey.fieldwork import Fieldwork, fieldwork_of

Rows = list[dict[str, Any]]


class LeftOut(NamedTuple):
    """How many people the planned rules leave out, how many more were excluded by hand, and how many withdrew.

    `others` are still answering, or gave no answer that can be scored.
    """

    by_rules: int
    by_hand: int
    withdrew: int
    others: int


@dataclass(frozen=True)
class ReportFacts:
    """Figures under the rules by default: `found` as `results --json` has them, `compared` as `compare --json` does.

    `given` are the answers that all of them are made of.
    """

    study: Study
    given: GivenAnswers
    found: dict[str, Any]
    compared: dict[str, Any]
    times: dict[str, Any]
    fieldwork: Fieldwork
    sets: list[QuestionSet]
    deviations: list[Deviation]
    decisions: list[QuestionDecision]

    @property
    def joined(self) -> int:
        return self.fieldwork.total.joined

    @property
    def counted(self) -> int:
        people: int = self.found["people"]
        return people

    @property
    def left_out(self) -> LeftOut:
        """Who joined and does not count, each person once: rules before what was decided by hand."""
        by_rules = ~self.given.are_counted(self.given.of_plan)
        by_hand = ~self.given.are_counted(self.given.by_default) & ~by_rules
        known = int(by_rules.sum()), int(by_hand.sum()), self.fieldwork.total.outcomes["withdrawn"]
        return LeftOut(*known, others=self.joined - self.counted - sum(known))

    @property
    def planned(self) -> dict[str, Any]:
        """The frozen plan; {} for answers from elsewhere."""
        return self.study.plan or {}


def facts_of(study: Study, report: Callable[[int, int], None]) -> ReportFacts:
    """Return the facts in the language in force; `report` is told of the figures, which take longest."""
    given = answers_given(study)
    return ReportFacts(
        study=study,
        given=given,
        found=in_words(study, figures_of(study, RuleSwitches(), report=report, of_all=given)),
        compared=comparisons_of(study, [], of_all=given),
        times=times_of(study, given),
        fieldwork=fieldwork_of(study),
        sets=list(study.question_sets.order_by("name")),
        deviations=list(study.deviations.order_by("created_at", "pk")),
        decisions=list(study.decisions.select_related("question").order_by("decided_at", "pk")),
    )
