"""Compare people with models, groups of people with each other and models with each other, on the same questions.

The primary contrast, the margin and the confirmatory family are those of the study's frozen plan; every other p is
exploratory. Without --model all models are compared. Example: manage.py compare summer --model roberta bm25 --json
"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from core.domain.statistics import MissingFigure
from core.management.command import ColloquyCommand, counted, unknown
from core.models.people import User
from core.templatetags.figures import p_value, p_with_sign
from study.domain.results.compared import ComparisonTest, is_of_these_people
from study.domain.results.families import ComparisonVerdict
from study.management.command import study
from study.models import Study
from study.selectors.results.answered import answers_given
from study.selectors.results.compared_models import NoSuchModel
from study.selectors.results.comparisons import ALL_PEOPLE, comparisons_of
from study.selectors.results.results import is_readable

VERDICTS = {
    ComparisonVerdict.DIFFERENT: "There is a difference.",
    ComparisonVerdict.SIMILAR: "The two are similar: the difference lies within the margin.",
    ComparisonVerdict.DIFFERENT_BUT_SIMILAR: "There is a difference, and it lies within the margin.",
    ComparisonVerdict.NEITHER: "Neither a difference nor similarity is shown.",
    ComparisonVerdict.UNKNOWN: "Nothing is tested: nothing varies, or a group is one person.",
}


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument(
            "--model",
            dest="models",
            nargs="+",
            action="extend",
            default=[],
            metavar="LABEL",
            help="label of a run, or key of a model (default: all that predicted the study's questions)",
        )

    def act(self, *, by: User, slug: str, models: list[str], **options: Any) -> None:
        found = study(slug, by=by)
        if not is_readable(found):
            self.refuse(f"No results before “{slug}” closes: manage.py close_study {slug}", code="still_open")
        try:
            compared = comparisons_of(found, list(dict.fromkeys(models)))
        except NoSuchModel as none:
            raise unknown("model", none.name, none.known, made_by="run_baseline") from none
        lines = [*_lines(compared)] or [_nothing(found)]
        self.say(compared, "\n".join(lines))


def _nothing(found: Study) -> str:
    given = answers_given(found)
    if not len(given.under(given.by_default).table.people.codes):
        return "Nothing to compare: no answers of this study count."
    return "Nothing to compare: no model predicted the study's questions, and there are no two groups with answers."


def _lines(compared: dict[str, Any]) -> Iterator[str]:
    missing = compared["not_carried_out"]
    if not compared["rows"] and not missing:
        return
    plan = compared["plan"]
    if plan is None or not plan["against"]:
        yield f"{compared['metric']}. The study has no plan with a primary contrast: every p is exploratory."
    else:
        yield f"{compared['metric']}. Primary contrast of the plan: {plan['group']} against {plan['against'][0]}."
    for row in missing:
        yield ""
        yield f"{row['group']} minus {row['against']}, {row['corpus'] or 'all'}"
        yield f"  Planned, not carried out: no figures; counts as p = 1 in Holm's adjustment; {row['family']}"
    for row in compared["rows"]:
        yield ""
        yield from _comparison(row)


def _comparison(row: dict[str, Any]) -> Iterator[str]:
    """Yield a head, the difference with its test, and what the set can tell."""
    yield f"{_first(row)} minus {row['against'] or row['model']}, {row['corpus'] or 'all'}"
    yield (
        f"  {row['difference']:+z.3f} {_interval(row)}: {row['first']:.3f} against {row['second']:.3f}, "
        f"{row['estimator']}, {_questions(row)}"
    )
    if row["p"] is not None:
        yield (
            f"  {row['test']} p {p_with_sign(row['p'])}, {p_value(row['p_adjusted'])} adjusted by "
            f"{row['adjusted_by']}; {row['family']}"
        )
    if row["test"] == ComparisonTest.SIGN_FLIP and is_of_these_people(row["questions"], row["people"]):
        p = "unknown" if row["two_way_p"] is None else p_with_sign(row["two_way_p"])
        people = "this person" if row["people"] == 1 else f"these {row['people']:,} people"
        yield f"  This p is for {people} alone; for people in general, two-way p {p}"
    if row["similar"] is not None:
        said = "similar" if row["similar"] else "not shown to be similar"
        yield f"  {said} within ± {row['margin']:.3f}: p {p_with_sign(row['equivalence_p'])}"
    yield f"  {VERDICTS[row['verdict']]}"
    if row["first_of"]:
        yield f"  The planned run: the first of {row['first_of']} of this model to finish; the others are exploratory."
    yield f"  {_smallest(row)}"
    if row["spread"] and row["spread"]["sd"] is not None:
        spread = row["spread"]
        yield (
            f"  {len(row['seeds'])} seeds: mean {spread['mean']:.3f}, standard deviation {spread['sd']:.3f}, "
            f"{spread['lowest']:.3f} to {spread['highest']:.3f}"
        )


def _questions(row: dict[str, Any]) -> str:
    if row["questions"] < row["questions_asked"]:
        return f"{row['questions']:,} of {counted(row['questions_asked'], 'question')}"
    return counted(row["questions"], "question")


def _first(row: dict[str, Any]) -> str:
    if row["model"] and row["against"]:
        return str(row["model"])
    return row["group"] or ALL_PEOPLE


def _interval(row: dict[str, Any]) -> str:
    if row["ci"]:
        return f"({row['ci'][0]:+z.3f} to {row['ci'][1]:+z.3f})"
    return "(no interval: nothing varies)" if row["smallest_why"] == MissingFigure.NO_VARIANCE else "(no interval)"


def _smallest(row: dict[str, Any]) -> str:
    if row["smallest_why"] == MissingFigure.NO_VARIANCE:
        return "What this set can tell is unknown: nothing varies in it."
    if row["smallest_why"] == MissingFigure.TOO_FEW:
        return "This set can tell no difference: too few questions differ, or too few people answered."
    return f"The smallest difference that this set can tell is {row['smallest']:.3f} (power 80 %, two-sided 5 %)."
